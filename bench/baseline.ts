/**
 * The benchmark's baseline: six endpoints that are written by hand with fetch, Web Crypto and D1,
 * without a framework, an ORM or a schema library. They use the service's tables. All endpoints
 * except the intake pass the tests of the service's contract. docs/performance.md lists the
 * features that they lack. A request that writes takes one more round trip than in the service, for
 * authorization. The service's code reads the settings, once for each environment object.
 */

import { bareFailure, failure, invalidInput, success } from '../src/core/http/envelope.ts'
import { readSettings, type Settings } from '../src/core/http/settings.ts'
import { COMMENT_MAX, LOG_KINDS, LOG_STATUSES, SOURCE_MAX } from '../src/core/log-values.ts'
import { codePoints, isBlank, isStorable } from '../src/core/text.ts'

const BODY_MAX = 64 * 1024
const BODY_TIMEOUT_MS = 30_000

const HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}

interface Call {
  request: Request
  env: Env
  settings: Settings
  now: number
  /** The caller's id. Null until the token has been checked. */
  userId: number | null
  roundTrips: number
  databaseBytes?: number | undefined
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' }
const importKey = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', new TextEncoder().encode(secret), HMAC, false, ['verify'])

const importedKeys = new WeakMap<Settings, Promise<CryptoKey>[]>()

/** The keys that verify tokens, imported once. */
const keysOf = (settings: Settings): Promise<CryptoKey>[] => {
  const { TOKEN_SECRET, TOKEN_SECRET_PREVIOUS } = settings
  const keys =
    importedKeys.get(settings) ??
    [TOKEN_SECRET, TOKEN_SECRET_PREVIOUS].flatMap((secret) => (secret ? importKey(secret) : []))
  importedKeys.set(settings, keys)
  return keys
}

const json = (status: number, body: unknown, headers?: Record<string, string>): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: headers ? { ...HEADERS, ...headers } : HEADERS,
  })

const ok = (message: string, data: unknown) => json(200, success(message, data))
const fail = (status: number, message: string, headers?: Record<string, string>) =>
  json(status, failure(message), headers)

const BEARER_ONLY = { 'WWW-Authenticate': 'Bearer' }

const prepare = (call: Call, text: string, db: Pick<D1Database, 'prepare'> = call.env.DB) => {
  call.roundTrips++
  return db.prepare(text)
}

const batch = async <Row>(call: Call, statements: D1PreparedStatement[]) => {
  call.roundTrips++
  const results = await call.env.DB.batch<Row>(statements)
  call.databaseBytes = results[0]?.meta.size_after
  return results
}

const tooLarge = () => fail(413, 'El cuerpo de la petición es demasiado grande.')

/** Returns the bytes of a body. Returns an error response if they are late or incomplete. */
const readBytes = (request: Request): Promise<ArrayBuffer | Response> =>
  new Promise((resolve) => {
    const end = (result: ArrayBuffer | Response) => {
      clearTimeout(timer)
      resolve(result)
    }
    const tooLate = () => end(fail(408, 'El cuerpo de la petición tardó demasiado.'))
    const timer = setTimeout(tooLate, BODY_TIMEOUT_MS)
    request.arrayBuffer().then(end, () => end(fail(400, 'El cuerpo llegó incompleto.')))
  })

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/**
 * Returns the JSON object of the body, or `{}` if the body is not a JSON object. Returns an error
 * response if the body is too large, late or incomplete.
 */
const readBody = async (request: Request): Promise<Record<string, unknown> | Response> => {
  if (Number(request.headers.get('Content-Length')) > BODY_MAX) return tooLarge()
  const bytes = await readBytes(request)
  if (bytes instanceof Response) return bytes
  if (bytes.byteLength > BODY_MAX) return tooLarge()
  try {
    const body = JSON.parse(utf8.decode(bytes))
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}
  } catch {
    return {}
  }
}

const fromBase64Url = (text: string): string => atob(text.replaceAll('-', '+').replaceAll('_', '/'))

const BEARER = /^Bearer +(([\w-]+)\.([\w-]+)\.([\w-]{42}[AEIMQUYcgkosw048]))$/i

/**
 * Returns the claims of the request's token. Returns undefined if the token is missing or
 * malformed, if its signature is not valid (RFC 7519, HS256), or if it has expired.
 */
