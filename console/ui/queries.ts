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
      for (const queryKey of changes) void queries.invalidateQueries({ queryKey })
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
