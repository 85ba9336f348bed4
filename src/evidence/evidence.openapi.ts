import { messageOf } from '../core/errors.ts'
import {
  anyFailure,
  authenticatedOperation,
  authorizedOperation,
  BINARY,
  fileResponse,
  integer,
  invalidWithExamples,
  queryParameters,
  sharedResponse,
} from '../core/operations.openapi.ts'
import { EvidenceQuery } from './evidence.schemas.ts'

const CHECKPOINT_EXAMPLE = `checada/produccion/5c1e09ab
20
sFodV/vSp5O8n9a8QpW6PRY97tfOSW5bsc2Xl/EQi08=

\u2014 checada/produccion/5c1e09ab x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`

export const evidencePaths = {
  '/v2/audit/checkpoint': {
    get: authenticatedOperation({
      operationId: 'readCheckpoint',
      tags: ['audit'],
      summary: 'Leer el sello más reciente de todo el registro',
      description:
        'Para cualquier usuario. Guardado fuera del alcance de quien opera el servicio, demuestra después que nada de lo anterior cambió. Es un `tlog-checkpoint` de C2SP.',
      responses: {
        '200': {
          description: 'El sello.',
          content: { 'text/plain': { schema: { type: 'string' }, example: CHECKPOINT_EXAMPLE } },
        },
        '404': anyFailure('Esta instalación no sella sus registros, o no hay ninguno sellado.', [
          'NO_SEAL_KEY',
          'NOTHING_SEALED',
        ]),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/v2/audit/evidence': {
    get: authorizedOperation({
      operationId: 'exportEvidence',
      tags: ['audit'],
      summary: 'Descargar la evidencia: todo el registro, o el de una persona o una checada',
      description:
        'Sin empleado ni checada, todo el registro, para administradores sin sucursal asignada. Con uno de los dos, sus eventos con su prueba y nada de nadie más, para administradores y para la propia persona: un año a lo más, el último si no se dice otra cosa. Se verifica sin conexión en `/verificar`. Una descarga por minuto y usuario.',
      parameters: queryParameters(EvidenceQuery, {
        log_id: { description: 'Solo los eventos de esta checada.', schema: integer(1) },
        comments: {
          description: 'Si el archivo lleva los textos de los comentarios.',
          schema: { type: 'boolean' },
        },
      }),
      responses: {
        '200': fileResponse({
          'application/octet-stream': {
            schema: {
              ...BINARY,
              description: 'Una línea JSON por evento y por sello.',
            },
          },
        }),
        '404': anyFailure('Esta instalación no sella sus registros, o no existe esa checada.', [
          'NO_SEAL_KEY',
          'LOG_NOT_FOUND',
        ]),
        '422': invalidWithExamples({
          PERIOD_TOO_LONG: { to: ['El periodo puede tener 366 días como máximo.'] },
          UNKNOWN_EMPLOYEE: { employee_id: [messageOf('UNKNOWN_EMPLOYEE')] },
        }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
}
