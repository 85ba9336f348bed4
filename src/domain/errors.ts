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
  | 'LOG_UNKNOWN'
  | 'LOG_NOT_FOUND'
  | 'OWN_LOG'
  | 'STATUS_MOVED'
  | 'COMMENT_NOT_SAVED'
  | 'STATUS_NOT_SAVED'

export interface Particulars extends ErrorOptions {
  /** The fields at fault, where they are not the refusal's usual one. */
  fields?: string[]
  /** The log that the refusal is about. */
  log?: { id: number; status: string }
}

export class Refused extends Error {
  override name = 'Refused'
  readonly refusal: Refusal
  readonly particulars: Particulars

  constructor(refusal: Refusal, particulars: Particulars = {}) {
    super(refusal, particulars)
    this.refusal = refusal
    this.particulars = particulars
  }
}
