import {
  hashesInOrder,
  hashOfClosing,
  hashOfPerson,
  SEALED_LINE_FIELDS,
} from '../../src/payroll/closings/closing-lines.ts'
import { parseExactJson } from './format.ts'
import type { NamedFile } from './named-file.ts'
import type { ComparedClosing, Findings, ProvenClosing } from './report.ts'
import { UnreadableFile } from './unreadable.ts'

/** A line of a closing, as the service exports it. SEALED_LINE_FIELDS lists the sealed fields. */
type ClosingLine = Record<string, unknown> & { employee_id: string; day: string }

const isClosingLine = (value: unknown): value is ClosingLine => {
  if (typeof value !== 'object' || value === null) return false
  const line = value as Record<string, unknown>
  return (
    SEALED_LINE_FIELDS.every((name) => name in line) &&
    typeof line.employee_id === 'string' &&
    typeof line.day === 'string'
  )
}

/**
 * Reads the lines of a closing (NDJSON).
 * @returns the hash of a closing with exactly these lines, and the names of the other columns
 * @throws UnreadableFile if a line is something else, or repeats a day of an employee
 */
const readClosingLines = async ({ name, lines }: NamedFile) => {
  const linesByEmployee = new Map<string, ClosingLine[]>()
  const columns = new Set<string>()
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
    for (const column of Object.keys(line)) columns.add(column)
  }
  const hashes = [...linesByEmployee].map(([id, own]) => [id, hashOfPerson(own)] as const)
  return {
    hash: hashOfClosing(hashesInOrder(new Map(hashes))),
    unsealed: [...columns].filter((column) => !SEALED_LINE_FIELDS.includes(column)),
  }
}

/**
 * Compares files with the sealed closings by the hash of their lines alone. A file whose hash no
 * closing has may be altered, or the lines of a closing that the evidence lacks.
 */
export const compareClosings = async (
  files: readonly NamedFile[],
  sealed: readonly ProvenClosing[],
  uncompared: Findings,
): Promise<ComparedClosing[]> => {
  const compared: ComparedClosing[] = []
  for (const file of files) {
    const { name } = file
    const { hash, unsealed } = await readClosingLines(file)
    const equal = sealed.filter(({ lines }) => lines === hash)
    for (const { id, isCancelled } of equal) compared.push({ id, name, unsealed, isCancelled })
    if (equal.length > 0) continue
    uncompared.add(
      `${name}: sus renglones no son los que selló ninguno de los cierres de este archivo (huella ${hash}).`,
    )
  }
  return compared
}
