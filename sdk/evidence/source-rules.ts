import {
  isLogLeaf,
  isSourceRule,
  type Leaf,
  type RuledLeaf,
  sourceOfRule,
} from '../../src/evidence/seal/leaf.ts'
import type { WholeHead } from './format.ts'
import { Findings } from './report.ts'
import { nameOf } from './sealing.ts'
import { momentText } from './words.ts'

const CLOCK = 'clock '

const subjectOf = (leaf: RuledLeaf): string => {
  const source = sourceOfRule(leaf)
  if (leaf.rule === 'company') return 'el nombre de la empresa'
  return leaf.rule === 'clock' ? `el reloj ${source.slice(CLOCK.length)}` : `el origen «${source}»`
}

interface Change {
  field?: unknown
  before?: unknown
}

/** What was done, by the changed fields: a new clock has a branch that it did not have before. */
const actOf = (leaf: RuledLeaf): string => {
  const changes: (Change | null)[] = JSON.parse(leaf.value.slice(sourceOfRule(leaf).length + 1))
  const has = (field: string) => changes.find((change) => change?.field === field)
  if (leaf.rule === 'clock' && has('branch_office')?.before === null) return 'agregó'
  if (has('confirmed') || has('confirmed_numbers')) return 'confirmó'
  if (has('address')) return 'dijo desde dónde llama'
  const dismissed = has('dismissed_punches') ?? has('dismissed_problem')
  return dismissed ? 'descartó lo que esperaba o falló de' : 'cambió'
}

/**
 * The changes of clocks, of other sources and of the company. A file of people has those of the
 * sources of its logs.
 */
export class SourceRules {
  /** A sentence for each sealed change. `end` adds them. */
  readonly sentences = new Findings()
  readonly #faults: Findings
  /** The e-mails of actors. Undefined for a file of people. */
  readonly #actors: WholeHead['actors'] | undefined
  readonly #sources = new Set<string>()
  readonly #rules: RuledLeaf[] = []

  constructor(faults: Findings, actors: WholeHead['actors'] | undefined) {
    this.#faults = faults
    this.#actors = actors
  }

  add(leaf: Leaf): void {
    if (isLogLeaf(leaf)) this.#sources.add(leaf.source)
    if (isSourceRule(leaf)) this.#rules.push(leaf)
  }

  #isAbout(leaf: RuledLeaf): boolean {
    return this.#actors !== undefined || this.#sources.has(sourceOfRule(leaf))
  }

  /** @param unsealedFrom the id of the first event that is not sealed */
  end(unsealedFrom: number): void {
    for (const leaf of this.#rules) {
      const { actor, user_id, at, id } = leaf
      if (!this.#isAbout(leaf)) {
        this.#faults.add(`${nameOf(leaf)}: no es de lo que trata el archivo.`)
      }
      if (id >= unsealedFrom) continue
      const name =
        actor === 'operator'
          ? 'un operador con un comando'
          : (this.#actors?.[actor]?.address ?? `el usuario ${user_id}`)
      this.sentences.add(`${name} ${actOf(leaf)} ${subjectOf(leaf)}, el ${momentText(at)}.`)
    }
  }
}
