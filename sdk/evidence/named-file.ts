/** A file to compare with the evidence. Messages use its name. */
export interface NamedFile {
  name: string
  lines: AsyncIterable<string>
}
