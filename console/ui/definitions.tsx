import type { ComponentChildren } from 'preact'

interface Props {
  class?: string
  items: (readonly [name: string, value: ComponentChildren])[]
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
