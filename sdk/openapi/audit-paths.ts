import { EvidenceQuery } from '../../src/schemas/evidence/evidence.ts'
import { authenticatedOperation, described, failed, invalid, shared } from './parts.ts'

const noSealKey = failed('Esta instalación no sella sus registros.', 'NO_SEAL_KEY')

const CHECKPOINT = `checada/produccion/5c1e09ab
20
sFodV/vSp5O8n9a8QpW6PRY97tfOSW5bsc2Xl/EQi08=

\u2014 checada/produccion/5c1e09ab x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`

export const auditPaths = {
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
          content: { 'text/plain': { schema: { type: 'string' }, example: CHECKPOINT } },
        },
        '404': noSealKey,
      },
    }),
  },
  '/v2/audit/evidence': {
    get: authenticatedOperation({
      operationId: 'exportEvidence',
      tags: ['audit'],
      summary: 'Descargar la evidencia: todo el registro, o el de una persona o una checada',
      description:
        'Sin empleado ni checada, todo el registro, para administradores sin sucursal asignada. Con uno de los dos, sus eventos con su prueba y nada de nadie más, para administradores y para la propia persona: un año a lo más, el último si no se dice otra cosa. Se verifica sin conexión en `/verificar`. Una descarga por minuto y usuario.',
      requestParams: { query: EvidenceQuery },
      responses: {
        '200': {
          description: 'El archivo, por partes. Si se interrumpe, la transferencia falla.',
          headers: described({
            'Content-Disposition': 'El nombre del archivo.',
            'Content-Encoding': 'gzip, si el cliente lo acepta.',
          }),
          content: {
            'application/octet-stream': {
              schema: {
                type: 'string',
                format: 'binary',
                description: 'Una línea JSON por evento y por sello.',
              },
            },
          },
        },
        '403': shared('Forbidden'),
        '404': noSealKey,
        '422': invalid({ to: ['El periodo puede tener 366 días como máximo.'] }),
        '429': shared('TooManyRequests'),
      },
    }),
  },
}
