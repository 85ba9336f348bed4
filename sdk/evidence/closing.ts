import {
  hashesInOrder,
  hashOfClosing,
  hashOfPerson,
  LINE_NAMES,
} from '../../src/shared/evidence/closing.ts'
import type { ClosedLeaf } from '../../src/shared/evidence/leaf.ts'
import { type OwnLines, parseJson } from './format.ts'
import type { ClosingState } from './history.ts'
import type { Findings, OwnClosing } from './report.ts'
import { UnreadableFile } from './unreadable.ts'

/** The closings that a seal covers, by their number. */
export type SealedClosings = ReadonlyMap<number, ClosingState>

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
  closings: SealedClosings,
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
  const hashes = new Map([...byEmployee].map(([id, ofPerson]) => [id, hashOfPerson(ofPerson)]))
  const hash = hashOfClosing(hashesInOrder(hashes))
  const [id, state] = [...closings].find(([, { lines: sealed }]) => sealed === hash) ?? []
  if (id === undefined || !state) {
    faults.add('Los renglones del corte no son los de ningún corte sellado.')
    return undefined
  }
  if (state.isCancelled) faults.add(`El corte ${id} está cancelado: no se paga nada con él.`)
  return id
}

/** Step 2, of a person's file: what is wrong with the lines that a closing pays the person. */
export const flawOfOwnLines = (
  leaf: ClosedLeaf,
  { hashes, lines }: OwnLines,
  employee_id: string,
): string | undefined => {
  if (lines.some((line) => line.employee_id !== employee_id))
    return 'trae renglones de otra persona.'
  if (hashOfClosing(hashes) !== leaf.lines) return 'sus huellas no son las que se sellaron.'
  if (!hashes.includes(hashOfPerson(lines))) return 'sus renglones no son los que se sellaron.'
  return undefined
}

const sumOf = (differences: readonly number[]): number =>
  differences.reduce((sum, difference) => sum + difference, 0)

/** What each closing pays the person whom a file is about. */
export const ownClosings = (closings: SealedClosings): OwnClosing[] =>
  [...closings].flatMap(([id, { before, paid, isCancelled }]) => {
    if (!paid) return []
    const differences = paid.lines.map((line) => line.difference_seconds)
    return {
      id,
      before,
      isCancelled,
      paid_seconds: sumOf(differences.filter((difference) => difference > 0)),
      deducted_seconds: -sumOf(differences.filter((difference) => difference < 0)) || 0,
    }
  })
