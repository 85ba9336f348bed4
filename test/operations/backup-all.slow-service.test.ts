import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { beforeEach, expect, it } from 'vitest'
import { useCheckout } from '../support/checkout.ts'

const checkout = useCheckout()

const NAMES = ['a', 'b', 'c']
const ID = '11111111-2222-3333-4444-55555555555'
const WRANGLER = createRequire(import.meta.url).resolve('wrangler')

/** Runs the real wrangler on the local databases in `cloud/`, in place of Cloudflare. */
const CLOUD_WRANGLER = `#!/usr/bin/env node
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
const isConfig = (arg) => arg.startsWith('--config=')
const args = process.argv.slice(2)
const { d1_databases: [d1] } = JSON.parse(readFileSync(args.find(isConfig).slice(9), 'utf8'))
const databases = [{ ...d1, migrations_dir: ${JSON.stringify(resolve('drizzle'))} }]
writeFileSync('cloud/wrangler.json', JSON.stringify({ name: 'cloud', d1_databases: databases }))
const local = args.filter((arg) => !isConfig(arg)).map((arg) => (arg === '--remote' ? '--local' : arg))
const { status } = spawnSync(${JSON.stringify(resolve('node_modules/.bin/wrangler'))},
  [...local, '--config', 'cloud/wrangler.json'], { stdio: 'inherit' })
process.exit(status)
`

const CLOUD_PROXY = `import { readFileSync, writeFileSync } from 'node:fs'
import { getPlatformProxy as open } from '${pathToFileURL(WRANGLER)}'
export const getPlatformProxy = ({ configPath }) => {
  const { d1_databases: [{ remote, ...d1 }] } = JSON.parse(readFileSync(configPath, 'utf8'))
  if (!remote) throw new Error('not remote')
  writeFileSync('cloud/proxy.json', JSON.stringify({ name: 'cloud', d1_databases: [d1] }))
  return open({ configPath: 'cloud/proxy.json', persist: { path: 'cloud/.wrangler/state/v3' } })
}
`

const addInstallation = (name: string, digit: number) =>
  checkout.write(
    `installations/${name}.toml`,
    `name = "checada-${name}"\ndatabase_id = "${ID}${digit}"\n`,
  )

const config = (name: string, ...args: string[]) =>
  checkout.runScript('cli/clients/config.ts', [...args, '--installation', name])

beforeEach(() => {
  for (const folder of ['installations', 'node_modules']) {
    rmSync(checkout.path(folder), { recursive: true })
    mkdirSync(checkout.path(folder))
  }
  for (const entry of readdirSync('node_modules').filter((entry) => entry !== 'wrangler')) {
    symlinkSync(resolve('node_modules', entry), checkout.path('node_modules', entry))
  }
  for (const folder of ['node_modules/wrangler', 'cloud', 'tmp']) mkdirSync(checkout.path(folder))
  checkout.write(
    'node_modules/wrangler/package.json',
    JSON.stringify({ type: 'module', exports: './index.js' }),
  )
  checkout.write('node_modules/wrangler/index.js', CLOUD_PROXY)
  checkout.writeCommand('wrangler', CLOUD_WRANGLER)
  for (const [digit, name] of NAMES.entries()) addInstallation(name, digit)
})

it('copies each installation, and stops at the first that fails', () => {
  for (const name of NAMES) {
    const apply = `import('./cli/core/wrangler.ts').then(({ runWrangler }) =>
      runWrangler(['d1', 'migrations', 'apply', 'DB', '--remote'], '${name}'))`
    expect(checkout.runScript('-e', [apply]).status).toBe(0)
    expect(config(name, 'set', 'of', `the entry of ${name}`)).toEqual({
      status: 0,
      out: `Added of in ${name}.\n`,
    })
  }
  expect(config('b', 'get', 'of').out).toBe('the entry of b\n')

  const env = { TMPDIR: checkout.path('tmp') }
  const all = checkout.runScript('cli/backup/backup.ts', ['--all'], env)
  expect([all.status, all.out]).toEqual([
    0,
    expect.stringContaining('  a: done\n  b: done\n  c: done\n'),
  ])
  const files = readdirSync(checkout.path('backups'))
  expect(files).toEqual(
    NAMES.map((name) => expect.stringMatching(new RegExp(`^checada-${name}-2.*Z\\.sql\\.gz$`))),
  )
  for (const [i, name] of NAMES.entries()) {
    const sql = gunzipSync(readFileSync(checkout.path('backups', String(files[i])))).toString()
    expect(sql.match(/the entry of ./g)).toEqual([`the entry of ${name}`])
  }

  // The database of `b` has no tables.
  addInstallation('b', 9)
  const second = checkout.runScript('cli/backup/backup.ts', ['--all', '--out', 'again'], env)
  expect([second.status, second.out]).toEqual([
    1,
    expect.stringContaining('  a: done\n  b: failed\n  c: not begun\n'),
  ])
  expect(second.out).toContain('The database has no tables: nothing to copy.\n')
  expect(readdirSync(checkout.path('again'))).toEqual([expect.stringMatching(/^checada-a-/)])
  expect(readdirSync(checkout.path('tmp'))).toEqual([])
})
