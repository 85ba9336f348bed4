import { Icon } from './icon.tsx'

export const Back = ({ to, list }: { to: string; list: string }) => (
  <nav class="neighbors" aria-label="Lista">
    <a href={to}>
      <Icon name="back" />
      {list}
    </a>
  </nav>
)
