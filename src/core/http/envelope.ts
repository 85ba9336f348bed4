/** Messages by field name, in the contract's field order. */
export type FieldErrors = Record<string, string[]>

/** The contract's envelope (section 1). */
export const success = <Data>(message: string, data: Data) => ({
  success: true as const,
  message,
  data,
})

export const failure = (message: string, errors?: FieldErrors) => ({
  success: false as const,
  message,
  data: null,
  ...(errors && { errors }),
})

/** The two failures that the contract shows without an envelope (sections 4.2 and 4.4). */
export const bareFailure = (message: string, errors?: FieldErrors) => ({
  message,
  ...(errors && { errors }),
})

export type FailureShape = typeof failure | typeof bareFailure

/** The first field's message, and how many more there are. */
export const summarize = (errors: FieldErrors): string => {
  const [first = '', ...more] = Object.values(errors).flat()
  if (more.length === 0) return first
  return `${first} (y ${more.length} ${more.length === 1 ? 'error' : 'errores'} más)`
}

/** The failure of invalid input: its message is the first field's. */
export const invalidInput = (errors: FieldErrors, shape: FailureShape = failure) =>
  shape(summarize(errors), errors)
