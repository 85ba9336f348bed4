import * as z from 'zod/mini'
import { LOG_STATUSES } from '../values/log-values.ts'
import { LoggableError } from '../values/loggable-error.ts'
import { isLoopbackHost } from '../values/loopback.ts'
import { isSignerKey } from '../values/signer-key.ts'
import { isWebhookSecret } from './standard-webhooks.ts'

const SECRET_BYTES_MIN = 32

const blankIsUnset = (value: unknown) =>
  typeof value === 'string' && value.trim() === '' ? undefined : value

const list = z.pipe(
  z.string(),
  z.transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  ),
)

/** A list of one or more items that all meet a rule. */
const listOf = (rule: (item: string) => boolean) =>
  z.pipe(list, z.array(z.string().check(z.refine(rule))).check(z.minLength(1)))

/** Whether a text is an http or https origin, exactly as browsers write it. */
const isWebOrigin = (text: string): boolean =>
  /^https?:/.test(text) &&
  URL.canParse(text) &&
  new URL(text).origin === text &&
  !text.includes('*')

const isHttpsOrigin = (text: string): boolean => text.startsWith('https:') && isWebOrigin(text)

/** Hybrid apps send origins with their own schemes, such as capacitor://localhost. */
const isAppOrigin = (text: string): boolean =>
  /^(?!https?:)[a-z][a-z0-9+.-]*:\/\/[^\s/?#*]+$/.test(text)

const isAllowedOrigin = (text: string): boolean =>
  text === '*' || isWebOrigin(text) || isAppOrigin(text)

const isLongEnough = (secret: string): boolean =>
  new TextEncoder().encode(secret).length >= SECRET_BYTES_MIN

/** The paths of this service. A path above or below one of them is never forwarded. */
const OWN_PATHS = [
  ...['/api/auth', '/api/v2', '/iclock', '/health'],
  ...['/revision', '/mi', '/docs', '/files', '/openapi.json', '/verificar.html'],
]

/** Whether requests with this path may be forwarded. Letter case makes no path different here. */
const isLegacyPath = (text: string): boolean => {
  const path = `${text.toLowerCase()}/`
  const isOwn = OWN_PATHS.some((own) => path.startsWith(`${own}/`) || `${own}/`.startsWith(path))
  return /^(\/[\w~@:,+=-]+)+$/.test(text) && !isOwn
}

const isWebAddress = (text: string): boolean => /^https?:\/\//.test(text) && URL.canParse(text)

/** An https URL, or an http URL on loopback. It has no user or password. */
export const isNotifyUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  const isAllowed = protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))
  return isAllowed && !username && !password
}

/** The 65 bytes of a public key, of which the first is 4, and the 32 bytes of its private key. */
const VAPID_KEY = /^B[\w-]{86}\.[\w-]{43}$/

const trimmed = z.string().check(z.trim())

const wholeNumber = z.pipe(
  z.pipe(trimmed.check(z.regex(/^\d+$/)), z.transform(Number)),
  z.int().check(z.positive()),
)

const onOrOff = z.pipe(
  trimmed.check(z.regex(/^(on|off|true|false|1|0)$/i)),
  z.transform((text) => /^(on|true|1)$/i.test(text)),
)

const secret = z.string().check(z.refine(isLongEnough))

const SECRETS_MAX = 2

/** The secrets for signing messages, the newest first. */
const webhookSecrets = z.pipe(
  z.pipe(
    trimmed,
    z.transform((text) => text.split(/\s+/)),
  ),
  z.array(z.string().check(z.refine(isWebhookSecret))).check(z.maxLength(SECRETS_MAX)),
)

const rules = new WeakMap<object, string>()

/** A setting, with the rule that an error states. Blank text means that it is not set. */
const setting = <S extends z.ZodMiniType>(rule: string, schema: S) => {
  const field = z.pipe(z.transform(blankIsUnset), schema)
  rules.set(field, rule)
  return field
}

const ROLES_RULE = 'must be role names, separated by commas'
const ON_RULE = 'must be on or off (or true, false, 1, 0)'

