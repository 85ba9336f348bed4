import type { Leaf } from '../../src/shared/evidence/leaf.ts'
import { parseJson } from './entry.ts'
import { labelOf } from './labels.ts'
import type { Findings } from './report.ts'

const FACTS = ['employee_id', 'kind', 'recorded_at'] as const

type Row = Partial<Record<'log_id' | 'status' | (typeof FACTS)[number], unknown>>

/**
 * Compares the rows of the service's own export (NDJSON) with the last event of each log; returns how
 * many were compared. In one person's file, rows of others are left out.
 */
export const comparePayroll = async (
  lines: AsyncIterable<string>,
  last: ReadonlyMap<number, Leaf>,
  employee: string | undefined,
  faults: Findings,
): Promise<number> => {
  let compared = 0
  for await (const line of lines) {
    const row = parseJson(line) as Row | null | undefined
    if (typeof row !== 'object' || row === null || typeof row.log_id !== 'number') {
      faults.add('El archivo de nómina no es la exportación NDJSON del servicio.')
      break
    }
    if (employee !== undefined && row.employee_id !== employee) continue
    compared++
    const id = row.log_id
    const event = last.get(id)
    if (!event) {
      faults.add(`Checada ${id}: está en la nómina, pero no en la evidencia.`, id)
      continue
    }
    if (row.status !== event.to) {
      faults.add(
        `Checada ${id}: en la nómina está ${labelOf(row.status)}, pero se dejó ${labelOf(event.to)}.`,
        id,
      )
    }
    for (const fact of FACTS) {
      if (row[fact] === event[fact]) continue
      faults.add(
        `Checada ${id}: en la nómina ${labelOf(fact)} es ${row[fact]}, y se selló ${event[fact]}.`,
        id,
      )
    }
  }
  return compared
}
