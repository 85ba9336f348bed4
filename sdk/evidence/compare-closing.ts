import { weekdayOf } from '../../src/core/time-zone.ts'
import { SEALED_LINE_FIELDS } from '../../src/payroll/closing-lines.ts'
import { type ClosingsById, isCancelledBefore } from './closing.ts'
import {
  type ClosingLine,
  hashOfLines,
  type PersonLines,
  readClosingLines,
} from './closing-lines.ts'
import type { ClosingState } from './history.ts'
import type { NamedFile } from './named-file.ts'
import type { ComparedClosing, Findings, Report } from './report.ts'
import { UnreadableFile } from './unreadable.ts'
import { joinFirst, listed, momentText, plural } from './words.ts'

/** The data of the evidence file that lines are compared with. */
interface Evidence {
  kind: Report['kind']
  sealed: ClosingsById
  /** All closings of the file, sealed or not. */
  closings: ClosingsById
  /** The id of the first event that is not sealed. */
  unsealedFrom: number
  until: Report['until']
}

interface Results {
  faults: Findings
  /** Lines that this evidence can neither prove nor refute. */
  uncompared: Findings
}

type Lines = ReadonlyMap<string, PersonLines>

/**
 * Finds the closing whose lines have this hash. A cancelled closing can have the same lines as the
 * closing made after it, so a closing that is not cancelled is preferred.
 */
const findByHash = (closings: ClosingsById, hash: string) =>
  [...closings]
    .filter(([, { lines }]) => lines === hash)
    .sort(([, a], [, b]) => (a.cancelledId ?? 0) - (b.cancelledId ?? 0))[0]

/**
 * Whether a line could belong to a closing. The line's day must be before the closing's `before`.
 * The line's previous closing, if any, must have a smaller id. The closing must include the person
 * and, if the line has it, the payroll group.
 */
const fits = (line: ClosingLine, id: number, closing: ClosingState): boolean =>
  line.day < closing.before &&
  !(Number(line.previous_closing_id) >= id) &&
  [null, line.employee_id].includes(closing.employee_id) &&
  (line.payroll_group === undefined || [null, line.payroll_group].includes(closing.payroll_group))

/**
 * A closing is likely if it is not cancelled and at least half of the lines could belong to it.
 * Returns the ids of the likely closings with the earliest `before`. Only whole files need this,
 * because they have only the hashes of closings.
 */
const likelyClosings = (lines: readonly ClosingLine[], sealed: ClosingsById): number[] => {
  const likely = [...sealed].filter(
    ([id, closing]) =>
      closing.cancelledId === undefined &&
      lines.filter((line) => fits(line, id, closing)).length * 2 >= lines.length,
  )
  const first = likely.map(([, { before }]) => before).sort()[0]
  return likely.filter(([, { before }]) => before === first).map(([id]) => id)
}

const ownLinesIn = (lines: Lines, { paid }: ClosingState): readonly ClosingLine[] =>
  lines.get(paid?.lines[0]?.employee_id ?? '')?.lines ?? []

/**
 * How well lines match a closing of a person's file: the number of people whose lines have a hash
 * of the closing, plus the number of days of the file's person that have the same previous closing
 * in both. It is 0 for cancelled closings.
 */
const likeness = (lines: Lines, closing: ClosingState): number => {
  const { paid, cancelledId } = closing
  if (!paid || cancelledId !== undefined) return 0
  const equalPeople = [...lines.values()].filter(({ hash }) => paid.hashes.includes(hash))
  const equalDays = ownLinesIn(lines, closing).filter((line) =>
    paid.lines.some(
      ({ day, previous_closing_id }) =>
        day === line.day && previous_closing_id === line.previous_closing_id,
    ),
  )
  return equalPeople.length + equalDays.length
}

const valueText = (value: unknown): string => (value === null ? 'vacío' : String(value))

/** The differences between the person's lines and the sealed lines, by day. */
const differencesOf = (lines: Lines, closing: ClosingState): string[] => {
  const sealed: readonly object[] = closing.paid?.lines ?? []
  const byDay = (all: readonly object[]) =>
    new Map(all.map((line) => [String((line as ClosingLine).day), new Map(Object.entries(line))]))
  const [given, expected] = [byDay(ownLinesIn(lines, closing)), byDay(sealed)]
  return [...new Set([...expected.keys(), ...given.keys()])].sort().flatMap((day) => {
    const [is, was] = [given.get(day), expected.get(day)]
    if (!is) return `falta el día ${day}`
    if (!was) return `sobra el día ${day}`
    return SEALED_LINE_FIELDS.filter((name) => is.get(name) !== was.get(name)).map(
      (name) =>
        `el ${day} ${name} es ${valueText(is.get(name))}, y se selló ${valueText(was.get(name))}`,
    )
  })
}

/** Compares lines with a closing of a person's file, and reports what is changed or missing. */
const compareWithPaid = (
  name: string,
  lines: Lines,
  [id, closing]: [number, ClosingState],
  { faults, uncompared }: Results,
): void => {
  const hashes = closing.paid?.hashes ?? []
  const ownId = closing.paid?.lines[0]?.employee_id
  const changed = [...lines].filter(([, { hash }]) => !hashes.includes(hash)).map(([who]) => who)
  if (changed.length === 0) {
    const missing = plural(hashes.length - lines.size, 'persona')
    uncompared.add(
      `${name}: los renglones que trae son los que selló el cierre ${id}, pero faltan los de ${missing}.`,
    )
    return
  }
  const differences = changed.includes(ownId ?? '') ? differencesOf(lines, closing) : []
  const details = differences.length > 0 ? `. De ${ownId}, ${joinFirst(differences)}` : ''
  faults.add(
    `${name}: no son los renglones que selló el cierre ${id}; cambian los de ${joinFirst(changed)}${details}.`,
  )
}