const readToken = async ({ request, settings, now }: Call) => {
  const match = BEARER.exec(request.headers.get('Authorization') ?? '')
  if (!match) return undefined
  const [, , head = '', payload = '', signature = ''] = match
  try {
    if (JSON.parse(fromBase64Url(head)).alg !== 'HS256') return undefined
    const signed = new TextEncoder().encode(`${head}.${payload}`)
    const bytes = Uint8Array.from(fromBase64Url(signature), (c) => c.charCodeAt(0))
    let isSigned = false
    for (const key of keysOf(settings))
      isSigned ||= await crypto.subtle.verify('HMAC', await key, bytes, signed)
    const { sub, jti, ver, iat, exp = Infinity, machine } = JSON.parse(fromBase64Url(payload))
    const isPayload =
      typeof sub === 'string' &&
      /^[1-9]\d{0,15}$/.test(sub) &&
      typeof jti === 'string' &&
      jti !== '' &&
      Number.isSafeInteger(ver) &&
      Number.isSafeInteger(iat) &&
      typeof exp === 'number' &&
      (machine === undefined || machine === true)
    if (!isSigned || !isPayload) return undefined
    const minutes = settings.TOKEN_TTL_MINUTES
    const end = minutes === undefined || machine ? exp : Math.min(exp, iat + minutes * 60)
    return now >= end * 1000 ? undefined : { userId: Number(sub), jti, version: Number(ver) }
  } catch {
    return undefined
  }
}

const replica = ({ env }: Call) => env.DB.withSession('first-unconstrained')

const SELECT_MODULES = `SELECT id, name, description, icon, enabled, enabled_app FROM modules
  WHERE enabled_app = 1 ORDER BY id`

const modulesEnabled = async (call: Call): Promise<Response> => {
  const { results } = await prepare(call, SELECT_MODULES, replica(call)).all()
  if (results.length === 0) return fail(404, 'No hay módulos habilitados.')
  const modules = results.map((row) => ({
    ...row,
    enabled: row.enabled === 1,
    enabled_app: row.enabled_app === 1,
  }))
  return ok('Módulos habilitados.', modules)
}

const SELECT_ENTRY = 'SELECT key, tipo, nombre, valor FROM config_entries WHERE key = ?'

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const config = async (call: Call, parameter: string): Promise<Response> => {
  const key = decode(parameter)
  if (!isStorable(key)) {
    const message = 'El nombre de la configuración contiene caracteres no válidos.'
    return json(422, invalidInput({ config: [message] }))
  }
  const entry = await prepare(call, SELECT_ENTRY).bind(key).first()
  return entry
    ? ok('Configuración encontrada.', entry)
    : fail(404, 'No existe una configuración con ese nombre.')
}

const codeError = (code: unknown): string | undefined => {
  if (code === undefined || code === null) return 'El código es obligatorio.'
  if (typeof code !== 'string') return 'El código debe ser texto.'
  if (!isStorable(code)) return 'El código contiene caracteres no válidos.'
  return isBlank(code) ? 'El código es obligatorio.' : undefined
}

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1)$/

const SELECT_CLIENT = 'SELECT id, code, name, status, url_base FROM clients WHERE code = ?'

const validateCode = async (call: Call): Promise<Response> => {
  const { request, env } = call
  const body = await readBody(request)
  if (body instanceof Response) return body
  const address = request.headers.get('CF-Connecting-IP') || '127.0.0.1'
  if (!LOOPBACK.test(address) && !(await env.CODE_BY_ADDRESS.limit({ key: address })).success) {
    const message = 'Demasiados intentos. Espera un minuto y vuelve a intentarlo.'
    return fail(429, message, { 'Retry-After': '60' })
  }
  const error = codeError(body.code)
  if (error) return json(422, bareFailure(error, { code: [error] }))
  const query = prepare(call, SELECT_CLIENT, replica(call)).bind(body.code)
  const client = await query.first<{ status: string }>()
  if (!client) return fail(404, 'No existe un cliente con ese código.')
  return /^activo$/i.test(client.status)
    ? ok('El código es válido.', client)
    : fail(403, 'El cliente está inactivo o bloqueado.')
}

const TOKEN_IS_ACTIVE = `u.id = ?1 AND u.active = 1 AND u.token_version = ?2
  AND NOT EXISTS (SELECT 1 FROM revoked_tokens WHERE jti = ?3)`

