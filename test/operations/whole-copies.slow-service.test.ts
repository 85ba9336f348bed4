import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { findContradictions } from '../../cli/backup/contradictions.ts'
import { localFile } from '../../cli/core/opening-check.ts'
import { messageOf } from '../../cli/core/run-cli.ts'
import { descendantsOf, runningOf } from '../../scripts/processes.ts'
import { failedWith, runInProcess, type ScriptName, succeededWith } from '../support/command.ts'
import { runCommand, runScript, useService } from '../support/server.ts'
import { signInToService } from '../support/service-evidence.ts'
import { useTemporaryFolder } from '../support/temporary-folder.ts'

const service = useService()
const { folder, write } = useTemporaryFolder()
const newFolder = () => mkdtempSync(join(folder, 'new-'))

const run = (command: ScriptName, args: string[], state: string) =>
  runInProcess(command, [...args, '--persist-to', state])

const backup = async (state = service.state) => {
  const out = newFolder()
  const { err } = await run('backup', ['--out', out], state)
  expect(err).toBe('')
  return join(out, String(readdirSync(out)[0]))
}

const textOf = (path: string) => gunzipSync(readFileSync(path)).toString()

const restoredFrom = async (path: string) => {
  const state = newFolder()
  expect((await run('restore', [path], state)).status).toBe(0)
  return state
}

let file: string

beforeAll(async () => {
  const admin = await signInToService(service)
  expect(await admin.decide(1, 'approved')).toContain('"success":true')
  expect(await admin.get('/v2/audit/checkpoint')).toContain('checada')
  expect((await run('demo', ['--logs', '20000'], service.state)).status).toBe(0)
  file = await backup()
})

it('copies one moment while decisions come in', async () => {
  const admin = await signInToService(service)
  const state = { isCopied: false }
  const decide = async () => {
    for (let i = 0; !state.isCopied; i++) {
      await admin.decide(2 + (i % 40), i % 80 < 40 ? 'approved' : 'rejected')
    }
  }
  const deciding = decide()
  const out = newFolder()
  const args = ['--out', out, '--persist-to', service.state]
  const copied = await runScript('cli/backup/backup.ts', args)
  state.isCopied = true
  await deciding
  expect([copied.status, copied.err]).toEqual([0, ''])
  const restored = await restoredFrom(join(out, String(readdirSync(out)[0])))
  const db = new DatabaseSync(localFile(restored), { readOnly: true })
  expect(await findContradictions(db)).toEqual([])
})

