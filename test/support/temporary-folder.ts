import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Creates a folder for all tests of a file. The folder is removed after the tests. */
export const useTemporaryFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'checada-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return {
    folder,
    write: (name: string, content: string | Uint8Array): string => {
      const path = join(folder, name)
      writeFileSync(path, content)
      return path
    },
  }
}
