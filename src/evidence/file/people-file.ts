import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { toBase64 } from '../../core/values/bytes.ts'
import { SEALED_LINE_FIELDS } from '../../payroll/closings/closing-lines.ts'
import { FILE_VERSION } from '../seal/leaf.ts'
import { proofText } from '../seal/proof.ts'
import type { StoredEvent } from '../seal/sealed-events.queries.ts'
import { SealedTree } from '../seal/sealed-tree.ts'
import { readAgreementTexts, readEnd } from './evidence.queries.ts'
import { endLine, eventLine, jsonLine, originOf, sealLine, textLines } from './evidence-file.ts'
import { readEventsByIds } from './file-events.queries.ts'
import { listSealEnds, type SealEnd } from './file-seals.queries.ts'
import { readOwnLines } from './own-lines.queries.ts'
import { type FileRequest, recordFile } from './record-file.ts'
import { createSealReader, type LoadedSeal } from './seal-reader.ts'

export interface FileOptions {
  /**
   * Whether the evidence of other people has the comments of decisions. The caller's own evidence
   * always has them. The words of objections and answers are always there.
   */
  comments: boolean
  now: Date
  /** Seals the newest events, so that the file has a proof of each. */
  seal: () => Promise<unknown>
}

/**
 * Returns a function that gives the people's lines in a closing of the period, and the hashes that
 * prove that the lines were sealed. It gives nothing for other events, and no lines of a person if
 * the caller's scope hides one of them.
 */
const readLinesOfClosings = async (
  db: AuthorizedDb,
  { people, isOwn }: FileRequest,
  paidIds: readonly number[],
) => {
  const byClosing = await readOwnLines(db, JSON.stringify(people), paidIds, isOwn)
  return ({ event, closing_id }: StoredEvent) => {
    const own = event === 'closed' ? byClosing.get(closing_id ?? 0) : undefined
    if (!own) return {}
    const byPerson = Map.groupBy(own.lines, ({ employee_id }) => employee_id)
    const inOrder = [...byPerson.keys()].toSorted().flatMap((id) => byPerson.get(id) ?? [])
    const lines = inOrder.map((line) => JSON.parse(JSON.stringify(line, SEALED_LINE_FIELDS)))
    return { hashes: own.hashes, lines }
  }
}

/** The index of an event's leaf. It can be computed because event ids are consecutive. */
const indexIn = ({ stored }: LoadedSeal, { id }: StoredEvent): number =>
  stored.size - 1 - (stored.last_event_id - id)

/** Counts the events of each seal by the size of its tree. `ids` are ascending. */
const countBySeal = (sealEnds: readonly SealEnd[], ids: readonly number[]) => {
  const counts = new Map<number, number>()
  let next = 0
  for (const id of ids) {
    while ((sealEnds[next]?.last_event_id ?? id) < id) next++
    const size = sealEnds[next]?.size ?? 0
    counts.set(size, (counts.get(size) ?? 0) + 1)
  }
  return counts
}

/** The seals that prove these events, and the newest seal, by the size of their trees. */
const planSeals = async (db: AuthorizedDb, ids: readonly number[], sealed_id: number) => {
  const sealEnds = await listSealEnds(db, ids[0] ?? sealed_id, sealed_id)
  const newest = sealEnds.at(-1)
  const counts = countBySeal(sealEnds, ids)
  if (newest && !counts.has(newest.size)) counts.set(newest.size, 0)
  const signed = sealEnds.filter(({ size }) => counts.has(size))
  const sizes = sealEnds.map(({ size }) => size)
  return {
    counts,
    newest,
    keys: [...new Set(signed.map(({ verifier_key }) => verifier_key))],
    sealAt: createSealReader(db, sizes, [...counts.keys()]),
  }
}

/**
 * Writes the events of one log, or of people and of the closings that paid them or that they signed.
 * Each sealed event has a proof that leads to its seal's checkpoint. Each seal has a proof that it
 * continues the seal before it in the file. The last seal is the newest, so one kept checkpoint can
 * verify the whole file.
 */
export const writeFile = async (db: AuthorizedDb, request: FileRequest, options: FileOptions) => {
  const { people, log_id, from, before, isOwn } = request
  const { ids, paidIds } = await recordFile(db, request, options)
  const linesOf = await readLinesOfClosings(db, request, paidIds)
  const texts = await readAgreementTexts(db, ids)
  const { sealed_id } = await readEnd(db)
  const sealedIds = ids.filter((id) => id <= sealed_id)
  const { counts, newest, keys, sealAt } = await planSeals(db, sealedIds, sealed_id)
  const events = readEventsByIds(db, ids)
  const withComments = isOwn || options.comments

  const nextEvent = async (): Promise<StoredEvent> => {
    const { value } = await events.next()
    if (!value) throw new Error('An event of the file does not exist.')
    return value
  }

  const chunks = async function* () {
    yield jsonLine({
      evidence: FILE_VERSION,
      origin: originOf(keys),
      keys,
      exported_at: options.now.toISOString(),
      about: { employee_ids: people, log_id, from, before },
      until: newest ? { seal: newest.id, size: newest.size, at: newest.created_at } : null,
    }) + textLines(texts)
    const tree = new SealedTree(sealAt)
    let previous: number | undefined
    for (const [size, count] of counts) {
      const seal = await sealAt(size)
      const lines: string[] = []
      for (let i = 0; i < count; i++) {
        const event = await nextEvent()
        const path = await tree.inclusion(indexIn(seal, event), size)
        const proof = proofText(indexIn(seal, event), path, seal.stored.checkpoint)
        lines.push(eventLine(event, withComments, { ...linesOf(event), proof }))
      }
      const proof = previous === undefined ? [] : await tree.consistency(previous, size)
      lines.push(
        sealLine(seal.stored, { count: seal.size - seal.before, consistency: proof.map(toBase64) }),
      )
      yield lines.join('')
      previous = size
    }
    for await (const event of events) yield eventLine(event, withComments, linesOf(event))
    yield endLine(ids.length, counts.size)
  }
  return chunks()
}
