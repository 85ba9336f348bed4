/** The error for a file of the wrong kind or a malformed one. It is not a fault of the evidence. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile'
}

/** The error for a malformed line. `atLine` adds the number of the line. */
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
