import { DomainError } from '../core/errors.ts'
import { createApp } from '../core/http/context.ts'
import { sendFile } from '../core/http/export-file.ts'
import { limitCheckpoint, limitEvidence } from '../core/http/rate-limit.ts'
import { validateQuery } from '../core/http/validate.ts'
import { companyDay } from '../core/values/time-zone.ts'
import { requireUser } from '../session/callers.http.ts'
import { EvidenceQuery, peopleCursor } from './evidence.schemas.ts'
import { branchEvidence, personEvidence } from './file/people-evidence.ts'
import { wholeEvidence } from './file/whole-evidence.ts'
import { SEALS_PER_REQUEST, sealEvents } from './seal/seal.ts'
import { requireEvidenceReader, requireSealKey } from './seal/sealing.http.ts'

export const audit = createApp()
  .get('/checkpoint', requireUser, requireSealKey, limitCheckpoint, async (c) => {
    const { authorizedDb, signer, now } = c.var
    const options = { seals: SEALS_PER_REQUEST, clock: () => now }
    const { checkpoint } = await sealEvents(authorizedDb, signer, options)
    if (!checkpoint) throw new DomainError('NOTHING_SEALED')
    return c.text(checkpoint, 200)
  })
  .get(
    '/evidence',
    requireEvidenceReader,
    requireSealKey,
    validateQuery(EvidenceQuery),
    limitEvidence,
    async (c) => {
      const { employee_id, log_id, branch_office, comments, cursor, ...period } =
        c.req.valid('query')
      const { authorizedDb, settings, signer, now } = c.var
      const { zones } = await authorizedDb.ready()
      const seal = () =>
        sealEvents(authorizedDb, signer, { seals: SEALS_PER_REQUEST, clock: () => now })

      const fileOf = async () => {
        if (employee_id === undefined && log_id === undefined && branch_office === undefined) {
          return async () => {
            await seal()
            return wholeEvidence(authorizedDb, { comments: comments ?? true, now })
          }
        }
        const adminRoles = settings.ADMIN_ROLES
        const options = { ...period, comments: comments ?? false, adminRoles, now, seal }
        if (branch_office === undefined) {
          const subject = { employee_id: employee_id ?? null, log_id: log_id ?? null }
          return personEvidence(authorizedDb, subject, options)
        }
        const [after = ''] = cursor ?? []
        const branch = { ...options, branch_office, after }
        const { chunks, next } = await branchEvidence(authorizedDb, branch)
        if (next !== undefined) {
          const query = new URLSearchParams(c.req.query())
          query.set('cursor', peopleCursor(next))
          c.header('Link', `<?${query}>; rel="next"`)
        }
        return chunks
      }

      return sendFile(c, {
        name: `evidencia_${companyDay(now, zones)}.ndjson`,
        // The bytes must arrive unchanged, and client generators have no type for JSON lines.
        contentType: 'application/octet-stream',
        chunks: await fileOf(),
      })
    },
  )
