import { withNewSalt } from '../core/values/salted-hash.ts'

/**
 * Hashes the normalized e-mail address with a new salt. The hash identifies the user in events.
 * With the salt, the hash proves who decided. Without the salt, it reveals nothing.
 */
export const createActor = (emailKey: string) => {
  const { salt, hash } = withNewSalt(emailKey)
  return { actor_hash: hash, actor_salt: salt }
}
