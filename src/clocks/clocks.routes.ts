import { createApp } from '../core/http/context.ts'
import { requireDatabaseRoom } from '../core/http/database-room.ts'
import { success } from '../core/http/envelope.ts'
import { limitPeople } from '../core/http/rate-limit.ts'
import { validate, validatePath, validateQuery } from '../core/http/validate.ts'
import { may, mayInAllBranches, refuseMachines } from '../session/callers.http.ts'
import { CAN } from '../session/can.ts'
import { findCandidates } from './candidates.ts'
import {
  CandidatesQuery,
  ClockBody,
  ClockFileBody,
  ClockPath,
  WaitingBody,
} from './clocks.schemas.ts'
import { confirm, getClocks, putClock } from './clocks.ts'
import { dismissWaiting } from './dismissal.queries.ts'
import { listNumbers } from './naming.queries.ts'
import { nameNumber } from './naming.ts'
import { findOffDays } from './off-days.ts'
import { uploadFile } from './upload.ts'

export const clocks = createApp()
  .get('/', may('keep_people', 'read_hours'), async (c) => {
    const { roles } = CAN.keep_people(c.var.settings)
    const found = await getClocks(c.var.authorizedDb, roles, c.var.now)
    return c.json(success('Relojes encontrados.', found), 200)
  })
  .post(
    '/waiting',
    may('keep_people'),
    refuseMachines,
    limitPeople,
    requireDatabaseRoom,
    validate(WaitingBody),
    async (c) => {
      const { serial, number, employee_id, dismiss, reason, ...how } = c.req.valid('json')
      const { authorizedDb: db, now } = c.var
      if (employee_id === undefined || number === undefined) {
        const dismissed = await dismissWaiting(db, {
          serial,
          number: number ?? null,
          wait_reason: reason ?? null,
          reason: dismiss ?? '',
          at: now.toISOString(),
        })
        return c.json(success('Las checadas se descartaron.', { taken: 0, dismissed }), 200)
      }
      const { all_clocks = false, only_these = false } = how
      const options = { all_clocks, only_these, wait_reason: reason ?? null }
      const taken = await nameNumber(db, { serial, number, employee_id, ...options }, now)
      return c.json(success('El número quedó guardado.', { taken, dismissed: 0 }), 200)
    },
  )
  .put(
    '/:serial',
    mayInAllBranches('keep_people'),
    refuseMachines,
    limitPeople,
    requireDatabaseRoom,
    validatePath(ClockPath),
    validate(ClockBody),
    async (c) => {
      const { has_not_called, ...body } = c.req.valid('json')
      const { serial } = c.req.valid('param')
      const at = c.var.now.toISOString()
      const write = { ...body, serial, has_not_called: has_not_called ?? false, at }
      const clock = await putClock(c.var.authorizedDb, write, c.var.now)
      return c.json(success('El reloj se guardó.', clock), 200)
    },
  )
  .post(
    '/:serial/confirm',
    may('keep_people'),
    refuseMachines,
    limitPeople,
    validatePath(ClockPath),
    async (c) => {
      const { serial } = c.req.valid('param')
      const clock = await confirm(c.var.authorizedDb, serial, c.var.now)
      return c.json(success('El reloj quedó confirmado.', clock), 200)
    },
  )
  .get('/:serial/numbers', may('keep_people'), validatePath(ClockPath), async (c) => {
    const numbers = await listNumbers(c.var.authorizedDb, c.req.valid('param').serial)
    return c.json(success('Números del reloj.', { numbers }), 200)
  })
  .get('/:serial/days_off', may('decide'), validatePath(ClockPath), async (c) => {
    const { serial } = c.req.valid('param')
    const days_off = await findOffDays(c.var.authorizedDb, serial, c.var.now)
    return c.json(success('Días en que el reloj pudo estar mal.', { days_off }), 200)
  })
  .get(
    '/:serial/candidates',
    may('keep_people'),
    validatePath(ClockPath),
    validateQuery(CandidatesQuery),
    async (c) => {
      const { serial } = c.req.valid('param')
      const { number } = c.req.valid('query')
      const { authorizedDb: db, now } = c.var
      const candidates = await findCandidates(db, { serial, number }, now)
      return c.json(success('Personas que se parecen.', { candidates }), 200)
    },
  )
  .post(
    '/:serial/file',
    may('keep_people'),
    limitPeople,
    requireDatabaseRoom,
    validatePath(ClockPath),
    validate(ClockFileBody),
    async (c) => {
      const { serial } = c.req.valid('param')
      const { text } = c.req.valid('json')
      const counts = await uploadFile(c.var.authorizedDb, serial, text, c.var.now)
      return c.json(success('El archivo se leyó.', counts), 200)
    },
  )
