import { cors } from 'hono/cors'
import { createMiddleware } from 'hono/factory'
import { secureHeaders } from 'hono/secure-headers'
import type { AppEnv } from './context.ts'

/** The headers of hono/secure-headers that fit an API, which has no page to show or to frame. */
export const securityHeaders = secureHeaders({
  contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  strictTransportSecurity: 'max-age=31536000; includeSubDomains',
  xFrameOptions: 'DENY',
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
})

// Set before the handler runs: a header set later makes Hono clone the response.
export const noStore = createMiddleware<AppEnv>(async (c, next) => {
  c.header('Cache-Control', 'no-store')
  await next()
})

/**
 * Names the encoding of JSON: some clients would otherwise read it as Latin-1. Set on the finished
 * response, whose type c.json sets.
 */
export const jsonCharset = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const { headers } = c.res
  if (headers.get('Content-Type') === 'application/json') {
    headers.set('Content-Type', 'application/json; charset=utf-8')
  }
})

const handleCors = cors({
  origin: (origin, c) => {
    const allowed: string[] = c.var.settings.ALLOWED_ORIGINS
    if (allowed.includes('*')) return '*'
    return allowed.includes(origin) ? origin : null
  },
  // Also those that no endpoint has, so that a page can read its 405. Without allowHeaders,
  // hono/cors allows the headers that the preflight asks for: frameworks send many of their own.
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  exposeHeaders: [
    'Allow',
    'Content-Disposition',
    'Retry-After',
    'WWW-Authenticate',
    'X-Request-Id',
  ],
  maxAge: 7200,
})

/**
 * Handles CORS, with preflights on any path, so that browsers can read a 404 too. Requests without
 * `Origin` (native apps) and a plain OPTIONS skip hono/cors, which would clone the response twice.
 */
export const corsForBrowsers = createMiddleware<AppEnv>((c, next) => {
  const origin = c.req.header('Origin')
  const plainOptions = c.req.method === 'OPTIONS' && !c.req.header('Access-Control-Request-Method')
  if (origin && !plainOptions) return handleCors(c, next)
  c.header('Vary', 'Origin')
  return next()
})
