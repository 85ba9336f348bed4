import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { schemaOf } from '../../cli/backup/schema.ts'
import { localFile } from '../../cli/core/opening-check.ts'
import { DEMO_ADMIN, DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import { runInProcess, type ScriptName } from '../support/command.ts'
import { fileText, SOME_LEAVES, SOME_SEAL_SIZES, wholeFile } from '../support/evidence-files.ts'
import { useOperator } from '../support/operator.ts'
import { useTemporaryFolder } from '../support/temporary-folder.ts'
import { createAuthority } from '../support/time-stamping.ts'

/** Each command that reads a file, with each kind of file that it cannot use. */

const { service, admin: signInAdmin, login } = useOperator()
const { folder, write } = useTemporaryFolder()

const run = (command: ScriptName, args: string[]) =>
  runInProcess(command, [...args, '--persist-to', service.state])

const evidence = await wholeFile(SOME_LEAVES, SOME_SEAL_SIZES)
const honest = write('honest.ndjson', fileText(evidence))
const recorded_at = '2026-11-24T14:00:00.000Z'

const tokens = { machine: '', admin: '' }
const sync = (args: string[], path: string, token: string) =>
  runInProcess(
    'sync',
    [...args, '--url', new URL(service.api).origin],
    statSync(path).isFile() ? readFileSync(path) : '',
    { CHECADA_TOKEN: token },
  )

interface Reader {
  /** A file that the command can use. */
  own: () => Uint8Array
  read: (path: string) => Promise<{ status: number; out: string; err: string }>
  /** The exit code for a file that it cannot use. */
  status: number
  /** The kinds of file that it can use all the same. */
  takes?: readonly string[]
  /** Whether it reads standard input, so that every path is the shell's. */
  isInput?: true
}

let backup: Uint8Array
const restored = join(folder, 'restored')

const READERS: Record<string, Reader> = {
  import: {
    own: () =>
      Buffer.from(
        '{"clients":[{"code":"C-1","name":"Uno","status":"activo","url_base":"https://uno.mx"}]}',
      ),
    read: (path) => run('import', [path]),
    status: 1,
    takes: ['with a byte order mark'],
  },
  restore: {
    own: () => backup,
    read: (path) => runInProcess('restore', [path, '--persist-to', restored]),
    status: 1,
  },
  'audit verify': {
    own: () => readFileSync(honest),
    read: (path) => runInProcess('audit', ['verify', path]),
    status: 2,
  },
  'audit verify --checkpoint': {
    own: () => Buffer.from(String(evidence.find(({ checkpoint }) => checkpoint)?.checkpoint)),
    read: (path) => runInProcess('audit', ['verify', honest, '--checkpoint', path]),
    status: 2,
    takes: ['with a byte order mark'],
  },
  'audit verify --closing': {
    own: () => Buffer.from('{"employee_id":"E-1","day":"2026-11-02"}\n'),
    read: (path) => runInProcess('audit', ['verify', honest, '--closing', path]),
    status: 2,
  },
  'audit verify --tsa-ca': {
    own: () => readFileSync(createAuthority(join(folder, 'tsa')).root),
    read: (path) => runInProcess('audit', ['verify', honest, '--tsa-ca', path]),
    status: 2,
    takes: ['with a byte order mark'],
  },
  'sync push': {
    own: () =>
      Buffer.from(`log_id,employee_id,kind,recorded_at\n9001,E-004,entrada,${recorded_at}\n`),
    read: (path) => sync(['push', '--source', 'legado'], path, tokens.machine),
    status: 1,
    takes: ['with a byte order mark'],
    isInput: true,
  },
  'sync compare': {
    own: () =>
      Buffer.from(
        `log_id,employee_id,kind,recorded_at,status\n1,X-1,entrada,2019-06-01T12:00:00Z,pending\n`,
      ),
    read: (path) =>
      sync(['compare', '--from', '2020-01-01', '--to', '2020-01-01'], path, tokens.admin),
    status: 1,
    takes: ['with a byte order mark'],
    isInput: true,
  },
}

/** Makes a file of 200 MB without a line feed, which takes no room on the disk. */
const hugeLine = (name: string): string => {
  const path = join(folder, name)
  const file = openSync(path, 'w')
  ftruncateSync(file, 200_000_000)
  closeSync(file)
  return path
}

const ESCAPES = '\u001b[2J\u001b]0;title\u0007\u0090\u202e'
const random = Uint8Array.from({ length: 4_096 }, (_, i) => (i * 7_919) % 256)

type Make = (own: Uint8Array, name: string) => string
const content =
  (make: (own: Uint8Array) => string | Uint8Array): Make =>
  (own, name) =>
    write(name, make(own))

const FILES: Record<string, Make> = {
  empty: content(() => ''),
  'of blanks': content(() => ' \n\n \n'),
  binary: content(() => random),
  'of control characters': content(() => `${ESCAPES}\n${ESCAPES},${ESCAPES}\n{"${ESCAPES}":1}\n`),
  'in UTF-16': content((own) => Buffer.from(`\ufeff${Buffer.from(own).toString()}`, 'utf16le')),
  'with a byte order mark': content((own) => Buffer.concat([Buffer.from('\ufeff'), own])),
  'cut in the middle': content((own) => own.subarray(0, own.length >> 1)),
  'of zeros, 200 MB in one line': (_, name) => hugeLine(name),
  'of letters, 40 MB in one line': content(() => Buffer.alloc(40_000_000, 'a')),
  'of a quote without an end': content(() => `log_id,"${'a\n'.repeat(1_000_000)}`),
  'of gzip that grows': content(() => gzipSync(Buffer.alloc(200_000_000, 'a\n'))),
  'of gzip of something else': content(() => gzipSync('something else\n')),
  'of JSON in JSON': content(() => '['.repeat(1_000_000)),
  'of objects in objects': content(() => '{"clients":'.repeat(1_000_000)),
  'of a database': content(() => readFileSync(localFile(service.state))),
  'of a SQL dump': content(
    () => 'PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE a (b);\nCOMMIT;\n',
  ),
}

const PATHS: Record<string, Make> = {
  missing: () => join(folder, 'missing'),
  'missing, with control characters in its name': () => join(folder, `missing${ESCAPES}`),
  'a folder': (_, name) => {
    mkdirSync(join(folder, name))
    return join(folder, name)
  },
  'a link to itself': (_, name) => {
    symlinkSync(join(folder, name), join(folder, name))
    return join(folder, name)
  },
  // Root may read every file, but Linux fails to read the start of a process's memory.
  'that may not be read': () => '/proc/self/mem',
}

/** Counts the rows of all tables, except those in which the service notes what a source sent wrong. */
const rowsOf = (): Record<string, unknown> => {
  const db = new DatabaseSync(localFile(service.state), { readOnly: true })
  try {
    const names = schemaOf(db, ['table']).map(({ name }) => name)
    const tables = names.filter((name) => !name.startsWith('intake_'))
    return Object.fromEntries(
      tables.map((table) => [table, db.prepare(`SELECT count(*) AS n FROM "${table}"`).get()?.n]),
    )
  } finally {
    db.close()
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these would control a terminal
const CONTROLS = /[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/

beforeAll(async () => {
  tokens.machine = await (await signInAdmin()).machineToken('reloj@demo.mx')
  tokens.admin = (await login(DEMO_ADMIN, DEMO_PASSWORD)).token
  const out = mkdtempSync(join(folder, 'out-'))
  await run('backup', ['--out', out])
  backup = gunzipSync(readFileSync(join(out, String(readdirSync(out)[0]))))
}, 600_000)

const expectRefused = async ({ read, status }: Reader, path: string): Promise<void> => {
  const before = rowsOf()
  const result = await read(path)
  expect([result.status, result.err]).toEqual([status, result.err])
  // A report on the evidence names the files that it could not compare.
  if (result.err === '') expect(result.out).toContain(`- ${path}`)
  else expect(result.err.trim().split('\n').length).toBeLessThanOrEqual(4)
  expect(result.err).not.toMatch(/\n {4}at |^\w*Error\b/)
  expect(result.err + result.out).not.toMatch(CONTROLS)
  expect(rowsOf()).toEqual(before)
  expect(existsSync(localFile(restored))).toBe(false)
}

describe.each(Object.entries(READERS))('npm run %s', (name, reader) => {
  it.each(Object.keys(FILES))('refuses a file %s', async (kind) => {
    const path = FILES[kind]?.(reader.own(), `${name} ${kind}`) ?? ''
    if (!reader.takes?.includes(kind)) return expectRefused(reader, path)
    // The service may have closed the connection of a test before, while a large file was read.
    await expect.poll(() => reader.read(path)).toMatchObject({ status: 0, err: '' })
  })

  it.each(Object.keys(PATHS))('refuses a path %s', async (kind) => {
    if (reader.isInput) return
    const path = PATHS[kind]?.(reader.own(), `${name} ${kind}`) ?? ''
    await expectRefused(reader, path)
  })

  it.each(Object.keys(READERS))('refuses the file of %s', async (other) => {
    const isAlike = name.startsWith('sync') && other.startsWith('sync')
    if (other === name || isAlike) return
    const path = write('other', READERS[other]?.own() ?? '')
    await expectRefused(reader, path)
  })
})
