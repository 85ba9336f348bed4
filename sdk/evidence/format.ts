import { fromBase64 } from '../../src/core/values/bytes.ts'
import {
  COMMENT_MAX,
  LOG_KINDS,
  LOG_STATUSES,
  SOURCE_SUBJECTS,
} from '../../src/core/values/log-values.ts'
import { codePoints } from '../../src/core/values/text.ts'
import {
  FILE_VERSION,
  isSourceRule,
  LEAF_VERSION,
  type Leaf,
  type RuledLeaf,
  SEALED_EVENT_FIELDS,
  sourceOfRule,
} from '../../src/evidence/seal/leaf.ts'
import { HASH_BYTES, type Hash, splitHashes } from '../../src/evidence/seal/merkle.ts'
import { proofText } from '../../src/evidence/seal/proof.ts'
import { SEALED_LINE_FIELDS } from '../../src/payroll/closings/closing-lines.ts'
import { type Proof, parseProof, readHashes } from './proofs.ts'
import { UnreadableFile, UnreadableLine } from './unreadable.ts'

/**
 * Reads the lines of an evidence file. Each value can be written in only one way, and every other
 * way is refused. Otherwise two different files could both pass as the sealed one.
 */

/** The maximum number of events in one seal. */
export const EVENTS_PER_SEAL = 1_024

type Check = (value: unknown) => boolean

/** The check of each field of an object, in the order of the fields. */
type Shape = Record<string, Check>

const matches =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value)
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)
const isOneOf =
  (values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value)

/** Refuses lone surrogates, because UTF-8 encodes them as a different character. */
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.isWellFormed()
const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0
const isId: Check = (value) => isCount(value) && value > 0
const isSealCount: Check = (value) => isId(value) && Number(value) <= EVENTS_PER_SEAL
const isHash = matches(/^[0-9a-f]{64}$/)
const isSalt = matches(/^[0-9a-f]{32}$/)
const isActor = matches(/^(import|clock|[0-9a-f]{64})$/)
const isActorOrOperator = matches(/^(import|clock|operator|[0-9a-f]{64})$/)
const isComment: Check = (value) =>
  isText(value) && value !== '' && codePoints(value) <= COMMENT_MAX

/** Whether a value is a moment in UTC with milliseconds and a year of four digits. */
const isMoment = (value: unknown): value is string => {
  if (typeof value !== 'string' || value.length !== '2026-11-02T14:00:00.000Z'.length) return false
  const date = new Date(value)
  return !Number.isNaN(date.getTime()) && date.toISOString() === value
}
/** A file of a log without a period has the texts that sort before and after every moment. */
const isStartOfPeriod: Check = (value) => value === '' || isMoment(value)
const isEndOfPeriod: Check = (value) => value === ':' || isMoment(value)
const isDay: Check = (value) => isText(value) && isMoment(`${value}T00:00:00.000Z`)

const isDistinctList =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check) && new Set(value).size === value.length
const isBase64: Check = (value) => isText(value) && value !== '' && fromBase64(value) !== undefined
const isHashes: Check = (value) =>
  Array.isArray(value) && value.every(isText) && readHashes(value) !== undefined
const isLeaves: Check = (value) => {
  const bytes = isText(value) ? fromBase64(value) : undefined
  if (!bytes || bytes.length === 0 || bytes.length % HASH_BYTES !== 0) return false
  return bytes.length <= EVENTS_PER_SEAL * HASH_BYTES
}

/** A checkpoint with exactly one signature, under the name of its origin. */
const isCheckpoint = matches(
  /^([^\s+]+)\n[1-9]\d{0,14}\n[A-Za-z0-9+/]{43}=\n\n\u2014 \1 [A-Za-z0-9+/]{91}=\n$/,
)
const isProof: Check = (value) => {
  const proof = isText(value) ? parseProof(value) : undefined
  if (!proof || !isCheckpoint(proof.checkpoint)) return false
  return proofText(proof.index, proof.path, proof.checkpoint) === value
}

