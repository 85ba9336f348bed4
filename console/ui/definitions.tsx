import type { Child } from 'hono/jsx/dom'

interface Props {
  class?: string
  items: (readonly [name: string, value: Child])[]
}

export const Definitions = ({ class: name, items }: Props) => (
  <dl class={name}>
    {items.map(([term, value]) => (
      <div key={term}>
        <dt>{term}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
