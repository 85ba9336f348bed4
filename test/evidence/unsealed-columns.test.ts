import { beforeEach, describe, expect, it, vi } from 'vitest'
import { textOfReport } from '../../sdk/evidence/report-text.ts'
import { EXPORT_COLUMNS } from '../../src/logs/export-rows.http.ts'
import { LINE_COLUMNS } from '../../src/payroll/closing-rows.http.ts'
import { get, post } from '../support/api.ts'
import { ago } from '../support/clock/clock.ts'
import { anAdminWithDecisions, namedFile, verifyText } from '../support/evidence.ts'
import { aCancellation, aClosing, fileText, personFile } from '../support/evidence-files.ts'
import { aLog, anEmployee, aUser, paysFrom } from '../support/factories.ts'
import { parseLines } from '../support/lines.ts'
import { payrollOf } from '../support/payroll.ts'
import { seal } from '../support/seals.ts'
import { punch } from '../support/time-card.ts'

/**
 * Changes each column of the files that the verifier compares. The verdict must report the change,
 * or say that the column is not sealed.
 */

type Row = Record<string, unknown>

const PERSON = 'employee_id=E-ana&from=2026-11-01&to=2026-11-30&comments=true'

let adminToken: string
let files: Record<'whole' | 'person' | 'export' | 'closing' | 'group', string>
beforeEach(async () => {
  const admin = await anAdminWithDecisions()
  const { token } = admin
  await paysFrom('2026-11-01')
  adminToken = token
  await admin.change({ log_id: 3, status: 'rejected' })
  await anEmployee({ employee_id: 'E-luis', payroll_group: 'semanal' })
  for (const id of ['E-ana', 'E-luis']) await punch(id, '04 E08:00 S17:00 05 E08:00 S13:00')
  const payroll = payrollOf(token)
  const period = { before: '2026-11-16' }
  const own = (await payroll.closed({ ...period, employee_id: 'E-ana' })).id
  const group = (await payroll.closed({ ...period, payroll_group: 'semanal' })).id
  await seal()
  const text = async (path: string) => (await get(path, { token })).text
  files = {
    whole: await text('/v2/audit/evidence'),
    person: await text(`/v2/audit/evidence?${PERSON}`),
    export: await text('/v2/incidents/export?format=ndjson'),
    closing: await text(`/v2/incidents/closings/${own}/lines?format=ndjson`),
    group: await text(`/v2/incidents/closings/${group}/lines?format=ndjson`),
  }
})

/** Verifies rows. Returns the faults, what was not compared, the unsealed columns and the texts. */
const judge = async (
  option: 'payrolls' | 'closings',
  rows: Row[],
  evidence = files.whole,
  names = ['archivo.ndjson'],
) => {
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  const options = { [option]: names.map((name) => namedFile(name, text)) }
  const report = await verifyText(evidence, options)
  const { title, checks: all } = textOfReport(report)
  const checks = all.map((check) => check.text)
  const [, columns = ''] = checks.join('\n').match(/^archivo\.ndjson, no sellado: (.*)\.$/m) ?? []
  return {
    faults: report.faults.texts,
    uncompared: report.uncompared.texts,
    unsealed: columns === '' ? [] : columns.split(', '),
    title,
    checks,
  }
}

const otherValue = (value: unknown) =>
  typeof value === 'number' ? value + 1_000 : `${value ?? ''}x`

/** The columns that can be changed in the first row without a fault. */
const unnoticed = async (
  option: 'payrolls' | 'closings',
  columns: readonly string[],
  rows: Row[],
) => {
  const found: string[] = []
  for (const name of columns) {
    const changed = rows.map((row, i) => (i > 0 ? row : { ...row, [name]: otherValue(row[name]) }))
    if ((await judge(option, changed)).faults.length === 0) found.push(name)
  }
  return found
}

