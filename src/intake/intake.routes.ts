import { createMiddleware } from 'hono/factory'
import { DomainError } from '../core/errors.ts'
import { createApp, type UserEnv } from '../core/http/context.ts'
import { requireDatabaseRoom } from '../core/http/database-room.ts'
import { success } from '../core/http/envelope.ts'
import { limitChanges } from '../core/http/rate-limit.ts'
import { validate, validatePath, validateQuery } from '../core/http/validate.ts'
import { listEvents } from '../logs/events.queries.ts'
import { ChangesQuery, OwnLogsQuery } from '../logs/log-query.schemas.ts'
import { getOwnLogs } from '../logs/logs.ts'
import { may, mayInAllBranches, refuseMachines, requireUser } from '../session/callers.http.ts'
import { CAN } from '../session/can.ts'
import { addManualLog, oldestRequest, requestLog } from './added-logs.ts'
import {
  DismissalBody,
  IntakeBody,
  IntakeItem,
  InvalidItemId,
  ManualLogBody,
  OwnLogBody,
  ProblemPath,
  RequestBody,
  SourceBody,
  SourcePath,
  SourcesQuery,
} from './intake.schemas.ts'
import { recordLogs, recordOwnLog } from './intake.ts'
import type { IntakeResult, SentLog } from './outcome.ts'
import { dismissProblem, listSources, replaceSource } from './sources.queries.ts'
import { CLOCK_SKEW_MS } from './times.ts'

const CHANGES_LIMIT = 100

/** The offset of a time, such as `-06:00`. Null for `Z`. */
const offsetOf = (recordedAt: unknown): string | null =>
  /[+-]\d{2}:\d{2}$/.exec(String(recordedAt))?.[0].replace('-00:00', '+00:00') ?? null

/** Converts an item of a request. An invalid item keeps only its ids, and its first wrong field. */
const toSentLog = (item: unknown): SentLog => {
  const { data, error } = IntakeItem.safeParse(item)
  const { source_id = null, log_id = null } = data ?? InvalidItemId.parse(item)
  const facts = data ?? { employee_id: null, kind: null, recorded_at: null }
  const wrong = (error?.issues[0]?.path[0] ?? null) as SentLog['wrong']
  const offset = offsetOf((item as { recorded_at?: unknown } | null)?.recorded_at)
  return { ...facts, source_id, log_id, offset, wrong }
}

const KNOWN_LOG = 'Esa checada ya estaba registrada.'

const ownLogMessage = ({ result, detail }: IntakeResult): string => {
  if (result !== 'refused') return 'Registro recibido.'
  if (detail === 'ended') {
    return 'El registro no se guardó: es de un día posterior a tu último día de trabajo.'
  }
  return detail === 'clock'
    ? 'El registro no se guardó: el reloj de tu teléfono no está en hora.'
    : 'El registro no se guardó: revisa su hora.'
}

/** Responds with the code's error unless the named setting is on. */
const requireOn = (
  name: 'EMPLOYEE_CLOCK_IN' | 'EMPLOYEE_REQUESTS',
  code: 'CLOCK_IN_OFF' | 'REQUESTS_OFF',
) =>
  createMiddleware<UserEnv>(async (c, next) => {
    if (!c.get('settings')[name]) throw new DomainError(code)
    await next()
  })

const requireClockIn = requireOn('EMPLOYEE_CLOCK_IN', 'CLOCK_IN_OFF')
const requireRequests = requireOn('EMPLOYEE_REQUESTS', 'REQUESTS_OFF')

