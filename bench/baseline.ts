/**
 * The benchmark's baseline: seven endpoints that are written by hand with fetch, Web Crypto and D1,
 * without a framework, an ORM or a schema library. They use the service's tables. All endpoints
 * except the intake and the sign-in pass the tests of the service's contract. docs/performance.md
 * lists the features that they lack. Each request takes one round trip: a statement that writes has
 * the caller's authorization as a condition. The service's code reads the settings, once for each
 * environment object.
 */

import { bareFailure, failure, invalidInput, success } from '../src/core/http/envelope.ts'
import { readSettings, type Settings } from '../src/core/http/settings.ts'
import { COMMENT_MAX, LOG_KINDS, LOG_STATUSES, SOURCE_MAX } from '../src/core/values/log-values.ts'
import { codePoints, isBlank, isStorable } from '../src/core/values/text.ts'

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
  crypto.subtle.importKey('raw', new TextEncoder().encode(secret), HMAC, false, ['sign', 'verify'])

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

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

const signToken = async ({ settings, now }: Call, id: number, ver: number): Promise<string> => {
  const encode = (part: object) => toBase64Url(new TextEncoder().encode(JSON.stringify(part)))
  const iat = Math.floor(now / 1000)
  const payload = { sub: String(id), jti: crypto.randomUUID(), ver, iat }
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(payload)}`
  const key = await (keysOf(settings)[0] as Promise<CryptoKey>)
  const bytes = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(signed))
  return `${signed}.${toBase64Url(new Uint8Array(bytes))}`
}

const isPassword = async (password: string, stored: string): Promise<boolean> => {
  const [, r, i, salt = '', hash = ''] =
    /^\$pbkdf2-sha512\$r=(\d),i=(\d+)\$(.+)\$(.+)$/.exec(stored) ?? []
  const algorithm = { name: 'PBKDF2', hash: 'SHA-512', iterations: Number(i) }
  const [saltBytes, expected] = [salt, hash].map((text) =>
    Uint8Array.from(atob(text), (c) => c.charCodeAt(0)),
  ) as [Uint8Array, Uint8Array]
  let secret = new TextEncoder().encode(password)
  for (let round = 0; round < Number(r); round++) {
    const key = await crypto.subtle.importKey('raw', secret, 'PBKDF2', false, ['deriveBits'])
    const bits = await crypto.subtle.deriveBits({ ...algorithm, salt: saltBytes }, key, 512)
    secret = new Uint8Array(bits)
  }
  return crypto.subtle.timingSafeEqual(secret, expected)
}

const SELECT_ACCOUNT = `SELECT id, email, first_name, last_name, mother_last_name, role, active,
  password_hash, token_version FROM users WHERE email_key = ? AND active = 1`

/** Supports only what the benchmark sends: an active user's password. */
const login = async (call: Call): Promise<Response> => {
  const body = await readBody(call.request)
  if (body instanceof Response) return body
  const key = String(body.email).trim().toLowerCase()
  const row = await prepare(call, SELECT_ACCOUNT)
    .bind(key)
    .first<{ id: number; password_hash: string; token_version: number }>()
  const isRight = row && (await isPassword(String(body.password), row.password_hash))
  if (!isRight) return fail(401, 'El correo electrónico o la contraseña no son correctos.')
  const { password_hash: _, token_version, ...user } = row
  const token = await signToken(call, user.id, token_version)
  return ok('Inicio de sesión correcto.', { user, token, token_type: 'Bearer' })
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
  if (!LOOPBACK.test(address) && !(await env.UNKNOWN_BY_ADDRESS.limit({ key: address })).success) {
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

/** Parameters 1 to 4 are the user, the token's version and id, and a JSON array of roles. */
const IS_AUTHORIZED = `EXISTS (SELECT 1 FROM users u WHERE ${TOKEN_IS_ACTIVE}
  AND u.role IN (SELECT value FROM json_each(?4)))`

/**
 * Sends statements in one batch, if the token is valid. Each statement has the condition
 * IS_AUTHORIZED. Returns an error response unless the caller has an active token and one of the
 * roles.
 */
const batchOf = async <Row>(
  call: Call,
  roles: readonly string[],
  statements: readonly (readonly [text: string, ...values: unknown[]])[],
): Promise<D1Result<Row>[] | Response> => {
  // The contract requires the token to be checked after the body has arrived.
  call.now = Date.now()
  const token = await readToken(call)
  if (!token) return fail(401, 'No autenticado.', BEARER_ONLY)
  const { userId, version, jti } = token
  const { DB } = call.env
  const list = JSON.stringify(roles)
  call.roundTrips++
  const [caller, ...results] = await DB.batch<Row & { role: string }>([
    DB.prepare(SELECT_ROLE).bind(userId, version, jti),
    ...statements.map(([text, ...values]) =>
      DB.prepare(text).bind(userId, version, jti, list, ...values),
    ),
  ])
  call.databaseBytes = caller?.meta.size_after
  const [row] = caller?.results ?? []
  if (!row) return fail(401, 'No autenticado.', BEARER_ONLY)
  call.userId = userId
  if (roles.includes(row.role)) return results
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
  SELECT id, ?1, ?6, ${SALT}, ?7, ?7 FROM attendance_logs WHERE id = ?5 AND ${IS_AUTHORIZED}`
const EVENT = `INSERT INTO log_events (event, log_id, user_id, from_status, to_status, comment_id,
    created_at, employee_id, kind, recorded_at, source, actor, salt)
  SELECT 'decided', id, ?1, status, ?6,
    CASE WHEN ?7 THEN (SELECT max(c.id) FROM log_comments c WHERE c.log_id = ?5) END, ?8,
    employee_id, kind, recorded_at, source, (SELECT actor_hash FROM users WHERE id = ?1), ${SALT}
  FROM attendance_logs WHERE id = ?5 AND ${IS_AUTHORIZED}`
