import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  aClient,
  aConfigEntry,
  aLog,
  allLogs,
  aModule,
  anAdmin,
  anEmployee,
  aUser,
} from '../support/factories.ts'

const sql = (text: string, ...values: unknown[]) =>
  env.DB.prepare(text)
    .bind(...values)
    .run()

const AT = '2026-11-02T14:00:00.000Z'

const insertComment = (log: { id: number }, user: { id: number }, comment: string) =>
  sql(
    `INSERT INTO log_comments (log_id, user_id, comment, created_at, updated_at)
     VALUES (?1, ?2, ?3, ?4, ?4)`,
    ...[log.id, user.id, comment, AT],
  )

/** A log that is approved, with the event of the approval. */
const anApprovedLog = async () => {
  const [admin, log] = [await anAdmin(), await aLog()]
  await sql(
    `INSERT INTO log_events (event, log_id, user_id, from_status, to_status, created_at,
       employee_id, kind, recorded_at, source, actor)
     SELECT 'decided', id, ?, status, 'approved', ?, employee_id, kind, recorded_at, source, 'x'
     FROM attendance_logs WHERE id = ?`,
    admin.id,
    AT,
    log.id,
  )
  await sql(`UPDATE attendance_logs SET status = 'approved' WHERE id = ?`, log.id)
  return { admin, log }
}

describe('the event history', () => {
  it('begins with one event for each log, regardless of what inserts the log', async () => {
    const { employee_id } = await anEmployee({ branch_office: 'Norte', payroll_group: 'Semanal' })
    const insert = `INSERT INTO attendance_logs (employee_id, kind, recorded_at`
    const values = `VALUES (?, 'checada', '${AT}'`
    await sql(`${insert}) ${values})`, employee_id)
    await sql(`${insert}, branch_office) ${values}, 'Otra')`, employee_id)
    await sql(`${insert}, branch_office, department) ${values}, 'Norte', 'Ventas')`, employee_id)
    const { results } = await env.DB.prepare(
      `SELECT e.log_id, event, from_status, to_status, e.kind, e.recorded_at, actor,
         length(e.salt) AS salt, branch_office
       FROM log_events e JOIN attendance_logs l ON l.id = e.log_id ORDER BY e.id`,
    ).all()
    const status = { event: 'recorded', from_status: null, to_status: 'pending' }
    const facts = { kind: 'checada', recorded_at: AT, actor: 'import', salt: 32 }
    const event = { ...status, ...facts, branch_office: 'Norte' }
    expect(results).toEqual([1, 2, 3].map((log_id) => ({ log_id, ...event })))
  })

  it.each([
    ["UPDATE attendance_logs SET status = 'rejected'", 'with an event only'],
    ["UPDATE attendance_logs SET kind = 'salida'", 'never change'],
  ])('rejects %s', async (attack, message) => {
    await anApprovedLog()
    const before = await allLogs()
    await expect(sql(attack)).rejects.toThrow(message)
    expect(await allLogs()).toEqual(before)
  })

  it('does not replace a log of the same source and number', async () => {
    const log = await aLog({ source: 'reloj', source_id: '7' })
    await expect(
      sql(
        `INSERT OR REPLACE INTO attendance_logs (employee_id, kind, recorded_at, source, source_id)
         VALUES (?, 'salida', ?, 'reloj', '7')`,
        log.employee_id,
        AT,
      ),
    ).rejects.toThrow('never replaced')
  })

  it('keeps comments, except a text that is erased together with its salt', async () => {
    const { admin, log } = await anApprovedLog()
    await insertComment(log, admin, 'visto')
    for (const attack of [
      "UPDATE log_comments SET comment = ''",
      "UPDATE log_comments SET comment = '', salt = '', created_at = '2020-01-01T00:00:00.000Z'",
    ]) {
      await expect(sql(attack), attack).rejects.toThrow('log_comments is append-only')
    }
    const erase = () => sql("UPDATE log_comments SET comment = '', salt = ''")
    await expect(erase()).rejects.toThrow('once their hash is kept')
    await sql(`INSERT INTO erased_comments SELECT id, ?, ? FROM log_comments`, 'a'.repeat(64), AT)
    await erase()
    await expect(sql("UPDATE log_comments SET comment = 'otro', salt = ''")).rejects.toThrow()
  })

  it('prevents the deletion of its users', async () => {
    await anApprovedLog()
    await expect(sql('DELETE FROM users')).rejects.toThrow('FOREIGN KEY')
  })
})

