import { plainPath } from './plain-path.ts'
import { logForwarded } from './request-log.ts'
import { type SettingsSource, settingsIfValid } from './settings.ts'

const FOLDER = '/files'

/**
 * An app on any origin may show a file. After a change of FILES_ORIGIN, apps use the new origin
 * within five minutes.
 */
const HEADERS = { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=300' }

/**
 * Redirects a GET or HEAD request for a file to FILES_ORIGIN. Returns undefined for other requests,
 * if FILES_ORIGIN is not set, or if its server could read the path differently. The Worker gets no
 * requests for the files of public/files.
 */
export const redirectToFile = (request: Request, env: SettingsSource): Response | undefined => {
  const origin = settingsIfValid(env)?.FILES_ORIGIN
  if (!origin || !/^(GET|HEAD)$/.test(request.method)) return undefined
  const { pathname, search } = new URL(request.url)
  const isFile = pathname.startsWith(`${FOLDER}/`) && plainPath(pathname)?.startsWith(`${FOLDER}/`)
  if (!isFile) return undefined
  logForwarded('files', request.method, 302, Date.now())
  const Location = `${origin}${pathname.slice(FOLDER.length)}${search}`
  return new Response(null, { status: 302, headers: { ...HEADERS, Location } })
}