export const intake = createApp()
  .post('/logs', may('send_logs'), requireDatabaseRoom, validate(IntakeBody), async (c) => {
    const { source, complete_until: completeUntil, logs } = c.req.valid('json')
    const { authorizedDb, now } = c.var
    if (completeUntil && Date.parse(completeUntil) > now.getTime() + CLOCK_SKEW_MS) {
      throw new DomainError('COMPLETE_UNTIL_AHEAD')
    }
    const sent = logs.map(toSentLog)
    const results = await recordLogs(authorizedDb, source, sent, {
      completeUntil,
      now: c.var.now,
    })
    return c.json(success('Registros recibidos.', results), 200)
  })
  .get('/sources', may('read_hours', 'send_logs'), validateQuery(SourcesQuery), async (c) => {
    const { roles } = CAN.read_hours(c.var.settings)
    const sources = await listSources(c.var.authorizedDb, roles, c.req.valid('query'))
    return c.json(success('Orígenes encontrados.', sources), 200)
  })
  .put(
    '/sources/:source',
    mayInAllBranches('decide'),
    validatePath(SourcePath),
    validate(SourceBody),
    async (c) => {
      const { label, retired } = c.req.valid('json')
      const at = c.var.now.toISOString()
      const retired_at = retired ? at : null
      const { source } = c.req.valid('param')
      const saved = await replaceSource(c.var.authorizedDb, { source, label, retired_at, at })
      return c.json(success('El origen se guardó.', saved), 200)
    },
  )
  .post(
    '/sources/:source/problems/:id/dismiss',
    mayInAllBranches('decide'),
    validatePath(ProblemPath),
    validate(DismissalBody),
    async (c) => {
      const at = c.var.now.toISOString()
      const { reason } = c.req.valid('json')
      const { source, id } = c.req.valid('param')
      await dismissProblem(c.var.authorizedDb, { source, id, reason, at })
      return c.json(success('El problema se descartó.', null), 200)
    },
  )
  .get(
    '/changes',
    may('decide', 'send_logs'),
    limitChanges,
    validateQuery(ChangesQuery),
    async (c) => {
      const { after = 0, limit = CHANGES_LIMIT, event } = c.req.valid('query')
      const { authorizedDb, settings } = c.var
      const page = await listEvents(authorizedDb, { after, limit, event }, settings.ADMIN_ROLES)
      return c.json(success('Cambios encontrados.', page), 200)
    },
  )
  .post(
    '/my_logs',
    requireUser,
    requireClockIn,
    requireDatabaseRoom,
    validate(OwnLogBody),
    async (c) => {
      const log = c.req.valid('json')
      const result = await recordOwnLog(c.var.authorizedDb, log, c.var.now)
      const data = { client_id: log.client_id, ...result }
      return c.json(success(ownLogMessage(result), data), 200)
    },
  )
  .get('/my_logs', requireUser, validateQuery(OwnLogsQuery), async (c) => {
    const { authorizedDb, settings, now } = c.var
    const logs = await getOwnLogs(authorizedDb, c.req.valid('query'), now)
    const may_check_in = settings.EMPLOYEE_CLOCK_IN
    const may_request = settings.EMPLOYEE_REQUESTS
    const push_key = settings.VAPID_KEY?.split('.')[0] ?? null
    const requests_since = oldestRequest(now)
    const may = { may_check_in, may_request, requests_since }
    const data = { logs, ...may, push_key, now: now.toISOString() }
    return c.json(success('Registros encontrados.', data), 200)
  })
  .post(
    '/manual_logs',
    may('read_hours'),
    requireDatabaseRoom,
    validate(ManualLogBody),
    async (c) => {
      const { authorizedDb, settings } = c.var
      const forbidSelfApproval = settings.FORBID_SELF_APPROVAL
      const result = await addManualLog(authorizedDb, c.req.valid('json'), {
        forbidSelfApproval,
        now: c.var.now,
      })
      const message = result.result === 'created' ? 'Registro agregado.' : KNOWN_LOG
      return c.json(success(message, result), 200)
    },
  )
  .post(
    '/my_requests',
    requireUser,
    refuseMachines,
    requireRequests,
    requireDatabaseRoom,
    validate(RequestBody),
    async (c) => {
      const result = await requestLog(c.var.authorizedDb, c.req.valid('json'), c.var.now)
      const message = result.result === 'created' ? 'Solicitud enviada.' : KNOWN_LOG
      return c.json(success(message, result), 200)
    },
  )