describe('a copy that contradicts itself', () => {
  /** Opens a restored database, to change it as nobody can through the service. */
  const openWithoutRules = async () => {
    const state = await restoredFrom(file)
    const db = new DatabaseSync(localFile(state), { enableForeignKeyConstraints: false })
    const triggers = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'trigger'`).all()
    for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`)
    return { state, db }
  }
  let db: DatabaseSync
  beforeAll(async () => {
    db = (await openWithoutRules()).db
  })
  const ZEROS = '0'.repeat(64)
  it.each([
    [
      'a status without its event',
      `UPDATE attendance_logs SET status = 'rejected' WHERE id IN (3, 4)`,
      'log 3 does not have the status of its last event, and so 1 more',
    ],
    [
      'a log of another person',
      `UPDATE attendance_logs AS l SET employee_id = (SELECT employee_id FROM employees
         WHERE employee_id <> l.employee_id LIMIT 1) WHERE id = 3`,
      'log 3 is not as its first event has it',
    ],
    [
      'logs of another moment, kind and source',
      `UPDATE attendance_logs SET recorded_at = '2020-01-01T00:00:00.000Z' WHERE id = 3;
       UPDATE attendance_logs SET kind = 'checada' WHERE id = 4;
       UPDATE attendance_logs SET source = 'otra' WHERE id = 5`,
      'log 3 is not as its first event has it, and so 2 more',
    ],
    [
      'a deleted log',
      'DELETE FROM attendance_logs WHERE id = 3',
      /row \d+ of log_events names a row that is missing in attendance_logs/,
    ],
    [
      'a log without an event',
      'DELETE FROM log_events WHERE log_id = 3',
      'log 3 is not as its first event has it',
    ],
    [
      'a line with the opposite needs_look',
      `UPDATE closing_lines SET needs_look = 1 - needs_look
         WHERE rowid = (SELECT max(rowid) FROM closing_lines)`,
      /closing 1 has \d+ exceptions_left, its lines \d+/,
    ],
    [
      'a closing with another number of days to look at',
      'UPDATE closings SET exceptions_left = 999',
      /closing 1 has 999 exceptions_left, its lines \d+/,
    ],
    [
      'more pending logs of a person',
      'UPDATE closing_people SET pending = pending + 1 WHERE rowid = 1',
      /closing 1 has \d+ pending, its lines \d+/,
    ],
    [
      'a decision from a status that the log did not have',
      `UPDATE log_events SET from_status = 'rejected' WHERE event = 'decided' AND log_id = 1`,
      /event \d+ does not begin where the one before it ends/,
    ],
    [
      'a closing that is cancelled without its event',
      `UPDATE closings SET cancelled_at = completed_at, cancelled_by = user_id`,
      'closing 1 lacks its events',
    ],
    [
      'a line that pays more',
      `UPDATE closing_lines SET difference_seconds = difference_seconds + 1,
         worked_seconds = worked_seconds + 1 WHERE rowid = (SELECT max(rowid) FROM closing_lines)`,
      /closing 1 has \d+ \w+_seconds, its lines \d+/,
    ],
    [
      'a line of another day, with the same sums',
      `UPDATE closing_lines SET first_in = '2020-01-01T00:00:00.000Z'
         WHERE rowid = (SELECT max(rowid) FROM closing_lines)`,
      /the lines of E-\d+ in closing 1 lack their hash/,
    ],
    ['another hash', `UPDATE closings SET hash = '${ZEROS}'`, 'lacks the hash of its lines'],
    [
      'a sealed event with another time',
      `UPDATE log_events SET created_at = '2020-01-01T00:00:00.000Z' WHERE id = 5`,
      'event 5 is not as seal 1 has it',
    ],
    [
      'a seal of another tree',
      `UPDATE log_seals SET checkpoint = replace(checkpoint, 'checada', 'otra') WHERE id = 1`,
      'seal 1 is not of its events',
    ],
  ])('is found by %s', async (_, statements, reason) => {
    db.exec(`BEGIN; ${statements}`)
    const found = await findContradictions(db)
    db.exec('ROLLBACK')
    expect(found.join('; ')).toMatch(reason)
  })

  it('is refused by backup, which writes nothing', async () => {
    const { state, db } = await openWithoutRules()
    db.exec(`UPDATE attendance_logs SET status = 'rejected' WHERE id = 3`)
    db.close()
    const out = newFolder()
    const refused = await run('backup', ['--out', out], state)
    const reason = 'log 3 does not have the status of its last event'
    const err = `The copy contradicts itself, so it was not written: ${reason}.\n`
    expect(refused).toMatchObject({ status: 1, err })
    expect(readdirSync(out)).toEqual([])
  })
})

it('refuses a file without the hash of its content', async () => {
  const text = textOf(file).replace(/, sha256 \w+\.\n$/, '.\n')
  const path = write('without-hash.sql.gz', gzipSync(text))
  expect(await run('restore', [path], newFolder())).toMatchObject({
    status: 1,
    err: expect.stringContaining(`${path} is not a whole backup: its end is missing`),
  })
})

/** Starts a restore in a process of its own, and kills it in the middle. */
const killRestore = async (state: string) => {
  const args = ['cli/backup/restore.ts', file, '--persist-to', state]
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  const hasBegun = () => globSync(`${localFile(state)}.restoring-${child.pid}`).length > 0
  while (!hasBegun()) await new Promise((done) => setImmediate(done))
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(hasBegun()).toBe(true)
}