/**
 * Compares the columns that are not sealed but can be derived: `weekday`, and `payroll_group` if
 * the closing is of a group. `absent` has the names of the derived columns that a line lacks.
 * `columns` has the names of all other unsealed columns, which nothing proves.
 */
const compareOtherColumns = (
  name: string,
  lines: Lines,
  { payroll_group }: ClosingState,
  faults: Findings,
): Pick<ComparedClosing, 'columns' | 'absent'> => {
  const [unsealed, absent] = [new Set<string>(), new Set<string>()]
  for (const line of [...lines.values()].flatMap((person) => person.lines)) {
    const group = payroll_group === null ? {} : { payroll_group }
    const derived = new Map<string, unknown>(
      Object.entries({ weekday: weekdayOf(line.day), ...group }),
    )
    for (const column of derived.keys()) if (!(column in line)) absent.add(column)
    for (const [column, value] of Object.entries(line)) {
      if (SEALED_LINE_FIELDS.includes(column)) continue
      if (!derived.has(column)) unsealed.add(column)
      else if (value !== derived.get(column)) {
        faults.add(
          `${name}: de ${line.employee_id}, el ${line.day} ${column} es ${valueText(value)}, y debe ser ${valueText(derived.get(column))}.`,
        )
      }
    }
  }
  return { columns: [...unsealed], absent: [...absent] }
}

const untilText = ({ until }: Evidence): string =>
  until ? `este llega al sello ${until.seal}, del ${momentText(until.at)}` : 'este no tiene sellos'

const unknownText = (name: string, evidence: Evidence): string => {
  const until = untilText(evidence)
  const start = `${name}: no se pudo comparar. Sus renglones no son de ningún cierre de este archivo: o se alteraron, o son de un cierre`
  return evidence.kind === 'whole'
    ? `${start} posterior (${until}). Con el registro completo y más reciente se sabe.`
    : `${start} posterior (${until}), de otro periodo o de otras personas. Con el registro completo y reciente se sabe.`
}

const otherLinesText = (name: string, likely: readonly number[], evidence: Evidence): string => {
  const which = likely.length === 1 ? `del cierre ${likely[0]}` : `de los cierres ${listed(likely)}`
  return `${name}: sus renglones no son los que selló ningún cierre de este archivo. Por sus días serían ${which}: o se alteraron, o no vienen todos (quien tiene una sucursal descarga solo los de ella), o el cierre es posterior (${untilText(evidence)}).`
}

const compare = async (
  file: NamedFile,
  evidence: Evidence,
  results: Results,
): Promise<ComparedClosing | undefined> => {
  const { name } = file
  const { faults, uncompared } = results
  const lines = await readClosingLines(file)
  const hash = hashOfLines(lines)
  const found = findByHash(evidence.sealed, hash)
  if (found) {
    const [id, closing] = found
    if (isCancelledBefore(evidence.unsealedFrom, closing)) {
      faults.add(`${name}: el cierre ${id} está cancelado: no se paga nada con él.`)
    } else if (closing.cancelledId !== undefined) {
      uncompared.add(
        `${name}: la cancelación del cierre ${id} todavía no tiene sello: no está probada.`,
      )
    }
    return { id, name, ...compareOtherColumns(name, lines, closing, faults) }
  }
  if (lines.size === 0) throw new UnreadableFile(`${name} no trae ningún renglón.`)
  const [unsealed] = findByHash(evidence.closings, hash) ?? []
  if (unsealed !== undefined) {
    uncompared.add(
      `${name}: sus renglones son los del cierre ${unsealed}, que todavía no tiene sello: no están probados.`,
    )
    return undefined
  }
  const [alike] = [...evidence.sealed]
    .filter(([, closing]) => likeness(lines, closing) > 0)
    .sort(([, a], [, b]) => likeness(lines, b) - likeness(lines, a))
  if (alike) {
    compareWithPaid(name, lines, alike, results)
    return undefined
  }
  const all = [...lines.values()].flatMap((person) => person.lines)
  const likely = evidence.kind === 'whole' ? likelyClosings(all, evidence.sealed) : []
  if (likely.length > 0) faults.add(otherLinesText(name, likely, evidence))
  else uncompared.add(unknownText(name, evidence))
  return undefined
}

/**
 * Compares lines of closings (NDJSON) with the hashes in the sealed events. Returns the closings
 * whose lines are the sealed ones. Lines that fit no closing of the evidence are not a fault: they
 * may be of a later closing, or of people who are not in the evidence.
 */
export const compareClosings = async (
  files: readonly NamedFile[],
  evidence: Evidence,
  results: Results,
): Promise<ComparedClosing[]> => {
  const compared: ComparedClosing[] = []
  for (const file of files) {
    const closing = await compare(file, evidence, results)
    const same = compared.find(({ id }) => id === closing?.id)
    if (same) {
      results.uncompared.add(
        `${file.name}: trae otra vez los renglones del cierre ${same.id}, que ya trae ${same.name}: se pagan una vez.`,
      )
    } else if (closing) compared.push(closing)
  }
  return compared
}
