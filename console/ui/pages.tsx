import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { messageOf } from '../session/client.ts'
import { Failure, Skeleton } from './reading.tsx'
import { announce } from './ui-state.ts'
import { useRead } from './use-read.ts'

/** Reads a list's first page. `readMore` reads the next page. It is undefined if there is none. */
export const usePages = <Page extends { next_cursor: string | null }>(
  read: (cursor?: string) => Promise<Page>,
  dependencies: unknown[] = [],
) => {
  const { data: first, problem, again } = useRead(() => read(), dependencies)
  const [further, setFurther] = useState<{ first?: Page | undefined; pages: Page[] }>({ pages: [] })
  // Further pages are not shown if they belong to an older first page.
  const pages = first ? [first, ...(further.first === first ? further.pages : [])] : []
  const cursor = pages.at(-1)?.next_cursor
  const readMore = (after: string) =>
    read(after).then(
      (page) => setFurther({ first, pages: [...pages.slice(1), page] }),
      (error) => announce(messageOf(error)),
    )
  return { pages, problem, again, readMore: cursor ? () => readMore(cursor) : undefined }
}

interface Props<Item, More> {
  /** Reads a page. If this function changes, the component needs another `key`. */
  read: (cursor?: string) => Promise<{ items: Item[]; next_cursor: string | null } & More>
  /** If this number changes, the list is read again. */
  version?: number
  failure: string
  /** Returns what is shown above the list. */
  lead?: (first: More) => ComponentChildren
  render: (item: Item) => ComponentChildren
  /** What is shown if the list is empty. */
  children: ComponentChildren
}

/** A list of the pages that have been read, with a button that reads the next page. */
export const Pages = <Item, More>(props: Props<Item, More>) => {
  const { read, version, failure, lead, render, children } = props
  const { pages, problem, again, readMore } = usePages(read, [version])
  const items = pages.flatMap((page) => page.items)
  if (problem) return <Failure title={failure} text={problem} onRetry={again} />
  const [first] = pages
  if (!first) return <Skeleton rows={6} />
  return (
    <div>
      {lead?.(first)}
      <p class="sr" role="status">
        {items.length > 0 && `Se muestran ${items.length}${readMore ? ', hay más' : ''}.`}
      </p>
      {items.length === 0 && <div class="empty">{children}</div>}
      <ul class="clocks" key="list">
        {items.map(render)}
      </ul>
      {readMore && (
        <div class="after">
          <button type="button" onClick={readMore}>
            Mostrar más
          </button>
        </div>
      )}
    </div>
  )
}