describe('a restore that was killed', () => {
  const REFUSED = /^A restore of this database has not finished, or was interrupted/

  it('is refused by start and by every command, until another restore is whole', async () => {
    const state = newFolder()
    await killRestore(state)
    expect(existsSync(localFile(state))).toBe(false)
    const refused = { status: 1, err: expect.stringMatching(REFUSED) }
    expect(await run('user', ['list'], state)).toMatchObject(refused)
    expect(await run('backup', ['--out', newFolder()], state)).toMatchObject(refused)
    expect(await run('demo', [], state)).toMatchObject(refused)
    for (const script of ['scripts/start.ts', 'scripts/db-migrate.ts']) {
      expect(await runScript(script, ['--persist-to', state])).toMatchObject(refused)
    }

    await killRestore(state)
    const place = `the local database of ${state}`
    expect(await run('restore', [file], state)).toEqual(
      succeededWith(`Restored all rows, tables, indexes and triggers in ${place}.\n`),
    )
    expect(textOf(await backup(state))).toBe(textOf(file))
    expect(globSync(`${localFile(state)}.restoring-*`)).toEqual([])
  })
})

it('distinguishes a running restore from a leftover, whose process id may be in use again', async () => {
  const state = newFolder()
  mkdirSync(dirname(localFile(state)), { recursive: true })
  const other = new DatabaseSync(`${localFile(state)}.restoring-1`)
  other.exec('BEGIN EXCLUSIVE')
  expect(await run('restore', [file], state)).toEqual(
    failedWith(expect.stringMatching(/^Another restore into this database runs \(.+-1\)\.\n$/)),
  )
  other.close()
  expect(await run('restore', [file], state)).toMatchObject({ status: 0, err: '' })
})

describe('the database to restore into', () => {
  it('may be migrated, if it is empty', async () => {
    const state = newFolder()
    expect((await runScript('scripts/db-migrate.ts', ['--persist-to', state])).status).toBe(0)
    expect((await run('user', ['list'], state)).out).toBe('No users yet.\n')
    expect((await run('restore', [file], state)).status).toBe(0)
    expect(textOf(await backup(state))).toBe(textOf(file))
  })

  it('may not be open in another process', async () => {
    const state = newFolder()
    expect((await runScript('scripts/db-migrate.ts', ['--persist-to', state])).status).toBe(0)
    const other = new DatabaseSync(localFile(state))
    other.prepare('SELECT count(*) FROM users').get()
    expect(await run('restore', [file], state)).toEqual(
      failedWith('The database is in use: stop the service first. Nothing was restored.\n'),
    )
    other.close()
  })
})

it('removes the files that a killed backup has left', async () => {
  const [temporary, out] = [newFolder(), newFolder()]
  const args = ['cli/backup/backup.ts', '--out', out, '--persist-to', service.state]
  const env = { ...process.env, TMPDIR: temporary }
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' })
  while (readdirSync(out).length === 0) await new Promise((done) => setImmediate(done))
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(readdirSync(temporary)).toHaveLength(1)
  expect(readdirSync(out)).toEqual([expect.stringMatching(/^unfinished-/)])

  const next = await runScript('cli/backup/backup.ts', args.slice(1), '', { TMPDIR: temporary })
  expect(next.status).toBe(0)
  expect(readdirSync(temporary)).toEqual([])
  expect(readdirSync(out)).toEqual([expect.stringMatching(/^checada-local-/)])
})