describe('the export of logs', () => {
  it('is compared in each column, or the verdict names the column as not sealed', async () => {
    const rows = parseLines(files.export).sort((a, b) => a.log_id - b.log_id)
    expect(rows[0]).toMatchObject({ log_id: 1, comment: 'Llegó puntual. ñ 🙂' })
    expect(Object.keys(rows[0] ?? {})).toEqual(EXPORT_COLUMNS)
    const honest = await judge('payrolls', rows)
    expect([honest.faults, honest.uncompared]).toEqual([[], []])
    const unsealed = await unnoticed('payrolls', EXPORT_COLUMNS, rows)
    expect(unsealed).toEqual(['full_name', 'department', 'decided_by'])
    expect(honest.unsealed).toEqual(unsealed.toSpliced(2, 0, 'zona de local_at'))
    const added = rows.map((row) => ({ ...row, bono: 500 }))
    expect((await judge('payrolls', added)).unsealed).toContain('bono')
  })

  it('has the comment of a request for a log, which the first event of the log proves', async () => {
    const [_first, ..._others] = parseLines(files.export)
    const { employee_id } = await anEmployee({ employee_id: 'E-rosa' })
    const { token } = await aUser({ employee_id, role: 'employee' })
    const facts = { client_id: crypto.randomUUID(), kind: 'salida', recorded_at: ago(3_600_000) }
    const asked = { ...facts, comment: 'Olvidé checar.' }
    const { log_id } = (await post('/v2/incidents/my_requests', asked, { token })).body.data
    const options = { token: adminToken }
    const decision = { log_id, status: 'approved', comment: 'La vi salir.' }
    await post('/v2/incidents/change_log_status', decision, options)
    await seal()
    const whole = (await get('/v2/audit/evidence', options)).text
    const rows = parseLines((await get('/v2/incidents/export?format=ndjson', options)).text)
    const row = rows.find((one) => one.log_id === log_id)
    expect(row).toMatchObject({ request_comment: asked.comment, comment: decision.comment })
    expect(await judge('payrolls', rows, whole)).toMatchObject({ faults: [], uncompared: [] })
    for (const request_comment of ['Me lo pidieron.', null]) {
      const changed = rows.map((one) => (one === row ? { ...one, request_comment } : one))
      expect((await judge('payrolls', changed, whole)).faults).toHaveLength(1)
    }
    const withheld = whole.replaceAll(/,"comment":"Olvid[^}]*(?=\}\n)/g, '')
    expect(withheld).not.toBe(whole)
    expect((await judge('payrolls', rows, withheld)).unsealed).toContain('request_comment')
  })

  it('has columns that a person’s file without the comments does not prove', async () => {
    const withheld = files.whole.replaceAll(/,"comment":"[^}]*(?=\}\n)/g, '')
    expect(withheld).not.toBe(files.whole)
    expect((await judge('payrolls', parseLines(files.export), withheld)).unsealed).toContain(
      'comment',
    )
  })

  it('must have the time of recorded_at in local_at', async () => {
    const rows = parseLines(files.export)
    const moved = rows.map((row) => ({ ...row, local_at: '2026-11-02T07:00:00-06:00' }))
    expect((await judge('payrolls', moved)).faults[0]).toContain('que no es la hora')
  })

  it('must have each log of the evidence, and each only once', async () => {
    const rows = parseLines(files.export)
    const [first = {}] = rows
    expect((await judge('payrolls', [...rows, first])).faults).toEqual([
      `Checada ${first.log_id}: está repetida en archivo.ndjson.`,
    ])
    const some = await judge('payrolls', rows.toSpliced(5, 1))
    expect(some.uncompared[0]).toContain(`1 checada de la evidencia (${rows[5]?.log_id})`)
    const edge = await judge('payrolls', rows.slice(0, -1))
    expect([...edge.uncompared, ...edge.checks].join()).toMatch(/no está|trae 10 de las 11/)
    const own = rows.filter((row) => row.employee_id === 'E-ana')
    expect((await judge('payrolls', own.slice(1), files.person)).uncompared).toHaveLength(1)
    const mixed = await judge('payrolls', rows, files.person)
    expect([mixed.faults, mixed.uncompared]).toEqual([[], []])
    expect(mixed.checks).toContain('4 filas de nómina son de otras personas, y no se compararon.')
    const moved = rows.map((row) => ({ ...row, employee_id: 'E-luis' }))
    expect((await judge('payrolls', moved, files.person)).faults).not.toEqual([])
  })
})

describe('a file that is given twice', () => {
  const names = ['uno.ndjson', 'dos.ndjson']

  it('is counted once, if it is an export', async () => {
    const twice = await judge('payrolls', parseLines(files.export), files.whole, names)
    expect(twice.faults).toEqual([])
    expect(twice.uncompared).toEqual([
      expect.stringMatching(
        /^En más de una exportación viene lo mismo \(11 checadas: .*\): aquí se cuenta una vez/,
      ),
    ])
    expect(twice.title).toContain('no todo se pudo comparar')
    expect(twice.checks.join('\n')).toContain('11 filas de nómina coinciden')
  })

  it('is counted once, if it has the lines of a closing', async () => {
    const twice = await judge('closings', parseLines(files.closing), files.whole, names)
    expect(twice.faults).toEqual([])
    expect(twice.uncompared).toEqual([
      expect.stringMatching(
        /^dos.ndjson: trae otra vez los renglones del cierre \d+, .* uno.ndjson/,
      ),
    ])
    expect(twice.checks.filter((text) => text.startsWith('Los renglones'))).toHaveLength(1)
  })
})

it('names the columns that a file lacks', async () => {
  const without = (rows: Row[], names: string[]) =>
    rows.map((row) => Object.fromEntries(Object.entries(row).filter(([n]) => !names.includes(n))))
  for (const [option, text, names] of [
    ['payrolls', files.export, ['source', 'received_at', 'decided_at', 'comment']],
    ['closings', files.group, ['weekday', 'payroll_group']],
  ] as const) {
    const honest = await judge(option, parseLines(text))
    expect(honest.checks.join('\n')).not.toContain('no trae')
    const { checks, faults } = await judge(option, without(parseLines(text), [...names]))
    expect(faults).toEqual([])
    expect(checks.join('\n')).toContain('archivo.ndjson no trae: ')
    const said = checks.find((line) => line.startsWith('archivo.ndjson no trae: ')) ?? ''
    for (const name of names) expect(said).toContain(name)
  }
})

it('compares no row outside of the period or the log of a person’s file', async () => {
  const rows = parseLines(files.export).filter((row) => row.employee_id === 'E-ana')
  const [first = {}, ...others] = rows
  const day = `${first.recorded_at}`.slice(0, 10)
  for (const about of [`from=${day}&to=${day}`, `log_id=${first.log_id}`]) {
    const path = `/v2/audit/evidence?employee_id=E-ana&comments=true&${about}`
    const evidence = (await get(path, { token: adminToken })).text
    const judged = await judge('payrolls', rows, evidence)
    expect(judged.faults, about).toEqual([])
    expect(judged.uncompared.join(), about).toContain('de fuera del periodo o de la checada')
    expect(judged.title).toContain('no todo se pudo comparar')
    // A row of the period is still compared. A row of another log is not.
    const invented = [...rows, { ...first, log_id: 9_999 }]
    const isOfLog = about.startsWith('log_id')
    expect((await judge('payrolls', invented, evidence)).faults).toHaveLength(isOfLog ? 0 : 1)
  }
  expect(others).not.toEqual([])
})

describe('an export that was downloaded after the evidence', () => {
  const HOUR = 3_600_000

  /** The rows of the person an hour later: one log has arrived, and one was decided again. */
  const laterRows = async () => {
    vi.useFakeTimers({ now: Date.now() + HOUR, toFake: ['Date'] })
    const created_at = new Date().toISOString()
    const { id } = await aLog({ employee_id: 'E-ana', created_at, updated_at: created_at })
    const payroll = payrollOf(adminToken)
    const decision = { log_id: 3, status: 'approved', comment: 'Sí vino.' }
    expect((await payroll.send('POST', '/change_log_status', decision)).status).toBe(200)
    const text = (await get('/v2/incidents/export?format=ndjson', { token: adminToken })).text
    vi.useRealTimers()
    return { id, rows: parseLines(text).filter((row) => row.employee_id === 'E-ana') }
  }

  it('has newer rows, which this evidence neither proves nor reports as a fault', async () => {
    const { id, rows } = await laterRows()
    for (const evidence of [files.whole, files.person]) {
      const { faults, uncompared, title, checks } = await judge('payrolls', rows, evidence)
      expect(faults).toEqual([])
      expect(uncompared.join()).toContain('2 checadas llegaron o se decidieron después')
      for (const log_id of [3, id]) expect(uncompared.join()).toMatch(new RegExp(`\\b${log_id}\\b`))
      expect(title).toContain('no todo se pudo comparar')
      expect(checks.join()).toContain(`${rows.length - 2} filas de nómina coinciden`)
    }
  })

  it('has a log that was stored after the newest event, though its request began earlier', async () => {
    const [first = {}] = parseLines(files.export)
    const received_at = new Date(Date.now() - 60_000).toISOString()
    const faults = async (log_id: number) =>
      (await judge('payrolls', [{ ...first, log_id, received_at }])).faults.length
    expect(await faults(1_000_000_007)).toBe(0)
    // An id of the legacy API does not show when the log was stored.
    expect(await faults(9_999)).toBe(1)
  })

  it('must have no other change, and no missing row that claims to be older', async () => {
    const { id, rows } = await laterRows()
    const changed = async (log_id: number, values: Row) => {
      const all = rows.map((row) => (row.log_id === log_id ? { ...row, ...values } : row))
      return (await judge('payrolls', all)).faults
    }
    const older = new Date(Date.now() - HOUR).toISOString()
    for (const received_at of [older, undefined, 'mañana', '2999-99-99T99:99:99.999Z']) {
      expect(await changed(id, { received_at }), `${received_at}`).toHaveLength(1)
    }
    for (const values of [{ kind: 'salida' }, { source: 'otro' }, { received_at: older }]) {
      expect(await changed(3, values)).toHaveLength(1)
    }
    expect(await changed(3, { decided_at: older })).not.toEqual([])
    expect(await changed(2, { status: 'approved' })).toHaveLength(1)
  })
})

describe('the lines of a closing', () => {
  it('are compared in each column, or the verdict names the column as not sealed', async () => {
    for (const [text, more] of [
      [files.closing, ['payroll_group']],
      [files.group, []],
    ] as const) {
      const rows = parseLines(text)
      expect(Object.keys(rows[0] ?? {})).toEqual(LINE_COLUMNS)
      const honest = await judge('closings', rows)
      expect([honest.faults, honest.uncompared]).toEqual([[], []])
      const unsealed = await unnoticed('closings', LINE_COLUMNS, rows)
      expect(unsealed).toEqual(['rfc', 'full_name', ...more, 'ended_at'])
      expect(honest.unsealed).toEqual(unsealed)
      const added = rows.map((row) => ({ ...row, bono: 500 }))
      expect((await judge('closings', added)).unsealed).toContain('bono')
    }
  })

  it('must all be of one closing, and each may be in the file only once', async () => {
    const rows = parseLines(files.closing)
    await expect(judge('closings', [...rows, ...rows.slice(0, 1)])).rejects.toThrow(
      `archivo.ndjson repite un día de una persona: línea ${rows.length + 1}.`,
    )
    for (const changed of [rows.slice(1), [...rows, ...parseLines(files.group)]]) {
      const { faults, uncompared } = await judge('closings', changed)
      expect([...faults, ...uncompared]).toHaveLength(1)
    }
  })
})

it('says of a person’s closings only what the file has', async () => {
  const said = async (leaves: Parameters<typeof personFile>[0]) => {
    const report = await verifyText(fileText(await personFile(leaves, [leaves.length])))
    expect(report.faults.texts).toEqual([])
    return textOfReport(report)
      .checks.map(({ text }) => text)
      .join('\n')
  }
  const without = await said([aClosing(1, 1)])
  expect(without).toContain('Trae 1 cierre sellado y ninguna cancelación sellada.')
  expect(without).toContain('Ningún evento sellado de este archivo lo cancela.')
  expect(without).not.toContain('los cancelados se cancelaron una vez')
  const both = await said([aClosing(1, 1), aCancellation(2, 1)])
  expect(both).toContain('Trae 1 cierre sellado y 1 cancelación sellada.')
  expect(both).toContain('Después se canceló: nadie cobró con él.')
})
