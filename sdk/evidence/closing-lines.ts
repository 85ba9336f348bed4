import {
  hashesInOrder,
  hashOfClosing,
  hashOfPerson,
  SEALED_LINE_FIELDS,
} from '../../src/payroll/closing-lines.ts'
import { parseExactJson } from './format.ts'
import type { NamedFile } from './named-file.ts'
import { UnreadableFile } from './unreadable.ts'

/** A line of a closing, as the service exports it. SEALED_LINE_FIELDS lists the sealed fields. */
export interface ClosingLine {
  employee_id: string
  day: string
  previous_closing_id: unknown
  /** This field is not sealed, so it may be missing. */
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
    SEALED_LINE_FIELDS.every((name) => name in line) &&
    typeof line.employee_id === 'string' &&
    typeof line.day === 'string'
  )
}

/**
 * Reads the lines of a closing (NDJSON), and groups them by employee.
 * @throws UnreadableFile if a line is something else, or repeats a day of an employee
 */
export const readClosingLines = async ({
  name,
  lines,
}: NamedFile): Promise<Map<string, PersonLines>> => {
  const linesByEmployee = new Map<string, ClosingLine[]>()
  let lineNumber = 0
  for await (const text of lines) {
    lineNumber++
    const line = parseExactJson(text)
    if (!isClosingLine(line)) {
      throw new UnreadableFile(
        `${name} no trae los renglones de un cierre (línea ${lineNumber}): descárguelo con format=ndjson y sin by.`,
      )
    }
    const linesOfPerson = linesByEmployee.get(line.employee_id) ?? []
    if (linesOfPerson.some(({ day }) => day === line.day)) {
      throw new UnreadableFile(`${name} repite un día de una persona: línea ${lineNumber}.`)
    }
    linesByEmployee.set(line.employee_id, [...linesOfPerson, line])
  }
  return new Map(
    [...linesByEmployee].map(([id, personLines]) => [
      id,
      { hash: hashOfPerson(personLines), lines: personLines },
    ]),
  )
}

/** The hash of a closing with exactly these lines. */
export const hashOfLines = (lines: ReadonlyMap<string, PersonLines>): string =>
  hashOfClosing(hashesInOrder(new Map([...lines].map(([id, { hash }]) => [id, hash]))))
