import { useState } from 'hono/jsx/dom'
import { messageOf } from '../api/client.ts'
import { announce } from '../state/ui.ts'
import { Icon, type IconName } from './icon.tsx'

interface Props {
  label: string
  busyLabel?: string
  icon?: IconName
  class?: string
  disabled?: boolean
  /** Returns a message to announce. */
  act: () => Promise<string | undefined>
}

/** A button that is disabled until its act is done, and announces the result. */
export const ActButton = (props: Props) => {
  const { label, busyLabel = label, icon, class: name, disabled, act } = props
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    const message = await act().catch(messageOf)
    if (message) announce(message)
    setBusy(false)
  }
  return (
    <button type="button" class={name} onClick={run} disabled={busy || disabled}>
      {icon && <Icon name={icon} />}
      {busy ? busyLabel : label}
    </button>
  )
}
