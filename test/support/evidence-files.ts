import { bytesOf, concat, toBase64, toHex } from '../../src/core/values/bytes.ts'
import { saltedHash } from '../../src/core/values/salted-hash.ts'
import { sha256 } from '../../src/core/values/sha256.ts'
import { readSigner, signCheckpoint } from '../../src/evidence/seal/checkpoint.ts'
import {
  FILE_VERSION,
  followedEmployee,
  isLogLeaf,
  LEAF_VERSION,
  type Leaf,
  type LogLeaf,
  leafText,
} from '../../src/evidence/seal/leaf.ts'
import { GrowingTree, leafHash } from '../../src/evidence/seal/merkle.ts'
import { proofText } from '../../src/evidence/seal/proof.ts'
import { SealedTree } from '../../src/evidence/seal/sealed-tree.ts'
import {
  hashOfClosing,
  hashOfPerson,
  SEALED_LINE_FIELDS,
} from '../../src/payroll/closings/closing-lines.ts'
import { sealedRanges, sealFinder } from './trees.ts'

/** Evidence files that a test creates and signs, also with content the service would not write. */

/** The example key in the documentation of golang.org/x/mod/sumdb/note. */
export const SIGNER_KEY =
  'PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz'
export const VERIFIER_KEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'

const SALT = '0123456789abcdef'.repeat(2)
const ADDRESS = 'ana.torres@demo.mx'
const ACTOR = saltedHash(SALT, ADDRESS)

/** The moment `hour` hours after 14:00 UTC on the day of all events in these files. */
const atHour = (hour: number): string => new Date(Date.UTC(2026, 10, 2, 14 + hour)).toISOString()

const anEvent = (id: number) => ({
  actor: ACTOR,
  at: atHour(Math.floor(id / 3)),
  id,
  salt: id.toString(16).padStart(32, '0'),
  user_id: 7,
  v: LEAF_VERSION as typeof LEAF_VERSION,
  previous: null as number | null,
  statement: null as number | null,
})

export const aLogEvent = (id: number, values: Partial<LogLeaf> = {}): LogLeaf => ({
  ...anEvent(id),
  event: 'recorded',
  branch: 'Norte',
  comment: null,
  employee_id: OWN,
  from: null,
  kind: 'entrada',
  log_id: id,
  recorded_at: '2026-11-02T14:00:00.000Z',
  source: 'reloj-1',
  to: 'pending',
  ...values,
})

const OWN = 'E-Ñandú'
const OTHER = 'E-otra'

const AGREED = { title: 'Registro electrónico', valid_from: '2026-11-01', text: 'Acordamos.\nÑ' }

/** A text that both people agree to in these files. */
export const AGREEMENT_TEXT = {
  agreement: toHex(sha256(bytesOf(`${AGREED.title}\n${AGREED.valid_from}\n${AGREED.text}`))),
  ...AGREED,
}

/** The lines of a person in every closing of these files. */
const linesOf = (employee_id: string) =>
  ['2026-10-30', '2026-10-31'].map((day, i) => {
    const line = {
      ...{ day, department: 'Ventas', branch_office: 'Norte', detail: '08:00–16:00' },
      ...{ difference_seconds: i === 0 ? 28_800 : -1_800, employee_id, exceptions: '' },
      ...{ first_in: `${day}T14:00:00.000Z`, held_by: null, held_seconds: 0, last_out: null },
      ...{ notices: '', of_period: 1, paid_before_seconds: 0, pairs: 1 },
      ...{ previous_closing_id: null, worked_seconds: 28_800 },
    }
    return JSON.parse(JSON.stringify(line, SEALED_LINE_FIELDS))
  })

const HASHES = [OWN, OTHER].map((employee_id) => hashOfPerson(linesOf(employee_id)))

export const aClosing = (id: number, closing_id: number, values: object = {}): Leaf => ({
  ...anEvent(id),
  event: 'closed',
  before: '2026-11-02',
  closing_id,
  employee_id: null,
  lines: hashOfClosing(HASHES),
  payroll_group: 'semanal',
  ...values,
})

export const aCancellation = (id: number, closing_id: number): Leaf => ({
  ...anEvent(id),
  event: 'cancelled',
  closing_id,
})

