import type { ComponentChildren } from 'preact'
import { messageOf } from '../session/client.ts'
import styles from './list.module.css'
import { Loaded, type Read } from './loaded.tsx'
import { Problem } from './reading.tsx'

interface RowsProps {
  isOrdered?: boolean
  children: ComponentChildren
}

/** Rows in a frame. */
export const Rows = ({ isOrdered, children }: RowsProps) => {
  const List = isOrdered ? 'ol' : 'ul'
  return <List class={styles.rows}>{children}</List>
}

interface Pages<Page> {
  pages: Page[]
}

interface Props<Page extends { items: unknown[] }> {
  /** The result of `useInfiniteQuery`. */
  read: Read<Pages<Page>> & {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    fetchNextPage: () => unknown
  }
  /** The title of the message if the list could not be read. */
  failure: string
  /** Returns what is shown above the list. */
  lead?: (first: Page) => ComponentChildren
  row: (item: Page['items'][number]) => ComponentChildren
  /** The button that reads the next page. */
  more?: string
  /** What is shown if the list is empty. */
  children: ComponentChildren
}

/** A list of the pages that have been read, with a button that reads the next page. */
export const List = <Page extends { items: unknown[] }>(props: Props<Page>) => {
  const { read, failure, lead, row, more = 'Mostrar más', children } = props
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error } = read
  return (
    <Loaded read={isFetchNextPageError ? { ...read, error: null } : read} failure={failure}>
      {({ pages }) => {
        const items = pages.flatMap((page) => page.items)
        return (
          <div>
            {pages[0] && lead?.(pages[0])}
            <p class="sr" role="status">
              {items.length > 0 &&
                `${items.length === 1 ? 'Se muestra' : 'Se muestran'} ${items.length}${hasNextPage ? ', hay más' : ''}.`}
            </p>
            {items.length === 0 ? (
              <div class="empty">{children}</div>
            ) : (
              <Rows>{items.map(row)}</Rows>
            )}
            {hasNextPage && (
              <div class="after">
                {isFetchNextPageError && <Problem text={messageOf(error)} />}
                <button
                  type="button"
                  disabled={isFetchingNextPage}
                  onClick={() => read.fetchNextPage()}
                >
                  {more}
                </button>
              </div>
            )}
          </div>
        )
      }}
    </Loaded>
  )
}
