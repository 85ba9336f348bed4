/** SQLite's texts for pages that cannot be read, or that contradict each other. */
const CORRUPTED_ERROR = /disk image is malformed|file is not a database|SQLITE_(CORRUPT|NOTADB)/

let notedAt: number | undefined

/** Notes that a query met damaged pages, for `/health`, which reads few pages itself. */
export const noteCorruption = (error: unknown): void => {
  if (error instanceof Error && CORRUPTED_ERROR.test(error.message)) notedAt = Date.now()
}

const NOTED_MS = 3_600_000

/** Whether a query of this isolate met damaged pages within the last hour. */
export const isCorrupted = (now: Date): boolean =>
  notedAt !== undefined && now.getTime() - notedAt < NOTED_MS
