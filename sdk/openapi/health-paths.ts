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
        }),
        '503': failed('La base de datos no responde.', 'DATABASE_DOWN'),
      },
    }),
  },
}
