import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { migrateLocal } from '../../cli/core/local-database.ts'
import { useCheckout } from '../support/checkout.ts'
import { runInProcess } from '../support/command.ts'
import { useTemporaryFolder } from '../support/temporary-folder.ts'

const checkout = useCheckout()
const { folder } = useTemporaryFolder()

const NAMES = ['a', 'b']
const ID = '11111111-2222-3333-4444-55555555555'
const WRANGLER = createRequire(import.meta.url).resolve('wrangler')

/** Runs the real wrangler on the local databases in `cloud/`, in place of Cloudflare. */
const CLOUD_WRANGLER = `#!/usr/bin/env node
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
const isConfig = (arg) => arg.startsWith('--config=')
const args = process.argv.slice(2)
if (args[0] === 'whoami') process.exit()
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

const migrate = (name: string) =>
  checkout.runScript('-e', [
    `import('./cli/core/wrangler.ts').then(({ runWrangler }) =>
      runWrangler(['d1', 'migrations', 'apply', 'DB', '--remote'], '${name}'))`,
  ])

it('copies each installation, goes on after a failure, and names each that failed', () => {
  for (const name of NAMES) {
    expect(migrate(name).status).toBe(0)
    expect(config(name, 'set', 'of', `the entry of ${name}`)).toEqual({
      status: 0,
      out: `Added of in ${name}.\n`,
    })
  }
  expect(config('b', 'get', 'of').out).toBe('the entry of b\n')

  const env = { TMPDIR: checkout.path('tmp') }
  const all = checkout.runScript('cli/backup/backup.ts', ['--all'], env)
  expect([all.status, all.out]).toEqual([0, expect.stringContaining('  a: done\n  b: done\n')])
  const files = readdirSync(checkout.path('backups'))
  expect(files).toEqual(
    NAMES.map((name) => expect.stringMatching(new RegExp(`^checada-${name}-2.*Z\\.sql\\.gz$`))),
  )
  for (const [i, name] of NAMES.entries()) {
    const sql = gunzipSync(readFileSync(checkout.path('backups', String(files[i])))).toString()
    expect(sql.match(/the entry of ./g)).toEqual([`the entry of ${name}`])
  }

  // The new database of `a` has no tables, and the file of `d` cannot be read.
  addInstallation('a', 9)
  checkout.write('installations/d.toml', 'name = ')
  const second = checkout.runScript('cli/backup/backup.ts', ['--all', '--out', 'again'], env)
  expect([second.status, second.out]).toEqual([
    1,
    expect.stringContaining('  a: failed\n  b: done\n  d: failed\n'),
  ])
  expect(second.out).toContain('run npm run deploy:setup -- --installation a first.\n')
  expect(second.out).toMatch(/d: installations\/d\.toml: Invalid TOML.*\nFailed: a, d\.\n$/s)
  expect(readdirSync(checkout.path('again'))).toEqual([expect.stringMatching(/^checada-b-/)])
  expect(readdirSync(checkout.path('tmp'))).toEqual([])
})

/** A backup of a local database with the demo data and 5,000 logs. */
let file: string
beforeAll(async () => {
  const [state, out] = [join(folder, 'local'), join(folder, 'out')]
  await migrateLocal(state)
  const { err } = await runInProcess('demo', ['--logs', '5000', '--persist-to', state])
  const copied = await runInProcess('backup', ['--persist-to', state, '--out', out])
  expect([err, copied.err]).toEqual(['', ''])
  file = join(out, String(readdirSync(out)[0]))
})

/** Whether a database of `cloud/` has logs, but not yet its migrations. */
const isHalfRestored = () =>
  globSync(checkout.path('cloud/.wrangler/state/v3/d1/*/*.sqlite')).some((path) => {
    const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
    const count = (sql: string) => Number(db.prepare(sql).get()?.count)
    const has = (name: string) =>
      count(`SELECT count(*) AS count FROM sqlite_schema WHERE name = '${name}'`) > 0
    const isHalf =
      has('attendance_logs') &&
      has('unfinished_restore') &&
      count('SELECT count(*) AS count FROM attendance_logs') > 0
    db.close()
    return isHalf
  })

/** The processes whose temporary folder is a scratch folder in the checkout. */
const leftProcesses = () =>
  globSync('/proc/[0-9]*/environ').filter((path) => {
    try {
      return readFileSync(path, 'utf8').includes(`TMPDIR=${checkout.path('tmp')}/checada-`)
    } catch {
      return false
    }
  })

it('restores an installation whole or not at all', async () => {
  const args = ['cli/backup/restore.ts', file, '--installation', 'b']
  const env = { TMPDIR: checkout.path('tmp') }
  const child = spawn(process.execPath, args, {
    cwd: checkout.path(),
    env: { ...process.env, ...env, PATH: `${checkout.path('bin')}:${process.env.PATH}` },
    stdio: 'ignore',
  })
  while (!isHalfRestored()) await new Promise((done) => setTimeout(done))
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(isHalfRestored()).toBe(true)
  const refused = { status: 1, out: expect.stringMatching(/^A restore of this database has not/) }
  expect(config('b', 'get', 'of')).toEqual(refused)
  const backup = ['--installation', 'b']
  expect(checkout.runScript('cli/backup/backup.ts', backup, env).out).toContain(
    'A restore of this database has not finished, or was interrupted.',
  )

  const restored = checkout.runScript(String(args[0]), args.slice(1), env)
  expect(restored).toEqual({
    status: 0,
    out: 'Restored all rows, tables, indexes and triggers in b.\n',
  })
  expect(leftProcesses()).toEqual([])
  expect(readdirSync(checkout.path('tmp'))).toEqual([])
  expect(checkout.runScript('cli/backup/backup.ts', backup, env).status).toBe(0)
  const [copy] = readdirSync(checkout.path('backups'))
  const sqlOf = (path: string) => gunzipSync(readFileSync(path)).toString()
  expect(sqlOf(checkout.path('backups', String(copy)))).toBe(sqlOf(file))
  expect(checkout.runScript(String(args[0]), args.slice(1), env).out).toMatch(
    /^The database is not empty/,
  )
})

it('restores into an installation that is migrated and empty', () => {
  expect(migrate('a').status).toBe(0)
  const restored = checkout.runScript('cli/backup/restore.ts', [file, '--installation', 'a'])
  expect(restored.status).toBe(0)
  expect(checkout.runScript('cli/users/user.ts', ['list', '--installation', 'a']).out).toContain(
    'ana.torres@demo.mx',
  )
})
