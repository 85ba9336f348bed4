import type { Hono } from 'hono'
import { getPathNoStrict, mergePath } from 'hono/utils/url'
import { DomainError } from './core/errors.ts'
import { collectAllowedMethods, notFound } from './core/http/allowed-methods.ts'
import { BODY_MAX, LARGE_BODY_MAX, receiveBody } from './core/http/body-limit.ts'
import { type AppEnv, createApp, initContext } from './core/http/context.ts'
import { handleError } from './core/http/error-responses.ts'
import { corsForBrowsers, setHeaders } from './core/http/headers.ts'
import { logRequest } from './core/http/request-log.ts'

/** The types of a group's requests and responses are not kept: sdk/ has its own. */
// biome-ignore lint/suspicious/noExplicitAny: a group of any requests and responses.
type Routes = Hono<AppEnv, any>

/** A group of routes. Its modules are evaluated at the first request for one of its paths. */
interface Group {
  /** Where its routes are mounted. */
  at: string
  /** The names that follow `at` in its paths. Without it, the group has any path under `at`. */
  names?: readonly string[]
  /** The routes after `at` whose POST takes a list or a file. */
  largeBodies?: readonly string[]
  load(): Promise<Routes>
}

const health = async () => (await import('./health/health.routes.ts')).health

const AUTH = '/api/auth'
const INCIDENTS = '/api/v2/incidents'
const CLOCKS = `${INCIDENTS}/clocks`
const PEOPLE = '/api/v2/people'
const COMPANY = '/api/v2/company'

/** All routes except those of /iclock. Groups whose paths begin alike are loaded together. */
const GROUPS: readonly Group[] = [
  { at: '/', names: ['health'], load: health },
  { at: '/api', names: ['health'], load: health },
  {
    at: AUTH,
    names: ['login', 'me', 'logout', 'logout_all', 'password'],
    load: async () => (await import('./session/session.routes.ts')).session,
  },
  {
    at: AUTH,
    names: ['invitation'],
    load: async () => (await import('./users/invitations.routes.ts')).invitations,
  },
  {
    at: '/api/v2/clients',
    load: async () => (await import('./clients/clients.routes.ts')).clients,
  },
  {
    at: INCIDENTS,
    names: ['change_log_status', 'change_logs_status'],
    load: async () => (await import('./logs/log-status.routes.ts')).logStatus,
  },
  {
    at: INCIDENTS,
    names: ['logs', 'export'],
    load: async () => (await import('./logs/logs.routes.ts')).logs,
  },
  {
    at: INCIDENTS,
    names: ['logs', 'sources', 'changes', 'my_logs', 'manual_logs', 'my_requests'],
    load: async () => (await import('./intake/intake.routes.ts')).intake,
  },
  {
    at: CLOCKS,
    largeBodies: ['/:serial/file'],
    load: async () => (await import('./clocks/clocks.routes.ts')).clocks,
  },
  {
    at: CLOCKS,
    load: async () =>
      (await import('./payroll/clock-corrections/corrections.routes.ts')).clockCorrections,
  },
  { at: CLOCKS, load: async () => (await import('./clocks/clock-acts.routes.ts')).clockActs },
  {
    at: INCIDENTS,
    names: ['employees'],
    load: async () => (await import('./people/employees.routes.ts')).employees,
  },
  {
    at: INCIDENTS,
    names: ['my_push'],
    load: async () => (await import('./push/push.routes.ts')).push,
  },
  {
    at: INCIDENTS,
    names: ['settings'],
    load: async () => (await import('./session/settings.routes.ts')).settings,
  },
  {
    at: INCIDENTS,
    names: ['hours'],
    load: async () => (await import('./payroll/hours/hours.routes.ts')).hours,
  },
  {
    at: INCIDENTS,
    names: ['payroll_groups'],
    load: async () => (await import('./payroll/rules/groups.routes.ts')).groups,
  },
  {
    at: INCIDENTS,
    names: ['closings'],
    load: async () => (await import('./payroll/closings/closings.routes.ts')).closings,
  },
  {
    at: INCIDENTS,
    names: ['my_days', 'my_closings', 'objections', 'closings'],
    load: async () => (await import('./payroll/card/card.routes.ts')).ownClosings,
  },
  {
    at: PEOPLE,
    names: ['employees', 'changes'],
    largeBodies: ['/employees/bulk'],
    load: async () => (await import('./people/employee-records.routes.ts')).employeeRecords,
  },
  {
    at: PEOPLE,
    names: ['users', 'invitations'],
    load: async () => (await import('./users/users.routes.ts')).userRecords,
  },
  {
    at: COMPANY,
    load: async () => (await import('./payroll/rules/rules.routes.ts')).rulesOfHours,
  },
  { at: COMPANY, load: async () => (await import('./company/company.routes.ts')).company },
  {
    at: '/api/v2/agreements',
    load: async () => (await import('./agreements/agreements.routes.ts')).agreements,
  },
  { at: '/api/v2/audit', load: async () => (await import('./evidence/audit.routes.ts')).audit },
]

/**
 * The middleware of all responses, except redirects to files and responses of the legacy API. Each
 * middleware that is added slows down every request.
 */
const baseMiddleware = [logRequest, setHeaders, initContext, corsForBrowsers] as const

/** Makes the app with some groups of routes, in their order, or with all of them. */
export const loadApp = async (groups = GROUPS) => {
  const app = createApp().use(...baseMiddleware)
  for (const { at, largeBodies = [] } of groups) {
    const paths = largeBodies.map((path) => mergePath(at, path))
    app.on('POST', paths, receiveBody(LARGE_BODY_MAX))
  }
  app.use(receiveBody(BODY_MAX))
  for (const { at, load } of groups) app.route(at, await load())
  app.onError(handleError)
  app.notFound(notFound(collectAllowedMethods(app.routes)))
  return app
}

/** The beginnings of all paths of each group. */
const PREFIXES = GROUPS.flatMap((group) => {
  const { at, names } = group
  const prefixes = names ? names.map((name) => `${mergePath(at, name)}/`) : [`${at}/`]
  return prefixes.map((prefix) => ({ prefix, group }))
})

/** Apps by the prefixes that they are loaded for. */
const loaded = new Map<string, ReturnType<typeof loadApp>>()

/**
 * The app with each group that may have the path of a request. Other groups have no route for it, so
 * this app also knows the path's methods, and whether it is unknown.
 */
export const appFor = (request: Request): ReturnType<typeof loadApp> => {
  const path = `${getPathNoStrict(request)}/`
  const key = PREFIXES.reduce(
    (found, { prefix }, i) => (path.startsWith(prefix) ? `${found} ${i}` : found),
    '',
  )
  const known = loaded.get(key)
  if (known) return known
  const own = PREFIXES.filter(({ prefix }) => path.startsWith(prefix)).map(({ group }) => group)
  const app = loadApp(own)
  loaded.set(key, app)
  return app
}

/** Responds with 502, because the legacy API cannot be reached. The body may have been consumed. */
export const legacyDown = (
  { url, method, headers }: Request,
  env: Env,
  ctx: ExecutionContext,
  cause: unknown,
) =>
  createApp()
    .use(...baseMiddleware)
    .all('*', () => {
      throw new DomainError('LEGACY_DOWN', undefined, { cause })
    })
    .onError(handleError)
    .fetch(new Request(url, { method, headers }), env, ctx)
