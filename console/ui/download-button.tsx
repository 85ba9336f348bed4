import { useState } from 'hono/jsx/dom'
import { hasStatus, messageOf } from '../api/client.ts'
import { fileOf } from '../api/hours.ts'
import { announce } from '../state/ui.ts'
import { Icon } from './icon.tsx'

interface Props {
  label: string
  request: () => Parameters<typeof fileOf>[0]
  /** What to say where the service refuses one file so soon after another. */
  limit?: string
  primary?: boolean
}

/** The token is never in an address: a file is read here, and then saved. */
const save = async (request: Props['request']): Promise<string> => {
  const response = await fileOf(request())
  const [, name = 'archivo'] =
    /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '') ?? []
  const url = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Once the browser has begun to save it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
  return name
}

export const DownloadButton = ({
  label,
  request,
  primary = false,
  limit = 'Son muchas descargas seguidas; espera un minuto.',
}: Props) => {
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    announce(
      await save(request).then(
        (name) => `Se descargó ${name}.`,
        (error) => (hasStatus(error, 429) ? limit : messageOf(error)),
      ),
    )
    setBusy(false)
  }
  return (
    <button type="button" class={primary ? 'primary' : 'quiet'} onClick={download} disabled={busy}>
      <Icon name="down" />
      {busy ? 'Descargando…' : label}
    </button>
  )
}
