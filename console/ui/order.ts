/**
 * Compares two texts, such as days or moments, for `sort`. It returns 0 for equal texts, which then
 * keep their order. A comparator that never returns 0 reverses them in Firefox.
 */
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
