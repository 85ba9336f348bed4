import * as z from 'zod/mini'
import {
  clockLabel,
  idAsText,
  limitedText,
  listField,
  missingMessage,
  optional,
  orMissing,
  requiredComment,
  requiredText,
  strictObject,
  textField,
  trueOrFalse,
  visibleText,
  yesOrNo,
} from '../core/values/fields.schemas.ts'
import { COMMENT_MAX, FIRST_SERVICE_ID, LOG_KINDS, SOURCE_MAX } from '../core/values/log-values.ts'
import { query } from '../core/values/query-fields.schemas.ts'
import {
  codePoints,
  isInvisible,
  isReservedSource,
  isStorable,
  sourceKey,
} from '../core/values/text.ts'
import { isDate } from '../core/values/time-zone.ts'

export const LOGS_PER_REQUEST = 100

const INSTANT_RULE = 'debe ser un instante ISO 8601 con zona, como 2026-11-02T08:00:00-06:00.'

/**
 * Accepts an instant with a zone, and converts it to UTC with milliseconds. In UTC, the first and
 * the last hours of the years 0000 to 9999 may be of other years, which are not accepted.
 */
const instant = (name: string) => {
  const error = `${name} ${INSTANT_RULE}`
  return z.pipe(
    z.iso.datetime({ offset: true, error: orMissing(name, error) }),
    z
      .transform((value: string) => new Date(value).toISOString())
      .check(z.refine((utc) => /^\d{4}-/.test(utc), { error })),
  )
}

const recordedAt = instant('La hora')

const isSourceId = (value: string): boolean =>
  isStorable(value) && !isInvisible(value) && codePoints(value) <= SOURCE_MAX

/** The key of the name is limited too, because normalizing can turn one letter into several. */
const isShortName = (name: string): boolean =>
  isInvisible(name) || Math.max(codePoints(name), codePoints(sourceKey(name))) <= SOURCE_MAX

const sourceField = z.pipe(
  visibleText('El origen').check(
    z.refine(isShortName, { error: `El origen no puede tener más de ${SOURCE_MAX} caracteres.` }),
    z.refine((name) => !isReservedSource(name), {
      error: 'El origen no puede llevar dos puntos ni comenzar con «clock ».',
    }),
    z.meta({ maxLength: SOURCE_MAX }),
  ),
  z.transform(sourceKey),
)

const LOGS_LABEL = 'Los registros'

const itemId = {
  source_id: optional(
    z.string().check(z.refine(isSourceId), z.meta({ minLength: 1, maxLength: SOURCE_MAX })),
  ),
  log_id: optional(z.int().check(z.positive(), z.lt(FIRST_SERVICE_ID))),
}

/**
 * One log of a request. `IntakeBody` accepts any item, so that only the invalid items are refused.
 */
export const IntakeItem = z
  .object({
    ...itemId,
    employee_id: z.string().check(
      z.refine((id) => isStorable(id) && id !== ''),
      z.meta({ minLength: 1 }),
    ),
    kind: z.enum(LOG_KINDS),
    recorded_at: recordedAt,
  })
  .check(
    z.refine(({ source_id, log_id }) => (source_id === undefined) !== (log_id === undefined), {
      path: ['source_id'],
    }),
  )

/** The ids of an invalid log, for the source's problem. An id that cannot be read is left out. */
export const InvalidItemId = z.catch(
  z.object({
    source_id: z.catch(itemId.source_id, undefined),
    log_id: z.catch(itemId.log_id, undefined),
  }),
  { source_id: undefined, log_id: undefined },
)

export const IntakeBody = z
  .object({
    source: sourceField,
    complete_until: optional(instant('La fecha de cierre')),
    logs: optional(
      listField(z.unknown(), {
        max: LOGS_PER_REQUEST,
        tooLong: `Se pueden enviar ${LOGS_PER_REQUEST} registros a la vez como máximo.`,
        error: () => `${LOGS_LABEL} deben ser una lista.`,
      }),
      [],
    ),
  })
  .check(
    z.refine(({ complete_until, logs }) => complete_until !== undefined || logs.length > 0, {
      error: `${LOGS_LABEL} son obligatorios si no hay complete_until.`,
      path: ['logs'],
    }),
  )

