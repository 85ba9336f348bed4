import { createApp } from '../../core/http/context.ts'
import { success } from '../../core/http/envelope.ts'
import { limitHours } from '../../core/http/rate-limit.ts'
import { validate } from '../../core/http/validate.ts'
import { may, mayInAllBranches } from '../../session/callers.http.ts'
import { readCompanyRules } from './rules.queries.ts'
import { ShiftBody, ZoneBody } from './rules.schemas.ts'
import { addRule } from './rules.ts'

const requirePayer = mayInAllBranches('pay')

/** The cost of a new rule for the rate limit: two readings of about five weeks. */
const limitRules = limitHours(() => 10)

export const rulesOfHours = createApp()
  .get('/', may('read_hours'), async (c) => {
    const { company, zones, shifts } = await readCompanyRules(c.var.authorizedDb)
    const { name = '', version = 0 } = company ?? {}
    return c.json(success('Empresa.', { name, version, zones, shifts }), 200)
  })
  .post('/zones', requirePayer, limitRules, validate(ZoneBody), async (c) => {
    const { branch_office: subject, time_zone: value, valid_from, dry_run } = c.req.valid('json')
    const rule = { subject, value, valid_from: valid_from ?? '', dryRun: dry_run ?? false }
    const { zones, ...rest } = await addRule(c.var.authorizedDb, 'zones', rule, c.var.now)
    const { changed_pairs, changed_pending_pairs } = rest
    const message = dry_run ? 'Así quedarían las horas.' : 'La zona horaria se guardó.'
    return c.json(success(message, { zones, changed_pairs, changed_pending_pairs }), 200)
  })
  .post('/shifts', requirePayer, limitRules, validate(ShiftBody), async (c) => {
    const {
      employee_id: subject,
      max_shift_hours: value,
      valid_from,
      dry_run,
    } = c.req.valid('json')
    const rule = { subject, value, valid_from: valid_from ?? '', dryRun: dry_run ?? false }
    const { shifts, ...rest } = await addRule(c.var.authorizedDb, 'shifts', rule, c.var.now)
    const { changed_pairs, changed_pending_pairs } = rest
    const message = dry_run ? 'Así quedarían las horas.' : 'La jornada más larga se guardó.'
    return c.json(success(message, { shifts, changed_pairs, changed_pending_pairs }), 200)
  })
