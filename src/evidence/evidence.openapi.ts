import {
  BINARY,
  fileResponse,
  integer,
  operations,
  queryParameters,
} from '../core/operations.openapi.ts'
import { EvidenceQuery } from './evidence.schemas.ts'

const CHECKPOINT_EXAMPLE = `checada/produccion/5c1e09ab
20
sFodV/vSp5O8n9a8QpW6PRY97tfOSW5bsc2Xl/EQi08=

\u2014 checada/produccion/5c1e09ab x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`

export const evidenceOperations = operations('audit', {
  'GET /v2/audit/checkpoint': {
    id: 'readCheckpoint',
    caller: 'signedIn',
    summary: 'Leer el sello más reciente de toda la evidencia',
    description:
      'Para cualquier usuario. Guardado fuera del alcance de quien opera el servicio, demuestra después que nada de lo anterior cambió. Es un `tlog-checkpoint` de C2SP.',
    file: {
      description: 'El sello.',
      content: { 'text/plain': { schema: { type: 'string' }, example: CHECKPOINT_EXAMPLE } },
    },
    errors: ['NO_SEAL_KEY', 'NOTHING_SEALED'],
    limited: true,
  },
  'GET /v2/audit/evidence': {
    id: 'exportEvidence',
    summary: 'Descargar la evidencia: toda, o la de una persona o una checada',
    description:
      'Sin empleado ni checada, toda, para administradores sin sucursal asignada. Con uno de los dos, sus eventos con su prueba y nada de nadie más, para administradores y para la propia persona: un año a lo más, el último si no se dice otra cosa. Se verifica sin conexión en `/verificar`. Una descarga por minuto y usuario.',
    parameters: queryParameters(EvidenceQuery, {
      log_id: { description: 'Solo los eventos de esta checada.', schema: integer(1) },
      comments: {
        description: 'Si el archivo lleva los textos de los comentarios.',
        schema: { type: 'boolean' },
      },
    }),
    file: fileResponse({
      'application/octet-stream': {
        schema: {
          ...BINARY,
          description: 'Una línea JSON por evento y por sello.',
        },
      },
    }),
    errors: [
      'NO_SEAL_KEY',
      'LOG_NOT_FOUND',
      'UNKNOWN_EMPLOYEE',
      'EVIDENCE_OUT_OF_SCOPE',
      'PERIOD_TOO_LONG',
    ],
    limited: true,
  },
})
