import { done, failed, operation } from './parts.ts'
import * as schemas from './schemas.ts'

export const healthPaths = {
  '/health': {
    servers: [{ url: '/', description: 'Fuera de /api.' }],
    get: operation({
      operationId: 'health',
      tags: ['health'],
      summary: 'Saber si el servicio y su base de datos responden',
      responses: {
        '200': done('Responden.', schemas.Health, 'El servicio funciona.', {
          database_bytes: 282_624,
          limit_bytes: 10_000_000_000,
          newest_log_age_seconds: 62,
          newest_seal_age_seconds: 1_380,
          oldest_unsealed_age_seconds: 1_290,
          unsealed_events: 14,
          newest_clock_age_seconds: 62,
          clocks: 3,
          silent_clocks: 0,
        }),
        '503': failed('La base de datos no responde.', 'DATABASE_DOWN'),
      },
    }),
  },
}
