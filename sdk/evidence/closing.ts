import type { ClosedLeaf } from '../../src/evidence/seal/leaf.ts'
import { hashOfClosing, hashOfPerson } from '../../src/payroll/closings/closing-lines.ts'
import type { OwnLines } from './format.ts'
import type { OwnClosing, ProvenClosing } from './report.ts'

/** A closing after its events in the file. */
export interface ClosingState {
  eventId: number
  /** The first day that the closing does not pay, or '' if the file has only the cancellation. */
  before: string
  /** The only person that the closing pays, or null if it is not for one person. */
  employee_id: string | null
  /** The hash of the closing's lines. */
  lines: string
  /** The people's lines. Only a file of people has them. */
  paid: OwnLines | undefined
  /** The id of the event that cancelled the closing, if any. */
  cancelledId: number | undefined
}

export type ClosingsById = ReadonlyMap<number, ClosingState>

/** Returns what is wrong with the people's lines in a closing, or undefined if nothing is. */
export const flawOfOwnLines = (
  leaf: ClosedLeaf,
  { hashes, lines }: OwnLines,
  employeeIds: readonly string[],
): string | undefined => {
  if (lines.some((line) => !employeeIds.includes(line.employee_id)))
    return 'trae renglones de otra persona.'
  if (hashOfClosing(hashes) !== leaf.lines) return 'sus huellas no son las que se sellaron.'
  const byPerson = Map.groupBy(lines, ({ employee_id }) => employee_id)
  const areSealed = [...byPerson.values()].every((own) => hashes.includes(hashOfPerson(own)))
  return areSealed ? undefined : 'sus renglones no son los que se sellaron.'
}

/** Whether an event before the event with this id has cancelled the closing. */
export const isCancelledBefore = (id: number, closing: ClosingState | undefined): boolean =>
  closing?.cancelledId !== undefined && closing.cancelledId < id

/** The sealed closings of a file. A closing of which the file has only the cancellation is left out. */
export const provenClosings = (
  sealed: ClosingsById,
  unsealedFrom: number,
  people: readonly string[],
): ProvenClosing[] =>
  [...sealed].flatMap(([id, closing]) => {
    const { before, lines, paid } = closing
    if (before === '') return []
    const isCancelled = isCancelledBefore(unsealedFrom, closing)
    const paidPeople = new Set(paid?.lines.map(({ employee_id }) => employee_id))
    const withoutLines = people.filter((employee_id) => !paidPeople.has(employee_id))
    return { id, before, lines, isCancelled, withoutLines }
  })

const sumOf = (differences: readonly number[]): number =>
  differences.reduce((sum, difference) => sum + difference, 0)

export const ownClosings = (sealed: ClosingsById, unsealedFrom: number): OwnClosing[] =>
  [...sealed].flatMap(([id, closing]) => {
    const { before, paid } = closing
    const byPerson = Map.groupBy(paid?.lines ?? [], ({ employee_id }) => employee_id)
    return [...byPerson].map(([employee_id, lines]) => {
      const differences = lines.map((line) => line.difference_seconds)
      return {
        id,
        employee_id,
        before,
        isCancelled: isCancelledBefore(unsealedFrom, closing),
        paid_seconds: sumOf(differences.filter((difference) => difference > 0)),
        deducted_seconds: -sumOf(differences.filter((difference) => difference < 0)) || 0,
      }
    })
  })
