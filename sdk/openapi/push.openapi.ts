import { PushBody, PushEndpointBody } from '../../src/push/push.schemas.ts'
import { operations } from './operations.ts'

export const pushOperations = operations('intake', {
  'PUT /v2/incidents/my_push': {
    id: 'registerMyPhone',
    caller: 'signedIn',
    summary: 'Recibir avisos en este teléfono',
    description:
      'La suscripción que da el navegador con `push_key` de `my_logs` (Web Push, RFC 8030). Se avisa de las decisiones sobre checadas propias, de respuestas a objeciones y de tarjetas por firmar. Termina con la sesión. Diez teléfonos por persona: uno más reemplaza al más antiguo.',
    body: ['PushBody', PushBody],
    limited: true,
  },
  'DELETE /v2/incidents/my_push': {
    id: 'removeMyPhone',
    caller: 'signedIn',
    summary: 'No recibir más avisos en este teléfono',
    body: ['PushEndpointBody', PushEndpointBody],
    limited: true,
  },
})
