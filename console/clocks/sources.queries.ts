import { queryOptions } from '@tanstack/preact-query'
import { dataOf, pagesOf } from '../../sdk/api-client.ts'
import type { LogRow, LogSource } from '../../sdk/api-types.ts'
import { api, encodePath } from '../session/api.ts'
import { about, write } from '../ui/queries.ts'
import { shortMoment } from '../ui/time.ts'

const { sources, logs } = api.v2.incidents

export const readSources = (retired = false): Promise<LogSource[]> =>
  dataOf(sources.$get({ query: retired ? { retired: 'true' } : {} }))

export const sourcesQuery = queryOptions({
  queryKey: [...about.clocks, 'sources'],
  queryFn: () => readSources(),
})

export interface DayOfSource {
  source: string
  /** The branch of a clock. The logs of other branches are not read. */
  branch_office: string | undefined
  day: string
}

const LOGS_MAX = 1000

/** The local times of a clock's punches of a day, or null if its branch has too many logs to read. */
export const punchesQuery = ({ source, branch_office, day }: DayOfSource) =>
  queryOptions({
    queryKey: [...about.logs, 'of source', source, branch_office, day],
    queryFn: async (): Promise<string[] | null> => {
      const query = { branch_office, from: day, to: day, limit: 200 }
      const all: LogRow[] = []
      for await (const page of pagesOf((cursor) => logs.$get({ query: { ...query, cursor } }))) {
        all.push(...page.logs)
        if (all.length > LOGS_MAX) return null
      }
      return all.flatMap((log) => (log.source === source ? log.local_at : []))
    },
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
