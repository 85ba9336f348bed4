import type {
  AccessLeaf,
  AgreedLeaf,
  AnsweredLeaf,
  Leaf,
  SignedLeaf,
} from '../../src/evidence/seal/leaf.ts'
import { hashOfPerson } from '../../src/payroll/closings/closing-lines.ts'
import { type ClosingState, isCancelledBefore } from './closing.ts'
import type { AgreementText, PeopleHead, WholeHead } from './format.ts'
import { Findings } from './report.ts'
import { nameOf } from './sealing.ts'
import { dayText, momentText } from './words.ts'

/** A person's agreements, signatures, answers, and access to the account. */
type StatementLeaf = AgreedLeaf | SignedLeaf | AnsweredLeaf | AccessLeaf

const KINDS: readonly string[] = ['agreed', 'signed', 'answered', 'access']

export const isStatement = (leaf: Leaf): leaf is StatementLeaf => KINDS.includes(leaf.event)

/** A local day begins up to 14 hours before the same day in UTC. */
const AHEAD_MS = 14 * 3_600_000

/** The latest local date in the world at a moment. */
const latestDayAt = (at: string): string =>
  new Date(Date.parse(at) + AHEAD_MS).toISOString().slice(0, 10)

/** Fifty people have some 6,500 signatures in five years. */
const SENTENCES_KEPT = 10_000

/**
 * Checks agreements, signatures and answers. Writes a sentence for each agreement and signature.
 * For an act in an app, the sentence names the account, not the person, because anybody with the
 * password can use the account.
 */
export class Statements {
  /** Sentences about sealed events. `end` adds them. */
  readonly sentences = new Findings(SENTENCES_KEPT)
  readonly #faults: Findings
  readonly #closings: ReadonlyMap<number, ClosingState>
  /** The e-mails of actors. Only a whole file has them. */
  readonly #actors: WholeHead['actors']
  readonly #namesPeople: boolean
  readonly #texts = new Map<string, AgreementText>()
  /** The hashes of the texts in the events of agreements. */
  readonly #agreed = new Set<string>()
  /** The changes of access to each person's account, the newest last. */
  readonly #accesses = new Map<string, AccessLeaf[]>()
  readonly #agreements: { leaf: AgreedLeaf; sentence: string }[] = []
  readonly #signatures = new Map<number, { leaf: SignedLeaf; password: string }>()
  readonly #answers: AnsweredLeaf[] = []
  /** The agreements on paper that are not void, each as the employee's id and the text's hash. */
  readonly #papers = new Set<string>()

  constructor(
    faults: Findings,
    closings: ReadonlyMap<number, ClosingState>,
    head: WholeHead | PeopleHead,
  ) {
    this.#faults = faults
    this.#closings = closings
    this.#actors = 'actors' in head ? head.actors : {}
    this.#namesPeople = !('about' in head) || head.about.employee_ids.length > 1
  }

  addText(text: AgreementText): void {
    this.#texts.set(text.agreement, text)
  }

  hasText(agreement: string): boolean {
    return this.#texts.has(agreement)
  }

  #checkTexts(): void {
    for (const agreement of this.#agreed) {
      if (!this.hasText(agreement)) this.#faults.add(`Falta el texto con huella ${agreement}.`)
    }
    for (const { agreement, title } of this.#texts.values()) {
      if (!this.#agreed.has(agreement)) this.#faults.add(`Nadie acordó el texto «${title}».`)
    }
  }

  add(leaf: StatementLeaf): void {
    if (leaf.event === 'access') this.#addAccess(leaf)
    else if (leaf.event === 'agreed') this.#addAgreement(leaf)
    else if (leaf.event === 'signed') this.#addSignature(leaf)
    else this.#addAnswer(leaf)
  }

