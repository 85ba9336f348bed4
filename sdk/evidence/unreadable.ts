/** What was given is no evidence of this service, or is not written in its one form. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile'
}