const ME = `SELECT u.id, u.email, u.first_name, u.last_name, u.mother_last_name, u.role, u.active,
    u.external, u.type_user, u.status_user, e.employee_id, e.full_name, e.rfc, e.phone, e.cellphone,
    e.started_at, e.job_position, e.department, e.branch_office, e.profile_image
  FROM users u LEFT JOIN employees e ON e.employee_id = u.employee_id WHERE ${TOKEN_IS_ACTIVE}`

/** Returns the row that a query selects for the caller, or null without an active token. */
const findCaller = async (call: Call, text: string): Promise<Record<string, unknown> | null> => {
  const token = await readToken(call)
  if (!token) return null
  const row = await prepare(call, text).bind(token.userId, token.version, token.jti).first()
  if (row) call.userId = token.userId
  return row
}

const me = async (call: Call): Promise<Response> => {
  const row = await findCaller(call, ME)
  if (!row) return json(401, bareFailure('No autenticado.'), BEARER_ONLY)
  const { id, email, first_name, last_name, mother_last_name, role, active, ...rest } = row
  const { external, type_user, status_user, ...employee } = rest
  const account = { id, email, first_name, last_name, mother_last_name, role, active }
  return ok('Usuario autenticado.', {
    user: { ...account, external, type_user, status_user },
    employee: employee.employee_id === null ? null : employee,
  })
}

const SELECT_ROLE = `SELECT u.role FROM users u WHERE ${TOKEN_IS_ACTIVE}`

/** Returns an error response unless the caller has an active token and one of the roles. */
const rejectCaller = async (call: Call, roles: string[]): Promise<Response | undefined> => {
  // The contract requires the token to be checked after the body has arrived.
  call.now = Date.now()
  const caller = await findCaller(call, SELECT_ROLE)
  if (!caller) return fail(401, 'No autenticado.', BEARER_ONLY)
  if (roles.includes(String(caller.role))) return undefined
  return fail(403, 'No tienes permiso para realizar esta acción.')
}

const LOG_ID_LABEL = 'El identificador del registro'

const logIdError = (id: unknown): string | undefined => {
  if (id === undefined || id === null) return `${LOG_ID_LABEL} es obligatorio.`
  if (!Number.isSafeInteger(id)) return `${LOG_ID_LABEL} debe ser un número entero.`
  return (id as number) < 1 ? `${LOG_ID_LABEL} debe ser un número entero positivo.` : undefined
}

const isOneOf = (values: readonly string[], value: unknown) => values.includes(value as string)

const statusError = (status: unknown): string | undefined => {
  if (status === undefined || status === null) return 'El estado es obligatorio.'
  const error = 'El estado debe ser pending, approved o rejected.'
  return isOneOf(LOG_STATUSES, status) ? undefined : error
}

const commentError = (comment: unknown): string | undefined => {
  if (comment === undefined) return undefined
  if (typeof comment !== 'string') return 'El comentario debe ser texto.'
  if (!isStorable(comment)) return 'El comentario contiene caracteres no válidos.'
  const error = `El comentario no puede tener más de ${COMMENT_MAX} caracteres.`
  return codePoints(comment) > COMMENT_MAX ? error : undefined
}

const NO_LOG_MESSAGE = 'No existe un registro con ese identificador.'

const SELECT_LOG = 'SELECT 1 FROM attendance_logs WHERE id = ?'
const SALT = 'lower(hex(randomblob(16)))'
const COMMENT = `INSERT INTO log_comments (log_id, user_id, comment, salt, created_at, updated_at)
  SELECT id, ?2, ?3, ${SALT}, ?4, ?4 FROM attendance_logs WHERE id = ?1`
const EVENT = `INSERT INTO log_events (event, log_id, user_id, from_status, to_status, comment_id,
    created_at, employee_id, kind, recorded_at, source, actor, salt)
  SELECT 'decided', id, ?2, status, ?3,
    CASE WHEN ?4 THEN (SELECT max(c.id) FROM log_comments c WHERE c.log_id = ?1) END, ?5,
    employee_id, kind, recorded_at, source, (SELECT actor_hash FROM users WHERE id = ?2), ${SALT}
  FROM attendance_logs WHERE id = ?1`
const UPDATE_STATUS = `UPDATE attendance_logs SET status = ?2, updated_at = ?3 WHERE id = ?1
  RETURNING id AS log_id, status`

