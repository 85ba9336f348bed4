import * as z from 'zod'
import { component, operations } from './operations.ts'

const age = (description: string) => z.int().nullable().meta({ description })

const Notices = component('Notices', {
  waiting: z.int().meta({
    description: 'Decisiones que el receptor aún no tiene, entre los 1000 eventos siguientes.',
  }),
  waiting_seconds: z.int().meta({ description: 'Desde la más antigua de ellas.' }),
  failures: z.int().meta({ description: 'Intentos fallidos del mismo mensaje.' }),
  error: z.string().nullable().meta({ description: 'Por qué falló el último, como HTTP 410.' }),
  next_try_at: z.iso.datetime().nullable(),
  sent_at: z.iso.datetime().nullable(),
})

const Push = component('Push', {
  phones: z.int().meta({ description: 'Los teléfonos que reciben avisos.' }),
  waiting: z.int().meta({ description: 'Los que tienen un aviso por enviar.' }),
  sent_at: z.iso.datetime().nullable(),
  error: z.string().nullable().meta({
    description: 'Por qué no se aceptó el último, como HTTP 403; nulo si se aceptó.',
  }),
})

const Health = component('Health', {
  version: z.string().meta({ description: 'La del servicio, como 2.0.0.' }),
  zone_data: z.string().nullable().meta({
    description:
      'Hasta qué versión de los datos de zonas horarias conoce los cambios probados, como 2026b; nulo si ninguno.',
  }),
  database_bytes: z.int(),
  limit_bytes: z.int(),
  days_left: z.int().nullable().meta({
    description: 'Hasta que se llene, al ritmo de los últimos 28 días; nulo si aún no se sabe.',
  }),
  warning: z.string().nullable().meta({
    description:
      'Desde el 80 % del límite; nulo antes. Desde el 97 % no se reciben checadas, personas ni firmas.',
  }),
  warning_code: z
    .enum(['DATABASE_ALMOST_FULL', 'DATABASE_FULL'])
    .nullable()
    .meta({ description: 'El mismo aviso, para programas; nulo si no lo hay.' }),
  newest_log_age_seconds: age('Desde que llegó la checada más reciente; nulo si no hay ninguna.'),
  newest_seal_age_seconds: age('Desde el sello más reciente; nulo si no hay ninguno.'),
  oldest_unsealed_age_seconds: age('Del evento más antiguo que espera un sello; nulo si no hay.'),
  unsealed_events: z.int(),
  newest_clock_age_seconds: age('Desde la última señal de algún reloj; nulo si no hay ninguno.'),
  clocks: z.int(),
  silent_clocks: z.int().meta({ description: 'Sin señal desde hace 24 horas.' }),
  notices: Notices.optional().meta({ description: 'Solo con NOTIFY_URL.' }),
  push: Push.optional().meta({ description: 'Solo con VAPID_KEY.' }),
})

export const healthOperations = operations('health', {
  'GET /health': {
    id: 'health',
    caller: 'anyone',
    summary: 'Saber si el servicio y su base de datos responden',
    description: 'También responde fuera de `/api`, en `/health`.',
    data: Health,
    errors: ['DATABASE_DOWN', 'DATABASE_OUTDATED', 'UNKNOWN_ZONE'],
  },
})
