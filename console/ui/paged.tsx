import { type Child, useState } from 'hono/jsx/dom'

const PAGE_SIZE = 100

interface Props<Item> {
  items: Item[]
  render: (shown: Item[]) => Child
}

/** Shows a hundred items at a time. */
export const Paged = <Item,>({ items, render }: Props<Item>) => {
  const [requested, setRequested] = useState(0)
  const start = requested < items.length ? requested : 0
  const end = Math.min(items.length, start + PAGE_SIZE)
  const button = (label: string, to: number, disabled: boolean) => (
    <button type="button" disabled={disabled} onClick={() => setRequested(to)}>
      {label}
    </button>
  )
  return (
    <div>
      {render(items.slice(start, end))}
      {items.length > PAGE_SIZE && (
        <footer class="paged">
          <span class="note">
            {start + 1} a {end} de {items.length}
          </span>
          {button('Anteriores', start - PAGE_SIZE, start === 0)}
          {button('Siguientes', start + PAGE_SIZE, end === items.length)}
        </footer>
      )}
    </div>
  )
}
