import { messageOf } from '../api/client.ts'

/** What is wrong with a form, by field; `all` for the form itself. */
export type Problems = Record<string, string>

/** What the service found wrong, at its fields. */
export const problemsOf = (error: unknown): Problems => {
  const errors = (error as { errors?: Record<string, string[]> }).errors ?? {}
  const fields = Object.entries(errors).map(([name, [text = '']]) => [name, text] as const)
  return fields.length > 0 ? Object.fromEntries(fields) : { all: messageOf(error) }
}

/** The place of a field's problem, and the attributes that tie the field to it. */
export const fieldProblems = (id: string, problems: Problems) => ({
  problem: (name: string) => (
    <p id={`${id}-${name}-problem`} class="problem" role="alert">
      {problems[name] ?? ''}
    </p>
  ),
  about: (name: string) => ({
    'aria-describedby': `${id}-${name}-problem`,
    'aria-invalid': problems[name] ? 'true' : undefined,
  }),
})
