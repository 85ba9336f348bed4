import { createApp } from '../core/http/context.ts'
import { requireDatabaseRoom } from '../core/http/database-room.ts'
import { success } from '../core/http/envelope.ts'
import { limitPassword, limitPeople } from '../core/http/rate-limit.ts'
import { validate, validatePath, validateQuery } from '../core/http/validate.ts'
import { pageByName } from '../core/values/query-fields.schemas.ts'
import { may, mayInAllBranches, refuseMachines, requireUser } from '../session/callers.http.ts'
import { listAgreementPeople } from './agreement-people.queries.ts'
import { listAgreements } from './agreements.queries.ts'
import {
  AcceptBody,
  AgreementBody,
  AgreementPath,
  AgreementPeopleQuery,
  PaperBody,
  VoidPaperBody,
} from './agreements.schemas.ts'
import {
  acceptAgreement,
  getCurrentAgreement,
  publishAgreement,
  recordPaper,
  voidPaper,
} from './agreements.ts'

const LIMIT = 100

export const agreements = createApp()
  .get('/', may('read_agreements'), refuseMachines, async (c) => {
    const all = await listAgreements(c.var.authorizedDb)
    return c.json(success('Acuerdos.', { agreements: all }), 200)
  })
  .post(
    '/',
    mayInAllBranches('decide'),
    refuseMachines,
    limitPeople,
    requireDatabaseRoom,
    validate(AgreementBody),
    async (c) => {
      const data = await publishAgreement(c.var.authorizedDb, c.req.valid('json'), c.var.now)
      return c.json(success('El acuerdo se publicó.', data), 200)
    },
  )
  .get('/current', requireUser, async (c) => {
    const agreement = await getCurrentAgreement(c.var.authorizedDb, c.var.now)
    return c.json(success('Acuerdo vigente.', agreement), 200)
  })
  .post(
    '/:id/accept',
    requireUser,
    refuseMachines,
    requireDatabaseRoom,
    validatePath(AgreementPath),
    validate(AcceptBody),
    limitPassword,
    async (c) => {
      const { id } = c.req.valid('param')
      const { authorizedDb, now } = c.var
      const accepted = await acceptAgreement(authorizedDb, id, c.req.valid('json'), now)
      return c.json(success('El acuerdo quedó registrado.', accepted), 200)
    },
  )
  .post(
    '/:id/paper',
    may('keep_people'),
    refuseMachines,
    limitPeople,
    requireDatabaseRoom,
    validatePath(AgreementPath),
    validate(PaperBody),
    async (c) => {
      const { id } = c.req.valid('param')
      const paper = await recordPaper(c.var.authorizedDb, id, c.req.valid('json'), c.var.now)
      return c.json(success('El acuerdo en papel quedó asentado.', paper), 200)
    },
  )
  .post(
    '/:id/paper/void',
    may('keep_people'),
    refuseMachines,
    limitPeople,
    requireDatabaseRoom,
    validatePath(AgreementPath),
    validate(VoidPaperBody),
    async (c) => {
      const { id } = c.req.valid('param')
      await voidPaper(c.var.authorizedDb, id, c.req.valid('json'), c.var.now)
      return c.json(success('El acuerdo en papel se anuló.', null), 200)
    },
  )
  .get(
    '/:id/people',
    may('read_agreements'),
    refuseMachines,
    validatePath(AgreementPath),
    validateQuery(AgreementPeopleQuery),
    async (c) => {
      const { id } = c.req.valid('param')
      const { agreed, branch_office = null, limit = LIMIT, cursor } = c.req.valid('query')
      const [after_name, after_id] = cursor ?? ['', '']
      const filter = {
        id,
        branch_office,
        after_name,
        after_id,
        limit: limit + 1,
        agreed: agreed === undefined ? null : Number(agreed),
      }
      const { people, ...counts } = await listAgreementPeople(c.var.authorizedDb, filter, c.var.now)
      const { page, next_cursor } = pageByName(people, limit, ({ employee_id }) => employee_id)
      return c.json(success('Quién acordó.', { people: page, ...counts, next_cursor }), 200)
    },
  )
