/**
 * The benchmark's baseline: five endpoints written by hand on fetch, Web Crypto and D1, without a
 * framework, an ORM or a schema library. They keep the same contract on the same tables, and the
 * contract's tests pass on them. docs/performance.md lists what they leave out. The baseline's status
 * change authorizes in one round trip and writes in a second.
 */

const STATUSES = ['pending', 'approved', 'rejected']
const COMMENT_MAX = 500
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

interface Settings {
  key: Promise<CryptoKey>
  previous: Promise<CryptoKey> | undefined
  ttlMinutes: number | undefined
  roles: string[]
  intakeRoles: string[]
  origins: string[]
}

type Errors = Record<string, string[]>
type Body = Record<string, unknown>

interface Call {
  request: Request
  env: Env
  settings: Settings
  now: number
  /** For the request log. */
  userId: number | null
  roundTrips: number
  databaseBytes?: number | undefined
}

const listOf = (text: string | undefined): string[] =>
  (text ?? '').split(',').flatMap((item) => item.trim() || [])

const importKey = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )

const parsed = new WeakMap<Env, Settings>()

const readSettings = (env: Env): Settings => {
  const known = parsed.get(env)
  if (known) return known
  const { TOKEN_SECRET, TOKEN_SECRET_PREVIOUS } = env as Env & { TOKEN_SECRET_PREVIOUS?: string }
  const ttl = env.TOKEN_TTL_MINUTES?.trim()
  if (ttl && !/^[1-9]\d*$/.test(ttl)) throw new Error('TOKEN_TTL_MINUTES must be whole minutes.')
  const roles = listOf(env.ADMIN_ROLES)
  const settings = {
    key: importKey(TOKEN_SECRET),
    previous: TOKEN_SECRET_PREVIOUS ? importKey(TOKEN_SECRET_PREVIOUS) : undefined,
    ttlMinutes: ttl ? Number(ttl) : undefined,
    roles: roles.length > 0 ? roles : ['admin'],
    intakeRoles: listOf(env.INTAKE_ROLES),
    origins: listOf(env.ALLOWED_ORIGINS),
  }
  parsed.set(env, settings)
  return settings
}

const json = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status, headers: HEADERS })

const success = (message: string, data: unknown) => json(200, { success: true, message, data })

const failure = (status: number, message: string, errors?: Errors) =>
  json(status, { success: false, message, data: null, ...(errors && { errors }) })

const summaryOf = (errors: Errors): string => {
  const [first = '', ...more] = Object.values(errors).flat()
  if (more.length === 0) return first
  return `${first} (y ${more.length} ${more.length === 1 ? 'error' : 'errores'} más)`
}

const unauthenticated = (response: Response): Response => {
  response.headers.set('WWW-Authenticate', 'Bearer')
  return response
}

/** One statement: one round trip. */
const prepare = (call: Call, text: string, db: Pick<D1Database, 'prepare'> = call.env.DB) => {
  call.roundTrips++
  return db.prepare(text)
}

/** One transaction: one round trip. */
const batch = async <Row>(call: Call, statements: D1PreparedStatement[]) => {
  call.roundTrips++
  const results = await call.env.DB.batch<Row>(statements)
  call.databaseBytes = results[0]?.meta.size_after
  return results
}

const tooLarge = () => failure(413, 'El cuerpo de la petición es demasiado grande.')

/** The bytes of a body, once they have arrived; the error response where they do not. */
const readBytes = (request: Request): Promise<ArrayBuffer | Response> =>
  new Promise((resolve) => {
    const end = (result: ArrayBuffer | Response) => {
      clearTimeout(timer)
      resolve(result)
    }
    const timer = setTimeout(
      () => end(failure(408, 'El cuerpo de la petición tardó demasiado.')),
      BODY_TIMEOUT_MS,
    )
    request.arrayBuffer().then(end, () => end(failure(400, 'El cuerpo llegó incompleto.')))
  })

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** The body as a JSON object, `{}` for anything else; the error response where it does not arrive. */
const readBody = async (request: Request): Promise<Body | Response> => {
  if (Number(request.headers.get('Content-Length')) > BODY_MAX) return tooLarge()
  const bytes = await readBytes(request)
  if (bytes instanceof Response) return bytes
  if (bytes.byteLength > BODY_MAX) return tooLarge()
  try {
    const body: unknown = JSON.parse(utf8.decode(bytes))
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Body) : {}
  } catch {
    return {}
  }
}

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