/** Returns what is wrong with the fields of an object, in Spanish, or undefined if nothing is. */
const flawOf = (value: unknown, shape: Shape): string | undefined => {
  if (typeof value !== 'object' || value === null) return 'no es un objeto'
  const names = Object.keys(value)
  const expected = Object.keys(shape)
  const extra = names.find((name) => !expected.includes(name))
  if (extra !== undefined) return `sobra el campo «${extra}»`
  const missing = expected.find((name) => !names.includes(name))
  if (missing !== undefined) return `falta el campo «${missing}»`
  if (expected.some((name, i) => names[i] !== name)) return 'sus campos están en otro orden'
  const entries = Object.entries(value)
  const [wrong] = entries.find(([name, field]) => !shape[name]?.(field)) ?? []
  return wrong === undefined ? undefined : `el campo «${wrong}» no tiene la forma debida`
}
const hasShape =
  (shape: Shape): Check =>
  (value) =>
    flawOf(value, shape) === undefined

const FIELD_CHECKS: Shape = {
  account: isId,
  actor: isActor,
  agreement: isHash,
  agrees: isOneOf([0, 1]),
  at: isMoment,
  before: isDay,
  branch: isText,
  closing_id: isId,
  comment: orNull(isHash),
  employee_id: isText,
  event: isText,
  events: isCount,
  file: orNull(isHash),
  from: isOneOf(LOG_STATUSES),
  how: isOneOf(['app', 'paper', 'void']),
  id: isId,
  ids: isHash,
  kind: isOneOf(LOG_KINDS),
  lines: isHash,
  log_id: isId,
  own_lines: isHash,
  payroll_group: orNull(isText),
  people: isHash,
  previous: orNull(isId),
  recorded_at: isMoment,
  rule: isOneOf(['shift', 'zone', 'number', ...SOURCE_SUBJECTS]),
  salt: isSalt,
  signature: isId,
  signed_on: orNull(isDay),
  source: isText,
  statement: orNull(isId),
  through: orNull(isId),
  to: isOneOf(LOG_STATUSES),
  user_id: orNull(isId),
  v: isOneOf([LEAF_VERSION]),
  valid_from: orNull(isDay),
  value: isText,
  what: isOneOf(['invited', 'password_set', 'linked', 'unlinked']),
}

/** Checks that differ from FIELD_CHECKS for one kind of event. */
const EVENT_FIELD_CHECKS: Record<Leaf['event'], Shape> = {
  recorded: { from: isOneOf([null]) },
  decided: { user_id: isId },
  closed: { employee_id: orNull(isText), user_id: isId },
  cancelled: { user_id: isId },
  agreed: { user_id: isId },
  signed: { user_id: isId },
  answered: { user_id: isId },
  access: { actor: isActorOrOperator },
  ruled: { actor: isActorOrOperator, branch: orNull(isText), employee_id: orNull(isText) },
  shown: { before: isEndOfPeriod, from: isStartOfPeriod, log_id: orNull(isId), user_id: isId },
}

/** The checks of an event's fields. Undefined for an unknown kind of event. */
const leafShapeOf = (event: unknown): Shape | undefined => {
  const names = SEALED_EVENT_FIELDS.get(event)
  const fields: Shape = { ...FIELD_CHECKS, ...EVENT_FIELD_CHECKS[event as Leaf['event']] }
  return names && Object.fromEntries(names.map((name) => [name, fields[name] ?? isText]))
}

/** A clock's number of a person: the clock's serial number or nothing, a tab, and the number. */
const CLOCK_NUMBER = /^[a-z0-9_-]{0,50}\t\S{1,100}$/

/** The source or nothing, a tab, and a JSON list of what changed. */
const SOURCE_CHANGE = /^.{0,200}\t\[[^\t]+\]$/s

