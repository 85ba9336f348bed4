/**
 * Compares two texts, such as days or moments, for `sort`. It returns 0 for equal texts, which then
 * keep their order. A comparator that never returns 0 reverses them in Firefox.
 */
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Groups items by a key, in the order of their first ones, as `Map.groupBy` of newer browsers does. */
export const groupBy = <Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): Map<Key, Item[]> => {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
