import { verify } from 'hono/jwt'
import { decodeBase64Url, encodeBase64Url } from 'hono/utils/encode'
import { createVapidKey } from '../../cli/push/vapid-key.ts'

/** The part of browsers and of their push services that a message needs. */

export const VAPID_KEY = createVapidKey()

const P256 = { name: 'ECDH', namedCurve: 'P-256' }
const utf8 = new TextEncoder()

const bytesOf = (text: string) => decodeBase64Url(text) as Uint8Array<ArrayBuffer>
const textOf = (bytes: Uint8Array<ArrayBuffer>) => encodeBase64Url(bytes.buffer).replaceAll('=', '')

const joined = (...parts: Uint8Array[]) => new Uint8Array(parts.flatMap((part) => [...part]))

const hkdf = async (salt: Uint8Array, key: Uint8Array, info: Uint8Array, bytes: number) => {
  const secret = await crypto.subtle.importKey('raw', key, 'HKDF', false, ['deriveBits'])
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt, info }
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, secret, bytes * 8))
}

interface Message {
  text: string
  path: string
}

/** A browser's subscription. It decrypts messages as RFC 8291, section 3, says. */
export const aSubscription = async (
  endpoint = `https://fcm.googleapis.com/fcm/send/${crypto.randomUUID()}`,
) => {
  const keys = (await crypto.subtle.generateKey(P256, true, ['deriveBits'])) as CryptoKeyPair
  const own = new Uint8Array((await crypto.subtle.exportKey('raw', keys.publicKey)) as ArrayBuffer)
  const auth = crypto.getRandomValues(new Uint8Array(16))

  const decrypt = async (body: Uint8Array): Promise<Message> => {
    const [salt, length = 0] = [body.slice(0, 16), body[20]]
    const sender = body.slice(21, 21 + length)
    const publicKey = await crypto.subtle.importKey('raw', sender, P256, false, [])
    const shared = new Uint8Array(
      await crypto.subtle.deriveBits(
        { name: 'ECDH', public: publicKey } as unknown as { name: string },
        keys.privateKey,
        256,
      ),
    )
    const info = joined(utf8.encode('WebPush: info\0'), own, sender)
    const ikm = await hkdf(auth, shared, info, 32)
    const key = await hkdf(salt, ikm, utf8.encode('Content-Encoding: aes128gcm\0'), 16)
    const iv = await hkdf(salt, ikm, utf8.encode('Content-Encoding: nonce\0'), 12)
    const aes = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt'])
    const record = body.slice(21 + length)
    const padded = new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, aes, record))
    // The byte 2 ends the text of the last record. Zeros follow it (RFC 8188, section 2).
    const text = padded.slice(0, padded.lastIndexOf(2))
    return JSON.parse(new TextDecoder().decode(text))
  }

  return {
    endpoint,
    body: {
      endpoint,
      keys: { p256dh: textOf(own), auth: textOf(auth) },
    },
    decrypt,
  }
}

/** The claims of a sender's token, which a push service checks (RFC 8292, sections 2 and 3). */
export const verifySender = async (headers: Headers) => {
  const [, token = '', key = ''] =
    /^vapid t=(\S+), k=(\S+)$/.exec(headers.get('Authorization') ?? '') ?? []
  const point = bytesOf(key)
  const jwk = {
    ...{ kty: 'EC', crv: 'P-256', alg: 'ES256' },
    x: textOf(point.slice(1, 33)),
    y: textOf(point.slice(33)),
  }
  const claims = await verify(token, jwk, { alg: 'ES256', iat: false, nbf: false, exp: false })
  return { ...claims, key } as unknown as { aud: string; sub: string; exp: number; key: string }
}
