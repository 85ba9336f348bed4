import { type Child, useState } from 'hono/jsx/dom'

const PAGE_SIZE = 100

/** The first item that each named list showed, so that a reader who comes back finds the place. */
const starts = new Map<string, number>()

interface Props<Item> {
  items: Item[]
  /** With a name, the list opens again where it was left. */
  name?: string
  render: (shown: Item[]) => Child
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
        <footer class="paged">
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
