import { EvidenceQuery } from '../../src/evidence/evidence.schemas.ts'
import { BINARY, fileResponse, integer, operations, queryParameters } from './operations.ts'

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
    limited: true,
  },
  'GET /v2/audit/evidence': {
    id: 'exportEvidence',
    summary: 'Descargar la evidencia: toda, o la de una persona, una checada o una sucursal',
    description:
      'Sin empleado, checada ni sucursal, toda, para administradores sin sucursal asignada. De una persona o una checada, sus eventos con su prueba y nada de nadie más, para administradores y para la propia persona: un año a lo más, el último si no se dice otra cosa. De una sucursal, lo de quienes tienen checadas de ella en 31 días a lo más, para administradores, en archivos de 50 personas. Se verifica sin conexión en `/verificar`. Una descarga por minuto y usuario; los demás archivos de una sucursal cuentan con las exportaciones.',
    parameters: queryParameters(EvidenceQuery, {
      log_id: { description: 'Solo los eventos de esta checada.', schema: integer(1) },
      branch_office: 'La evidencia de quienes tienen checadas de esta sucursal en el periodo.',
      cursor: 'El del enlace `next` del archivo anterior de la sucursal.',
      comments: {
        description:
          'Si el archivo lleva los comentarios de las decisiones. Las palabras de objeciones y respuestas van siempre.',
        schema: { type: 'boolean' },
      },
    }),
    file: fileResponse(
      {
        'application/octet-stream': {
          schema: {
            ...BINARY,
            description: 'Una línea JSON por evento y por sello.',
          },
        },
      },
      { Link: 'Con `rel="next"`, el siguiente archivo de la sucursal, si lo hay.' },
    ),
    limited: true,
  },
})
