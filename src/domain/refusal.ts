/** Why the service says no; `src/http` gives each one its status and its sentence. */
export type Refusal =
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'LEGACY_DOWN'
  | 'WRONG_CREDENTIALS'
  | 'USER_INACTIVE'
  | 'WRONG_CURRENT_PASSWORD'
  | 'SAME_PASSWORD'
  | 'NO_MODULES'
  | 'CLIENT_NOT_FOUND'
  | 'CLIENT_INACTIVE'
  | 'CONFIG_NOT_FOUND'
  | 'LOG_NOT_FOUND'
  | 'COMMENT_NOT_SAVED'
  | 'STATUS_NOT_SAVED'

export class Refused extends Error {
  override name = 'Refused'
  readonly refusal: Refusal

  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(refusal, options)
    this.refusal = refusal
  }
}
