import * as z from 'zod'

const SECRET_BYTES_MIN = 32

const blankIsUnset = (value: unknown) =>
  typeof value === 'string' && value.trim() === '' ? undefined : value

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

/** As a browser sends it: scheme and host, no path. Hybrid apps have schemes of their own. */
const isOrigin = (text: string): boolean =>
  text === '*' ||
  (/^https?:/i.test(text)
    ? URL.canParse(text) && new URL(text).origin === text && !text.includes('*')
    : /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#*]+$/.test(text))

const isLongEnough = (secret: string): boolean =>
  new TextEncoder().encode(secret).length >= SECRET_BYTES_MIN

const minutes = z
  .string()
  .regex(/^\s*\d+\s*$/)
  .transform(Number)
  .pipe(z.int().min(1))

const Settings = z.object({
  TOKEN_SECRET: z.preprocess(blankIsUnset, z.string().refine(isLongEnough)),
  TOKEN_TTL_MINUTES: z.preprocess(blankIsUnset, minutes.optional()),
  ALLOWED_ORIGINS: z.preprocess(
    blankIsUnset,
    list.pipe(z.array(z.string().refine(isOrigin)).min(1)).default([]),
  ),
  ADMIN_ROLES: z.preprocess(blankIsUnset, list.pipe(z.array(z.string()).min(1)).default(['admin'])),
})

/** A deployment's settings, parsed. */
export type Settings = z.output<typeof Settings>

/** A deployment's settings as it gives them; blank means unset. */
export type SettingsSource = { readonly [Name in keyof Settings]?: string }

const RULES: Record<keyof Settings, string> = {
  TOKEN_SECRET: `must be set, to ${SECRET_BYTES_MIN} bytes or more`,
  TOKEN_TTL_MINUTES: 'must be a whole number of minutes, 1 or more',
  ALLOWED_ORIGINS: 'must be origins such as https://app.example.com, separated by commas, or *',
  ADMIN_ROLES: 'must be role names, separated by commas',
}

/** A deployment that cannot serve: names each variable at fault, never its value. */
export class InvalidSettings extends Error {
  override name = 'InvalidSettings'

  constructor({ issues }: z.ZodError) {
    const names = new Set(issues.map((issue) => issue.path[0] as keyof Settings))
    super([...names].map((name) => `${name} ${RULES[name]}`).join('; '))
  }
}

const parsed = new WeakMap<SettingsSource, Settings>()

/** Parses the settings of an environment, once for each env object. */
export const readSettings = (env: SettingsSource): Settings => {
  const known = parsed.get(env)
  if (known) return known

  const result = Settings.safeParse(env)
  if (!result.success) throw new InvalidSettings(result.error)
  parsed.set(env, result.data)
  return result.data
}
