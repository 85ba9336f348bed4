import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CliError } from '../core/run-cli.ts'

const PEM_BLOCK = /-----BEGIN ((?:X509 |TRUSTED )?CERTIFICATE)-----.*?-----END \1-----/gs

/** Whether a text has certificates in PEM, all of them valid, so that openssl can use it. */
export const hasCertificates = (text: string): boolean => {
  const blocks = text.match(PEM_BLOCK) ?? []
  try {
    return blocks.map((block) => new X509Certificate(block)).length > 0
  } catch {
    return false
  }
}

/**
 * Makes a function that checks a time stamp with openssl. The certificates must have been valid at
 * the stamped time, and may have expired since. The function returns the reason if the time stamp
 * is not valid, or undefined.
 * @param authorities the path of the file with the certificates (PEM)
 */
export const timeStampChecker =
  (authorities: string) =>
  async (token: Uint8Array, checkpoint: string, time: Date): Promise<string | undefined> => {
    const folder = mkdtempSync(join(tmpdir(), 'checada-token-'))
    try {
      writeFileSync(join(folder, 'checkpoint.txt'), checkpoint)
      writeFileSync(join(folder, 'token.der'), token)
      const seconds = String(Math.floor(time.getTime() / 1000))
      const files = ['-data', 'checkpoint.txt', '-in', 'token.der', '-token_in']
      const { status, stderr, error } = spawnSync(
        'openssl',
        ['ts', '-verify', ...files, '-CAfile', authorities, '-attime', seconds],
        { cwd: folder, encoding: 'utf8' },
      )
      if (error) throw new CliError('Falta openssl, que comprueba los sellos de tiempo.')
      if (status === 0) return undefined
      return (
        /:([^:]+):[^:]*\.c:\d+:(.*)$/m.exec(stderr)?.slice(1).join(' ').trim() ??
        'openssl lo rechaza'
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