export const SettingsFields = z.object({
  TOKEN_SECRET: setting(`must be set, to ${SECRET_BYTES_MIN} bytes or more`, secret),
  TOKEN_SECRET_PREVIOUS: setting(
    `must be ${SECRET_BYTES_MIN} bytes or more, where it is set`,
    z.optional(secret),
  ),
  /** Written by `npm run deploy`: the name of the installation's Worker. */
  TOKEN_AUDIENCE: setting('must be text', z.optional(trimmed)),
  SEAL_KEY: setting(
    'must be a signer key, PRIVATE+KEY+origin+id+…, where it is set',
    z.optional(trimmed.check(z.refine(isSignerKey))),
  ),
  VAPID_KEY: setting(
    'must be a public and a private key of P-256 in base64url, PUBLIC.PRIVATE, where it is set',
    z.optional(trimmed.check(z.regex(VAPID_KEY))),
  ),
  TOKEN_TTL_MINUTES: setting(
    'must be a whole number of minutes, 1 or more',
    z.optional(wholeNumber),
  ),
  ALLOWED_ORIGINS: setting(
    'must be origins such as https://app.example.com, separated by commas, or *',
    z._default(listOf(isAllowedOrigin), []),
  ),
  ADMIN_ROLES: setting(
    ROLES_RULE,
    z._default(
      listOf(() => true),
      ['admin'],
    ),
  ),
  INTAKE_ROLES: setting(ROLES_RULE, z._default(list, [])),
  /** The default is ADMIN_ROLES. */
  PAYROLL_ROLES: setting(ROLES_RULE, z.optional(list)),
  /** If it is not set, users with a role of ADMIN_ROLES and without a scope manage employees. */
  PEOPLE_ROLES: setting(ROLES_RULE, z.optional(list)),
  REQUIRE_COMMENT: setting(
    'must be statuses (pending, approved, rejected), separated by commas',
    z._default(z.pipe(list, z.array(z.enum(LOG_STATUSES))), []),
  ),
  EMPLOYEE_CLOCK_IN: setting(ON_RULE, z._default(onOrOff, false)),
  EMPLOYEE_REQUESTS: setting(ON_RULE, z._default(onOrOff, false)),
  FORBID_SELF_APPROVAL: setting(ON_RULE, z._default(onOrOff, false)),
  DB_LIMIT_MB: setting(
    'must be a whole number of megabytes, 1 or more',
    z._default(wholeNumber, 10_000),
  ),
  FILES_ORIGIN: setting(
    'must be an https origin such as https://files.example.com, without a path',
    z.optional(trimmed.check(z.refine(isHttpsOrigin))),
  ),
  LEGACY_ORIGIN: setting(
    'must be an origin such as https://old.example.com, without a path',
    z.optional(trimmed.check(z.refine(isWebOrigin, { abort: true }))),
  ),
  LEGACY_PATHS: setting(
    "must be set with LEGACY_ORIGIN, to paths such as /api/v1 that neither have nor are part of this service's own",
    z._default(listOf(isLegacyPath), []),
  ),
  TSA_URL: setting(
    'must be the http or https address of a time stamping authority',
    z.optional(trimmed.check(z.refine(isWebAddress))),
  ),
  NOTIFY_URL: setting(
    'must be an https address, or an http one on loopback',
    z.optional(trimmed.check(z.refine(isNotifyUrl, { abort: true }))),
  ),
  NOTIFY_SECRET: setting(
    'must be one or two secrets (whsec_ and base64 of 24 to 64 bytes) with NOTIFY_URL',
    z._default(webhookSecrets, []),
  ),
})

/**
 * Adds the rules that concern several settings. NOTIFY_URL requires NOTIFY_SECRET, because anybody
 * can send an unsigned message.
 */
const Settings = SettingsFields.check(
  z.refine(({ NOTIFY_URL, NOTIFY_SECRET }) => !NOTIFY_URL || NOTIFY_SECRET.length > 0, {
    path: ['NOTIFY_SECRET'],
  }),
  z.refine(({ LEGACY_ORIGIN, LEGACY_PATHS }) => !LEGACY_ORIGIN === (LEGACY_PATHS.length === 0), {
    path: ['LEGACY_PATHS'],
  }),
)

export type Settings = Omit<z.output<typeof Settings>, 'PAYROLL_ROLES'> & {
  PAYROLL_ROLES: string[]
}

/** The settings of a deployment as text. Blank text means that a setting is not set. */
export type SettingsSource = { readonly [Name in keyof Settings]?: string }

/**
 * The settings of the deployment are invalid. The message names the variables but not their values.
 */
export class InvalidSettings extends LoggableError {
  override name = 'InvalidSettings'
}

const brokenRules = ({ issues }: z.core.$ZodError): string => {
  const names = new Set(issues.map((issue) => issue.path[0] as keyof Settings))
  return [...names].map((name) => `${name} ${rules.get(SettingsFields.shape[name])}`).join('; ')
}

const settingsCache = new WeakMap<SettingsSource, Settings>()

/** Parses the settings of an environment, once per env object. */
export const readSettings = (env: SettingsSource): Settings => {
  const cached = settingsCache.get(env)
  if (cached) return cached

  const result = Settings.safeParse(env)
  if (!result.success) throw new InvalidSettings(brokenRules(result.error))
  const { PAYROLL_ROLES = result.data.ADMIN_ROLES } = result.data
  const settings = { ...result.data, PAYROLL_ROLES }
  settingsCache.set(env, settings)
  return settings
}

/**
 * Returns undefined if the settings are invalid. Code that runs before the app uses this function,
 * because the app reports the error.
 */
export const settingsIfValid = (env: SettingsSource): Settings | undefined => {
  try {
    return readSettings(env)
  } catch {
    return undefined
  }
}
