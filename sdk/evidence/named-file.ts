/** A file to compare with, by the name that messages give it. */
export interface NamedFile {
  name: string
  lines: AsyncIterable<string>
}
