import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { DomainError } from '../../core/errors.ts'
import { createApp } from '../../core/http/context.ts'
import { success } from '../../core/http/envelope.ts'
import { sendRows } from '../../core/http/export-file.ts'
import { limitClosings } from '../../core/http/rate-limit.ts'
import { validate, validatePath, validateQuery } from '../../core/http/validate.ts'
import { sendPushesLater } from '../../push/push.http.ts'
import { may, mayInAllBranches } from '../../session/callers.http.ts'
import { closingFile } from './closing-rows.http.ts'
import { readPersonLines, toPersonLines } from './closing-rows.ts'
import { cancelClosing, findClosing, listClosings } from './closings.queries.ts'
import {
  CancelBody,
  ClosingBody,
  ClosingLinesQuery,
  ClosingPath,
  ClosingPreviewLinesQuery,
  ClosingPreviewQuery,
  ClosingsQuery,
} from './closings.schemas.ts'
import { makeClosing } from './make-closing.ts'
import { previewClosing, previewPeople } from './preview-closing.ts'

const CLOSINGS_LIMIT = 20

const requirePayer = mayInAllBranches('pay')

/** @throws DomainError CLOSING_NOT_FOUND */
const getClosing = async (db: AuthorizedDb, id: number) => {
  const closing = await findClosing(db, id)
  if (!closing) throw new DomainError('CLOSING_NOT_FOUND')
  return closing
}

export const closings = createApp()
  .get('/closings', may('read_hours'), validateQuery(ClosingsQuery), async (c) => {
    const { limit = CLOSINGS_LIMIT, cursor = Number.MAX_SAFE_INTEGER } = c.req.valid('query')
    const db = c.var.authorizedDb
    const rows = await listClosings(db, { beforeId: cursor, limit: limit + 1 })
    const page = rows.slice(0, limit)
    const next = rows.length > limit ? page.at(-1)?.id : undefined
    const data = {
      closings: page,
      next_cursor: next === undefined ? null : String(next),
    }
    return c.json(success('Cierres encontrados.', data), 200)
  })
  .post('/closings', requirePayer, limitClosings, validate(ClosingBody), async (c) => {
    const closing = await makeClosing(c.var.authorizedDb, c.req.valid('json'), c.var.now)
    sendPushesLater(c)
    return c.json(success('El cierre se guardó.', closing), 200)
  })
  .get(
    '/closings/preview',
    requirePayer,
    limitClosings,
    validateQuery(ClosingPreviewQuery),
    async (c) => {
      const closing = await previewClosing(c.var.authorizedDb, c.req.valid('query'), c.var.now)
      return c.json(success('Así quedaría el cierre.', closing), 200)
    },
  )
  .get(
    '/closings/preview/lines',
    requirePayer,
    limitClosings,
    validateQuery(ClosingPreviewLinesQuery),
    async (c) => {
      const { format, headers, ids, by, ...request } = c.req.valid('query')
      const { authorizedDb, now } = c.var
      const people = toPersonLines(previewPeople(authorizedDb, request, now))
      const form = { format, headers, ids, by }
      return sendRows(c, closingFile(authorizedDb, request, people, form, 'vista-previa_'))
    },
  )
  .get('/closings/:id', may('read_hours'), validatePath(ClosingPath), async (c) => {
    const closing = await getClosing(c.var.authorizedDb, c.req.valid('param').id)
    return c.json(success('Cierre.', closing), 200)
  })
  .get(
    '/closings/:id/lines',
    may('read_hours'),
    limitClosings,
    validatePath(ClosingPath),
    validateQuery(ClosingLinesQuery),
    async (c) => {
      const { authorizedDb } = c.var
      const closing = await getClosing(authorizedDb, c.req.valid('param').id)
      const people = readPersonLines(authorizedDb, closing.id)
      return sendRows(c, closingFile(authorizedDb, closing, people, c.req.valid('query')))
    },
  )
  .post(
    '/closings/:id/cancel',
    requirePayer,
    validatePath(ClosingPath),
    validate(CancelBody),
    async (c) => {
      const request = { ...c.req.valid('param'), ...c.req.valid('json') }
      const closing = await cancelClosing(c.var.authorizedDb, request, c.var.now)
      return c.json(success('El cierre se canceló.', closing), 200)
    },
  )
