import * as z from 'zod'
import { isTimeZone } from '../domain/time-zone.ts'

const SECRET_BYTES_MIN = 32

const blankIsUnset = (value: unknown) =>
  typeof value === 'string' && value.trim() === '' ? undefined : value

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

/** Scheme and host, no path, as a browser writes it. */
const isWebOrigin = (text: string): boolean =>
  /^https?:/.test(text) &&
  URL.canParse(text) &&
  new URL(text).origin === text &&
  !text.includes('*')

/** Hybrid apps send origins with schemes of their own, such as capacitor://localhost. */
const isAppOrigin = (text: string): boolean =>
  /^(?!https?:)[a-z][a-z0-9+.-]*:\/\/[^\s/?#*]+$/.test(text)

const isAllowedOrigin = (text: string): boolean =>
  text === '*' || isWebOrigin(text) || isAppOrigin(text)

const isLongEnough = (secret: string): boolean =>
  new TextEncoder().encode(secret).length >= SECRET_BYTES_MIN

const minutes = z
  .string()
  .regex(/^\s*\d+\s*$/)
  .transform(Number)
  .pipe(z.int().min(1))

const onOrOff = z
  .string()
  .trim()
  .regex(/^(true|false|1|0)$/i)
  .transform((text) => /^(true|1)$/i.test(text))

const Settings = z.object({
  TOKEN_SECRET: z.preprocess(blankIsUnset, z.string().refine(isLongEnough)),
  TOKEN_SECRET_PREVIOUS: z.preprocess(blankIsUnset, z.string().refine(isLongEnough).optional()),
  TOKEN_TTL_MINUTES: z.preprocess(blankIsUnset, minutes.optional()),
  ALLOWED_ORIGINS: z.preprocess(
    blankIsUnset,
    list.pipe(z.array(z.string().refine(isAllowedOrigin)).min(1)).default([]),
  ),
  ADMIN_ROLES: z.preprocess(blankIsUnset, list.pipe(z.array(z.string()).min(1)).default(['admin'])),
  FORBID_SELF_APPROVAL: z.preprocess(blankIsUnset, onOrOff.default(false)),
  TIME_ZONE: z.preprocess(
    blankIsUnset,
    z.string().trim().refine(isTimeZone).default('America/Mexico_City'),
  ),
  LEGACY_ORIGIN: z.preprocess(blankIsUnset, z.string().trim().refine(isWebOrigin).optional()),
})

/** A deployment's settings, parsed. */
export type Settings = z.output<typeof Settings>

/** A deployment's settings as it gives them; blank means unset. */
export type SettingsSource = { readonly [Name in keyof Settings]?: string }

const RULES: Record<keyof Settings, string> = {
  TOKEN_SECRET: `must be set, to ${SECRET_BYTES_MIN} bytes or more`,
  TOKEN_SECRET_PREVIOUS: `must be ${SECRET_BYTES_MIN} bytes or more, where it is set`,
  TOKEN_TTL_MINUTES: 'must be a whole number of minutes, 1 or more',
  ALLOWED_ORIGINS: 'must be origins such as https://app.example.com, separated by commas, or *',
  ADMIN_ROLES: 'must be role names, separated by commas',
  FORBID_SELF_APPROVAL: 'must be true or false',
  TIME_ZONE: 'must be a time zone such as America/Mexico_City',
  LEGACY_ORIGIN: 'must be an origin such as https://old.example.com, without a path',
}

/** A deployment that cannot serve: names each variable at fault, never its value. */
export class InvalidSettings extends Error {
  override name = 'InvalidSettings'
}

const brokenRules = ({ issues }: z.ZodError): string => {
  const names = new Set(issues.map((issue) => issue.path[0] as keyof Settings))
  return [...names].map((name) => `${name} ${RULES[name]}`).join('; ')
}

const parsed = new WeakMap<SettingsSource, Settings>()

/** Parses the settings of an environment, once for each env object. */
export const readSettings = (env: SettingsSource): Settings => {
  const known = parsed.get(env)
  if (known) return known

  const result = Settings.safeParse(env)
  if (!result.success) throw new InvalidSettings(brokenRules(result.error))
  parsed.set(env, result.data)
  return result.data
}
