import type { Child } from 'hono/jsx/dom'
import { usePages } from '../state/use-pages.ts'
import { Failure, Skeleton } from './reading.tsx'

interface Props<Item, More> {
  /** Reads a page. A list that is read otherwise has another key. */
  read: (cursor?: string) => Promise<{ items: Item[]; next_cursor: string | null } & More>
  /** With another number, the list is read again. */
  version?: number
  failure: string
  /** What stands above the list. */
  lead?: (first: More) => Child
  render: (item: Item) => Child
  /** What stands in place of an empty list. */
  children: Child
}

/** A list that shows more when asked. */
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
      {items.length === 0 && (
        <div class="empty" key="none">
          {children}
        </div>
      )}
      <ul class="clocks" key="list">
        {items.map(render)}
      </ul>
      {readMore && (
        <div class="after" key="more">
          <button type="button" onClick={readMore}>
            Mostrar más
          </button>
        </div>
      )}
    </div>
  )
}