const changeLogStatus = async (call: Call): Promise<Response> => {
  const { request, env, settings } = call
  const body = await readBody(request)
  if (body instanceof Response) return body
  const rejected = await rejectCaller(call, settings.ADMIN_ROLES)
  if (rejected) return rejected

  const { log_id: id, status } = body
  const isAbsent =
    body.comment === null || (typeof body.comment === 'string' && isBlank(body.comment))
  const comment = isAbsent ? undefined : body.comment
  const invalid = {
    log_id: logIdError(id),
    status: statusError(status),
    comment: commentError(comment),
  }
  if (invalid.log_id || invalid.status || invalid.comment) {
    if (!invalid.log_id && !(await prepare(call, SELECT_LOG).bind(id).first()))
      invalid.log_id = NO_LOG_MESSAGE
    const named = Object.entries(invalid).flatMap(([field, message]) =>
      message ? [[field, [message]]] : [],
    )
    return json(422, invalidInput(Object.fromEntries(named)))
  }

  const at = new Date(call.now).toISOString()
  const { userId } = call
  try {
    const results = await batch<{ log_id: number; status: string }>(call, [
      ...(comment ? [env.DB.prepare(COMMENT).bind(id, userId, comment, at)] : []),
      env.DB.prepare(EVENT).bind(id, userId, status, comment ? 1 : 0, at),
      env.DB.prepare(UPDATE_STATUS).bind(id, status, at),
    ])
    const changed = results.at(-1)?.results[0]
    return changed
      ? ok('El estado del registro se actualizó.', changed)
      : json(422, invalidInput({ log_id: [NO_LOG_MESSAGE] }))
  } catch (error) {
    const isCommentError = /\blog_comments(?![a-z])/.test(String(error))
    const what = isCommentError ? 'guardar el comentario' : 'actualizar el estado del registro'
    return fail(500, `No se pudo ${what}.`)
  }
}

type Item = Record<'source_id' | 'employee_id' | 'kind' | 'recorded_at', string>

const isText = (value: unknown): value is string => typeof value === 'string'

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

const isItem = (item: unknown): item is Item => {
  const { source_id, employee_id, kind, recorded_at } = (item ?? {}) as Record<string, unknown>
  const isSourceId = isText(source_id) && source_id.length >= 1 && source_id.length <= SOURCE_MAX
  const isMoment = isText(recorded_at) && MOMENT.test(recorded_at)
  return isSourceId && isText(employee_id) && isOneOf(LOG_KINDS, kind) && isMoment
}

const SELECT_KNOWN = `SELECT l.id, l.source_id FROM json_each(?2) AS item
  CROSS JOIN attendance_logs AS l ON l.source = ?1 AND l.source_id = item.value ->> '$.source_id'`
const SELECT_SAME_SECOND = `SELECT l.id, item.key FROM json_each(?1) AS item
  CROSS JOIN attendance_logs AS l INDEXED BY attendance_logs_employee ON l.employee_id = item.value ->> '$.employee_id'
    AND l.status IN ('pending', 'approved', 'rejected') AND l.kind = item.value ->> '$.kind'
    AND l.recorded_at BETWEEN substr(item.value ->> '$.recorded_at', 1, 20) || '000Z'
      AND substr(item.value ->> '$.recorded_at', 1, 20) || '999Z'`
const SELECT_EMPLOYEES = `SELECT employee_id FROM employees
  WHERE employee_id IN (SELECT value ->> '$.employee_id' FROM json_each(?1))`
const INSERT_LOGS = `INSERT INTO attendance_logs (id, employee_id, kind, recorded_at, source, source_id,
    branch_office, department, recorded_by, created_at, updated_at)
  SELECT max(999999999, coalesce((SELECT max(id) FROM attendance_logs), 0)) + item.key + 1,
    e.employee_id, item.value ->> '$.kind', item.value ->> '$.recorded_at', ?1,
    item.value ->> '$.source_id', e.branch_office, e.department, ?3, ?4, ?4
  FROM json_each(?2) AS item JOIN employees AS e ON e.employee_id = item.value ->> '$.employee_id'
  RETURNING id, source_id`
const UPSERT_SOURCE = `INSERT INTO intake_sources (source, last_seen_at) VALUES (?1, ?2)
  ON CONFLICT (source) DO UPDATE SET last_seen_at = excluded.last_seen_at`
const UPSERT_EMPLOYEE_SOURCES = `INSERT INTO employee_sources
  SELECT value ->> '$.employee_id', ?1, max(value ->> '$.recorded_at') FROM json_each(?2)
  GROUP BY 1 ON CONFLICT DO UPDATE SET last_recorded_at = max(last_recorded_at, excluded.last_recorded_at)`

