import { useState } from 'preact/hooks'
import { hasStatus, messageOf } from '../session/client.ts'
import { okResponse } from '../session/files.ts'
import { Icon, type IconName } from './icon.tsx'
import { announce } from './ui-state.ts'

interface Props {
  label: string
  busyLabel?: string
  icon?: IconName
  class?: string
  disabled?: boolean
  /** Returns a message to announce, or undefined to announce nothing. */
  act: () => Promise<string | undefined>
}

/** A button that is disabled while its act runs. It announces the result. */
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

interface DownloadProps {
  label: string
  request: () => Parameters<typeof okResponse>[0]
  /** The message for a 429 response. */
  limit?: string
  primary?: boolean
}

/** Saves a file, and returns a message that says so. */
export const saveFile = (name: string, blob: Blob): string => {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The URL must stay valid until the browser has begun to save the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
  return `Se descargó ${name}.`
}

/** Reads a file and saves it. A plain link cannot do this, because no URL may contain the token. */
const save = async (request: DownloadProps['request']): Promise<string> => {
  const response = await okResponse(request())
  const [, name = 'archivo'] =
    /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '') ?? []
  return saveFile(name, await response.blob())
}

export const DownloadButton = ({
  label,
  request,
  primary = false,
  limit = 'Son muchas descargas seguidas; espera un minuto.',
}: DownloadProps) => (
  <ActButton
    label={label}
    busyLabel="Descargando…"
    icon="down"
    class={primary ? 'primary' : 'quiet'}
    act={() =>
      save(request).catch((error) => {
        if (hasStatus(error, 429)) return limit
        throw error
      })
    }
  />
)
