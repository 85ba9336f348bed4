import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { forgetEmployee } from '../cli/forget.ts'
import { textOfReport } from '../sdk/evidence/report-text.ts'
import { LINE_NAMES } from '../src/shared/evidence/closing.ts'
import { call, get } from './support/api.ts'
import { faultsOf, linesFrom, verifyText } from './support/evidence.ts'
import { VERIFIER } from './support/evidence-files.ts'
import { anAdmin, anEmployee, aUser, inBranches } from './support/factories.ts'
import { type Payroll, payrollOf } from './support/payroll.ts'
import { seal } from './support/seals.ts'
import { punch } from './support/time-card.ts'

/** What was paid is sealed: a closing's lines are compared with its event. */

const PEOPLE = ['E-ana', 'E-luis']

let token: string
let payroll: Payroll
let closingId: number
beforeEach(async () => {
  token = (await anAdmin()).token
  payroll = payrollOf(token)
  for (const employee_id of PEOPLE) {
    await anEmployee({ employee_id, full_name: `Persona ${employee_id}` })
    await punch(employee_id, '02 E08:00 S17:00 03 E08:00 S13:00')
  }
  closingId = (await payroll.close({ before: '2026-11-16', from: '2026-11-01' })).body.data.id
})

const linesOf = async (id: number): Promise<string> =>
  (await payroll.send('GET', `/closings/${id}/lines?format=ndjson`)).text

const evidence = async () => (await get('/v2/audit/evidence', { token })).text

/** What is wrong with the evidence, and with lines that are compared with it. */
const compare = async (lines?: string, file?: string) => {
  const { faults, comparedClosing } = await verifyText(
    file ?? (await evidence()),
    lines === undefined ? {} : { closing: linesFrom(lines) },
  )
  return { faults: faults.texts, closing: comparedClosing }
}

const OTHER_LINES = ['Los renglones del corte no son los de ningún corte sellado.']

it('proves the lines of a closing, whatever their order', async () => {
  await seal()
  const lines = await linesOf(closingId)
  expect(await compare(lines)).toEqual({ faults: [], closing: closingId })
  const reversed = lines.trimEnd().split('\n').toReversed().join('\n')
  expect(await compare(`${reversed}\n`)).toEqual({ faults: [], closing: closingId })
})

describe('does not prove lines', () => {
  it('with another value in any of the sealed columns', async () => {
    await seal()
    const file = await evidence()
    const [first = '', ...rest] = (await linesOf(closingId)).split('\n')
    for (const name of LINE_NAMES) {
      const changed = JSON.stringify({ ...JSON.parse(first), [name]: '2026-11-04' })
      expect(changed, name).not.toBe(first)
      const result = await compare([changed, ...rest].join('\n'), file)
      expect(result, name).toEqual({ faults: OTHER_LINES, closing: undefined })
    }
  })

  it('of which one is left out', async () => {
    await seal()
    const [, ...rest] = (await linesOf(closingId)).split('\n')
    expect((await compare(rest.join('\n'))).faults).toEqual(OTHER_LINES)
  })

  it('of a cancelled closing', async () => {
    const lines = await linesOf(closingId)
    expect((await payroll.cancel(closingId)).status).toBe(200)
    await seal()
    expect((await compare(lines)).faults).toEqual([
      `El corte ${closingId} está cancelado: no se paga nada con él.`,
    ])
  })
})