  #fault(leaf: Leaf, text: string): void {
    this.#faults.add(`${nameOf(leaf)}: ${text}`)
  }

  #actorOf({ actor, user_id }: Pick<Leaf, 'actor' | 'user_id'>): string {
    if (actor === 'operator') return 'un operador con un comando'
    return this.#actors[actor]?.address ?? `el usuario ${user_id}`
  }

  #addAccess(leaf: AccessLeaf): void {
    const earlier = this.#accesses.get(leaf.employee_id) ?? []
    const invited = earlier.findLast(
      ({ what, account }) => what === 'invited' && account === leaf.account,
    )
    if (leaf.through !== null && leaf.through !== invited?.id) {
      this.#fault(leaf, 'su enlace no es el último que se hizo para la cuenta.')
    }
    earlier.push(leaf)
    this.#accesses.set(leaf.employee_id, earlier)
  }

  /** Checks that an act is by the account that was linked to the person then. */
  #checkAccount(leaf: AgreedLeaf | SignedLeaf): void {
    const link = this.#accesses
      .get(leaf.employee_id)
      ?.findLast(({ what }) => what === 'linked' || what === 'unlinked')
    if (link && (link.what === 'unlinked' || link.account !== leaf.user_id)) {
      this.#fault(leaf, 'es de una cuenta que no era la de la persona.')
    }
  }

  /**
   * A sentence about who set the account's password: the newest one that the account itself did
   * not set from within.
   */
  #passwordOf({ employee_id, user_id }: StatementLeaf): string {
    const accesses = this.#accesses.get(employee_id) ?? []
    let changed = ''
    for (const access of accesses.toReversed()) {
      const { what, account, through, actor, user_id: setBy, at } = access
      if (what === 'invited' || (what === 'password_set' && account !== user_id)) continue
      if (what !== 'password_set') break
      const set = `contraseña puesta el ${momentText(at)}`
      const invited = accesses.find(({ id }) => id === through)
      if (invited && invited.user_id !== user_id) {
        const inviter = `de ${this.#actorOf(invited)}`.replace(/^de el /, 'del ')
        return `${set} con una invitación ${inviter}, del ${momentText(invited.at)}${changed}`
      }
      if (actor === 'operator')
        return `${set} por ${this.#actorOf({ actor, user_id: setBy })}${changed}`
      if (setBy !== user_id) {
        return `${set} por ${this.#actorOf({ actor, user_id: setBy })}, que es otra cuenta${changed}`
      }
      changed = '; cambiada después desde la cuenta'
    }
    return `no consta quién puso la contraseña${changed}`
  }

  #addAgreement(leaf: AgreedLeaf): void {
    const { employee_id, agreement, how, signed_on, at } = leaf
    this.#agreed.add(agreement)
    const text = this.#texts.get(agreement)
    const start = signed_on ?? latestDayAt(at)
    if (text && start < text.valid_from) this.#fault(leaf, 'es de antes de que valiera el texto.')
    if (signed_on !== null && signed_on > latestDayAt(at)) {
      this.#fault(leaf, `el papel tiene fecha ${signed_on}, posterior a cuando se asentó.`)
    }
    const paper = `${employee_id} ${agreement}`
    if (how === 'void' && !this.#papers.delete(paper)) {
      this.#fault(leaf, 'anula un acuerdo en papel que no consta.')
    }
    if (how === 'paper') this.#papers.add(paper)
    const title = text ? `«${text.title}», con huella ${agreement}` : `con huella ${agreement}`
    if (how === 'app') this.#checkAccount(leaf)
    const sentences = {
      app: () =>
        `desde la cuenta de la persona se acordó, el ${momentText(at)}, el texto ${title}; ${this.#passwordOf(leaf)}.`,
      paper: () =>
        `${this.#actorOf(leaf)} asentó, el ${momentText(at)}, que firmó en papel el ${dayText(signed_on ?? '')} el texto ${title}; el escaneo tiene la huella ${leaf.file}.`,
      void: () =>
        `${this.#actorOf(leaf)} anuló, el ${momentText(at)}, lo asentado en papel del texto ${title}.`,
    }
    this.#agreements.push({ leaf, sentence: sentences[how]() })
  }

  #addSignature(leaf: SignedLeaf): void {
    const { closing_id, employee_id, own_lines } = leaf
    const closing = this.#closings.get(closing_id)
    if (!closing) this.#fault(leaf, 'firma un cierre que no consta.')
    this.#checkAccount(leaf)
    if (closing?.cancelledId !== undefined) {
      this.#fault(leaf, 'firma un cierre que ya estaba cancelado.')
    }
    const isOfOther = ![null, undefined, employee_id].includes(closing?.employee_id)
    const ownLines = closing?.paid?.lines.filter((line) => line.employee_id === employee_id) ?? []
    const isChanged = ownLines.length > 0 && hashOfPerson(ownLines) !== own_lines
    if (isOfOther || isChanged) this.#fault(leaf, 'firma renglones que no son los suyos.')
    this.#signatures.set(leaf.id, { leaf, password: this.#passwordOf(leaf) })
  }

  #addAnswer(leaf: AnsweredLeaf): void {
    const signed = this.#signatures.get(leaf.signature)?.leaf
    const isOfObjection = signed?.employee_id === leaf.employee_id && signed.agrees === 0
    if (!isOfObjection) this.#fault(leaf, 'responde a una objeción que no consta.')
    if (signed?.user_id === leaf.user_id) this.#fault(leaf, 'la responde quien la hizo.')
    this.#answers.push(leaf)
  }

  #say({ employee_id }: StatementLeaf, sentence: string): void {
    this.sentences.add(this.#namesPeople ? `${employee_id}: ${sentence}` : sentence)
  }

  /**
   * Reports texts that are missing or that nobody agreed to. Adds the sentence of each sealed
   * agreement, and of each sealed signature with its sealed answer and cancellation.
   * @param unsealedFrom the id of the first event that is not sealed
   */
  end(unsealedFrom: number): void {
    this.#checkTexts()
    const sealedAnswers = this.#answers.filter(({ id }) => id < unsealedFrom)
    const answers = new Map(sealedAnswers.map((leaf) => [leaf.signature, leaf]))
    for (const { leaf, sentence } of this.#agreements) {
      if (leaf.id < unsealedFrom) this.#say(leaf, sentence)
    }
    for (const { leaf, password } of this.#signatures.values()) {
      if (leaf.id >= unsealedFrom) continue
      const { closing_id, agrees, at, id } = leaf
      const closing = this.#closings.get(closing_id)
      const act = agrees === 1 ? 'firmó de conformidad' : 'objetó'
      const answer = answers.get(id)
      const answered = answer ? `, y se le respondió el ${momentText(answer.at)}` : ''
      const isCancelled = isCancelledBefore(unsealedFrom, closing)
      const cancelled = isCancelled ? '; después se canceló, y no vale' : ''
      this.#say(
        leaf,
        `la cuenta de la persona ${act} los renglones del cierre ${closing_id}, el ${momentText(at)}${answered}${cancelled}; ${password}.`,
      )
    }
  }
}
