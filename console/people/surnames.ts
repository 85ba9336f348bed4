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
