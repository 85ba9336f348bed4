import { hasStatus } from '../api/client.ts'
import { fileOf } from '../api/hours.ts'
import { ActButton } from './act-button.tsx'

interface Props {
  label: string
  request: () => Parameters<typeof fileOf>[0]
  /** The message of a 429. */
  limit?: string
  primary?: boolean
}

/** Reads a file and saves it. A link cannot, since no address may hold the token. */
const save = async (request: Props['request']): Promise<string> => {
  const response = await fileOf(request())
  const [, name = 'archivo'] =
    /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '') ?? []
  const url = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser needs the URL until it has begun to save the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
  return `Se descargó ${name}.`
}

export const DownloadButton = ({
  label,
  request,
  primary = false,
  limit = 'Son muchas descargas seguidas; espera un minuto.',
}: Props) => (
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
