import { cors } from 'hono/cors'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from './context.ts'

/**
 * The headers of the app's responses. They suit an API, which has no page to show and nothing to
 * cache.
 */
const RESPONSE_HEADERS = Object.entries({
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
})

/**
 * Sets headers on the finished response, including errors. It adds the encoding to JSON responses,
 * because some clients would otherwise read them as Latin-1. c.json does not set the encoding.
 */
export const setHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const { headers } = c.res
  for (const [name, value] of RESPONSE_HEADERS) headers.set(name, value)
  headers.set('X-Request-Id', c.get('requestId'))
  if (headers.get('Content-Type') === 'application/json') {
    headers.set('Content-Type', 'application/json; charset=utf-8')
  }
})

const handleCors = cors({
  origin: (origin, c) => {
    const allowed: string[] = c.get('settings').ALLOWED_ORIGINS
    if (allowed.includes('*')) return '*'
    return allowed.includes(origin) ? origin : null
  },
  // The list includes methods that no endpoint has, so that a page can read the 405. Without
  // allowHeaders, hono/cors allows all headers that the preflight names, because frameworks send
  // many.
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  exposeHeaders: [
    'Allow',
    'Content-Disposition',
    'Link',
    'Retry-After',
    'WWW-Authenticate',
    'X-Request-Id',
  ],
  maxAge: 7200,
})

/**
 * Handles CORS. It answers preflights on any path, so that browsers can read a 404 too. Requests
 * without `Origin` (native apps) and plain OPTIONS requests skip hono/cors, which would clone the
 * response twice.
 */
export const corsForBrowsers = createMiddleware<AppEnv>((c, next) => {
  const origin = c.req.header('Origin')
  const plainOptions = c.req.method === 'OPTIONS' && !c.req.header('Access-Control-Request-Method')
  if (origin && !plainOptions) return handleCors(c, next)
  c.header('Vary', 'Origin')
  return next()
})
