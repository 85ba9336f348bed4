import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { UnreadableFile } from '../../sdk/evidence/unreadable.ts'
import { readSigner } from '../../src/evidence/seal/checkpoint.ts'
import type { Admin } from '../support/admin.ts'
import { get } from '../support/api.ts'
import {
  anAdminWithDecisions,
  dropTriggers,
  faultsOf,
  keptCheckpoint,
  verifyText,
} from '../support/evidence.ts'
import { VERIFIER_KEY } from '../support/evidence-files.ts'
import { seal } from '../support/seals.ts'

const OTHER_KEY = 'PRIVATE+KEY+otra+9a1f4c3b+AQECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g'

const sql = (text: string, ...values: unknown[]) =>
  env.DB.prepare(text)
    .bind(...values)
    .run()

let admin: Admin
beforeEach(async () => {
  admin = await anAdminWithDecisions()
})

/** Makes the numbers of deleted seals be used again. */
const RENUMBER = `UPDATE sqlite_sequence SET seq = (SELECT count(*) FROM log_seals)
  WHERE name = 'log_seals'`

/** Runs statements, which semicolons separate, without any trigger. */
const attack = async (statements: string) => {
  await dropTriggers()
  for (const statement of statements.split(';')) await sql(statement)
}

const evidence = async (query = '') =>
  (await get(`/v2/audit/evidence?${query}`, { token: admin.token })).text

const checkpoint = async () => (await get('/v2/audit/checkpoint', { token: admin.token })).text

const NEW_SALT = 'lower(hex(randomblob(16)))'

/** An attack on each column: the SET and WHERE of an UPDATE that violates no constraint. */
const ATTACKS: Record<string, Record<string, string>> = {
  log_events: {
    id: 'id = 40 WHERE id = 5',
    event: "event = 'recorded', from_status = NULL WHERE id = 5",
    log_id: 'log_id = 3 WHERE id = 5',
    user_id: 'user_id = 2 WHERE id = 5',
    from_status: "from_status = 'approved' WHERE id = 5",
    to_status: "to_status = 'approved' WHERE id = 5",
    comment_id: 'comment_id = NULL WHERE id = 4',
    created_at: "created_at = '2026-11-02T14:00:00.000Z' WHERE id = 5",
    employee_id: "employee_id = 'E-eva' WHERE id = 5",
    kind: "kind = 'salida' WHERE id = 5",
    recorded_at: "recorded_at = '2026-11-02T13:00:00.000Z' WHERE id = 5",
    source: "source = 'otro' WHERE id = 5",
    actor: "actor = 'import' WHERE id = 5",
    salt: `salt = ${NEW_SALT} WHERE id = 5`,
  },
  // The leaf of a log's event has the branch of the log.
  attendance_logs: { branch_office: "branch_office = 'Otra' WHERE id = 1" },
  log_comments: { comment: "comment = 'Llegó tarde.'", salt: `salt = ${NEW_SALT}` },
  users: {
    actor_hash: "actor_hash = 'x' WHERE id = 1",
    actor_salt: "actor_salt = 'x' WHERE id = 1",
    email_key: "email_key = 'otra@empresa.mx' WHERE id = 1",
  },
  log_seals: {
    id: 'id = 7',
    checkpoint: "checkpoint = replace(checkpoint, '5', '6')",
    leaves: 'leaves = randomblob(160)',
    verifier_key: "verifier_key = 'otra+9a1f4c3b+AQ=='",
    created_at: "created_at = '2025-01-01T00:00:00.000Z'",
  },
}

/** The comments say why attacks on these unsealed columns are detected or harmless. */
const NOT_SEALED: Record<string, string[]> = {
  // Events of logs have no value in these columns. closing-evidence.test.ts and
  // later-events.test.ts attack them.
  log_events: ['closing_id', 'details'],
  // The event refers to its comment. The comment's dates are shown nowhere.
  log_comments: ['id', 'log_id', 'user_id', 'created_at', 'updated_at'],
  // These are computed from the events. A wrong edge breaks the next seal.
  log_seals: ['size', 'last_event_id', 'edge'],
}

