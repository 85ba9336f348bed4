import { withNewSalt } from '../core/salted-hash.ts'

/**
 * Makes the hash that identifies a user in the events: of the normalized address. With the salt,
 * the hash proves who decided. Without the salt, it reveals nothing.
 */
export const createActor = (emailKey: string) => {
  const { salt, hash } = withNewSalt(emailKey)
  return { actor_hash: hash, actor_salt: salt }
}
