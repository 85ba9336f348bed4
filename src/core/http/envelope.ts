/** Messages by field name, in the order of the contract's fields. */
export type FieldErrors = Record<string, string[]>

/** The envelope of responses. Files and `bareFailure` do not have it. */
export const success = <Data>(message: string, data: Data) => ({
  success: true as const,
  message,
  data,
})

/** A response reports at most this many fields, since a body can have tens of thousands. */
export const ERRORS_MAX = 100

export const failure = (message: string, errors?: FieldErrors) => ({
  success: false as const,
  message,
  data: null,
  ...(errors && { errors }),
})

/**
 * The shape of the two failures that the contract shows without an envelope (sections 4.2 and 4.4).
 */
export const bareFailure = (message: string, errors?: FieldErrors) => ({
  message,
  ...(errors && { errors }),
})

export type FailureShape = typeof failure | typeof bareFailure

/** The message of the first field, and how many more errors there are. */
const summarize = (errors: FieldErrors): string => {
  const [first = '', ...more] = Object.values(errors).flat()
  if (more.length === 0) return first
  return `${first} (y ${more.length} ${more.length === 1 ? 'error' : 'errores'} más)`
}

export const invalidInput = (errors: FieldErrors, shape: FailureShape = failure) =>
  shape(summarize(errors), errors)
