import type { Context } from 'hono'
import { ClockPath } from '../../clocks/clocks.schemas.ts'
import { createApp, type UserEnv } from '../../core/http/context.ts'
import { requireDatabaseRoom } from '../../core/http/database-room.ts'
import { success } from '../../core/http/envelope.ts'
import { limitPeople } from '../../core/http/rate-limit.ts'
import { validate, validatePath } from '../../core/http/validate.ts'
import { announceDecision } from '../../logs/status-change.http.ts'
import { may } from '../../session/callers.http.ts'
import { CAN } from '../../session/can.ts'
import { CorrectionBody, CorrectionPath, UndoBody } from './corrections.schemas.ts'
import { correctClock, listCorrections, undoCorrection } from './corrections.ts'

const decisionOf = (c: Context<UserEnv>) => ({
  forbidSelfApproval: c.get('settings').FORBID_SELF_APPROVAL,
  payRoles: CAN.pay(c.get('settings')).roles,
  at: c.get('now').toISOString(),
})

const MESSAGES = {
  preview: 'Así quedarían los días.',
  created: 'Las checadas se corrigieron.',
  known: 'Esa corrección ya estaba hecha.',
}

/** Corrections of clocks that were wrong. */
export const clockCorrections = createApp()
  .get('/:serial/corrections', may('decide'), validatePath(ClockPath), async (c) => {
    const { serial } = c.req.valid('param')
    const corrections = await listCorrections(c.var.authorizedDb, serial)
    return c.json(success('Correcciones del reloj.', { corrections }), 200)
  })
  .post(
    '/:serial/corrections',
    may('decide'),
    limitPeople,
    requireDatabaseRoom,
    validatePath(ClockPath),
    validate(CorrectionBody),
    async (c) => {
      const correction = { ...c.req.valid('json'), ...c.req.valid('param') }
      const { authorizedDb, now } = c.var
      const result = await correctClock(authorizedDb, correction, { ...decisionOf(c), now })
      if (result.result === 'created') announceDecision(c)
      return c.json(success(MESSAGES[result.result], result), 200)
    },
  )
  .post(
    '/:serial/corrections/:id/undo',
    may('decide'),
    limitPeople,
    validatePath(CorrectionPath),
    validate(UndoBody),
    async (c) => {
      const undone = { ...c.req.valid('param'), ...c.req.valid('json') }
      const result = await undoCorrection(c.var.authorizedDb, undone, decisionOf(c))
      announceDecision(c)
      return c.json(success('La corrección se deshizo.', result), 200)
    },
  )