const UPDATE_STATUS = `UPDATE attendance_logs SET status = ?6, updated_at = ?7
  WHERE id = ?5 AND ${IS_AUTHORIZED} RETURNING id AS log_id, status`

const changeLogStatus = async (call: Call): Promise<Response> => {
  const { request, settings } = call
  const body = await readBody(request)
  if (body instanceof Response) return body

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
    const rejected = await batchOf(call, settings.ADMIN_ROLES, [])
    if (rejected instanceof Response) return rejected
    if (!invalid.log_id && !(await prepare(call, SELECT_LOG).bind(id).first()))
      invalid.log_id = NO_LOG_MESSAGE
    const named = Object.entries(invalid).flatMap(([field, message]) =>
      message ? [[field, [message]]] : [],
    )
    return json(422, invalidInput(Object.fromEntries(named)))
  }

  const at = new Date().toISOString()
  try {
    const results = await batchOf<{ log_id: number; status: string }>(call, settings.ADMIN_ROLES, [
      ...(comment ? [[COMMENT, id, comment, at] as const] : []),
      [EVENT, id, status, comment ? 1 : 0, at],
      [UPDATE_STATUS, id, status, at],
    ])
    if (results instanceof Response) return results
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

/** The log that has the source's id already. */
const KNOWN = `SELECT l.id FROM attendance_logs AS l
  WHERE l.source = ?5 AND l.source_id = item.value ->> '$.source_id'`
/** A log of the same employee, kind and second. */
const SAME_SECOND = `SELECT l.id FROM attendance_logs AS l INDEXED BY attendance_logs_employee
  WHERE l.employee_id = item.value ->> '$.employee_id'
    AND l.status IN ('pending', 'approved', 'rejected') AND l.kind = item.value ->> '$.kind'
    AND l.recorded_at BETWEEN substr(item.value ->> '$.recorded_at', 1, 20) || '000Z'
      AND substr(item.value ->> '$.recorded_at', 1, 20) || '999Z'`
const SELECT_STORED = `SELECT item.key AS key, coalesce((${KNOWN}), (${SAME_SECOND})) AS id
  FROM json_each(?6) AS item WHERE ${IS_AUTHORIZED}`
const INSERT_LOGS = `INSERT INTO attendance_logs (id, employee_id, kind, recorded_at, source, source_id,
    branch_office, department, recorded_by, created_at, updated_at)
  SELECT max(999999999, coalesce((SELECT max(id) FROM attendance_logs), 0)) + item.key + 1,
    e.employee_id, item.value ->> '$.kind', item.value ->> '$.recorded_at', ?5,
    item.value ->> '$.source_id', e.branch_office, e.department, ?1, ?7, ?7
  FROM json_each(?6) AS item JOIN employees AS e ON e.employee_id = item.value ->> '$.employee_id'
  WHERE ${IS_AUTHORIZED} AND NOT EXISTS (${KNOWN}) AND NOT EXISTS (${SAME_SECOND})
  RETURNING id, source_id`
const UPSERT_SOURCE = `INSERT INTO intake_sources (source, last_seen_at)
  SELECT ?5, ?6 WHERE ${IS_AUTHORIZED}
  ON CONFLICT (source) DO UPDATE SET last_seen_at = excluded.last_seen_at`
const UPSERT_EMPLOYEE_SOURCES = `INSERT INTO employee_sources
  SELECT value ->> '$.employee_id', ?5, max(value ->> '$.recorded_at') FROM json_each(?6)
  WHERE ${IS_AUTHORIZED}
  GROUP BY 1 ON CONFLICT DO UPDATE SET last_recorded_at = max(last_recorded_at, excluded.last_recorded_at)`

/** Supports only what the benchmark sends: valid items of known employees. */
const recordLogs = async (call: Call): Promise<Response> => {
  const { request, settings } = call
  const body = await readBody(request)
  if (body instanceof Response) return body
  const { source, logs } = body
  if (!isText(source) || !Array.isArray(logs) || !logs.every(isItem)) {
    return fail(422, 'Los datos no son válidos.')
  }
  const items = logs.map((item) => ({
    ...item,
    recorded_at: new Date(item.recorded_at).toISOString(),
  }))
  const all = JSON.stringify(items)
  const at = new Date().toISOString()
  const results = await batchOf<{ id: number; key: number; source_id: string }>(
    call,
    settings.INTAKE_ROLES,
    [
      [INSERT_LOGS, source, all, at],
      [SELECT_STORED, source, all],
      [UPSERT_SOURCE, source, at],
      [UPSERT_EMPLOYEE_SOURCES, source, all],
    ],
  )
  if (results instanceof Response) return results
  const [inserted, stored] = results
  const storedIds = new Map(stored?.results.map(({ key, id }) => [key, id]))
  const created = new Map(inserted?.results.map(({ id, source_id }) => [source_id, id]))
  const outcomes = items.map(({ source_id }, i) =>
    created.has(source_id)
      ? { log_id: created.get(source_id), result: 'created' }
      : { log_id: storedIds.get(i), result: 'known' },
  )
  return ok('Registros recibidos.', outcomes)
}

type Handler = (call: Call, parameter: string) => Promise<Response>

const ROUTES: Record<string, Handler> = {
  'GET /api/v2/clients/modules_enabled': modulesEnabled,
  'POST /api/v2/clients/validate-code': validateCode,
  'GET /api/v2/clients/config/:config': config,
  'POST /api/auth/login': login,
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
