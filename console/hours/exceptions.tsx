import { EXCEPTIONS } from '../ui/hours-texts.ts'
import { Badge, type Look } from '../ui/status.tsx'

const lookOf = (name: string): Look => {
  const text = EXCEPTIONS[name] ?? name
  if (name === 'pendientes') return ['pending', 'dot', text]
  if (name === 'sin_checadas') return ['absent', 'dot', text]
  return name === 'sin_sincronizar' ? ['unsynced', 'clock', text] : ['pending', 'alert', text]
}

export const Exceptions = ({ names }: { names: string[] }) => (
  <span class="exceptions">
    {names.map((name) => (
      <Badge key={name} look={lookOf(name)} />
    ))}
  </span>
)
