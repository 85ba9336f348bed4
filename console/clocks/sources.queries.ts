import { queryOptions } from '@tanstack/preact-query'
import { dataOf } from '../../sdk/api-client.ts'
import type { LogSource } from '../../sdk/api-types.ts'
import { api, encodePath } from '../session/api.ts'
import { about, write } from '../ui/queries.ts'
import { shortMoment } from '../ui/time.ts'

const { sources } = api.v2.incidents

export const readSources = (retired = false): Promise<LogSource[]> =>
  dataOf(sources.$get({ query: retired ? { retired: 'true' } : {} }))

export const sourcesQuery = queryOptions({
  queryKey: [...about.clocks, 'sources'],
  queryFn: () => readSources(),
})

export const saveSource = write(
  [about.clocks],
  (source: string, json: { label: string | null; retired: boolean }) =>
    dataOf(sources[':source'].$put({ param: encodePath({ source }), json })),
)

export const dismissProblem = write([about.clocks], (source: string, id: number, reason: string) =>
  dataOf(
    sources[':source'].problems[':id'].dismiss.$post({
      param: encodePath({ source, id: String(id) }),
      json: { reason },
    }),
  ),
)

/**
 * Says until when all logs of a clock are known. If this is unknown, it says when the clock last
 * sent something.
 */
export const knownUntilText = ({
  complete_until_local_at,
  last_seen_local_at,
}: LogSource): string =>
  complete_until_local_at
    ? `se conoce hasta el ${shortMoment(complete_until_local_at)}`
    : `último envío: ${shortMoment(last_seen_local_at)}`
