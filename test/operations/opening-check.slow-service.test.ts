import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localFile } from '../../cli/core/opening-check.ts'
import { CLOCK_FLAGS } from '../support/clock/flags.ts'
import { failedWith, runInProcess, type ScriptName, scriptOf } from '../support/command.ts'
import { copyProject } from '../support/project-copy.ts'
import { runCommand, runScript } from '../support/server.ts'
import { useTemporaryFolder } from '../support/temporary-folder.ts'

const { folder } = useTemporaryFolder()

/** Commands that open a database, one of each kind. */
const COMMANDS: [command: ScriptName, args: string[]][] = [
  ['user', ['list']],
  ['import', ['installations/README.md']],
  ['audit', ['key']],
  ['audit', ['export', 'no.ndjson']],
  ['backup', ['--out', join(folder, 'out')]],
  ['demo', []],
]

const start = (...flags: string[]) => runScript('scripts/start.ts', flags)
const migrate = (state: string) => runScript('scripts/db-migrate.ts', ['--persist-to', state])

/** Creates a migrated database, runs a statement in it, and returns its folder. */
const migratedWith = async (statement: string) => {
  const state = mkdtempSync(join(folder, 'state-'))
  expect((await migrate(state)).status).toBe(0)
  const db = new DatabaseSync(localFile(state))
  db.exec(statement)
  db.close()
  return state
}

/** A copy of the project that has one more migration than the database of a test. */
const laterVersion = (() => {
  let copy: ReturnType<typeof copyProject>
  beforeAll(() => {
    copy = copyProject(['cli', 'drizzle', 'package.json', 'sdk', 'src', 'wrangler.toml'])
    copy.write('drizzle/0999_later.sql', 'CREATE TABLE later (id INTEGER);')
  })
  afterAll(() => copy.remove())
  return {
    run: (command: ScriptName, args: string[]) =>
      copy.run(process.execPath, [...CLOCK_FLAGS, scriptOf(command), ...args]),
  }
})()

describe('the local database of a command', () => {
  it.each(COMMANDS.filter(([command]) => command !== 'import'))(
    'must exist: %s %j',
    async (command, args) => {
      const typo = join(folder, 'typo')
      const migrateIt = (state: string) => `npm run db:migrate -- --persist-to ${state}`
      expect(await runInProcess(command, [...args, '--persist-to', typo])).toMatchObject({
        status: 1,
        err: `There is no folder ${typo}. ${migrateIt(typo)} creates it.\n`,
      })
      expect(existsSync(typo)).toBe(false)

      const empty = mkdtempSync(join(folder, 'empty-'))
      expect(await runInProcess(command, [...args, '--persist-to', empty])).toMatchObject({
        status: 1,
        err: `The database has no tables yet: run ${migrateIt(empty)} first.\n`,
      })
      expect(readdirSync(empty)).toEqual([])
    },
  )

  it('must have exactly the migrations of the project', async () => {
    const behind = await migratedWith('SELECT 1')
    expect(laterVersion.run('client', ['list', '--persist-to', behind])).toEqual({
      status: 1,
      out: `The database lacks migrations: run npm run db:migrate -- --persist-to ${behind} first.\n`,
    })
    const ahead = await migratedWith(`INSERT INTO d1_migrations (name) VALUES ('0999_later.sql')`)
    expect(await runInProcess('client', ['list', '--persist-to', ahead])).toEqual(
      failedWith(
        'The database is of a later version, which added 0999_later.sql. Use its commands.\n',
      ),
    )
  })

  it.each(['DROP TABLE d1_migrations', 'DELETE FROM d1_migrations'])(
    'is kept, and migrated again as the message says, after %s',
    async (loss) => {
      const lost = await migratedWith(
        `INSERT INTO config_entries (key, tipo, nombre, valor) VALUES ('k', '', '', ''); ${loss}`,
      )
      const { status, err } = await migrate(lost)
      expect([status, err]).toEqual([1, expect.stringMatching(/Keep its folder: .+ nothing else/)])
      expect(await start('--persist-to', lost)).toMatchObject({ status: 1, err })
      const copied = await runInProcess('backup', ['--out', folder, '--persist-to', lost])
      expect(copied).toMatchObject({ status: 1, err })

      const commands = err.match(/^ {2}npx .+$/gm)?.join(' && ') ?? ''
      expect(await runCommand('sh', ['-c', commands])).toMatchObject({ status: 0 })
      expect(await migrate(lost)).toMatchObject({ status: 0, err: '' })
      const { out } = await runInProcess('config', ['list', '--persist-to', lost])
      expect(out).toContain("'k'")
    },
  )

  it('can be copied before its migration, and is restored with it', async () => {
    const behind = await migratedWith('SELECT 1')
    const out = mkdtempSync(join(folder, 'out-'))
    const copied = laterVersion.run('backup', ['--out', out, '--persist-to', behind])
    expect(copied).toMatchObject({ status: 0 })
    const restored = join(folder, 'restored')
    const file = join(out, String(readdirSync(out)[0]))
    expect(laterVersion.run('restore', [file, '--persist-to', restored])).toMatchObject({
      status: 0,
    })
    const listed = laterVersion.run('client', ['list', '--persist-to', restored])
    expect(listed).toEqual({ status: 0, out: 'No clients yet.\n' })
  })

  it.each<[ScriptName, string[], string]>([
    ['user', ['list', '--persist-to', ''], "'' is invalid. It is blank."],
    ['user', ['list', '--persist-to', 'a', '--persist-to=b'], '--persist-to was given 2 times'],
    ['backup', ['--out', 'a', '--out', 'b'], '--out was given 2 times'],
    ['sync', ['pull', '--words', 'approved=A,approved=B'], 'approved was given already.'],
  ])('is opened only if each option has one valid value: %s %j', async (command, args, reason) => {
    const { status, err } = await runScript(scriptOf(command), args)
    expect([status, err]).toEqual([1, expect.stringContaining(reason)])
  })

  it('is not created again if its file was emptied', async () => {
    const state = await migratedWith('SELECT 1')
    truncateSync(localFile(state))
    for (const suffix of ['-wal', '-shm']) rmSync(localFile(state) + suffix, { force: true })
    const refused = {
      status: 1,
      err: expect.stringMatching(/^The database is corrupted: .+ is empty/),
    }
    expect(await migrate(state)).toMatchObject(refused)
    expect(await start('--persist-to', state)).toMatchObject(refused)
    const users = await runScript(scriptOf('user'), ['list', '--persist-to', state])
    expect(users).toMatchObject(refused)
    expect(readFileSync(localFile(state))).toHaveLength(0)
  })
})

describe('npm start', () => {
  it.each([
    [['--prot', '8788'], "unknown option '--prot'"],
    [['--port', 'abc'], 'A port is a number up to 65535.'],
    [['--port', '99999'], 'A port is a number up to 65535.'],
    [['--ip', 'abc'], 'Not an IP address.'],
    [['--var', 'ADMIN_ROLES'], 'Not NAME:VALUE.'],
    [['8788'], 'too many arguments'],
    [['--port', '8788', '--port=8789'], '--port was given 2 times'],
    [['--persist-to', ''], 'It is blank.'],
    [['--persist-to'], 'argument missing'],
  ])('rejects %j before it writes', async (flags, reason) => {
    const state = join(folder, 'start')
    const given = flags.includes('--persist-to') ? flags : ['--persist-to', state, ...flags]
    expect(await start(...given)).toMatchObject({
      status: 1,
      out: '',
      err: expect.stringContaining(reason),
    })
    expect(existsSync(state)).toBe(false)
  })
})
