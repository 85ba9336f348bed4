import { createMiddleware } from 'hono/factory'
import { DomainError } from '../../core/errors.ts'
import type { UserEnv } from '../../core/http/context.ts'
import type { Settings } from '../../core/http/settings.ts'
import { mayInAllBranches, requireUser } from '../../session/callers.http.ts'
import { readSigner, type Signer } from './checkpoint.ts'

const signers = new WeakMap<Settings, Promise<Signer>>()

/** The signer of SEAL_KEY, which is imported once. Undefined if SEAL_KEY is not set. */
export const signerOf = (settings: Settings): Promise<Signer> | undefined => {
  const cached = signers.get(settings)
  if (cached || !settings.SEAL_KEY) return cached
  const signer = readSigner(settings.SEAL_KEY)
  signers.set(settings, signer)
  return signer
}

interface SealEnv extends UserEnv {
  Variables: UserEnv['Variables'] & { signer: Signer }
}

/** Responds with 404 if SEAL_KEY is not set. */
export const requireSealKey = createMiddleware<SealEnv>(async (c, next) => {
  const signer = await signerOf(c.var.settings)
  if (!signer) throw new DomainError('NO_SEAL_KEY')
  c.set('signer', signer)
  await next()
})

const mayReadWhole = mayInAllBranches('decide')

/**
 * Only administrators of all branches may read the whole evidence. For a person or a log,
 * `readPerson` checks the access, and for a branch `readBranchPeople`.
 */
export const requireEvidenceReader: typeof requireUser = (c, next) => {
  const { employee_id, log_id, branch_office } = c.req.query()
  const isWhole = [employee_id, log_id, branch_office].every((value) => value === undefined)
  return (isWhole ? mayReadWhole : requireUser)(c, next)
}
