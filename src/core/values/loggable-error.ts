/** An error whose message may be logged. It contains no value of a request or of a row. */
export class LoggableError extends Error {}
