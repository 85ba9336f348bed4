/** What was given is no evidence of this service, or is not written in its one form. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile'
}

/** What is wrong with a line; whoever counts the lines adds which one it is. */
export class UnreadableLine extends Error {
  override name = 'UnreadableLine'
}

/** Reads a line. @throws UnreadableFile that names the line */
export const atLine = async <T>(number: number, read: () => T | Promise<T>): Promise<T> => {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof UnreadableLine)) throw error
    throw new UnreadableFile(`Línea ${number}: ${error.message}.`)
  }
}
