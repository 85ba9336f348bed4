import { queryOptions } from '@tanstack/preact-query'
import { dataOf } from '../../sdk/api-client.ts'
import type {
  Clock,
  ClockBody,
  ClockRejectionBody,
  WaitingBody,
  WaitingPunches,
} from '../../sdk/api-types.ts'
import { api, encodePath } from '../session/api.ts'
import { about, write } from '../ui/queries.ts'

const { clocks } = api.v2.incidents

/** What changes when punches of a clock become logs, or its logs are decided. */
const LOGS = [about.clocks, about.logs, about.logList, about.hours]

/** The clocks that connect by themselves, those that nobody has added, and the punches that wait. */
export const readClocks = () => dataOf(clocks.$get())

export const clocksQuery = queryOptions({ queryKey: about.clocks, queryFn: readClocks })

export type Clocks = Awaited<ReturnType<typeof readClocks>>

export const saveClock = write(
  [about.clocks],
  (serial: string, json: ClockBody): Promise<Clock> =>
    dataOf(clocks[':serial'].$put({ param: encodePath({ serial }), json })),
)

/** Confirms a clock that somebody else added, and whose its numbers are. */
export const confirmClock = write(
  [about.clocks],
  (serial: string): Promise<Clock> =>
    dataOf(clocks[':serial'].confirm.$post({ param: encodePath({ serial }) })),
)

type Waiting = Pick<WaitingPunches, 'serial' | 'number'>

/** Says whose a number is, or the punches that wait with it. Returns how many waiting punches have become logs. */
export const nameNumber = write(
  LOGS,
  async (
    { serial, number }: Waiting,
    employee_id: string,
    how: Pick<WaitingBody, 'all_clocks' | 'only_these' | 'reason'>,
  ): Promise<number> => {
    const json = { serial, number, employee_id, ...how }
    return (await dataOf(clocks.waiting.$post({ json }))).taken
  },
)

/** Who a number of a clock may be. */
export const candidatesQuery = (serial: string, number: string) =>
  queryOptions({
    queryKey: [...about.clocks, serial, 'candidates', number],
    queryFn: async () => {
      const { candidates } = clocks[':serial']
      const param = encodePath({ serial })
      return (await dataOf(candidates.$get({ param, query: { number } }))).candidates
    },
  })

/** Whose the numbers of a clock are. */
export const numbersQuery = (serial: string) =>
  queryOptions({
    queryKey: [...about.clocks, serial, 'numbers'],
    queryFn: async () =>
      (await dataOf(clocks[':serial'].numbers.$get({ param: encodePath({ serial }) }))).numbers,
  })

/** Dismisses the punches of a number that wait for one reason. Returns how many they were. */
export const dismissNumber = write(
  [about.clocks],
  async ({ serial, number, ...waiting }: WaitingPunches, dismiss: string): Promise<number> => {
    const reason = waiting.over_bound ? 'over_bound' : waiting.reason
    return (await dataOf(clocks.waiting.$post({ json: { serial, number, reason, dismiss } })))
      .dismissed
  },
)

/** Says which address is the clock's. */
export const sayAddress = write(
  [about.clocks],
  (serial: string, address: string): Promise<Clock> =>
    dataOf(clocks[':serial'].address.$post({ param: encodePath({ serial }), json: { address } })),
)

/** Rejects the pending logs of a clock in a period. Returns how many they were. */
export const rejectLogs = write(
  LOGS,
  async (serial: string, json: ClockRejectionBody): Promise<number> => {
    const param = encodePath({ serial })
    let rejected = 0
    for (;;) {
      const done = await dataOf(clocks[':serial'].reject.$post({ param, json }))
      rejected += done.rejected
      if (done.left === 0 || done.rejected === 0) return rejected
    }
  },
)

/** Dismisses all punches that wait at a clock. Returns how many they were. */
export const dismissAll = write(
  [about.clocks],
  async (serial: string, dismiss: string): Promise<number> =>
    (await dataOf(clocks.waiting.$post({ json: { serial, all_numbers: true, dismiss } })))
      .dismissed,
)

/** Whether a file can be of a clock: a text with dates. The service reads its form. */
export const isOfClock = (content: string): boolean =>
  !content.includes('\0') && /\d{4}[-/]\d{1,2}[-/]\d/.test(content)

/** The heading of a file: its first line, if it has no date. */
const headingOf = (content: string): string => {
  const [first = ''] = /^[^\n]*\n/.exec(content) ?? []
  return /\d{4}[-/]\d{1,2}[-/]\d/.test(first) ? '' : first
}

/** A part of a file has at most this many characters, which may take three bytes each. */
const PART_LENGTH = 150_000

/** Splits a file at line ends into parts that one request takes. Each part has the heading. */
export const partsOf = (content: string): string[] => {
  const heading = headingOf(content)
  const parts: string[] = []
  let part = ''
  for (const line of content.slice(heading.length).match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    if (part && part.length + line.length > PART_LENGTH) {
      parts.push(heading + part)
      part = ''
    }
    part += line
  }
  return part ? [...parts, heading + part] : parts
}

export const uploadPart = write(LOGS, (serial: string, text: string) =>
  dataOf(clocks[':serial'].file.$post({ param: encodePath({ serial }), json: { text } })),
)