const fromBase64Url = (text: string): string => atob(text.replaceAll('-', '+').replaceAll('_', '/'))

const bytesOf = (binary: string): Uint8Array => Uint8Array.from(binary, (c) => c.charCodeAt(0))

const BEARER = /^Bearer +(([\w-]+)\.([\w-]+)\.([\w-]{42}[AEIMQUYcgkosw048]))$/i

/** The claims of a token that the service signed (RFC 7519, HS256). */
const readToken = async ({ request, settings, now }: Call) => {
  const match = BEARER.exec(request.headers.get('Authorization') ?? '')
  if (!match) return undefined
  const [, , head = '', payload = '', signature = ''] = match
  try {
    if (JSON.parse(fromBase64Url(head)).alg !== 'HS256') return undefined
    const signed = new TextEncoder().encode(`${head}.${payload}`)
    const bytes = bytesOf(fromBase64Url(signature))
    const verify = async (key: Promise<CryptoKey> | undefined) =>
      key !== undefined && crypto.subtle.verify('HMAC', await key, bytes, signed)
    if (!(await verify(settings.key)) && !(await verify(settings.previous))) return undefined
    const { sub, jti, ver, iat, machine } = JSON.parse(fromBase64Url(payload))
    if (typeof sub !== 'string' || !/^[1-9]\d{0,15}$/.test(sub)) return undefined
    if (typeof jti !== 'string' || jti === '') return undefined
    if (!Number.isSafeInteger(ver) || !Number.isSafeInteger(iat)) return undefined
    if (machine !== undefined && machine !== true) return undefined
    const { ttlMinutes } = settings
    if (ttlMinutes !== undefined && !machine && now >= (iat + ttlMinutes * 60) * 1000)
      return undefined
    return { userId: Number(sub), jti: jti as string, version: ver as number }
  } catch {
    return undefined
  }
}

const MODULES = `SELECT id, name, description, icon, enabled, enabled_app FROM modules
  WHERE enabled_app = 1 ORDER BY id`

const replica = ({ env }: Call) => env.DB.withSession('first-unconstrained')

const modulesEnabled = async (call: Call): Promise<Response> => {
  const { results } = await prepare(call, MODULES, replica(call)).all()
  if (results.length === 0) return failure(404, 'No hay módulos habilitados.')
  const modules = results.map((row) => ({
    ...row,
    enabled: row.enabled === 1,
    enabled_app: row.enabled_app === 1,
  }))
  return success('Módulos habilitados.', modules)
}

const ENTRY = 'SELECT key, tipo, nombre, valor FROM config_entries WHERE key = ?'

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
    return failure(422, message, { config: [message] })
  }
  const entry = await prepare(call, ENTRY).bind(key).first()
  return entry
    ? success('Configuración encontrada.', entry)
    : failure(404, 'No existe una configuración con ese nombre.')
}

const codeError = (code: unknown): string | undefined => {
  if (code === undefined || code === null) return 'El código es obligatorio.'
  if (typeof code !== 'string') return 'El código debe ser texto.'
  if (!isStorable(code)) return 'El código contiene caracteres no válidos.'
  return code.trim() === '' ? 'El código es obligatorio.' : undefined
}

const isLoopback = (address: string): boolean => /^(127(\.\d{1,3}){3}|::1)$/.test(address)

const CLIENT = 'SELECT id, code, name, status, url_base FROM clients WHERE code = ?'

