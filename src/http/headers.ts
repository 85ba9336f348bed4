import { cors } from 'hono/cors'
import { createMiddleware } from 'hono/factory'
import { secureHeaders } from 'hono/secure-headers'
import type { AppEnv } from './context.ts'

/** What of hono/secure-headers fits an API: no page of ours is ever shown or framed. */
export const protect = secureHeaders({
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

// Before the answer is made: each header after it costs a copy of the answer.
export const forbidCaching = createMiddleware<AppEnv>(async (c, next) => {
  c.header('Cache-Control', 'no-store')
  await next()
})

const answerOrigins = cors({
  origin: (origin, c) => {
    const allowed: string[] = c.var.settings.ALLOWED_ORIGINS
    if (allowed.includes('*')) return '*'
    return allowed.includes(origin) ? origin : null
  },
  allowMethods: ['GET', 'HEAD', 'POST'],
  allowHeaders: ['Authorization', 'Content-Type', 'X-Request-Id'],
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
 * Answers preflights of any path, so that a browser may read a 404 too; a plain OPTIONS is none. Who
 * names no origin, as an installed app, needs none of it: hono/cors copies the answer twice.
 */
export const allowOrigins = createMiddleware<AppEnv>((c, next) => {
  const origin = c.req.header('Origin')
  const plain = c.req.method === 'OPTIONS' && !c.req.header('Access-Control-Request-Method')
  if (origin && !plain) return answerOrigins(c, next)
  c.header('Vary', 'Origin')
  return next()
})
