import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeSql } from '../../cli/backup/sql-file.ts'
import { CREATE_MIGRATIONS } from '../../cli/core/local-database.ts'
import { localFile } from '../../cli/core/opening-check.ts'
import { withHash } from '../support/backup-hash.ts'
import { failedWith, runInProcess, type ScriptName } from '../support/command.ts'
import { createRandom } from '../support/random.ts'
import { useService } from '../support/server.ts'
import { signInToService } from '../support/service-evidence.ts'
import { useTemporaryFolder } from '../support/temporary-folder.ts'

const service = useService()
const { folder, write } = useTemporaryFolder()
const newFolder = () => mkdtempSync(join(folder, 'new-'))

const run = (command: ScriptName, args: string[], state: string) =>
  runInProcess(command, [...args, '--persist-to', state])

const restore = async (bytes: Uint8Array, name = 'copy.sql.gz') => {
  const state = newFolder()
  return { state, ...(await run('restore', [write(name, bytes)], state)) }
}

let sql: string
beforeAll(async () => {
  const admin = await signInToService(service)
  await admin.decide(1, 'approved', "it's; one\ntwo")
  await admin.get('/v2/audit/checkpoint')
  const out = newFolder()
  expect(await run('backup', ['--out', out], service.state)).toMatchObject({ status: 0, err: '' })
  sql = gunzipSync(readFileSync(join(out, String(readdirSync(out)[0])))).toString()
}, 600_000)

const OUTSIDE = join(folder, 'outside.sqlite')

/** Statements that no backup has. Some would write a file outside of the database. */
const FOREIGN = [
  `ATTACH '${OUTSIDE}' AS outside;`,
  `VACUUM INTO '${OUTSIDE}';`,
  `SELECT load_extension('${OUTSIDE}');`,
  'PRAGMA writable_schema=ON;',
  'PRAGMA defer_foreign_keys=TRUE; PRAGMA writable_schema=ON;',
  'BEGIN;',
  'COMMIT;',
  `UPDATE "users" SET "role" = 'admin';`,
  'DELETE FROM "log_events";',
  'DROP TRIGGER log_events_no_update;',
  'CREATE VIEW "shown" AS SELECT * FROM users;',
  'CREATE VIRTUAL TABLE "pages" USING dbstat;',
  'CREATE TEMP TRIGGER x AFTER INSERT ON users BEGIN DELETE FROM users; END;',
  `INSERT INTO "config_entries" ("key","tipo","nombre","valor") VALUES ('k','','',hex(randomblob(4)));`,
  `INSERT INTO "config_entries" ("key","tipo","nombre","valor") VALUES ('k','','',(SELECT email FROM users));`,
  `INSERT INTO "config_entries" ("key","tipo","nombre","valor") VALUES ('k','','','v') RETURNING key;`,
  `INSERT INTO "config_entries" ("key","tipo","nombre","valor") VALUES ('k','','','1' ->> '$');`,
  `INSERT OR REPLACE INTO "config_entries" ("key","tipo","nombre","valor") VALUES ('k','','','v');`,
  `INSERT INTO "config_entries" SELECT 'k', '', '', email FROM users;`,
  'INSERT INTO "log_seals" ("id") SELECT 1;',
  '.shell touch outside;',
]

/** Statements that make one more thing than the migrations do. */
const MORE = [
  [`CREATE TABLE "more" (a TEXT DEFAULT (hex(randomblob(4))));`, 'has the table more besides'],
  [`CREATE TABLE "more" AS SELECT * FROM users;`, 'has the table more besides'],
  ['CREATE INDEX "more" ON "users" ("role");', 'has the index more besides'],
  [
    `CREATE TRIGGER "more" AFTER INSERT ON "log_events" BEGIN\nDELETE FROM users;\nEND;`,
    'has the trigger more besides',
  ],
] as const

const linesOf = (text: string) => text.split('\n').slice(0, -2)
const random = createRandom(71)

const insertAt = (statement: string): string => {
  const lines = linesOf(sql)
  const starts = lines.flatMap((line, i) => (/^(INSERT|DELETE|PRAGMA)/.test(line) ? [i] : []))
  lines.splice(random.pick(starts), 0, statement)
  return withHash([...lines, sql.split('\n').at(-2), ''].join('\n'), 1)
}

const lineLike = (pattern: RegExp): string =>
  random.pick(linesOf(sql).filter((line) => pattern.test(line)))

const replaced = (line: string, other: string): string => {
  expect(other).not.toBe(line)
  return withHash(sql.replace(line, () => other))
}