const contradictionOfSourceRule = (leaf: RuledLeaf): string | undefined => {
  const { rule, branch, employee_id, valid_from, value } = leaf
  if (employee_id !== null || valid_from !== null || (branch !== null) !== (rule === 'clock')) {
    return 'su cambio es de otra cosa que un reloj, un origen o la empresa'
  }
  const source = sourceOfRule(leaf)
  const isNamed =
    rule === 'company'
      ? source === ''
      : source !== '' && source.startsWith('clock ') === (rule === 'clock')
  const isChange =
    SOURCE_CHANGE.test(value) && Array.isArray(parsedOf(value.slice(source.length + 1)))
  return isNamed && isChange ? undefined : 'su cambio no está como se sella'
}

const contradictionOfRule = (leaf: RuledLeaf): string | undefined => {
  if (isSourceRule(leaf)) return contradictionOfSourceRule(leaf)
  const { rule, branch, employee_id, value } = leaf
  const isOfOther = rule === 'zone' ? employee_id !== null : branch !== null
  if (isOfOther) return 'su regla es de otra cosa que una persona o una sucursal'
  const isNumber = employee_id !== null && CLOCK_NUMBER.test(value)
  return rule === 'number' && !isNumber ? 'su número de reloj no es de una persona' : undefined
}

/**
 * Describes, in Spanish, a contradiction between fields of an event. Undefined if there is none.
 */
const contradictionOf = (leaf: Leaf): string | undefined => {
  if ((leaf.previous ?? 0) >= leaf.id) return 'su evento anterior es posterior'
  if ((leaf.statement ?? 0) > (leaf.previous ?? 0)) return 'sus eventos anteriores se contradicen'
  if ((leaf.user_id === null) !== /^(import|clock|operator)$/.test(leaf.actor)) {
    return 'su autor y su usuario se contradicen'
  }
  if (leaf.event === 'closed') {
    const isOfBoth = leaf.payroll_group !== null && leaf.employee_id !== null
    return isOfBoth ? 'su cierre es de un grupo y de una persona a la vez' : undefined
  }
  if (leaf.event === 'agreed') {
    const isPaper = leaf.how === 'paper'
    const isWhole = (leaf.file !== null) === isPaper && (leaf.signed_on !== null) === isPaper
    return isWhole ? undefined : 'solo un acuerdo en papel tiene escaneo y fecha, y siempre los dos'
  }
  if (leaf.event === 'signed' && leaf.agrees === 0 && leaf.comment === null) {
    return 'su objeción no tiene palabras'
  }
  if (leaf.event === 'access') {
    const isBySet = leaf.through === null || leaf.what === 'password_set'
    return isBySet ? undefined : 'solo una contraseña se pone con un enlace'
  }
  if (leaf.event === 'ruled') return contradictionOfRule(leaf)
  return undefined
}

/** Undefined if the text is no JSON. */
const parsedOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Parses JSON. Returns undefined unless JSON.stringify writes the same text. So the text has no
 * repeated names, no blanks and no numbers like 1.0.
 */
export const parseExactJson = (text: string): unknown => {
  const value = parsedOf(text)
  return JSON.stringify(value) === text ? value : undefined
}

export const refuse = (text: string): never => {
  throw new UnreadableLine(text)
}

type Line = Record<string, unknown>

const parseLine = (text: string): Line => {
  const value = parseExactJson(text)
  if (typeof value === 'object' && value !== null) return value as Line
  return refuse(
    'no está escrita en la única forma que se admite (JSON sin nombres repetidos, espacios ni otra forma de los números)',
  )
}

const requireShape = (line: Line, shape: Shape): void => {
  const flaw = flawOf(line, shape)
  if (flaw !== undefined) refuse(flaw)
}

/** @param version the version of the file */
const parseLeaf = (text: string, version: number): Leaf => {
  const value = parseExactJson(text)
  const { event } = (value ?? {}) as { event?: unknown }
  const shape = leafShapeOf(event)
  if (!shape) return refuse('su evento no es de los que se sellan, o no como se escriben')
  const flaw = flawOf(value, shape)
  if (flaw !== undefined) return refuse(`su evento no está como se sella: ${flaw}`)
  const leaf = value as Leaf
  if (version < FILE_VERSION && isSourceRule(leaf)) {
    return refuse('su regla no es de un archivo de esa versión')
  }
  const contradiction = contradictionOf(leaf)
  return contradiction === undefined ? leaf : refuse(contradiction)
}

