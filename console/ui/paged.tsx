import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

const PAGE_SIZE = 100

/** By the name of a list: the index of the first item on the page that was shown last. */
const starts = new Map<string, number>()

interface Props<Item> {
  items: Item[]
  /** If the list has a name, it opens again where the user left it. */
  name?: string
  render: (shown: Item[]) => ComponentChildren
}

/** Shows a hundred items at a time. */
export const Paged = <Item,>({ items, name = '', render }: Props<Item>) => {
  const [requested, setRequested] = useState(starts.get(name) ?? 0)
  const show = (start: number) => {
    if (name) starts.set(name, start)
    setRequested(start)
  }
  const start = requested < items.length ? requested : 0
  const end = Math.min(items.length, start + PAGE_SIZE)
  const button = (label: string, to: number, disabled: boolean) => (
    <button type="button" disabled={disabled} onClick={() => show(to)}>
      {label}
    </button>
  )
  return (
    <div>
      {render(items.slice(start, end))}
      {items.length > PAGE_SIZE && (
        <footer>
          <span class="note">
            {[start + 1, end].map((at) => at.toLocaleString('es-MX')).join(' a ')} de{' '}
            {items.length.toLocaleString('es-MX')}
          </span>
          {button('Anteriores', start - PAGE_SIZE, start === 0)}
          {button('Siguientes', start + PAGE_SIZE, end === items.length)}
        </footer>
      )}
    </div>
  )
}
