import { hashesInOrder, hashOfClosing, LINE_NAMES } from '../../src/payroll/line-hashes.ts'
import type { SealedClosings } from './closing.ts'
import { type ClosingLine, type PersonLines, readClosingLines } from './closing-lines.ts'
import type { ClosingState } from './history.ts'
import type { NamedFile } from './named-file.ts'
import type { ComparedClosing, Findings, Report } from './report.ts'
import { UnreadableFile } from './unreadable.ts'
import { listed, moment, plural } from './words.ts'

/** What the lines of closings are compared with. */
interface Evidence {
  kind: Report['kind']
  /** Those that a seal covers. */
  sealed: SealedClosings
  /** Those of the file, sealed or not. */
  closings: SealedClosings
  until: Report['until']
}

interface Results {
  faults: Findings
  /** What can neither be proven nor refuted with this evidence. */
  uncompared: Findings
}

type Lines = ReadonlyMap<string, PersonLines>

/** Values that are named; beyond these, only counted. */
const NAMED = 5

/** One made again after its cancellation may have the same lines: the one that pays comes first. */
const findByHash = (closings: SealedClosings, hash: string) =>
  [...closings]
    .filter(([, { lines }]) => lines === hash)
    .sort(([, a], [, b]) => Number(a.isCancelled) - Number(b.isCancelled))[0]

/**
 * Whether a line could be of a closing: it pays days before its own, nobody else, and follows earlier
 * closings alone.
 */
const fits = (line: ClosingLine, id: number, closing: ClosingState): boolean =>
  line.day < closing.before &&
  !(Number(line.previous_closing_id) >= id) &&
  [null, line.employee_id].includes(closing.employee_id) &&
  (line.payroll_group === undefined || [null, line.payroll_group].includes(closing.payroll_group))

/**
 * The closings of a whole file, whose lines it does not have, that most of the lines could be of; of
 * these, the first that could pay their days.
 */
const likelyClosings = (lines: readonly ClosingLine[], sealed: SealedClosings): number[] => {
  const likely = [...sealed].filter(
    ([id, closing]) =>
      !closing.isCancelled &&
      lines.filter((line) => fits(line, id, closing)).length * 2 >= lines.length,
  )
  const first = likely.map(([, { before }]) => before).sort()[0]
  return likely.filter(([, { before }]) => before === first).map(([id]) => id)
}

const ownLinesIn = (lines: Lines, { paid }: ClosingState): readonly ClosingLine[] =>
  lines.get(paid?.lines[0]?.employee_id ?? '')?.lines ?? []

/**
 * How much of a person's file shows that the lines are of a closing: somebody's lines that it sealed,
 * or a day of the person after the same closing as there, which only one that pays has.
 */
const likeness = (lines: Lines, closing: ClosingState): number => {
  const { paid, isCancelled } = closing
  if (!paid || isCancelled) return 0
  const equalPeople = [...lines.values()].filter(({ hash }) => paid.hashes.includes(hash))
  const equalDays = ownLinesIn(lines, closing).filter((line) =>
    paid.lines.some(
      ({ day, previous_closing_id }) =>
        day === line.day && previous_closing_id === line.previous_closing_id,
    ),
  )
  return equalPeople.length + equalDays.length
}

const shown = (value: unknown): string => (value === null ? 'vacío' : String(value))

/** How the person's lines differ from those that were sealed, by day. */
const differencesOf = (lines: Lines, closing: ClosingState): string[] => {
  const sealed: readonly object[] = closing.paid?.lines ?? []
  const byDay = (all: readonly object[]) =>
    new Map(all.map((line) => [String((line as ClosingLine).day), new Map(Object.entries(line))]))
  const [given, expected] = [byDay(ownLinesIn(lines, closing)), byDay(sealed)]
  return [...new Set([...expected.keys(), ...given.keys()])].sort().flatMap((day) => {
    const [is, was] = [given.get(day), expected.get(day)]
    if (!is) return `falta el día ${day}`
    if (!was) return `sobra el día ${day}`
    return LINE_NAMES.filter((name) => is.get(name) !== was.get(name)).map(
      (name) => `el ${day} ${name} es ${shown(is.get(name))}, y se selló ${shown(was.get(name))}`,
    )
  })
}

const several = (texts: readonly string[]): string => {
  const more = texts.length > NAMED ? ` y ${texts.length - NAMED} más` : ''
  return texts.slice(0, NAMED).join('; ') + more
}

/** Lines of a closing that a person's file has, which are not all as they were sealed. */
const compareWithPaid = (
  name: string,
  lines: Lines,
  [id, closing]: [number, ClosingState],
  { faults, uncompared }: Results,
): void => {
  const hashes = closing.paid?.hashes ?? []
  const own = closing.paid?.lines[0]?.employee_id
  const changed = [...lines].filter(([, { hash }]) => !hashes.includes(hash)).map(([who]) => who)
  if (changed.length === 0) {
    const missing = plural(hashes.length - lines.size, 'persona')
    uncompared.add(
      `${name}: los renglones que trae son los que selló el cierre ${id}, pero faltan los de ${missing}.`,
    )
    return
  }
  const differences = changed.includes(own ?? '') ? differencesOf(lines, closing) : []
  const details = differences.length > 0 ? `. De ${own}, ${several(differences)}` : ''
  faults.add(
    `${name}: no son los renglones que selló el cierre ${id}; cambian los de ${several(changed)}${details}.`,
  )
}

const untilText = ({ until }: Evidence): string =>
  until ? `este llega al sello ${until.seal}, del ${moment(until.at)}` : 'este no tiene sellos'

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
  const hash = hashOfClosing(
    hashesInOrder(new Map([...lines].map(([id, person]) => [id, person.hash]))),
  )
  const found = findByHash(evidence.sealed, hash)
  if (found) {
    const [id, { isCancelled }] = found
    if (isCancelled) {
      faults.add(`${name}: el cierre ${id} está cancelado: no se paga nada con él.`)
    }
    return { id, name }
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
 * Step 8: whether the lines of closings (NDJSON) are those that their events have sealed. Returns the
 * closings whose lines are. Lines that no closing of the evidence could have are no fault: they may
 * be of a later one, or of people whom a person's file does not show.
 */
export const compareClosings = async (
  files: readonly NamedFile[],
  evidence: Evidence,
  results: Results,
): Promise<ComparedClosing[]> => {
  const compared: ComparedClosing[] = []
  for (const file of files) {
    const closing = await compare(file, evidence, results)
    if (closing) compared.push(closing)
  }
  return compared
}
