const hex = (bytes: Uint8Array): string =>
  [...bytes].map((b) => b.toString(16).padStart(2, '0')).join('')

/**
 * How the events name a user: SHA-256 of a random salt (16 bytes, in hexadecimal), a line feed and
 * the normalized address. With the salt it proves who decided; without it, it shows nothing.
 */
export const createActor = async (emailKey: string) => {
  const actor_salt = hex(crypto.getRandomValues(new Uint8Array(16)))
  const bytes = new TextEncoder().encode(`${actor_salt}\n${emailKey}`)
  const actor_hash = hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
  return { actor_hash, actor_salt }
}
