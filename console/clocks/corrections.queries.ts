import { queryOptions } from '@tanstack/preact-query'
import { dataOf } from '../../sdk/api-client.ts'
import type { CorrectionBody } from '../../sdk/api-types.ts'
import { api, encodePath } from '../session/api.ts'
import { about, write } from '../ui/queries.ts'

const { corrections, days_off } = api.v2.incidents.clocks[':serial']

/** What a correction changes. */
const CORRECTED = [about.clocks, about.logs, about.logList, about.hours]

/** The corrections of a clock, the newest first, and the days on which it was probably wrong. */
export const correctionsQuery = (serial: string) =>
  queryOptions({
    queryKey: [...about.clocks, serial, 'corrections'],
    queryFn: async () => {
      const param = encodePath({ serial })
      const [made, off] = await Promise.all([
        dataOf(corrections.$get({ param })),
        dataOf(days_off.$get({ param })),
      ])
      return { corrections: made.corrections, days_off: off.days_off }
    },
  })

/** Says what would become of the days, and saves nothing. */
export const previewCorrection = (serial: string, json: CorrectionBody) =>
  dataOf(corrections.$post({ param: encodePath({ serial }), json: { ...json, dry_run: true } }))

export type Preview = Awaited<ReturnType<typeof previewCorrection>>

/** Mends the logs of a clock that was wrong. */
export const correctClock = write(CORRECTED, (serial: string, json: CorrectionBody) =>
  dataOf(corrections.$post({ param: encodePath({ serial }), json })),
)

export const undoCorrection = write(CORRECTED, (serial: string, id: number, comment: string) =>
  dataOf(
    corrections[':id'].undo.$post({
      param: { ...encodePath({ serial }), id },
      json: { comment },
    }),
  ),
)