describe('the database rejects, naming the constraint or the column', () => {
  const errorOf = (write: () => Promise<unknown>): Promise<string> =>
    write().then(
      () => expect.unreachable('written'),
      (thrown) => thrown.cause.message,
    )

  const NO_TIME = '2026-02-30T14:00:00.000Z'
  it.each([
    ['an unknown status', 'attendance_logs_status', () => aLog({ status: 'aprobado' as never })],
    ['an unknown kind', 'attendance_logs_kind', () => aLog({ kind: 'comida' as never })],
    ['a day', 'attendance_logs_recorded_at', () => aLog({ recorded_at: '2026-11-02' })],
    ['a time of 30 February', 'attendance_logs_recorded_at', () => aLog({ recorded_at: NO_TIME })],
    ['a log of an unknown employee', 'FOREIGN KEY', () => aLog({ employee_id: 'nadie' })],
    ['an active other than 0 and 1', 'users_active', () => aUser({ active: 2 })],
    ['an external other than 0 and 1', 'users_external', () => aUser({ external: -1 })],
    ['an address without @', 'users_email_key', () => aUser({ email_key: 'ana' })],
    ['a started_at with a time', 'employees_started_at', () => anEmployee({ started_at: AT })],
    ['a 30 February', 'employees_started_at', () => anEmployee({ started_at: '2026-02-30' })],
    ['a blank code', 'clients_code', () => aClient({ code: '  ' })],
    ['a configuration entry without a key', 'config_entries_key', () => aConfigEntry({ key: '' })],
  ])('%s', async (_, constraint, write) => {
    expect(await errorOf(write)).toContain(constraint)
  })

  it.each([
    ['an address twice', 'users.email_key', () => aUser({ email: 'Ana@empresa.mx' })],
    ['a code twice', 'clients.code', () => aClient({ code: 'NORTE-01' })],
    ['a slug twice', 'modules.slug', () => aModule({ slug: 'checador' })],
    ['a configuration key twice', 'config_entries.key', () => aConfigEntry({ key: 'logo' })],
    ['two users of one employee', 'users.employee_id', () => aUser({ employee_id: 'E-0' })],
  ])('%s', async (_, column, write) => {
    await anEmployee({ employee_id: 'E-0' })
    await write()
    const again = column === 'users.email_key' ? () => aUser({ email: 'ANA@EMPRESA.MX' }) : write
    expect(await errorOf(again)).toContain(column)
  })

  it.each([
    ['', false],
    ['🙂'.repeat(500), true],
    ['🙂'.repeat(501), false],
  ])('a comment, unless it has 1 to 500 code points: %#', async (comment, accepted) => {
    const [admin, log] = [await anAdmin(), await aLog()]
    const writing = insertComment(log, admin, comment)
    if (accepted) await writing
    else await expect(writing).rejects.toThrow(/log_comments/)
  })
})

it('accepts every millisecond of a second as a time', async () => {
  const { employee_id } = await anEmployee()
  await sql(
    `WITH RECURSIVE ms(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM ms WHERE n < 999)
     INSERT INTO attendance_logs (employee_id, kind, recorded_at)
     SELECT ?, 'entrada', printf('2026-11-02T23:59:59.%03dZ', n) FROM ms`,
    employee_id,
  )
  const row = await env.DB.prepare('SELECT count(*) AS n FROM attendance_logs').first()
  expect(row).toEqual({ n: 1000 })
})
