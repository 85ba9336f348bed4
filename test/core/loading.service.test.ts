import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { buildWorker } from '../../scripts/build-worker.ts'
import { useTemporaryFolder } from '../support/temporary-folder.ts'

/** The files of src that a new isolate evaluates for its first request. */
const filesFor = (request: string): string[] => {
  const args = ['test/support/loaded-modules.ts', ...request.split(' ')]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

/** The errors of all nouns are one list, which every request needs. */
const nounsOf = (files: string[]) =>
  [...new Set(files.flatMap((file) => /^src\/(\w+)\/(?!errors\.ts)/.exec(file)?.[1] ?? []))].sort()

describe('a new isolate evaluates only what its first request needs', () => {
  it.each([
    ['GET /api/v2/clients/modules_enabled', ['clients', 'core']],
    ['POST /api/v2/clients/validate-code', ['clients', 'core']],
    ['GET /api/v2/clients/config/logo', ['clients', 'core']],
    ['GET /api/auth/me', ['core', 'session']],
    ['POST /api/auth/login', ['core', 'session']],
    ['GET /api/nada', ['core']],
  ])('%s: %j', (request, nouns) => {
    expect(nounsOf(filesFor(request))).toEqual(nouns)
  })

  it.each(['POST /api/v2/incidents/change_log_status', 'GET /iclock/getrequest?SN=HX1'])(
    '%s: nothing of payroll or evidence',
    (request) => {
      const nouns = nounsOf(filesFor(request))
      expect(nouns).toContain('core')
      expect(nouns).not.toContain('payroll')
      expect(nouns).not.toContain('evidence')
    },
  )
})

const { folder } = useTemporaryFolder()

it('each file of the deployed Worker can be loaded, and only its service is exported', async () => {
  const { files } = await buildWorker(folder)
  expect(files[0]?.name).toBe('index.js')
  for (const { name } of files.toReversed()) {
    const module = await import(/* @vite-ignore */ pathToFileURL(resolve(join(folder, name))).href)
    if (name === 'index.js') expect(Object.keys(module)).toEqual(['default'])
  }
})