it('ends the workerd of a killed command', async () => {
  const temporary = newFolder()
  const opening = `const { makeScratch } = await import('./cli/backup/scratch.ts')
    const { getPlatformProxy } = await import('wrangler')
    makeScratch()
    await getPlatformProxy({ persist: { path: process.argv[1] } })
    console.log('open')
    setInterval(() => {}, 1_000)`
  const command = spawn(process.execPath, ['--eval', opening, service.state], {
    env: { ...process.env, TMPDIR: temporary, WRANGLER_LOG: 'error' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(command.stdout, 'data')
  const started = descendantsOf(Number(command.pid))
  expect(started.length).toBeGreaterThan(0)
  // A stopped process does not notice that its parent is gone.
  for (const pid of started) process.kill(pid, 'SIGSTOP')
  command.kill('SIGKILL')
  await once(command, 'exit')
  expect(runningOf(started)).toEqual(started)

  const args = ['--out', newFolder(), '--persist-to', service.state]
  const next = await runScript('cli/backup/backup.ts', args, '', { TMPDIR: temporary })
  expect(next.status).toBe(0)
  await expect.poll(() => runningOf(started)).toEqual([])
  expect(readdirSync(temporary)).toEqual([])
})

/**
 * Runs a command with a small disk in the folder `disk`, which also has the command's temporary
 * folder. `unshare` gives the user the right to mount a disk, where the system allows that.
 */
const onSmallDisk = (disk: string, kilobytes: number, command: string[]) => {
  const mount = `mount -t tmpfs -o size=${kilobytes}k none ${disk} && mkdir ${disk}/tmp && exec "$@"`
  return runCommand('unshare', ['-rm', 'sh', '-c', mount, 'sh', ...command], {
    env: { TMPDIR: `${disk}/tmp` },
  })
}
const mayMount =
  (await onSmallDisk(tmpdir(), 64, ['true']).catch(() => ({ status: 1 }))).status === 0
if (!mayMount) console.warn('Skipped: nobody may mount a small disk here.')

it.skipIf(!mayMount)('reports a full disk, in backup and in restore', async () => {
  const disk = newFolder()
  const full = { status: 1, err: expect.stringMatching(/^The disk is full: make room/) }
  const { length } = readFileSync(localFile(service.state))
  // The disk has room for nothing, for half of the copy, or for the copy only.
  for (const bytes of [64_000, length / 2, length * 1.2]) {
    const size = Math.ceil(bytes / 1024)
    for (const args of [
      ['cli/backup/backup.ts', '--out', join(disk, 'out'), '--persist-to', service.state],
      ['cli/backup/restore.ts', file, '--persist-to', join(disk, 'state')],
    ]) {
      if (bytes > length && args.includes(file)) continue
      expect(await onSmallDisk(disk, size, [process.execPath, ...args])).toMatchObject(full)
    }
  }
  expect(await run('restore', [file], newFolder())).toMatchObject({ status: 0, err: '' })
})

it('reports a full disk as such, and not as a broken file', async () => {
  const db = new DatabaseSync(':memory:')
  db.exec('PRAGMA max_page_count = 1')
  let full: unknown
  try {
    db.exec('CREATE TABLE a (b); CREATE TABLE c (d)')
  } catch (error) {
    full = error
  }
  const text = 'The disk is full: make room, then run it again. (database or disk is full)'
  expect(messageOf(full)).toBe(text)
  expect(messageOf(new Error('ENOSPC: no space left on device, write'))).toMatch(
    /^The disk is full/,
  )
})

it('refuses a corrupted database in start and backup', async () => {
  const state = await restoredFrom(file)
  const bytes = readFileSync(localFile(state))
  bytes.fill(0xab, bytes.length >> 1, (bytes.length >> 1) + 65_536)
  copyFileSync(write('corrupted', bytes), localFile(state))
  const refused = { status: 1, err: expect.stringMatching(/^The database is corrupted: /) }
  expect(await runScript('scripts/start.ts', ['--persist-to', state])).toMatchObject(refused)
  expect(await run('backup', ['--out', newFolder()], state)).toMatchObject(refused)
})

it('refuses a database whose journal is damaged, which SQLite reads as empty', async () => {
  // A service that was killed leaves its newest pages in the journal.
  const [state, killed] = [newFolder(), newFolder()]
  for (const folder of [state, killed]) mkdirSync(dirname(localFile(folder)), { recursive: true })
  const running = new DatabaseSync(localFile(killed))
  running.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0')
  running.exec(readFileSync('drizzle/0000_initial.sql', 'utf8'))
  const journal = readFileSync(`${localFile(killed)}-wal`)
  expect(journal.length).toBeGreaterThan(100_000)
  copyFileSync(localFile(killed), localFile(state))
  copyFileSync(write('journal', journal.fill(0xab)), `${localFile(state)}-wal`)
  running.close()
  expect(await runScript('scripts/start.ts', ['--persist-to', state])).toMatchObject({
    status: 1,
    err: expect.stringMatching(/^The database is corrupted: .*-wal cannot be read/),
  })
  // The journal of a deleted database would be applied to the database that takes its place.
  rmSync(localFile(state))
  const gone = { status: 1, err: expect.stringMatching(/^The database is corrupted: .* is gone/) }
  expect(await runScript('scripts/start.ts', ['--persist-to', state])).toMatchObject(gone)
  expect(await run('restore', [file], state)).toMatchObject(gone)
})
