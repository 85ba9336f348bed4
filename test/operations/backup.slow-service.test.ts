import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { localFile } from '../../cli/core/opening-check.ts'
import { DEMO_EMPLOYEE } from '../../cli/demo/demo-data.ts'
import { withHash } from '../support/backup-hash.ts'
import { failedWith, runInProcess, type ScriptName, succeededWith } from '../support/command.ts'
import { runCommand, runScript, useService } from '../support/server.ts'
import { signInToService } from '../support/service-evidence.ts'
import { useTemporaryFolder } from '../support/temporary-folder.ts'

const SQLITE = '/usr/bin/sqlite3'

const service = useService()
const { folder, write } = useTemporaryFolder()

const run = (command: ScriptName, args: string[], state = service.state) =>
  runInProcess(command, [...args, '--persist-to', state])

const backup = async (state = service.state, ...more: string[]) => {
  const out = mkdtempSync(join(folder, 'out-'))
  const result = await run('backup', ['--out', out, ...more], state)
  return { out, result, files: readdirSync(out).map((name) => join(out, name)) }
}

const COMMENT = "Línea 1\nno es un salto: \\n\r\n\\r \u2028 it's; \u0085 ñ 🙂"

describe('npm run backup and npm run restore', () => {
  it('restores everything, texts with line breaks and backslashes too', async () => {
    const admin = await signInToService(service)
    expect(await admin.decide(1, 'approved', COMMENT)).toContain('"success":true')

    const { result, files } = await backup()
    expect(result.err).toBe('')
    expect(result.status).toBe(0)
    expect(result.out).toMatch(/Restored and equal: \d+ tables, \d+ rows, \d+ audit events\./)
    expect(files).toHaveLength(1)

    const restored = mkdtempSync(join(folder, 'restored-'))
    const result2 = await run('restore', [String(files[0])], restored)
    expect(result2).toEqual(
      succeededWith(
        `Restored all rows, tables, indexes and triggers in the local database of ${restored}.\n`,
      ),
    )

    const again = await backup(restored)
    expect(again.result.status).toBe(0)
    const sql = gunzipSync(readFileSync(String(files[0]))).toString()
    expect(gunzipSync(readFileSync(String(again.files[0]))).toString()).toBe(sql)
    expect(sql).toContain(JSON.stringify(COMMENT).replaceAll("'", "''"))
  })

  it('prints the size of each table and index, and the sizes add up to the file’s', async () => {
    const { result, files } = await backup(service.state, '--sizes')
    expect(result.err).toBe('')
    const number = (text = '') => Number(text.replaceAll(',', ''))
    const columns = /^ *([\d,]+)( +[\d,]+)? +([\d,]+) {2}(- )?(\w+)$/gm
    const lines = [...result.out.matchAll(columns)].map(([, bytes, rows, each, part, name]) => ({
      name,
      bytes: number(bytes),
      rows: number(rows),
      each: number(each),
      isPart: part !== undefined,
    }))
    const parts = lines.filter(({ name, isPart }) => isPart && /^attendance_logs/.test(`${name}`))
    const [logs] = lines.filter(({ name, isPart }) => !isPart && name === 'attendance_logs')
    expect(parts.map(({ name }) => name)).toContain('attendance_logs_employee')
    expect(parts.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(logs?.bytes)

    const restored = mkdtempSync(join(folder, 'restored-'))
    await run('restore', [String(files[0])], restored)
    const db = new DatabaseSync(localFile(restored))
    const [found] = db
      .prepare(
        `SELECT (SELECT count(*) FROM attendance_logs) AS logs, page_size * (page_count
          - (SELECT count(*) FROM dbstat WHERE name = 'sqlite_schema')) AS bytes
        FROM pragma_page_count, pragma_page_size`,
      )
      .all()
    db.close()
    expect(logs).toMatchObject({
      rows: found?.logs,
      each: Math.round(number(`${logs?.bytes}`) / Number(found?.logs)),
    })
    const [, all, perLog] = /take ([\d,]+) bytes: ([\d,]+) for each log\.$/m.exec(result.out) ?? []
    expect([number(all), number(perLog)]).toEqual([
      found?.bytes,
      Math.round(Number(found?.bytes) / Number(found?.logs)),
    ])
  })

  // Debian's sqlite3 is older than the SQLite of Node and D1.
  it.skipIf(!existsSync(SQLITE))('is sound to the sqlite3 of the system', async () => {
    await run('user', ['deactivate', DEMO_EMPLOYEE, '--yes'])
    const { files } = await backup()
    const sql = gunzipSync(readFileSync(String(files[0]))).toString()
    expect(sql).toMatch(/INSERT INTO "people_changes" .*'user'.*,NULL\)/)
    const checks = 'PRAGMA integrity_check; PRAGMA foreign_key_check;'
    const loaded = await runCommand(SQLITE, ['-bail', ':memory:'], { input: `${sql}${checks}` })
    expect(loaded).toEqual(succeededWith('ok\n'))
  })

  it('restores nothing into a database that is not empty', async () => {
    const { files } = await backup()
    const { status, err } = await run('restore', [String(files[0])])
    expect(status).toBe(1)
    expect(err).toMatch(/^The database is not empty, so nothing was restored\./)
  })

  it('rejects a cut file, and one whose foreign keys do not hold', async () => {
    const { files } = await backup()
    const sql = gunzipSync(readFileSync(String(files[0]))).toString()
    const state = mkdtempSync(join(folder, 'empty-'))
    const withFile = (bytes: Uint8Array) => run('restore', [write('damaged.sql.gz', bytes)], state)
    const cut = await withFile(readFileSync(String(files[0])).subarray(0, -100))
    expect(cut).toMatchObject({ status: 1, err: expect.stringMatching(/is not a whole backup/) })
    const half = await withFile(gzipSync(sql.slice(0, sql.length / 2)))
    expect(half).toMatchObject({ status: 1, err: expect.stringMatching(/is not a whole backup/) })
    const statements = sql.split(/(?<=;\n)(?=INSERT|CREATE|DELETE)/)
    for (const whole of [statements.length >> 1, statements.length - 1]) {
      const between = await withFile(gzipSync(statements.slice(0, whole).join('')))
      expect(between).toMatchObject({
        status: 1,
        err: expect.stringMatching(
          /is not a whole backup: its end is missing, after \d+ statements\.\n$/,
        ),
      })
    }
    const orphaned = sql.replace(/INSERT INTO "employees" .+\n/, 'DELETE FROM sqlite_sequence;\n')
    expect(orphaned).not.toBe(sql)
    expect(await withFile(gzipSync(orphaned))).toEqual(
      failedWith(
        `${join(folder, 'damaged.sql.gz')} is not a whole backup: its content was changed after ` +
          'it was written (its sha256 differs).\n',
      ),
    )
    const orphan = await withFile(gzipSync(withHash(orphaned)))
    const names = /contradicts itself.* names a row that is missing in employees/
    expect(orphan).toMatchObject({ status: 1, err: expect.stringMatching(names) })
    expect((await run('restore', [String(files[0])], state)).status).toBe(0)
  })

  const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
  it.each(SIGNALS)('leaves nothing in the temporary folder after %s', async (signal) => {
    const [temporary, out] = [mkdtempSync(join(folder, 'tmp-')), mkdtempSync(join(folder, 'out-'))]
    const args = ['cli/backup/backup.ts', '--out', out, '--persist-to', service.state]
    const child = spawn(process.execPath, args, {
      env: { ...process.env, TMPDIR: temporary },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await once(child.stdout, 'data')
    expect(readdirSync(temporary)).not.toEqual([])
    child.kill(signal)
    await once(child, 'exit')
    expect([readdirSync(temporary), readdirSync(out)]).toEqual([[], []])
  })

  it('leaves no temporary file after a failure, and reports it in one sentence', async () => {
    const temporary = mkdtempSync(join(folder, 'tmp-'))
    const taken = write('taken', '')
    const args = ['--out', taken, '--persist-to', service.state]
    const failed = await runScript('cli/backup/backup.ts', args, '', { TMPDIR: temporary })
    expect(failed).toEqual(failedWith(`'${taken}': file already exists (mkdir, EEXIST).\n`))
    const cut = write('cut.sql.gz', gzipSync('SELECT 1;\n'))
    const empty = ['--persist-to', mkdtempSync(join(folder, 'empty-'))]
    const restored = await runScript('cli/backup/restore.ts', [cut, ...empty], '', {
      TMPDIR: temporary,
    })
    expect(restored.err).toMatch(/is not a whole backup/)
    expect(readdirSync(temporary)).toEqual([])
  })
})
