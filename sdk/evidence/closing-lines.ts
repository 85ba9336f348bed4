import { hashOfPerson, LINE_NAMES } from '../../src/payroll/line-hashes.ts'
import { parseJson } from './format.ts'
import type { NamedFile } from './named-file.ts'
import { UnreadableFile } from './unreadable.ts'

/** A line of a closing, as the service's own file has it; what is sealed of it is in LINE_NAMES. */
export interface ClosingLine {
  employee_id: string
  day: string
  previous_closing_id: unknown
  /** Not sealed, but known of a line that nobody changed. */
  payroll_group?: unknown
}

export interface PersonLines {
  hash: string
  lines: readonly ClosingLine[]
}

export const isClosingLine = (value: unknown): value is ClosingLine => {
  if (typeof value !== 'object' || value === null) return false
  const line = value as Record<string, unknown>
  return (
    LINE_NAMES.every((name) => name in line) &&
    typeof line.employee_id === 'string' &&
    typeof line.day === 'string'
  )
}

/** Reads the lines of a closing (NDJSON), by employee. @throws UnreadableFile where it is another file */
export const readClosingLines = async ({
  name,
  lines,
}: NamedFile): Promise<Map<string, PersonLines>> => {
  const linesByEmployee = new Map<string, ClosingLine[]>()
  let number = 0
  for await (const text of lines) {
    number++
    const line = parseJson(text)
    if (!isClosingLine(line)) {
      throw new UnreadableFile(
        `${name} no trae los renglones de un cierre (línea ${number}): descárguelo con format=ndjson y sin by.`,
      )
    }
    const linesOfPerson = linesByEmployee.get(line.employee_id) ?? []
    if (linesOfPerson.some(({ day }) => day === line.day)) {
      throw new UnreadableFile(`${name} repite un día de una persona: línea ${number}.`)
    }
    linesByEmployee.set(line.employee_id, [...linesOfPerson, line])
  }
  return new Map(
    [...linesByEmployee].map(([id, ofPerson]) => [
      id,
      { hash: hashOfPerson(ofPerson), lines: ofPerson },
    ]),
  )
}
