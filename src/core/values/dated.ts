/**
 * A value that changes on local days. Each entry is valid from its day until the next entry's day.
 * The first entry has '' instead of a day.
 */
export type Dated<Value> = readonly (readonly [from: string, value: Value])[]

export const valueOn = <Value>(dated: Dated<Value>, day: string): Value =>
  (dated.findLast(([from]) => from <= day) ?? (dated[0] as Dated<Value>[number]))[1]