/**
 * Supports only what the benchmark sends: valid items of known employees. Takes three round trips.
 */
const recordLogs = async (call: Call): Promise<Response> => {
  const { request, env, settings } = call
  const body = await readBody(request)
  if (body instanceof Response) return body
  const rejected = await rejectCaller(call, settings.INTAKE_ROLES)
  if (rejected) return rejected
  const { source, logs } = body
  if (!isText(source) || !Array.isArray(logs) || !logs.every(isItem)) {
    return fail(422, 'Los datos no son válidos.')
  }
  const items = logs.map((item) => ({
    ...item,
    recorded_at: new Date(item.recorded_at).toISOString(),
  }))
  const all = JSON.stringify(items)
  const [known, sameSecond, employees] = await batch<Record<string, string | number>>(call, [
    env.DB.prepare(SELECT_KNOWN).bind(source, all),
    env.DB.prepare(SELECT_SAME_SECOND).bind(all),
    env.DB.prepare(SELECT_EMPLOYEES).bind(all),
  ])
  const stored = new Map(known?.results.map((row) => [row.source_id, row.id]))
  const doubles = new Map(sameSecond?.results.map((row) => [row.key, row.id]))
  const people = new Set(employees?.results.map((row) => row.employee_id))
  const fresh = items.filter(
    (item, i) => !stored.has(item.source_id) && !doubles.has(i) && people.has(item.employee_id),
  )
  const at = new Date(call.now).toISOString()
  const [inserted] = await batch<{ id: number; source_id: string }>(call, [
    env.DB.prepare(INSERT_LOGS).bind(source, JSON.stringify(fresh), call.userId, at),
    env.DB.prepare(UPSERT_SOURCE).bind(source, at),
    env.DB.prepare(UPSERT_EMPLOYEE_SOURCES).bind(source, JSON.stringify(fresh)),
  ])
  const created = new Map(inserted?.results.map(({ id, source_id }) => [source_id, id]))
  const results = items.map(({ source_id }, i) =>
    created.has(source_id)
      ? { log_id: created.get(source_id), result: 'created' }
      : { log_id: stored.get(source_id) ?? doubles.get(i), result: 'known' },
  )
  return ok('Registros recibidos.', results)
}

type Handler = (call: Call, parameter: string) => Promise<Response>

const ROUTES: Record<string, Handler> = {
  'GET /api/v2/clients/modules_enabled': modulesEnabled,
  'POST /api/v2/clients/validate-code': validateCode,
  'GET /api/v2/clients/config/:config': config,
  'GET /api/auth/me': me,
  'POST /api/v2/incidents/change_log_status': changeLogStatus,
  'POST /api/v2/incidents/logs': recordLogs,
}

const CONFIG_PATH = /^\/api\/v2\/clients\/config\/([^/]+)$/

/** Returns a request's key in `ROUTES`, where it may be missing, and the parameter or ''. */
const routeOf = ({ method, url }: Request): [route: string, parameter: string] => {
  const { pathname } = new URL(url)
  const parameter = CONFIG_PATH.exec(pathname)?.[1]
  return parameter
    ? [`${method} /api/v2/clients/config/:config`, parameter]
    : [`${method} ${pathname}`, '']
}

const fetch = async (request: Request, env: Env): Promise<Response> => {
  const now = Date.now()
  const requestId = crypto.randomUUID()
  const [route, parameter] = routeOf(request)
  let response: Response
  let call: Call | undefined
  try {
    const settings = readSettings(env)
    call = { request, env, settings, now, userId: null, roundTrips: 0 }
    response = await (ROUTES[route]?.(call, parameter) ?? fail(404, 'La ruta no existe.'))
    response.headers.set('Vary', 'Origin')
  } catch {
    response = fail(500, 'Ocurrió un error interno. Inténtalo de nuevo más tarde.')
  }
  response.headers.set('X-Request-Id', requestId)
  console.log(
    JSON.stringify({
      request_id: requestId,
      method: request.method,
      route: ROUTES[route] ? route : null,
      status: response.status,
      duration_ms: Date.now() - now,
      user_id: call?.userId ?? null,
      round_trips: call?.roundTrips ?? 0,
      database_bytes: call?.databaseBytes,
    }),
  )
  return response
}

export default { fetch } satisfies ExportedHandler<Env>
