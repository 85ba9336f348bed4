import { hashOfClosing, hashOfPerson, LINE_NAMES } from '../../src/shared/evidence/closing.ts'
import { parseJson } from './format.ts'
import type { ClosingState } from './history.ts'
import type { Findings } from './report.ts'
import { UnreadableFile } from './unreadable.ts'

interface Line {
  employee_id: string
  day: string
}

const isLine = (value: unknown): value is Line => {
  if (typeof value !== 'object' || value === null) return false
  const line = value as Record<string, unknown>
  return (
    LINE_NAMES.every((name) => name in line) &&
    typeof line.employee_id === 'string' &&
    typeof line.day === 'string'
  )
}

/**
 * Step 8: whether the lines of a closing (NDJSON) are those that its event has sealed. Returns the
 * closing's number, or undefined with a fault.
 */
export const compareClosing = async (
  lines: AsyncIterable<string>,
  { closings, unsealedFrom }: { closings: ReadonlyMap<number, ClosingState>; unsealedFrom: number },
  faults: Findings,
): Promise<number | undefined> => {
  const byEmployee = new Map<string, Line[]>()
  let number = 0
  for await (const text of lines) {
    number++
    const line = parseJson(text)
    if (!isLine(line)) {
      throw new UnreadableFile(
        `El archivo del corte no es el de sus renglones en NDJSON: línea ${number}.`,
      )
    }
    const linesOfPerson = byEmployee.get(line.employee_id) ?? []
    if (linesOfPerson.some(({ day }) => day === line.day)) {
      throw new UnreadableFile(`El archivo del corte repite un día: línea ${number}.`)
    }
    byEmployee.set(line.employee_id, [...linesOfPerson, line])
  }
  const hash = hashOfClosing(
    new Map([...byEmployee].map(([employee, ofPerson]) => [employee, hashOfPerson(ofPerson)])),
  )
  const [id, state] = [...closings].find(([, { lines: sealed }]) => sealed === hash) ?? []
  if (id === undefined || !state || state.eventId >= unsealedFrom) {
    faults.add('Los renglones del corte no son los de ningún corte sellado.')
    return undefined
  }
  if (state.isCancelled) faults.add(`El corte ${id} está cancelado: no se paga nada con él.`)
  return id
}
