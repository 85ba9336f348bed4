import { hashOfIds, type Leaf, type ShownLeaf } from '../../src/evidence/leaf.ts'
import type { PersonHead } from './format.ts'
import type { Findings } from './report.ts'
import { nameOf } from './sealing.ts'
import { plural } from './words.ts'

/** Checks that a person's file has the events that its last one, `shown`, says that it has. */
export class ShownEvents {
  readonly #faults: Findings
  readonly #ids: number[] = []
  /** The last event of the file. */
  shown: ShownLeaf | undefined

  constructor(faults: Findings) {
    this.#faults = faults
  }

  add(leaf: Leaf): void {
    if (this.shown) {
      this.#faults.add(`${nameOf(leaf)}: viene después del evento que dice qué se entregó.`)
    }
    if (leaf.event === 'shown') this.shown = leaf
    else this.#ids.push(leaf.id)
  }

  end({ employee_id, log_id, from, before }: PersonHead['about']): void {
    const { shown } = this
    if (!shown) {
      this.#faults.add('Falta el último evento, que dice qué se entregó.')
      return
    }
    const fault = (text: string) => this.#faults.add(`${nameOf(shown)}: ${text}`)
    const isSame =
      shown.employee_id === employee_id &&
      shown.log_id === log_id &&
      shown.from === from &&
      shown.before === before
    if (!isSame) fault('lo que se entregó no es lo que dice la primera línea.')
    const count = this.#ids.length
    if (shown.events !== count) {
      fault(`se entregó con ${plural(shown.events, 'evento más', 'eventos más')}, y trae ${count}.`)
    } else if (shown.ids !== hashOfIds(this.#ids)) fault('se entregó con otros eventos.')
  }
}
