import { type Child, useState } from 'hono/jsx/dom'

const PAGE = 100

interface Props<Item> {
  items: Item[]
  render: (shown: Item[]) => Child
}

/** Shows a hundred items at a time. */
export const Paged = <Item,>({ items, render }: Props<Item>) => {
  const [requested, setRequested] = useState(0)
  const start = requested < items.length ? requested : 0
  const end = Math.min(items.length, start + PAGE)
  const button = (label: string, to: number, disabled: boolean) => (
    <button type="button" disabled={disabled} onClick={() => setRequested(to)}>
      {label}
    </button>
  )
  return (
    <div>
      {render(items.slice(start, end))}
      {items.length > PAGE && (
        <footer class="paged">
          <span class="note">
            {start + 1} a {end} de {items.length}
          </span>
          {button('Anteriores', start - PAGE, start === 0)}
          {button('Siguientes', start + PAGE, end === items.length)}
        </footer>
      )}
    </div>
  )
}