describe('the evidence of a person', () => {
  const PERIOD = 'employee_id=E-ana&from=2026-11-01&to=2026-11-30'
  const ofAna = async (as = token, query = PERIOD) =>
    (await get(`/v2/audit/evidence?${query}`, { token: as })).text

  it('proves what each closing pays that person, and shows nothing of the others', async () => {
    await punch('E-ana', '16 E08:00 S10:00')
    await payroll.close({ before: '2026-11-17', employee_id: 'E-ana' })
    await payroll.close({ before: '2026-11-17', employee_id: 'E-luis' })
    await seal()
    const { token: own } = await aUser({ employee_id: 'E-ana' })
    for (const as of [token, own]) {
      const text = await ofAna(as)
      expect(text).not.toContain('E-luis')
      const report = await verifyText(text, { keys: [VERIFIER] })
      expect(report.faults.texts).toEqual([])
      expect(report.ownClosings).toEqual([
        {
          ...{ id: closingId, before: '2026-11-16', isCancelled: false },
          ...{ paid_seconds: 14 * 3600, deducted_seconds: 0 },
        },
        {
          ...{ id: closingId + 1, before: '2026-11-17', isCancelled: false },
          ...{ paid_seconds: 2 * 3600, deducted_seconds: 0 },
        },
      ])
      expect(textOfReport(report).checks.map((check) => check.text)).toContain(
        `Los renglones de la persona en el corte ${closingId}, de días anteriores al 2026-11-16, son los que se sellaron: paga 50,400 s (14 h).`,
      )
    }
  })

  it('says that a closing was cancelled', async () => {
    await payroll.cancel(closingId)
    await seal()
    const report = await verifyText(await ofAna())
    expect(report.faults.texts).toEqual([])
    expect(report.ownClosings).toMatchObject([{ id: closingId, isCancelled: true }])
    expect(JSON.stringify(textOfReport(report))).toContain(
      'Después se canceló: nadie cobró con él.',
    )
  })

  it('has the closings with a day in the period, and none in a log’s own evidence', async () => {
    const closingsOf = async (query: string) => {
      return (await verifyText(await ofAna(token, query))).closings
    }
    expect(await closingsOf('employee_id=E-ana&from=2026-11-03&to=2026-11-03')).toBe(1)
    expect(await closingsOf('employee_id=E-ana&from=2026-11-04&to=2026-11-30')).toBe(0)
    expect(await closingsOf('employee_id=E-ana&from=2026-10-01&to=2026-11-01')).toBe(0)
    expect(await closingsOf('log_id=1')).toBe(0)
  })

  it('leaves out a closing of which the administrator’s branches do not see each line', async () => {
    await env.DB.prepare("UPDATE employees SET branch_office = 'Sur'").run()
    await punch('E-ana', '16 E08:00 S10:00')
    await payroll.close({ before: '2026-11-17', employee_id: 'E-ana' })
    const { token: scoped } = await anAdmin({ scope_branches: inBranches('Centro') })
    const report = await verifyText(await ofAna(scoped))
    expect(report.faults.texts).toEqual([])
    expect([...report.ownClosings].map(({ id }) => id)).toEqual([closingId])
  })

  it('does not prove lines with another value in any of their columns', async () => {
    await seal()
    const file = await ofAna()
    for (const name of LINE_NAMES) {
      const lines = file.split('\n').map((text) => {
        if (!text.includes('"hashes"')) return text
        const line = JSON.parse(text)
        line.lines[0][name] = name === 'day' ? '2026-11-01' : 17
        return JSON.stringify(line)
      })
      expect(await faultsOf(lines.join('\n')), name).not.toEqual([])
    }
  })

  it.each([
    ['the lines', 'sus renglones no son los que se sellaron.', /"difference_seconds":\d+/],
    ['the hashes', 'sus huellas no son las que se sellaron.', /(?<="hashes":\["..)../],
    ['the person', 'trae renglones de otra persona.', /(?<="employee_id":")E-ana(?=","exc)/],
  ])('names what was changed: %s', async (_, flaw, place) => {
    await seal()
    const replaced = { the: '' }
    const changed = (await ofAna()).replace(place, (old) => {
      replaced.the = old
      return old.includes('difference')
        ? '"difference_seconds":1'
        : old === 'E-ana'
          ? 'E-luis'
          : '00'
    })
    expect(replaced.the).not.toBe('')
    expect(await faultsOf(changed)).toEqual([expect.stringContaining(flaw)])
  })
})

/** Whoever owns the database can drop its triggers. */
const attack = async (text: string) => {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'trigger'",
  ).all<{ name: string }>()
  for (const { name } of results) await env.DB.prepare(`DROP TRIGGER ${name}`).run()
  await env.DB.prepare(text).run()
}

it.each([
  ['hash', `UPDATE closings SET hash = '${'0'.repeat(64)}'`],
  ['first open day', "UPDATE closings SET before = '2026-11-15'"],
  ['group', "UPDATE closings SET payroll_group = 'otro'"],
  ['person', "UPDATE closings SET employee_id = 'E-ana'"],
  ['event', 'DELETE FROM log_events WHERE closing_id IS NOT NULL'],
])('shows that the owner of the database changed the %s', async (_, change) => {
  await seal()
  expect((await compare()).faults).toEqual([])
  await attack(change)
  const faults = await compare().then(
    (report) => report.faults,
    (error: Error) => [error.message],
  )
  expect(faults).not.toEqual([])
})

it('shows that the owner of the database changed a line', async () => {
  await seal()
  await attack(`UPDATE closing_lines SET difference_seconds = difference_seconds + 3600,
    worked_seconds = worked_seconds + 3600 WHERE employee_id = 'E-ana' AND day = '2026-11-02'`)
  expect((await compare(await linesOf(closingId))).faults).toEqual(OTHER_LINES)
})

it('proves the same lines after a person was forgotten, without the name', async () => {
  await seal()
  const before = await linesOf(closingId)
  expect(before).toContain('Persona E-ana')
  await env.DB.prepare(
    "UPDATE employees SET ended_at = '2026-11-04' WHERE employee_id = 'E-ana'",
  ).run()
  await forgetEmployee(env.DB, 'E-ana', new Date())
  const after = await linesOf(closingId)
  expect(after).not.toContain('Persona E-ana')
  for (const lines of [before, after]) {
    expect(await compare(lines)).toEqual({ faults: [], closing: closingId })
  }
  const [{ hash }] = (await call('GET', '/v2/incidents/closings', { token })).body.data.closings
  expect(hash).toMatch(/^[0-9a-f]{64}$/)
})
