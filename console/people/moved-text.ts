import { describeChange, shownValueOf } from './change-texts.ts'

/** The sentence about a field that somebody else has changed. `own` is what the user typed. */
export const movedText = (name: string, before: unknown, after: unknown, own?: unknown): string => {
  const typed = own === undefined ? '' : ` Tú escribiste ${shownValueOf(name, own)}.`
  return `${describeChange(name, before, after)}.${typed}`
}
