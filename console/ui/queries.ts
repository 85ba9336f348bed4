import {
  infiniteQueryOptions,
  keepPreviousData,
  QueryClient,
  type QueryKey,
} from '@tanstack/preact-query'

/** What the pages have read, by the keys of each folder's `NAME.queries.ts`. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // A request without a connection fails, and the page says so.
      networkMode: 'always',
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
  },
})

/** How long data that seldom changes is used again. A write that names its key ends this. */
export const SELDOM_MS = 5 * 60_000

/** The beginnings of the keys, by what they are about. */
export const about = {
  logs: ['logs'],
  /** The list of logs. Its rows stay where they are while they are decided. */
  logList: ['log list'],
  hours: ['hours'],
  groups: ['groups'],
  people: ['people'],
  /** People whom pages name or look for. */
  names: ['names'],
  users: ['users'],
  clocks: ['clocks'],
  closings: ['closings'],
  agreements: ['agreements'],
  company: ['company'],
} satisfies Record<string, QueryKey>

let outdated = new Set<QueryKey>()

/** Makes the pages read again what has changed. Several changes at once are one. */
export const changed = (...keys: QueryKey[]): void => {
  if (outdated.size === 0) {
    setTimeout(() => {
      const all = outdated
      outdated = new Set()
      for (const queryKey of all) void queries.invalidateQueries({ queryKey })
    })
  }
  for (const key of keys) outdated.add(key)
}

/**
 * A write, with the keys of what it changes. The pages that show it read it again, also after an
 * error: a write whose answer was lost may have been carried out.
 */
export const write =
  <Given extends unknown[], Result>(
    changes: QueryKey[],
    send: (...given: Given) => Promise<Result>,
  ) =>
  async (...given: Given): Promise<Result> => {
    try {
      return await send(...given)
    } finally {
      changed(...changes)
    }
  }

/** A list that the service sends by pages. Until another filter's rows come, the old ones stay. */
export const pagesQuery = <Page extends { next_cursor: string | null }>(
  queryKey: QueryKey,
  read: (cursor?: string) => Promise<Page>,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }: Page) => next_cursor,
    placeholderData: keepPreviousData,
  })
