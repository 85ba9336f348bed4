/** Words that belong to the surname after them, such as `de la` of `de la Cruz`. */
const PARTICLES = ['de', 'del', 'la', 'las', 'los', 'y', 'san', 'santa', 'von', 'van']

/**
 * A full name with its surnames first: `Muñoz Díaz, José Ángel`. A record has only the full name, so
 * the surnames are its last two words, or the last one of two, with their particles.
 */
export const surnameFirst = (full_name: string): string => {
  const words = full_name.split(/\s+/).filter(Boolean)
  let start = words.length - (words.length > 2 ? 2 : 1)
  while (start > 1 && PARTICLES.includes((words[start - 1] ?? '').toLowerCase())) start--
  const [names, surnames] = [words.slice(0, start), words.slice(start)]
  return [surnames.join(' '), names.join(' ')].filter(Boolean).join(', ')
}

/** The end of a surname that begins at a word: its particles and the word after them. */
const endOfSurname = (words: string[], start: number): number => {
  let end = start
  while (end < words.length - 1 && PARTICLES.includes((words[end] ?? '').toLowerCase())) end++
  return end + 1
}

/**
 * A full name that begins with its surnames, turned round: `José Ángel Muñoz Díaz` for `Muñoz Díaz
 * José Ángel`. The surnames end at a comma, or after two of them, or after one if only one name is
 * left.
 */
export const namesFirst = (full_name: string): string => {
  const [before = '', ...after] = full_name.split(',')
  if (after.length > 0) return `${after.join(',').trim()} ${before.trim()}`.trim()
  const words = full_name.split(/\s+/).filter(Boolean)
  const first = endOfSurname(words, 0)
  const second = endOfSurname(words, first)
  const end = second < words.length ? second : first
  return [...words.slice(end), ...words.slice(0, end)].join(' ')
}