describe('an attack on the database, by its owner', () => {
  it('is tried on every column of every sealed table', async () => {
    for (const table of ['log_events', 'log_comments', 'log_seals']) {
      const { results } = await env.DB.prepare('SELECT name FROM pragma_table_info(?)')
        .bind(table)
        .all<{ name: string }>()
      const known = [...Object.keys(ATTACKS[table] ?? {}), ...(NOT_SEALED[table] ?? [])]
      expect(new Set(results.map(({ name }) => name)), table).toEqual(new Set(known))
    }
  })

  it.each(
    Object.entries(ATTACKS).flatMap(([table, columns]) =>
      Object.entries(columns).map(([column, change]) => ({ table, column, change })),
    ),
  )('shows in the file: $column of $table', async ({ table, change }) => {
    await seal()
    expect(await faultsOf(await evidence())).toEqual([])
    await attack(`UPDATE ${table} SET ${change}`)
    expect(await faultsOf(await evidence())).not.toEqual([])
  })

  it.each([
    ['deletes the last event', 'DELETE FROM log_events WHERE id = 5', 'número 5'],
    [
      'inserts an event',
      `INSERT INTO log_events SELECT NULL, event, 3, NULL, user_id, 'rejected', 'approved', NULL, created_at,
         employee_id, kind, recorded_at, source, actor, salt, NULL FROM log_events WHERE id = 5`,
      'Evento 6 (checada 3): parte de rechazada, pero el anterior la dejó pendiente.',
    ],
    [
      'swaps two events',
      `UPDATE log_events SET id = CASE id WHEN 1 THEN 90 ELSE 91 END WHERE id IN (1, 2);
       UPDATE log_events SET id = CASE id WHEN 90 THEN 2 ELSE 1 END WHERE id > 89`,
      'Evento 1 (checada 2): no es como se selló (Sello 1).',
    ],
  ])('is reported if it %s', async (_, statements, fault) => {
    await seal()
    await attack(statements)
    expect((await faultsOf(await evidence())).join('\n')).toContain(fault)
  })

  it.each([
    [
      'deletes the newest events',
      `DELETE FROM log_events WHERE id > 3;
       UPDATE attendance_logs SET status = 'pending'`,
      'Se entregó un sello de 5 eventos, y este archivo solo llega a 3: faltan 2.',
    ],
    [
      'rewrites everything with the right key',
      `UPDATE log_events SET to_status = 'approved' WHERE id = 5;
       UPDATE attendance_logs SET status = 'approved' WHERE id = 2`,
      'La evidencia no es la del sello guardado: sus primeros 5 eventos eran otros.',
    ],
  ])('%s: only a kept checkpoint shows it', async (_, statements, fault) => {
    const kept = await checkpoint()
    await attack(`DELETE FROM log_seals; ${RENUMBER}; ${statements}`)
    const file = await evidence()
    expect(await faultsOf(file, { keys: [VERIFIER_KEY] })).toEqual([])
    const checkpoints = [keptCheckpoint('sello.txt', kept)]
    expect(await faultsOf(file, { keys: [VERIFIER_KEY], checkpoints })).toEqual([fault])
  })

  it('seals with a different key: the key that was agreed on shows it', async () => {
    await seal({ key: OTHER_KEY })
    const other = (await readSigner(OTHER_KEY)).verifierKey
    const file = await evidence()
    const report = await verifyText(file)
    expect([report.faults.count, report.keys]).toEqual([0, [other]])
    expect(report.warnings.texts[0]).toContain('La llave es la que trae el propio archivo')
    expect(await faultsOf(file, { keys: [VERIFIER_KEY] })).toEqual([
      'Sello 1: su firma no corresponde a la llave.',
      'El archivo dice ser de otra, y sus sellos no lo son.',
    ])
  })

  it('is excluded for the events of each kept checkpoint that agrees', async () => {
    const first = await checkpoint()
    await admin.change({ log_id: 3, status: 'approved' })
    const second = await checkpoint()
    const report = await verifyText(await evidence(), {
      checkpoints: [keptCheckpoint('2.txt', second), keptCheckpoint('1.txt', first)],
    })
    expect([report.faults.count, report.kept]).toEqual([0, [5, 6]])
  })
})

describe('a restored database', () => {
  it('contradicts an older checkpoint, and goes on under a new origin', async () => {
    await seal()
    await admin.change({ log_id: 3, status: 'approved' })
    const kept = await checkpoint()
    // The database is restored to the first seal. Then another decision is made.
    await attack(`DELETE FROM log_seals WHERE size > 5; ${RENUMBER};
      DELETE FROM log_events WHERE id > 5;
      UPDATE sqlite_sequence SET seq = 5 WHERE name = 'log_events';
      UPDATE attendance_logs SET status = 'pending' WHERE id = 3`)
    await admin.change({ log_id: 3, status: 'rejected' })
    await seal({ key: OTHER_KEY })

    const file = await evidence()
    const keys = [VERIFIER_KEY, (await readSigner(OTHER_KEY)).verifierKey]
    const report = await verifyText(file, { keys })
    expect([report.faults.texts, report.origin, report.seals]).toEqual([[], 'otra', 2])
    const checkpoints = [keptCheckpoint('sello.txt', kept)]
    const fault = 'La evidencia no es la del sello guardado: sus primeros 6 eventos eran otros.'
    expect(await faultsOf(file, { keys, checkpoints })).toEqual([fault])
  })

  it('may not return to an earlier origin', async () => {
    await seal()
    await admin.change({ log_id: 3, status: 'approved' })
    await seal({ key: OTHER_KEY })
    await admin.change({ log_id: 3, status: 'rejected' })
    await seal({ key: env.SEAL_KEY })
    expect(await faultsOf(await evidence())).toContain('Sello 3: vuelve a una evidencia anterior.')
  })
})

