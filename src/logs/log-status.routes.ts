import { createApp } from '../core/http/context.ts'
import { success } from '../core/http/envelope.ts'
import { validate } from '../core/http/validate.ts'
import { may } from '../session/callers.http.ts'
import { BulkStatusChangeBody, StatusChangeBody } from './log-status.schemas.ts'
import { changeLogStatuses } from './log-status.ts'
import {
  announceDecision,
  missingComment,
  nameFields,
  toStatusChange,
  unknownLog,
  unknownLogs,
} from './status-change.http.ts'

export const logStatus = createApp()
  .post(
    '/change_log_status',
    may('decide'),
    validate(StatusChangeBody, { rule: missingComment, moreErrors: unknownLog }),
    async (c) => {
      const { log_id, ...decision } = c.req.valid('json')
      const change = toStatusChange(decision, c)
      const [log] = await changeLogStatuses(c.get('authorizedDb'), [log_id], change)
      announceDecision(c)
      return c.json(success('El estado del registro se actualizó.', log), 200)
    },
  )
  .post(
    '/change_logs_status',
    may('decide'),
    validate(BulkStatusChangeBody, { rule: missingComment, moreErrors: unknownLogs }),
    async (c) => {
      const { log_ids, ...decision } = c.req.valid('json')
      const change = toStatusChange(decision, c)
      const logs = await changeLogStatuses(c.get('authorizedDb'), log_ids, change).catch(
        nameFields('log_ids', log_ids),
      )
      announceDecision(c)
      return c.json(success('El estado de los registros se actualizó.', logs), 200)
    },
  )
