/** A file is not of the expected kind, or is malformed. This is not a fault of the evidence. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile'
}

/** What is wrong with a line. `atLine` adds the number of the line. */
export class UnreadableLine extends Error {
  override name = 'UnreadableLine'
}

/**
 * Runs `read`, which reads the line with this number.
 * @throws UnreadableFile with the number, if the line is malformed
 */
export const atLine = async <T>(lineNumber: number, read: () => T | Promise<T>): Promise<T> => {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof UnreadableLine)) throw error
    throw new UnreadableFile(`Línea ${lineNumber}: ${error.message}.`)
  }
}
