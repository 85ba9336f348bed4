import { DomainError } from '../core/errors.ts'
import { createApp } from '../core/http/context.ts'
import { success } from '../core/http/envelope.ts'
import { limitPeople } from '../core/http/rate-limit.ts'
import { validate, validatePath } from '../core/http/validate.ts'
import { changeLogStatuses } from '../logs/log-status.ts'
import { announceDecision, toStatusChange } from '../logs/status-change.http.ts'
import { may } from '../session/callers.http.ts'
import { listRejectable } from './clock-acts.queries.ts'
import { ClockAddressBody, ClockRejectionBody } from './clock-acts.schemas.ts'
import { ClockPath } from './clocks.schemas.ts'
import { putAddress } from './clocks.ts'

export const clockActs = createApp()
  .post(
    '/:serial/address',
    may('decide'),
    limitPeople,
    validatePath(ClockPath),
    validate(ClockAddressBody),
    async (c) => {
      const { address } = c.req.valid('json')
      const { serial } = c.req.valid('param')
      const clock = await putAddress(c.var.authorizedDb, serial, address, c.var.now)
      return c.json(success('La dirección del reloj quedó guardada.', clock), 200)
    },
  )
  .post(
    '/:serial/reject',
    may('decide'),
    limitPeople,
    validatePath(ClockPath),
    validate(ClockRejectionBody),
    async (c) => {
      const { from, to, elsewhere, comment } = c.req.valid('json')
      if (from > to) throw new DomainError('PERIOD_REVERSED')
      const db = c.var.authorizedDb
      const { ids, total } = await listRejectable(db, {
        ...{ serial: c.req.valid('param').serial, from, to, elsewhere: elsewhere ?? false },
        // Somebody who may not decide their own logs leaves them to others.
        without_own: c.var.settings.FORBID_SELF_APPROVAL,
      })
      if (ids.length > 0) {
        const decision = { status: 'rejected', expected_status: 'pending', comment } as const
        await changeLogStatuses(db, ids, toStatusChange(decision, c))
        announceDecision(c)
      }
      const counts = { rejected: ids.length, left: total - ids.length }
      return c.json(success('Las checadas se rechazaron.', counts), 200)
    },
  )
