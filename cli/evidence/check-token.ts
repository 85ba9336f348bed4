import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CliError } from '../core/run-cli.ts'

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
