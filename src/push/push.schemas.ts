import * as z from 'zod/mini'
import { orMissing, requiredText } from '../core/values/fields.schemas.ts'
import { toEndpoint } from './endpoint.ts'

const ENDPOINT_MAX = 1_000

const endpoint = z.pipe(
  requiredText('La dirección').check(
    z.maxLength(ENDPOINT_MAX, {
      error: `La dirección no puede tener más de ${ENDPOINT_MAX} caracteres.`,
    }),
  ),
  z.transform(toEndpoint),
)

/** Bytes in base64url without padding, as browsers give them. */
const keyText = (name: string, pattern: RegExp) => {
  const rule = `${name} no es la de una suscripción.`
  return z.string({ error: orMissing(name, rule) }).check(z.regex(pattern, { error: rule }))
}

/** A subscription as `PushSubscription.toJSON()` of a browser gives it, without its expiration. */
export const PushBody = z.object({
  endpoint,
  keys: z.object(
    {
      /** An uncompressed point of P-256: 65 bytes, of which the first is 4. */
      p256dh: keyText('La llave', /^B[\w-]{86}$/),
      /** 16 bytes. */
      auth: keyText('La clave', /^[\w-]{22}$/),
    },
    { error: 'Las llaves son un objeto con p256dh y auth.' },
  ),
})

export const PushEndpointBody = z.object({ endpoint })