const validateCode = async (call: Call): Promise<Response> => {
  const { request, env } = call
  const body = await readBody(request)
  if (body instanceof Response) return body
  const address = request.headers.get('CF-Connecting-IP') || '127.0.0.1'
  if (!isLoopback(address) && !(await env.CODE_BY_ADDRESS.limit({ key: address })).success) {
    const response = failure(429, 'Demasiados intentos. Espera un minuto y vuelve a intentarlo.')
    response.headers.set('Retry-After', '60')
    return response
  }
  const error = codeError(body.code)
  if (error) return json(422, { message: error, errors: { code: [error] } })
  const client = await prepare(call, CLIENT, replica(call))
    .bind(body.code)
    .first<{ status: string }>()
  if (!client) return failure(404, 'No existe un cliente con ese código.')
  return /^activo$/i.test(client.status)
    ? success('El código es válido.', client)
    : failure(403, 'El cliente está inactivo o bloqueado.')
}

const TOKEN_IS_ACTIVE = `u.id = ?1 AND u.active = 1 AND u.token_version = ?2
  AND NOT EXISTS (SELECT 1 FROM revoked_tokens WHERE jti = ?3)`

const ME = `SELECT u.id, u.email, u.first_name, u.last_name, u.mother_last_name, u.role, u.active,
    u.external, u.type_user, u.status_user, e.employee_id, e.full_name, e.rfc, e.phone, e.cellphone,
    e.started_at, e.job_position, e.department, e.branch_office, e.profile_image
  FROM users u LEFT JOIN employees e ON e.employee_id = u.employee_id WHERE ${TOKEN_IS_ACTIVE}`

const me = async (call: Call): Promise<Response> => {
  const rejected = () => unauthenticated(json(401, { message: 'No autenticado.' }))
  const token = await readToken(call)
  if (!token) return rejected()
  const row = await prepare(call, ME)
    .bind(token.userId, token.version, token.jti)
    .first<Record<string, unknown>>()
  if (!row) return rejected()
  const { id, email, first_name, last_name, mother_last_name, role, active } = row
  const { external, type_user, status_user, ...rest } = row
  const { employee_id, full_name, rfc, phone, cellphone, started_at } = rest
  const { job_position, department, branch_office, profile_image } = rest
  call.userId = token.userId
  const account = { id, email, first_name, last_name, mother_last_name, role, active }
  return success('Usuario autenticado.', {
    user: { ...account, external, type_user, status_user },
    employee:
      employee_id === null
        ? null
        : {
            ...{ employee_id, full_name, rfc, phone, cellphone, started_at },
            ...{ job_position, department, branch_office, profile_image },
          },
  })
}

const LOG_ID = 'El identificador del registro'

const logIdError = (id: unknown): string | undefined => {
  if (id === undefined || id === null) return `${LOG_ID} es obligatorio.`
  if (!Number.isSafeInteger(id)) return `${LOG_ID} debe ser un número entero.`
  return (id as number) < 1 ? `${LOG_ID} debe ser un número entero positivo.` : undefined
}

const statusError = (status: unknown): string | undefined => {
  if (status === undefined || status === null) return 'El estado es obligatorio.'
  return STATUSES.includes(status as string)
    ? undefined
    : 'El estado debe ser pending, approved o rejected.'
}

const commentError = (comment: unknown): string | undefined => {
  if (comment === undefined) return undefined
  if (typeof comment !== 'string') return 'El comentario debe ser texto.'
  if (!isStorable(comment)) return 'El comentario contiene caracteres no válidos.'
  return codePoints(comment) > COMMENT_MAX
    ? `El comentario no puede tener más de ${COMMENT_MAX} caracteres.`
    : undefined
}

const NO_LOG = 'No existe un registro con ese identificador.'

