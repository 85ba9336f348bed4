/** Sentences by field name, in the contract's field order. */
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

/** The first field's sentence, and how many more there are. */
const summary = (errors: FieldErrors): string => {
  const [first = '', ...more] = Object.values(errors).flat()
  if (more.length === 0) return first
  return `${first} (y ${more.length} ${more.length === 1 ? 'error' : 'errores'} más)`
}

/** The failure of invalid input: its message is the first field's sentence. */
export const invalid = (errors: FieldErrors, shape: FailureShape = failure) =>
  shape(summary(errors), errors)
