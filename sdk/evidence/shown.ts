import {
  type CancelledLeaf,
  type ClosedLeaf,
  hashOfIds,
  type Leaf,
  type ShownLeaf,
} from '../../src/evidence/seal/leaf.ts'
import type { PeopleHead } from './format.ts'
import type { Findings } from './report.ts'
import { nameOf } from './sealing.ts'
import { plural } from './words.ts'

const isOfClosing = (leaf: Leaf): leaf is ClosedLeaf | CancelledLeaf =>
  leaf.event === 'closed' || leaf.event === 'cancelled'

/**
 * Checks that a file of people has the events that each person's event `shown` says that it has:
 * those of the person, and those of closings and of sources.
 */
export class ShownEvents {
  readonly #faults: Findings
  /** The ids of each person's events. Those of closings and sources have the key null. */
  readonly #ids = new Map<string | null, number[]>()
  readonly #shown = new Map<string, ShownLeaf>()

  constructor(faults: Findings) {
    this.#faults = faults
  }

  /** The first one. The file is complete until then for each person. */
  get first(): ShownLeaf | undefined {
    return this.#shown.values().next().value
  }

  get last(): ShownLeaf | undefined {
    return [...this.#shown.values()].at(-1)
  }

  add(leaf: Leaf): void {
    const employee_id = isOfClosing(leaf) ? null : leaf.employee_id
    if (employee_id === null ? this.#shown.size > 0 : this.#shown.has(employee_id)) {
      this.#faults.add(`${nameOf(leaf)}: viene después del evento que dice qué se entregó.`)
    }
    if (leaf.event === 'shown') this.#shown.set(leaf.employee_id, leaf)
    else {
      const ids = this.#ids.get(employee_id) ?? []
      this.#ids.set(employee_id, ids)
      ids.push(leaf.id)
    }
  }

  end(about: PeopleHead['about']): void {
    const ids = [...this.#shown.values()].map(({ id }) => id)
    if (ids.some((id, i) => i > 0 && id !== (ids[i - 1] ?? 0) + 1)) {
      this.#faults.add('Los eventos que dicen qué se entregó no son de una sola entrega.')
    }
    for (const employee_id of about.employee_ids) {
      const shown = this.#shown.get(employee_id)
      if (shown) this.#compare(shown, about)
      else {
        const whose = about.employee_ids.length > 1 ? ` de ${employee_id}` : ''
        this.#faults.add(`Falta el último evento${whose}, que dice qué se entregó.`)
      }
    }
  }

  #compare(shown: ShownLeaf, { employee_ids, log_id, from, before }: PeopleHead['about']): void {
    const fault = (text: string) => this.#faults.add(`${nameOf(shown)}: ${text}`)
    const isSame =
      shown.people === hashOfIds(employee_ids) &&
      shown.log_id === log_id &&
      shown.from === from &&
      shown.before === before
    if (!isSame) fault('lo que se entregó no es lo que dice la primera línea.')
    const own = [...(this.#ids.get(shown.employee_id) ?? []), ...(this.#ids.get(null) ?? [])]
    if (shown.events !== own.length) {
      fault(
        `se entregó con ${plural(shown.events, 'evento más', 'eventos más')}, y trae ${own.length}.`,
      )
    } else if (shown.ids !== hashOfIds(own.toSorted((a, b) => a - b))) {
      fault('se entregó con otros eventos.')
    }
  }
}