const SELECT_ROLE = `SELECT u.role FROM users u WHERE ${TOKEN_IS_ACTIVE}`
const LOG = 'SELECT 1 FROM attendance_logs WHERE id = ?'
const SALT = 'lower(hex(randomblob(16)))'
const COMMENT = `INSERT INTO log_comments (log_id, user_id, comment, salt, created_at, updated_at)
  SELECT id, ?2, ?3, ${SALT}, ?4, ?4 FROM attendance_logs WHERE id = ?1`
const AUDIT = `INSERT INTO log_events (event, log_id, user_id, from_status, to_status, comment_id,
    created_at, employee_id, kind, recorded_at, source, actor, salt)
  SELECT 'decided', id, ?2, status, ?3,
    CASE WHEN ?4 THEN (SELECT max(c.id) FROM log_comments c WHERE c.log_id = ?1) END, ?5,
    employee_id, kind, recorded_at, source, (SELECT actor_hash FROM users WHERE id = ?2), ${SALT}
  FROM attendance_logs WHERE id = ?1`
const UPDATE = `UPDATE attendance_logs SET status = ?2, updated_at = ?3 WHERE id = ?1
  RETURNING id AS log_id, status`

const changeLogStatus = async (call: Call): Promise<Response> => {
  const { request, env, settings } = call
  const body = await readBody(request)
  if (body instanceof Response) return body
  // The contract requires the token to be checked after the body has arrived.
  call.now = Date.now()
  const token = await readToken(call)
  const caller =
    token &&
    (await prepare(call, SELECT_ROLE)
      .bind(token.userId, token.version, token.jti)
      .first<{ role: string }>())
  if (!token || !caller) return unauthenticated(failure(401, 'No autenticado.'))
  call.userId = token.userId
  if (!settings.roles.includes(caller.role)) {
    return failure(403, 'No tienes permiso para realizar esta acción.')
  }

  const { log_id: id, status } = body
  const blank =
    body.comment === null || (typeof body.comment === 'string' && body.comment.trim() === '')
  const comment = blank ? undefined : body.comment
  const invalid = {
    log_id: logIdError(id),
    status: statusError(status),
    comment: commentError(comment),
  }
  if (invalid.log_id || invalid.status || invalid.comment) {
    if (!invalid.log_id && !(await prepare(call, LOG).bind(id).first())) invalid.log_id = NO_LOG
    const named = Object.entries(invalid).flatMap(([field, message]) =>
      message ? [[field, [message]]] : [],
    )
    const errors: Errors = Object.fromEntries(named)
    return failure(422, summaryOf(errors), errors)
  }

  const at = new Date(call.now).toISOString()
  const commented = comment !== undefined
  try {
    const results = await batch<{ log_id: number; status: string }>(call, [
      ...(commented ? [env.DB.prepare(COMMENT).bind(id, token.userId, comment, at)] : []),
      env.DB.prepare(AUDIT).bind(id, token.userId, status, commented ? 1 : 0, at),
      env.DB.prepare(UPDATE).bind(id, status, at),
    ])
    const changed = results.at(-1)?.results[0]
    return changed
      ? success('El estado del registro se actualizó.', changed)
      : failure(422, NO_LOG, { log_id: [NO_LOG] })
  } catch (error) {
    const isCommentError = /\blog_comments(?![a-z])/.test(String(error))
    return failure(
      500,
      isCommentError
        ? 'No se pudo guardar el comentario.'
        : 'No se pudo actualizar el estado del registro.',
    )
  }
}

interface Item {
  source_id: string
  employee_id: string
  kind: string
  recorded_at: string
}

const isItem = (item: unknown): item is Item => {
  const { source_id, employee_id, kind, recorded_at } = (item ?? {}) as Record<string, unknown>
  return (
    typeof source_id === 'string' &&
    source_id.length >= 1 &&
    source_id.length <= 100 &&
    typeof employee_id === 'string' &&
    ['entrada', 'salida', 'checada'].includes(String(kind)) &&
    typeof recorded_at === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(recorded_at)
  )
}

const KNOWN = `SELECT l.id, l.source_id FROM json_each(?2) AS item
  CROSS JOIN attendance_logs AS l ON l.source = ?1 AND l.source_id = item.value ->> '$.source_id'`
