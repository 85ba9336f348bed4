import { createApp } from '../../core/http/context.ts'
import { requireDatabaseRoom } from '../../core/http/database-room.ts'
import { success } from '../../core/http/envelope.ts'
import { limitPassword } from '../../core/http/rate-limit.ts'
import { validate, validatePath, validateQuery } from '../../core/http/validate.ts'
import { sendPushesLater } from '../../push/push.http.ts'
import { may, refuseMachines, requireUser } from '../../session/callers.http.ts'
import {
  AnswerBody,
  CardPath,
  ObjectionPath,
  OwnClosingsQuery,
  OwnDaysQuery,
  SignatureBody,
} from './card.schemas.ts'
import { answerObjection, getOwnClosing, listOwnDays, signClosing } from './card.ts'
import { listObjections, listSignatures } from './objections.queries.ts'
import { listOwnClosings } from './own-closings.queries.ts'

/**
 * The days and closings of the caller's own employee, the signatures, and the answers to
 * objections.
 */
export const ownClosings = createApp()
  .get('/my_days', requireUser, validateQuery(OwnDaysQuery), async (c) => {
    const own = await listOwnDays(c.var.authorizedDb, c.req.valid('query'), c.var.now)
    return c.json(success('Días encontrados.', own), 200)
  })
  .get('/my_closings', requireUser, validateQuery(OwnClosingsQuery), async (c) => {
    const closings = await listOwnClosings(c.var.authorizedDb, c.req.valid('query'))
    return c.json(success('Cierres encontrados.', { closings }), 200)
  })
  .get('/my_closings/:id', requireUser, validatePath(CardPath), async (c) => {
    const closing = await getOwnClosing(c.var.authorizedDb, c.req.valid('param').id)
    return c.json(success('Cierre encontrado.', closing), 200)
  })
  .post(
    '/my_closings/:id/sign',
    requireUser,
    refuseMachines,
    requireDatabaseRoom,
    validatePath(CardPath),
    validate(SignatureBody),
    limitPassword,
    async (c) => {
      const { id } = c.req.valid('param')
      const signed = await signClosing(c.var.authorizedDb, id, c.req.valid('json'), c.var.now)
      const message = signed.agrees
        ? 'La conformidad quedó registrada.'
        : 'La objeción quedó registrada.'
      return c.json(success(message, signed), 200)
    },
  )
  .get('/objections', may('read_hours'), async (c) => {
    const objections = await listObjections(c.var.authorizedDb)
    return c.json(success('Objeciones sin responder.', { objections }), 200)
  })
  .get('/closings/:id/signatures', may('read_hours'), validatePath(CardPath), async (c) => {
    const signatures = await listSignatures(c.var.authorizedDb, c.req.valid('param').id)
    return c.json(success('Firmas encontradas.', { signatures }), 200)
  })
  .post(
    '/closings/:id/objections/:employee_id/answer',
    may('pay'),
    refuseMachines,
    requireDatabaseRoom,
    validatePath(ObjectionPath),
    validate(AnswerBody),
    async (c) => {
      const { id, employee_id } = c.req.valid('param')
      const { comment } = c.req.valid('json')
      const answer = await answerObjection(
        c.var.authorizedDb,
        { id, employee_id, comment },
        c.var.now,
      )
      sendPushesLater(c)
      return c.json(success('La respuesta quedó registrada.', answer), 200)
    },
  )