/** With `retired=true`, the list has the retired sources instead of the active sources. */
export const SourcesQuery = query({
  retired: z.optional(trueOrFalse('Retirados debe ser true o false.')),
})

/** Stored sources may have names that no new source may have, so the name is not checked. */
const sourceOfPath = z.pipe(textField('El origen'), z.transform(sourceKey))

export const SourcePath = z.object({ source: sourceOfPath })

export const SourceBody = strictObject(
  {
    label: clockLabel,
    retired: yesOrNo('Retirado'),
  },
  'El origen debe ser un objeto.',
)

export const ProblemPath = z.object({
  source: sourceOfPath,
  id: idAsText('El problema debe ser un número.'),
})

export const DismissalBody = z.object({ reason: limitedText('El motivo', COMMENT_MAX) })

const CLIENT_ID_LABEL = 'El identificador del envío'

/** A UUID that the client creates, so that a repeated request does not add a second log. */
export const clientId = z.pipe(
  z.uuid({ error: orMissing(CLIENT_ID_LABEL, `${CLIENT_ID_LABEL} debe ser un UUID.`) }),
  z.transform((value) => value.toLowerCase()),
)

/** People send only entrada or salida for their own logs. */
const ownFields = {
  client_id: clientId,
  kind: z.enum(['entrada', 'salida'], {
    error: orMissing('El tipo', 'El tipo debe ser entrada o salida.'),
  }),
}

export const OwnLogBody = z.object({
  ...ownFields,
  recorded_at: optional(recordedAt),
  /** The time when the phone sent the request, by the phone's own clock. */
  sent_at: optional(instant('La hora de envío')),
})

const LOCAL_TIME_RULE =
  'La hora local debe ser una fecha con hora, sin zona, como 2026-11-02T08:58:12.'

/** A local time of a real date. Its seconds may be left out. */
export const localTime = z.pipe(
  z.string({ error: LOCAL_TIME_RULE }).check(
    z.regex(/^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, { error: LOCAL_TIME_RULE }),
    z.refine((text) => isDate(text.slice(0, 10)), { error: LOCAL_TIME_RULE }),
  ),
  z.transform((text) => (text.length === 16 ? `${text}:00` : text)),
)

/** When an added log was: an instant, or a local time that the service turns into one. */
const timeFields = {
  recorded_at: optional(recordedAt),
  local_time: optional(localTime),
  branch_office: optional(textField('La sucursal')),
  second: optional(yesOrNo('La segunda vez'), false),
}

type Times = {
  recorded_at?: string | undefined
  local_time?: string | undefined
  branch_office?: string | undefined
  second: boolean
}

/** Also looked at if other fields are wrong, so that the response has all errors at once. */
const timeRule = (field: keyof Times, error: string, isRight: (times: Times) => boolean) =>
  z.refine<Times>(isRight, {
    error,
    path: [field],
    when: ({ issues }) => !issues.some(({ path }) => String(path?.[0]) in timeFields),
  })

const timeRules = [
  timeRule(
    'recorded_at',
    missingMessage('La hora'),
    ({ recorded_at, local_time }) => recorded_at !== undefined || local_time !== undefined,
  ),
  timeRule(
    'recorded_at',
    'La hora va en recorded_at o en local_time, no en los dos.',
    ({ recorded_at, local_time }) => recorded_at === undefined || local_time === undefined,
  ),
  timeRule(
    'branch_office',
    'La sucursal solo va con local_time.',
    ({ branch_office, local_time }) => branch_office === undefined || local_time !== undefined,
  ),
  timeRule(
    'second',
    'La segunda vez solo va con local_time.',
    ({ second, local_time }) => !second || local_time !== undefined,
  ),
] as const

export const RequestBody = z
  .object({ ...ownFields, ...timeFields, comment: requiredComment })
  .check(...timeRules)

export const ManualLogBody = z
  .object({
    client_id: clientId,
    employee_id: requiredText('El empleado'),
    kind: z.enum(LOG_KINDS, {
      error: orMissing('El tipo', 'El tipo debe ser entrada, salida o checada.'),
    }),
    ...timeFields,
    comment: requiredComment,
  })
  .check(...timeRules)
