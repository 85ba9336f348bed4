/** An error whose message holds no value of a request or a row, so that logs may have it. */
export class LoggableError extends Error {}