describe('dates', () => {
  const HOUR = 3_600_000
  const now = Date.parse('2026-11-20T18:00:00.000Z')
  const ago = (ms: number) => new Date(now - ms).toISOString()
  const logsAt = async (count: number, moment: (i: number) => string) => {
    const rows = JSON.stringify(Array.from({ length: count }, (_, i) => moment(i)))
    await sql(
      `INSERT INTO attendance_logs (employee_id, kind, recorded_at, created_at)
       SELECT 'E-ana', 'entrada', '2026-11-02T14:00:00.000Z', value FROM json_each(?)`,
      rows,
    )
  }

  it('of an honest run of several full seals are no fault', async () => {
    await logsAt(1_500, (i) => ago(2 * HOUR - i))
    await dropTriggers()
    await sql('UPDATE log_events SET created_at = ? WHERE id <= 5', ago(3 * HOUR))
    await seal({ now: new Date(now) })
    const report = await verifyText(await evidence())
    expect([report.faults.texts, report.seals]).toEqual([[], 2])
  })

  it('of new events before the last complete seal are reported as back-dated', async () => {
    await dropTriggers()
    await sql('UPDATE log_events SET created_at = ?', ago(HOUR))
    await seal({ now: new Date(now) })
    await logsAt(2, (i) => ago(i === 0 ? 5 * 60_000 : 5 * 60_000 - 1))
    // The triggers are dropped, so the test inserts the events itself.
    await sql(`INSERT INTO log_events (event, log_id, to_status, created_at, employee_id, kind,
        recorded_at, source, actor)
      SELECT 'recorded', id, status, created_at, employee_id, kind, recorded_at, source, 'import'
      FROM attendance_logs WHERE id > 3`)
    await seal({ now: new Date(now + HOUR) })
    expect(await faultsOf(await evidence())).toEqual([
      `Evento 6 (checada 4): tiene fecha ${ago(5 * 60_000)}, pero a las ${ago(0)} todavía no existía: se antedató.`,
    ])
  })

  it('after the event’s own seal are a fault, and long before it a warning', async () => {
    await dropTriggers()
    await sql('UPDATE log_events SET created_at = ?', ago(25 * HOUR))
    await sql('UPDATE log_events SET created_at = ? WHERE id = 5', ago(-6 * 60_000))
    await seal({ now: new Date(now) })
    const report = await verifyText(await evidence())
    expect(report.faults.texts).toEqual([
      `Evento 5 (checada 2): tiene fecha ${ago(-6 * 60_000)}, posterior a su sello 1.`,
    ])
    expect(report.warnings.texts).toContain('4 eventos se sellaron más de 24 horas después.')
  })
})

describe('an attack on the file', () => {
  it('cannot cut the file at any line', async () => {
    const lines = (await evidence()).trimEnd().split('\n')
    for (let end = 1; end < lines.length; end++) {
      const file = `${lines.slice(0, end).join('\n')}\n`
      expect(await faultsOf(file), `${end} lines`).toContain(
        'El archivo está cortado: le falta el final.',
      )
    }
    await expect(verifyText('')).rejects.toThrow(UnreadableFile)
    await expect(verifyText(`${lines.slice(1).join('\n')}\n`)).rejects.toThrow(UnreadableFile)
  })

  it('cannot swap or repeat an event, or end a person’s file twice', async () => {
    const text = await evidence('employee_id=E-ana&from=2026-11-01&to=2026-11-30')
    const [head = '', first = '', second = '', ...rest] = text.trimEnd().split('\n')
    for (const [lines, fault] of [
      [[second, first, ...rest], 'está fuera de orden o repetido.'],
      [[first, first, second, ...rest], 'está fuera de orden o repetido.'],
      [[first, second, ...rest, rest.at(-1)], 'hay líneas después del final'],
    ] as const) {
      const faults = await faultsOf(`${[head, ...lines].join('\n')}\n`)
      expect(faults.join()).toContain(fault)
    }
  })
})
