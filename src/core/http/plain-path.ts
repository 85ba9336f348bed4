/**
 * A decoded name in a path that every server reads in the same way. It has no control character,
 * second encoding, matrix parameter or backslash. It does not begin or end with a dot or a space,
 * which some servers trim.
 */
const PLAIN_NAME =
  /^[\p{L}\p{M}\p{N}_~!$&'()*+,=:@-]([\p{L}\p{M}\p{N}_~!$&'()*+,=:@. -]*[\p{L}\p{M}\p{N}_~!$&'()*+,=:@-])?$/u

/**
 * Decodes a path. Returns undefined if a lenient server could read it as a different path. A slash
 * at the end is allowed, but an empty name is not.
 */
export const plainPath = (pathname: string): string | undefined => {
  try {
    const [root, ...names] = decodeURIComponent(pathname).replace(/\/$/, '').split('/')
    const isPlain = root === '' && names.every((name) => PLAIN_NAME.test(name))
    return isPlain ? `/${names.join('/')}` : undefined
  } catch {
    return undefined
  }
}
