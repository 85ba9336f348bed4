import { dataOf } from '../../sdk/api-client.ts'
import type { CorrectionBody } from '../../sdk/api-types.ts'
import { api, encodePath } from '../session/api.ts'

const { corrections } = api.v2.incidents.clocks[':serial']

/** The corrections of a clock, the newest first. */
export const readCorrections = async (serial: string) =>
  (await dataOf(corrections.$get({ param: encodePath({ serial }) }))).corrections

/** Mends the logs of a clock that was wrong. With `dry_run`, only says what becomes of the days. */
export const correctClock = (serial: string, json: CorrectionBody) =>
  dataOf(corrections.$post({ param: encodePath({ serial }), json }))

export type Preview = Awaited<ReturnType<typeof correctClock>>

export const undoCorrection = (serial: string, id: number, comment: string) =>
  dataOf(
    corrections[':id'].undo.$post({
      param: { ...encodePath({ serial }), id },
      json: { comment },
    }),
  )