/** The statements that make a trigger or an index, each with its name. */
const MADE = {
  trigger: /^CREATE TRIGGER .(\w+).*?\nEND;\n/gms,
  index: /^CREATE (?:UNIQUE )?INDEX .(\w+).*;\n/gm,
}

/** What was done to a file, and what `restore` must say of it. `undefined`: it restores. */
type Case = () => { bytes: Uint8Array; says: string | RegExp | undefined; name?: string }

const NOT_WHOLE = /is not a whole backup: /
const zip = (text: string) => gzipSync(text)

const KINDS: [kind: string, count: number, make: Case][] = [
  ['as it was written', 4, () => ({ bytes: zip(sql), says: undefined })],
  ['unpacked', 2, () => ({ bytes: Buffer.from(sql), says: undefined, name: 'copy.sql' })],
  [
    'cut at any byte',
    25,
    () => {
      const bytes = zip(sql)
      return { bytes: bytes.subarray(0, 1 + random.int(bytes.length - 1)), says: NOT_WHOLE }
    },
  ],
  [
    'cut after any line',
    15,
    () => {
      const lines = linesOf(sql)
      const text = lines.slice(0, 1 + random.int(lines.length - 1)).join('\n')
      return { bytes: zip(`${text}\n`), says: NOT_WHOLE }
    },
  ],
  [
    'with a damaged byte',
    20,
    () => {
      const bytes = zip(sql)
      const at = 10 + random.int(bytes.length - 10)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.int(8))
      return { bytes, says: NOT_WHOLE }
    },
  ],
  [
    'changed without its hash',
    15,
    () => {
      const line = lineLike(/^INSERT INTO "employees"/)
      return { bytes: zip(sql.replace(line, line.replace(/'E-/, "'F-"))), says: /sha256 differs/ }
    },
  ],
  [
    'with a statement that no backup has',
    FOREIGN.length * 2,
    () => {
      const bytes = zip(insertAt(random.pick(FOREIGN)))
      return { bytes, says: /its line \d+ is no statement of a backup: / }
    },
  ],
  [
    'with one more table, index or trigger',
    12,
    () => {
      const [statement, says] = random.pick(MORE)
      return { bytes: zip(insertAt(statement)), says }
    },
  ],
  [
    'without a trigger or an index',
    14,
    () => {
      const type = random.pick(['trigger', 'index'] as const)
      const [text, name] = random.pick([...sql.matchAll(MADE[type])])
      return { bytes: zip(withHash(sql.replace(text, ''), -1)), says: `lacks the ${type} ${name}` }
    },
  ],
  [
    'with a weaker table or trigger',
    12,
    () => {
      const [from, to, name] = random.pick([
        [' DEFERRABLE INITIALLY DEFERRED', '', 'table log_comments'],
        [/,\n\tCONSTRAINT "attendance_logs_kind" .*(?=,)/, '', 'table attendance_logs'],
        ["'log_events is append-only'", "'log_events is'", 'trigger log_events_no_update'],
      ] as const)
      const changed = sql.replace(from, to)
      expect(changed).not.toBe(sql)
      return { bytes: zip(withHash(changed)), says: `differs in the ${name}` }
    },
  ],
  [
    'with another log, event or seal',
    15,
    () => {
      const [table, from, to] = random.pick([
        ['attendance_logs', /'(entrada|salida)'/, "'checada'"],
        ['attendance_logs', /'(pending|approved)'/, "'rejected'"],
        ['log_events', /T(\d\d):/, 'T03:'],
        ['log_seals', /checada/, 'xhecada'],
      ] as const)
      const line = lineLike(new RegExp(`^INSERT INTO "${table}"(?!.*'rejected')`))
      return { bytes: zip(replaced(line, line.replace(from, to))), says: /contradicts itself/ }
    },
  ],
  [
    'with a last number that cannot be one',
    3,
    () => {
      const line = lineLike(/^INSERT INTO "sqlite_sequence"/)
      const seq = random.pick(['9223372036854775807', "'abc'", '-5'] as const)
      const changed = replaced(line, line.replace(/-?\d+\);$/, `${seq});`))
      return { bytes: zip(changed), says: /the last number of \w+ cannot be one/ }
    },
  ],
  [
    'with a row twice',
    8,
    () => {
      const line = lineLike(/^INSERT INTO "(log_events|employees|users)"/)
      return { bytes: zip(withHash(sql.replace(line, `${line}\n${line}`), 1)), says: /UNIQUE/ }
    },
  ],
  [
    'with two rows in the other order',
    6,
    () => {
      const [one, two] = [lineLike(/^INSERT INTO "employees"/), lineLike(/^INSERT INTO "modules"/)]
      const swapped = sql.replace(one, '<1>').replace(two, one).replace('<1>', two)
      return { bytes: zip(withHash(swapped)), says: undefined }
    },
  ],
  [
    // Nothing seals these values, and anybody can write a hash.
    'with another telephone and its hash',
    4,
    () => {
      const line = lineLike(/^INSERT INTO "employees"/)
      return {
        bytes: zip(replaced(line, line.replace(/'\d{10}'/, "'0000000000'"))),
        says: undefined,
      }
    },
  ],
  [
    'with other line ends or a byte order mark',
    6,
    () => {
      const text = random.pick([
        sql.replaceAll('\n', '\r\n'),
        `\uFEFF${sql}`,
        `${sql.slice(0, -1)} `,
      ])
      return { bytes: zip(text), says: NOT_WHOLE }
    },
  ],
  [
    'of other migrations',
    6,
    () => {
      const line = /^INSERT INTO "d1_migrations".*\n/m.exec(sql)?.[0] ?? ''
      const [bytes, says] = random.pick([
        [zip(replaced(line, line.replace('0000_initial', '9999_later'))), /of a later version/],
        [zip(withHash(sql.replace(line, ''), -1)), /as no version has them/],
      ] as const)
      return { bytes, says }
    },
  ],
]

const counted: Record<string, number> = {}
afterAll(() => console.table(counted))

describe.each(KINDS)('backups %s', (kind, count, make) => {
  it(`are restored or refused as they should be (${count})`, async () => {
    for (let i = 0; i < count; i++) {
      const { bytes, says, name } = make()
      const { state, status, err } = await restore(bytes, name)
      const what = `${kind}, ${i + 1}: ${err}`
      expect([status, what]).toEqual([says === undefined ? 0 : 1, what])
      if (says instanceof RegExp) expect(err).toMatch(says)
      else expect(err).toContain(says ?? '')
      expect(existsSync(localFile(state))).toBe(says === undefined)
      expect(globSync(`${state}/**/*.restoring-*`)).toEqual([])
      expect(existsSync(OUTSIDE)).toBe(false)
      counted[kind] = (counted[kind] ?? 0) + 1
    }
  })
})

it('are at least 200', () => {
  expect(KINDS.reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThanOrEqual(200)
})

describe('a backup of 2.0.0', () => {
  it('is restored and migrated to the newest version', async () => {
    const released = JSON.parse(readFileSync('test/released-databases/2.0.0.json', 'utf8'))
    const old = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false })
    old.exec(CREATE_MIGRATIONS)
    for (const statement of released.statements) old.exec(statement)
    for (const name of released.migrations) {
      old.prepare('INSERT INTO d1_migrations (name) VALUES (?)').run(name)
    }
    const path = join(folder, 'of-2.0.0.sql.gz')
    await writeSql(old, path)
    const events = old.prepare('SELECT count(*) AS count FROM log_events').get()

    const state = newFolder()
    expect(await run('restore', [path], state)).toMatchObject({ status: 0, err: '' })
    const restored = new DatabaseSync(localFile(state), { readOnly: true })
    expect(restored.prepare('SELECT count(*) AS count FROM log_events').get()).toEqual(events)
    restored.close()
    expect((await run('user', ['list'], state)).out).toContain('ana@empresa.mx')
    expect(await run('backup', ['--out', newFolder()], state)).toMatchObject({ status: 0, err: '' })
  })
})

describe('npm run backup of a database that is not as its migrations make it', () => {
  it('writes the file, names the difference and ends with 1; restore refuses the file', async () => {
    const { state } = await restore(zip(sql))
    const db = new DatabaseSync(localFile(state))
    db.exec(`DROP TRIGGER log_events_no_delete;
      CREATE TRIGGER extra AFTER INSERT ON users BEGIN SELECT 1; END`)
    db.close()
    const out = newFolder()
    const copied = await run('backup', ['--out', out], state)
    const differences = 'lacks the trigger log_events_no_delete; it has the trigger extra besides'
    expect(copied.status).toBe(1)
    expect(copied.err).toContain(`It ${differences}.`)
    const [file] = readdirSync(out)
    expect(file).toMatch(/^checada-local-/)

    const refused = await run('restore', [join(out, String(file))], newFolder())
    expect(refused).toEqual(failedWith(expect.stringContaining(`it ${differences}.\n`)))
  })
})
