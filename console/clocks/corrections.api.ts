import { dataOf } from '../../sdk/api-client.ts'
import type { CorrectionBody } from '../../sdk/api-types.ts'
import { api, encodePath } from '../session/api.ts'

const { corrections, days_off } = api.v2.incidents.clocks[':serial']

/** The corrections of a clock, the newest first, and the days on which it was probably wrong. */
export const readCorrections = async (serial: string) => {
  const param = encodePath({ serial })
  const [made, off] = await Promise.all([
    dataOf(corrections.$get({ param })),
    dataOf(days_off.$get({ param })),
  ])
  return { corrections: made.corrections, days_off: off.days_off }
}

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