const SAME_SECOND = `SELECT l.id, item.key FROM json_each(?1) AS item
  CROSS JOIN attendance_logs AS l INDEXED BY attendance_logs_employee ON l.employee_id = item.value ->> '$.employee_id'
    AND l.status IN ('pending', 'approved', 'rejected') AND l.kind = item.value ->> '$.kind'
    AND l.recorded_at BETWEEN substr(item.value ->> '$.recorded_at', 1, 20) || '000Z'
      AND substr(item.value ->> '$.recorded_at', 1, 20) || '999Z'`
const EMPLOYEES = `SELECT employee_id FROM employees
  WHERE employee_id IN (SELECT value ->> '$.employee_id' FROM json_each(?1))`
const INSERT_LOGS = `INSERT INTO attendance_logs (id, employee_id, kind, recorded_at, source, source_id,
    branch_office, department, recorded_by, created_at, updated_at)
  SELECT max(999999999, coalesce((SELECT max(id) FROM attendance_logs), 0)) + item.key + 1,
    e.employee_id, item.value ->> '$.kind', item.value ->> '$.recorded_at', ?1,
    item.value ->> '$.source_id', e.branch_office, e.department, ?3, ?4, ?4
  FROM json_each(?2) AS item JOIN employees AS e ON e.employee_id = item.value ->> '$.employee_id'
  RETURNING id, source_id`
const SEE_SOURCE = `INSERT INTO intake_sources (source, last_seen_at) VALUES (?1, ?2)
  ON CONFLICT (source) DO UPDATE SET last_seen_at = excluded.last_seen_at`
const SEE_EMPLOYEES = `INSERT INTO employee_sources
  SELECT value ->> '$.employee_id', ?1, max(value ->> '$.recorded_at') FROM json_each(?2)
  GROUP BY 1 ON CONFLICT DO UPDATE SET last_recorded_at = max(last_recorded_at, excluded.last_recorded_at)`

/** Valid items of known employees only: what the benchmark sends. Three round trips. */
const recordLogs = async (call: Call): Promise<Response> => {
  const { request, env, settings } = call
  const body = await readBody(request)
  if (body instanceof Response) return body
  call.now = Date.now()
  const token = await readToken(call)
  const caller =
    token &&
    (await prepare(call, SELECT_ROLE)
      .bind(token.userId, token.version, token.jti)
      .first<{ role: string }>())
  if (!token || !caller) return unauthenticated(failure(401, 'No autenticado.'))
  call.userId = token.userId
  if (!settings.intakeRoles.includes(caller.role)) {
    return failure(403, 'No tienes permiso para realizar esta acción.')
  }
  const { source, logs } = body
  if (typeof source !== 'string' || !Array.isArray(logs) || !logs.every(isItem)) {
    return failure(422, 'Los datos no son válidos.')
  }
  const items = logs.map((item) => ({
    ...item,
    recorded_at: new Date(item.recorded_at).toISOString(),
  }))
  const all = JSON.stringify(items)
  const [known, sameSecond, employees] = await batch<Record<string, string | number>>(call, [
    env.DB.prepare(KNOWN).bind(source, all),
    env.DB.prepare(SAME_SECOND).bind(all),
    env.DB.prepare(EMPLOYEES).bind(all),
  ])
  const stored = new Map(known?.results.map((row) => [row.source_id, row.id]))
  const doubles = new Map(sameSecond?.results.map((row) => [row.key, row.id]))
  const people = new Set(employees?.results.map((row) => row.employee_id))
  const fresh = items.filter(
    (item, i) => !stored.has(item.source_id) && !doubles.has(i) && people.has(item.employee_id),
  )
  const at = new Date(call.now).toISOString()
  const [inserted] = await batch<{ id: number; source_id: string }>(call, [
    env.DB.prepare(INSERT_LOGS).bind(source, JSON.stringify(fresh), token.userId, at),
    env.DB.prepare(SEE_SOURCE).bind(source, at),
    env.DB.prepare(SEE_EMPLOYEES).bind(source, JSON.stringify(fresh)),
  ])
  const created = new Map(inserted?.results.map(({ id, source_id }) => [source_id, id]))
  const results = items.map(({ source_id }, i) =>
    created.has(source_id)
      ? { log_id: created.get(source_id), result: 'created' }
      : { log_id: stored.get(source_id) ?? doubles.get(i), result: 'known' },
  )
  return success('Registros recibidos.', results)
}

