import * as z from 'zod/mini'
import { orMissing, requiredComment, requiredText, visibleText } from '../core/fields.schemas.ts'
import { FIRST_OWN_ID, LOG_KINDS, SOURCE_MAX } from '../core/log-values.ts'
import { codePoints, isInvisible, isOwnSource, isStorable, sourceKey } from '../core/text.ts'

/** The bodies of the requests that add logs. */

/** How many logs one call takes. */
export const INTAKE_MAX = 100

const BAD_MOMENT = 'debe ser un instante ISO 8601 con zona, como 2026-11-02T08:00:00-06:00.'

/** An instant with a zone, as stored: UTC with milliseconds. */
const instant = (name: string) =>
  z.pipe(
    z.iso.datetime({ offset: true, error: orMissing(name, `${name} ${BAD_MOMENT}`) }),
    z.transform((value) => new Date(value).toISOString()),
  )

const isName = (value: string): boolean =>
  isStorable(value) && !isInvisible(value) && codePoints(value) <= SOURCE_MAX

/** Its key may be longer than the name as sent: some letters stand for several. */
const isShortName = (name: string): boolean =>
  isInvisible(name) || Math.max(codePoints(name), codePoints(sourceKey(name))) <= SOURCE_MAX

const sourceField = z.pipe(
  visibleText('El origen').check(
    z.refine(isShortName, { error: `El origen no puede tener más de ${SOURCE_MAX} caracteres.` }),
    z.refine((name) => !isOwnSource(name), {
      error: 'El origen no puede empezar con app: ni con manual:.',
    }),
    z.meta({ maxLength: SOURCE_MAX }),
  ),
  z.transform(sourceKey),
)

const LOGS = 'Los registros'

const itemId = {
  source_id: z.optional(
    z.string().check(z.refine(isName), z.meta({ minLength: 1, maxLength: SOURCE_MAX })),
  ),
  log_id: z.optional(z.int().check(z.positive(), z.lt(FIRST_OWN_ID))),
}

/** One log of a call. An invalid one is refused alone, so the body takes any item. */
export const IntakeItem = z
  .object({
    ...itemId,
    employee_id: z.string().check(
      z.refine((id) => isStorable(id) && id !== ''),
      z.meta({ minLength: 1 }),
    ),
    kind: z.enum(LOG_KINDS),
    recorded_at: instant('La hora'),
  })
  .check(z.refine(({ source_id, log_id }) => (source_id === undefined) !== (log_id === undefined)))

/** The id of an invalid log, so that its problem can name it; empty where it cannot be read. */
export const InvalidItemId = z.catch(
  z.object({
    source_id: z.catch(itemId.source_id, undefined),
    log_id: z.catch(itemId.log_id, undefined),
  }),
  {},
)

export const IntakeBody = z
  .object({
    source: sourceField,
    complete_until: z.optional(instant('La fecha de cierre')),
    logs: z._default(
      z.array(z.unknown(), { error: `${LOGS} deben ser una lista.` }).check(
        z.maxLength(INTAKE_MAX, {
          error: `Se pueden enviar ${INTAKE_MAX} registros a la vez como máximo.`,
        }),
      ),
      [],
    ),
  })
  .check(
    z.refine(({ complete_until, logs }) => complete_until !== undefined || logs.length > 0, {
      error: `${LOGS} son obligatorios si no hay complete_until.`,
      path: ['logs'],
    }),
  )

const CLIENT_ID = 'El identificador del envío'

/** A UUID that the sender makes, so that a repeated request records nothing twice. */
const clientId = z.pipe(
  z.uuid({ error: orMissing(CLIENT_ID, `${CLIENT_ID} debe ser un UUID.`) }),
  z.transform((value) => value.toLowerCase()),
)

export const OwnLogBody = z.object({
  client_id: clientId,
  kind: z.enum(['entrada', 'salida'], {
    error: orMissing('El tipo', 'El tipo debe ser entrada o salida.'),
  }),
  recorded_at: z.optional(instant('La hora')),
})

export const ManualLogBody = z.object({
  client_id: clientId,
  employee_id: requiredText('El empleado'),
  kind: z.enum(LOG_KINDS, {
    error: orMissing('El tipo', 'El tipo debe ser entrada, salida o checada.'),
  }),
  recorded_at: instant('La hora'),
  comment: requiredComment,
})
