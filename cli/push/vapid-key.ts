import { generateKeyPairSync } from 'node:crypto'

/**
 * Creates the key with which this service proves to push services who it is (RFC 8292): a public and
 * a private key of P-256 in base64url, joined by a full stop.
 */
export const createVapidKey = (): string => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '', d } = privateKey.export({ format: 'jwk' })
  const coordinates = [x, y].map((text) => Buffer.from(text, 'base64url'))
  return `${Buffer.concat([Buffer.of(4), ...coordinates]).toString('base64url')}.${d}`
}
