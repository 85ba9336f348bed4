import { useState } from 'hono/jsx/dom'
import { messageOf } from '../api/client.ts'
import { announce } from './ui.ts'
import { useRead } from './use-read.ts'

/** Reads the first page of a list, and further ones when asked. */
export const usePages = <Page extends { next_cursor: string | null }>(
  read: (cursor?: string) => Promise<Page>,
  dependencies: unknown[] = [],
) => {
  const { data: first, problem, again } = useRead(() => read(), dependencies)
  const [further, setFurther] = useState<{ first?: Page | undefined; pages: Page[] }>({ pages: [] })
  // The pages after an older first page are not shown.
  const pages = first ? [first, ...(further.first === first ? further.pages : [])] : []
  const cursor = pages.at(-1)?.next_cursor
  const readMore = (after: string) =>
    read(after).then(
      (page) => setFurther({ first, pages: [...pages.slice(1), page] }),
      (error) => announce(messageOf(error)),
    )
  return { pages, problem, again, readMore: cursor ? () => readMore(cursor) : undefined }
}
