import type { LogLeaf } from '../../src/evidence/leaf.ts'
import { isClosingLine } from './closing-lines.ts'
import { parseJson } from './format.ts'
import type { NamedFile } from './named-file.ts'
import type { Findings } from './report.ts'
import { UnreadableFile } from './unreadable.ts'
import { labelOf } from './words.ts'

const FACTS = ['employee_id', 'kind', 'recorded_at'] as const

type Row = Partial<Record<'log_id' | 'status' | (typeof FACTS)[number], unknown>>

interface Evidence {
  /** The last event of each log. */
  logs: ReadonlyMap<number, LogLeaf>
  /** The id of the first event that is not sealed. */
  unsealedFrom: number
  /** The person of the file; rows of other people are skipped. Undefined in a whole file. */
  employee: string | undefined
}

/**
 * Compares the rows of the service's export of logs (NDJSON) with the last event of each log.
 * Returns how many rows were compared with a sealed event, and how many with an unsealed one.
 */
export const comparePayroll = async (
  { name, lines }: NamedFile,
  { logs, unsealedFrom, employee }: Evidence,
  faults: Findings,
): Promise<{ compared: number; unproven: number }> => {
  let [lineNumber, compared, unproven] = [0, 0, 0]
  for await (const line of lines) {
    lineNumber++
    const row = parseJson(line) as Row | null | undefined
    if (typeof row !== 'object' || row === null || typeof row.log_id !== 'number') {
      throw new UnreadableFile(
        isClosingLine(row)
          ? `${name} no es la exportación de checadas: parece traer los renglones de un cierre, que se comparan aparte (en la terminal, con --closing).`
          : `${name} no es la exportación de checadas del servicio en NDJSON: línea ${lineNumber}.`,
      )
    }
    if (employee !== undefined && row.employee_id !== employee) continue
    const id = row.log_id
    const event = logs.get(id)
    if (!event) {
      faults.add(`Checada ${id}: está en la nómina, pero no en la evidencia.`)
      continue
    }
    if (event.id < unsealedFrom) compared++
    else unproven++
    if (row.status !== event.to) {
      faults.add(
        `Checada ${id}: en la nómina está ${labelOf(row.status)}, pero se dejó ${labelOf(event.to)}.`,
      )
    }
    for (const fact of FACTS) {
      if (row[fact] === event[fact]) continue
      faults.add(
        `Checada ${id}: en la nómina ${labelOf(fact)} es ${row[fact]}, y en la evidencia ${event[fact]}.`,
      )
    }
  }
  return { compared, unproven }
}