export interface Head {
  /** The version of the file. */
  evidence: number
  origin: string
  keys: string[]
  exported_at: string
}

export interface WholeHead extends Head {
  /** The salt and e-mail of each actor, by the actor's hash. */
  actors: Record<string, { salt: string; address: string }>
}

export interface PeopleHead extends Head {
  about: { employee_ids: string[]; log_id: number | null; from: string; before: string }
  /** The newest seal when the file was written, or null if there was none. */
  until: { seal: number; size: number; at: string } | null
}

/** At least one id. They are sorted, so that there is only one possible order. */
const isEmployees: Check = (value) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every(isText) &&
  value.every((id, i) => i === 0 || String(value[i - 1]) < id)

const hasAboutShape = hasShape({
  employee_ids: isEmployees,
  log_id: orNull(isId),
  from: isStartOfPeriod,
  before: isEndOfPeriod,
})

/** A log is of one employee. */
const isAbout: Check = (value) => {
  if (!hasAboutShape(value)) return false
  const { employee_ids, log_id } = value as PeopleHead['about']
  return log_id === null || employee_ids.length === 1
}

/** The hashes must be sorted, so that there is only one possible order. */
const isActors: Check = (value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const hashes = Object.keys(value)
  return (
    hashes.every((hash, i) => isHash(hash) && (hashes[i - 1] ?? '') < hash) &&
    Object.values(value).every(hasShape({ salt: isSalt, address: isText }))
  )
}

const FILE_VERSIONS = [1, FILE_VERSION]

const HEAD_SHAPE = {
  evidence: isOneOf(FILE_VERSIONS),
  origin: matches(/^[^\s+]*$/),
  keys: isDistinctList(isText),
  exported_at: isMoment,
}

/** The version of the file, or undefined if the text is not the first line of an evidence file. */
const versionOf = (text: string): unknown => (parsedOf(text) as Partial<Head> | null)?.evidence

/** Editors add a byte order mark, and mail programs change the ends of the lines. */
const SAVED_AGAIN =
  'Otro programa guardó el archivo y cambió su principio o sus finales de línea: use el que se descargó.'

/** Reads the first line. It shows whether the file is whole or of people. */
export const readHead = (text: string | undefined): WholeHead | PeopleHead => {
  if (text?.startsWith('\uFEFF') || text?.endsWith('\r')) throw new UnreadableFile(SAVED_AGAIN)
  const version = text === undefined ? undefined : versionOf(text)
  if (text === undefined || version === undefined) {
    throw new UnreadableFile('No es un archivo de evidencia de este servicio.')
  }
  if (isCount(version) && version > FILE_VERSION) {
    throw new UnreadableFile(
      'El archivo es de una versión posterior: use un verificador más nuevo.',
    )
  }
  const head = parseLine(text)
  const until = orNull(hasShape({ seal: isId, size: isId, at: isMoment }))
  const more: Shape = 'about' in head ? { about: isAbout, until } : { actors: isActors }
  requireShape(head, { ...HEAD_SHAPE, ...more })
  return head as unknown as WholeHead | PeopleHead
}

/** A person's line of a closing. This type has only the fields that are used here. */
export interface PaidLine {
  employee_id: string
  day: string
  difference_seconds: number
  previous_closing_id: unknown
}

/** The lines of a closing for the people of the file. */
export interface OwnLines {
  /** The hash of each person's lines. The closing's hash is computed from these hashes. */
  hashes: string[]
  lines: PaidLine[]
}

export interface EventLine {
  kind: 'event'
  leaf: Leaf
  text: string
  comment: string | undefined
  comment_salt: string
  /**
   * The people's lines of a closing. Only events `closed` in a file of people have them, and no lines
   * of a person if the reader of the file may not see them all.
   */
  paid: OwnLines | undefined
  proof: Proof | undefined
}

export interface SealLine {
  kind: 'seal'
  seal: number
  at: string
  checkpoint: string
  /** The hashes of the seal's events. Empty in a file of people. */
  leaves: Hash[]
  /** The number of the seal's events. Only a file of people has it. */
  count: number
  /** The proof that the seal continues the seal before it. Only a file of people has this proof. */
  consistency: Hash[]
  tokens: string[]
}