type Handler = (call: Call, parameter: string) => Promise<Response>

const ROUTES: Record<string, readonly [method: string, handler: Handler]> = {
  '/api/v2/clients/modules_enabled': ['GET', modulesEnabled],
  '/api/v2/clients/validate-code': ['POST', validateCode],
  '/api/v2/clients/config/:config': ['GET', config],
  '/api/auth/me': ['GET', me],
  '/api/v2/incidents/change_log_status': ['POST', changeLogStatus],
  '/api/v2/incidents/logs': ['POST', recordLogs],
}

const CONFIG = /^\/api\/v2\/clients\/config\/([^/]+)\/?$/

/** The route's pattern and its parameter. */
const routeOf = (url: string): [route: string, parameter: string] => {
  const { pathname } = new URL(url)
  const [, parameter] = CONFIG.exec(pathname) ?? []
  return parameter === undefined
    ? [pathname.replace(/\/$/, ''), '']
    : ['/api/v2/clients/config/:config', parameter]
}

const respond = (call: Call, route: string, parameter: string): Response | Promise<Response> => {
  const [method, handler] = ROUTES[route] ?? []
  if (!method || !handler) return failure(404, 'La ruta no existe.')
  const requested = call.request.method === 'HEAD' ? 'GET' : call.request.method
  if (requested === method) return handler(call, parameter)
  const response = failure(405, 'El método no está permitido en esta ruta.')
  response.headers.set('Allow', method === 'GET' ? 'GET, HEAD, OPTIONS' : `${method}, OPTIONS`)
  return response
}

const requestIdOf = (request: Request): string => {
  const given = request.headers.get('X-Request-Id')
  return given && /^[\w\-=]{1,255}$/.test(given) ? given : crypto.randomUUID()
}

const EXPOSED = 'Allow,Content-Disposition,Retry-After,WWW-Authenticate,X-Request-Id'

const allowOrigin = ({ headers }: Response, origin: string | null, origins: string[]) => {
  headers.set('Vary', 'Origin')
  if (!origin) return
  headers.set('Access-Control-Expose-Headers', EXPOSED)
  if (origins.includes('*')) headers.set('Access-Control-Allow-Origin', '*')
  else if (origins.includes(origin)) headers.set('Access-Control-Allow-Origin', origin)
}

const fetch = async (request: Request, env: Env): Promise<Response> => {
  const start = Date.now()
  const requestId = requestIdOf(request)
  const [route, parameter] = routeOf(request.url)
  let response: Response
  let call: Call | undefined
  try {
    const settings = readSettings(env)
    call = { request, env, settings, now: start, userId: null, roundTrips: 0 }
    response = await respond(call, route, parameter)
    allowOrigin(response, request.headers.get('Origin'), settings.origins)
  } catch {
    response = failure(500, 'Ocurrió un error interno. Inténtalo de nuevo más tarde.')
  }
  response.headers.set('X-Request-Id', requestId)
  const bytes = call?.databaseBytes
  console.log(
    JSON.stringify({
      request_id: requestId,
      method: request.method,
      route: ROUTES[route] ? route : null,
      status: response.status,
      duration_ms: Date.now() - start,
      user_id: call?.userId ?? null,
      round_trips: call?.roundTrips ?? 0,
      ...(bytes !== undefined && { database_bytes: bytes }),
    }),
  )
  return response
}

export default { fetch } satisfies ExportedHandler<Env>
