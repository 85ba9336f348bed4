/** The values of a text with one JSON value per line. */
// biome-ignore lint/suspicious/noExplicitAny: tests assert the shape
export const parseLines = (text: string): any[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