/** A text that people agreed to. `agreement` is the hash of the other fields. */
export interface AgreementText {
  agreement: string
  title: string
  valid_from: string
  text: string
}

export type TextLine = AgreementText & { kind: 'text' }

interface EndLine {
  kind: 'end'
  events: number
  seals: number
}

const isInteger: Check = (value) => Number.isSafeInteger(value) && !Object.is(value, -0)
const isPaidLine = hasShape({
  ...Object.fromEntries(
    SEALED_LINE_FIELDS.map((name) => [
      name,
      (value) => value === null || isText(value) || isInteger(value),
    ]),
  ),
  day: isDay,
  difference_seconds: isInteger,
  employee_id: isText,
})

const isSorted = (a: PaidLine, b: PaidLine): boolean =>
  a.employee_id === b.employee_id ? a.day < b.day : a.employee_id < b.employee_id

/** Requires at least one line, and one line per person and day, in the order of both. */
const isPaidLines: Check = (value) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every(isPaidLine) &&
  value.every((line, i) => i === 0 || isSorted(value[i - 1], line))

interface FileKind {
  /** Whether the file has all events, or those of people. */
  isWhole: boolean
  version: number
}

const readEvent = (line: Line, { isWhole, version }: FileKind) => {
  const text = String(line.entry)
  const leaf = parseLeaf(text, version)
  const hasComment = 'comment' in line || 'comment_salt' in line
  const hasOwnLines = leaf.event === 'closed' && !isWhole && 'lines' in line
  requireShape(line, {
    entry: isText,
    ...(hasComment && { comment: isComment, comment_salt: isSalt }),
    ...(hasOwnLines && { hashes: isDistinctList(isHash), lines: isPaidLines }),
    ...('proof' in line && !isWhole && { proof: isProof }),
  })
  const { comment, comment_salt, proof } = line as Record<string, string>
  return {
    kind: 'event',
    leaf,
    text,
    comment,
    comment_salt: comment_salt ?? '',
    paid: hasOwnLines ? (line as unknown as OwnLines) : undefined,
    proof: proof === undefined ? undefined : parseProof(proof),
  } satisfies EventLine
}

const readSeal = (line: Line, isWhole: boolean) => {
  requireShape(line, {
    seal: isId,
    at: isMoment,
    checkpoint: isCheckpoint,
    ...(isWhole ? { leaves: isLeaves } : { count: isSealCount, consistency: isHashes }),
    tokens: isDistinctList(isBase64),
  })
  const {
    leaves = '',
    consistency = [],
    ...seal
  } = line as unknown as Omit<SealLine, 'kind' | 'leaves' | 'consistency'> & {
    leaves?: string
    consistency?: string[]
  }
  return {
    kind: 'seal',
    ...seal,
    leaves: splitHashes(fromBase64(leaves) ?? new Uint8Array()),
    consistency: readHashes(consistency) ?? [],
  } satisfies SealLine
}

/** With a line feed in the title, two texts could have the same hash. */
const isTitle: Check = (value) => isText(value) && !/[\r\n]/.test(value)

const readText = (line: Line): TextLine => {
  requireShape(line, { agreement: isHash, title: isTitle, valid_from: isDay, text: isText })
  return { kind: 'text', ...(line as unknown as AgreementText) }
}

/** Reads any line except the first. */
export const readLine = (
  text: string,
  kind: FileKind,
): EventLine | SealLine | TextLine | EndLine => {
  const line = parseLine(text)
  if ('entry' in line) return readEvent(line, kind)
  if ('seal' in line) return readSeal(line, kind.isWhole)
  if ('agreement' in line) return readText(line)
  if (!('end' in line)) return refuse('no es un evento, ni un sello, ni el final')
  requireShape(line, { end: hasShape({ events: isCount, seals: isCount }) })
  return { kind: 'end', ...(line.end as { events: number; seals: number }) }
}