export type FileLine = Record<string, unknown>

/** The file lines of the agreement texts to which the events refer. */
const textsOf = (leaves: readonly Leaf[]): FileLine[] =>
  leaves.some(({ event }) => event === 'agreed') ? [AGREEMENT_TEXT] : []

export const COMMENT = { comment: 'Llegó puntual. ñ 🙂', comment_salt: 'f'.repeat(32) }
const COMMENT_HASH = saltedHash(COMMENT.comment_salt, COMMENT.comment)

const eventLine = (leaf: Leaf, more: object = {}): FileLine => ({
  entry: leafText(leaf),
  ...('comment' in leaf && leaf.comment === COMMENT_HASH && COMMENT),
  ...more,
})

export const fileText = (lines: readonly FileLine[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('')

/** Signs a seal for each number of leaves in `counts`. The leaves after them stay unsealed. */
const sealLeaves = async (leaves: readonly Leaf[], counts: readonly number[]) => {
  const signer = await readSigner(SIGNER_KEY)
  const hashes = leaves.map((leaf) => leafHash(leafText(leaf)))
  const ranges = sealedRanges(hashes, counts)
  return Promise.all(
    ranges.map(async (range, i) => {
      const times = leaves.slice(0, range.size).map(({ at }) => at)
      const { root } = new GrowingTree(range.size, range.edge)
      return {
        range,
        ranges,
        leaves: leaves.slice(range.before, range.size),
        seal: i + 1,
        at: times.sort().at(-1) ?? '',
        checkpoint: await signCheckpoint(signer, range.size, root),
      }
    }),
  )
}

const headOf = (seals: number) => ({
  evidence: FILE_VERSION,
  origin: seals > 0 ? 'PeterNeumann' : '',
  keys: seals > 0 ? [VERIFIER_KEY] : [],
  exported_at: atHour(48),
})

/** A whole file: seals with `counts` leaves each, and then the unsealed events. */
export const wholeFile = async (
  leaves: readonly Leaf[],
  counts: readonly number[],
): Promise<FileLine[]> => {
  const sealed = await sealLeaves(leaves, counts)
  const lines = sealed.flatMap(({ seal, at, checkpoint, range, ...own }) => [
    ...own.leaves.map((leaf) => eventLine(leaf)),
    { seal, at, checkpoint, leaves: toBase64(concat(...range.leaves)), tokens: [] },
  ])
  const rest = leaves.slice(sealed.at(-1)?.range.size ?? 0)
  return [
    { ...headOf(sealed.length), actors: { [ACTOR]: { salt: SALT, address: ADDRESS } } },
    ...textsOf(leaves),
    ...lines,
    ...rest.map((leaf) => eventLine(leaf)),
    { end: { events: leaves.length, seals: sealed.length } },
  ]
}

const hashOfIds = (ids: readonly (number | string)[]): string =>
  toHex(sha256(bytesOf(ids.map((id) => `${id}\n`).join(''))))

const isOfClosing = (leaf: Leaf): boolean => leaf.event === 'closed' || leaf.event === 'cancelled'

const isOf = (people: readonly string[], leaf: Leaf): boolean =>
  leaf.event === 'cancelled' ||
  (leaf.event === 'closed' && leaf.employee_id === null) ||
  (leaf.employee_id !== null && people.includes(leaf.employee_id))

/** The event with which a person's events in a file end. `events` are all events of the file. */
const aShown = (
  id: number,
  employee_id: string,
  { people, events }: { people: readonly string[]; events: readonly Leaf[] },
): Leaf => {
  const own = events.filter((leaf) => isOfClosing(leaf) || isOf([employee_id], leaf))
  return {
    ...anEvent(id),
    event: 'shown',
    before: atHour(24),
    employee_id,
    events: own.length,
    from: atHour(-24),
    ids: hashOfIds(own.map((leaf) => leaf.id)),
    log_id: null,
    people: hashOfIds(people),
  }
}

interface FileOptions {
  /** The employees whom the file is about, in ascending order. */
  people?: readonly string[]
  /** The ids of events that the file lacks. */
  removed?: ReadonlySet<number>
  /** Whether `shown` says that the file has no more events than it has, as only an operator can. */
  isShownToMatch?: boolean
}

/** The two people of these files. */
export const BOTH = [OTHER, OWN]

/**
 * A file of people: their leaves, with the seals that cover them, and then the events `shown`. The
 * last seal has these too if the seals have all leaves.
 */
export const personFile = async (
  recorded: readonly Leaf[],
  sealed: readonly number[],
  { people = [OWN], removed = new Set(), isShownToMatch = false }: FileOptions = {},
): Promise<FileLine[]> => {
  const own = recorded.filter((leaf) => isOf(people, leaf))
  const events = isShownToMatch ? own.filter(({ id }) => !removed.has(id)) : own
  const next = (recorded.at(-1)?.id ?? 0) + 1
  const shown = people.map((id, i) => aShown(next + i, id, { people, events }))
  const isAllSealed = sealed.reduce((sum, count) => sum + count, 0) === recorded.length
  const counts = isAllSealed ? sealed.with(-1, (sealed.at(-1) ?? 0) + shown.length) : sealed
  const isInFile = (leaf: Leaf) => isOf(people, leaf) && !removed.has(leaf.id)
  return fileOfPeople([...recorded, ...shown], counts, people, isInFile)
}

const fileOfPeople = async (
  leaves: readonly Leaf[],
  counts: readonly number[],
  people: readonly string[],
  isOwn: (leaf: Leaf) => boolean,
): Promise<FileLine[]> => {
  const paidIn = (leaf: Leaf) =>
    leaf.event === 'closed' ? { hashes: HASHES, lines: people.flatMap(linesOf) } : {}
  const sealed = await sealLeaves(leaves, counts)
  const needed = sealed.filter((each, i) => i === sealed.length - 1 || each.leaves.some(isOwn))
  const tree = new SealedTree(sealFinder(sealed[0]?.ranges ?? []))
  const lines: FileLine[] = []
  for (const [i, { seal, at, checkpoint, range, leaves: ofSeal }] of needed.entries()) {
    for (const leaf of ofSeal.filter(isOwn)) {
      const path = await tree.inclusion(leaf.id - 1, range.size)
      const proof = proofText(leaf.id - 1, path, checkpoint)
      lines.push(eventLine(leaf, { ...paidIn(leaf), proof }))
    }
    const previous = needed[i - 1]
    const proof = previous ? await tree.consistency(previous.range.size, range.size) : []
    const consistency = proof.map(toBase64)
    lines.push({ seal, at, checkpoint, count: ofSeal.length, consistency, tokens: [] })
  }
  const rest = leaves.slice(sealed.at(-1)?.range.size ?? 0).filter(isOwn)
  const newest = needed.at(-1)
  const sealedEvents = lines.filter(({ entry }) => entry !== undefined).length
  return [
    {
      ...headOf(needed.length),
      about: { employee_ids: people, log_id: null, from: atHour(-24), before: atHour(24) },
      until: newest ? { seal: newest.seal, size: newest.range.size, at: newest.at } : null,
    },
    ...textsOf(leaves.filter(isOwn)),
    ...lines,
    ...rest.map((leaf) => eventLine(leaf, paidIn(leaf))),
    { end: { events: sealedEvents + rest.length, seals: needed.length } },
  ]
}

const EXIT = { recorded_at: '2026-11-02T15:30:00.000Z', kind: 'salida' } as const

const aDecision = (id: number, log_id: number, values: Partial<LogLeaf>) =>
  aLogEvent(id, { log_id, event: 'decided', from: 'pending', ...values })

/** Sets `previous` and `statement` in each event, as the service does. */
export const withPointers = (leaves: readonly Leaf[]): Leaf[] =>
  leaves.map((leaf) => {
    const employee = followedEmployee(leaf)
    const earlier =
      employee === null
        ? []
        : leaves.filter((other) => other.id < leaf.id && followedEmployee(other) === employee)
    const statement = earlier.findLast((other) => !isLogLeaf(other))?.id ?? null
    return { ...leaf, previous: earlier.at(-1)?.id ?? null, statement }
  })

/** Events of logs and closings, of two people. They are sealed by `SOME_SEAL_SIZES`. */
export const SOME_LEAVES: readonly Leaf[] = withPointers([
  aLogEvent(1),
  aLogEvent(2, { employee_id: OTHER, actor: 'import', user_id: null }),
  aDecision(3, 1, { to: 'approved', comment: COMMENT_HASH }),
  aLogEvent(4, EXIT),
  aClosing(5, 1),
  aDecision(6, 2, { to: 'rejected', employee_id: OTHER }),
  aCancellation(7, 1),
  aDecision(8, 4, { to: 'rejected', ...EXIT }),
  aClosing(9, 2, { payroll_group: null, employee_id: OWN }),
  aLogEvent(10, { kind: 'checada' }),
])
/** The number of leaves of each seal. */
export const SOME_SEAL_SIZES = [3, 2, 1, 4]

const OWN_USER = { actor: saltedHash(SALT, 'nandu@demo.mx'), user_id: 9 }

const aLaterLeaf = <Event extends Leaf['event']>(id: number, event: Event, values: object) =>
  ({ ...anEvent(id), event, ...values }) as unknown as Extract<Leaf, { event: Event }>

export const anAccess = (id: number, what: string, values: object = {}) =>
  aLaterLeaf(id, 'access', {
    ...{ account: OWN_USER.user_id, employee_id: OWN, through: null, what },
    ...values,
  })

export const anAgreement = (id: number, values: object = {}) =>
  aLaterLeaf(id, 'agreed', {
    ...OWN_USER,
    agreement: AGREEMENT_TEXT.agreement,
    ...{ comment: null, employee_id: OWN, file: null, how: 'app', signed_on: null },
    ...values,
  })

export const aSignature = (id: number, closing_id: number, values: object = {}) =>
  aLaterLeaf(id, 'signed', {
    ...OWN_USER,
    ...{ agrees: 1, closing_id, comment: null, employee_id: OWN, own_lines: HASHES[0] },
    ...values,
  })

export const anAnswer = (id: number, signature: number, values: object = {}) =>
  aLaterLeaf(id, 'answered', { comment: COMMENT_HASH, employee_id: OWN, signature, ...values })

export const aRule = (id: number, values: object = {}) =>
  aLaterLeaf(id, 'ruled', {
    ...{ actor: 'operator', user_id: null, branch: null, employee_id: OWN },
    ...{ rule: 'shift', valid_from: null, value: '24', ...values },
  })

const PAPER = { how: 'paper', file: 'b'.repeat(64), signed_on: '2026-11-02' }
const BY_ADMIN = { actor: ACTOR, user_id: 7 }

/** Events of every kind. They are sealed by `LATER_SEAL_COUNTS`. */
export const LATER_LEAVES: readonly Leaf[] = withPointers([
  aLogEvent(1),
  aLogEvent(2, { employee_id: OTHER, actor: 'import', user_id: null }),
  aDecision(3, 1, { to: 'approved', comment: COMMENT_HASH }),
  anAccess(4, 'invited'),
  anAccess(5, 'password_set', { ...OWN_USER, through: 4 }),
  anAgreement(6),
  aLogEvent(7, EXIT),
  anAgreement(8, { ...BY_ADMIN, ...PAPER, employee_id: OTHER }),
  aClosing(9, 1),
  aSignature(10, 1, { agrees: 0, comment: COMMENT_HASH }),
  anAnswer(11, 10),
  aRule(12),
  aRule(13, { branch: 'Norte', employee_id: null, rule: 'zone', value: 'America/Tijuana' }),
  aLogEvent(14, { event: 'decided', from: 'pending', to: 'approved', log_id: 7, ...EXIT }),
  anAgreement(15, { ...BY_ADMIN, how: 'void', comment: COMMENT_HASH, employee_id: OTHER }),
  aCancellation(16, 1),
  aClosing(17, 2, { payroll_group: null, employee_id: OWN }),
  aSignature(18, 2),
  anAccess(19, 'linked', { actor: 'operator', user_id: null, employee_id: OTHER }),
])
export const LATER_SEAL_COUNTS = [3, 3, 6, 4, 3]
