import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { textOfReport } from '../../sdk/evidence/report-text.ts'
import { type Admin, signInAdmin } from '../support/admin.ts'
import { get } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { faultsOf, verifyText } from '../support/evidence.ts'
import { VERIFIER_KEY } from '../support/evidence-files.ts'
import {
  aLog,
  anAdmin,
  anEmployee,
  aUser,
  inBranches,
  PASSWORD,
  paysFrom,
} from '../support/factories.ts'
import { actBeforeBatch } from '../support/fault-injection.ts'
import { parseLines } from '../support/lines.ts'
import { payrollOf } from '../support/payroll.ts'
import { as } from '../support/people.ts'
import { recordQueries } from '../support/record-queries.ts'
import { punch } from '../support/time-card.ts'

/** Tests the evidence of the people of a branch, which an inspector gets. */

const PERIOD = 'from=2026-11-01&to=2026-11-30'
const NORTE = `branch_office=Norte&${PERIOD}`

let admin: Admin
beforeEach(async () => {
  stopClock('2026-11-30T18:00:00.000Z')
  admin = await signInAdmin()
  await paysFrom('2026-11-01')
})

const evidence = (query = NORTE, options: Parameters<typeof get>[1] = {}) =>
  get(`/v2/audit/evidence?${query}`, { token: admin.token, ...options })

const somebody = async (employee_id: string, branch_office = 'Norte') => {
  await anEmployee({ employee_id, full_name: `Persona ${employee_id}`, branch_office })
  await punch(employee_id, '04 E08:00 S17:00 05 E08:00 S13:00')
}

const move = (employee_id: string, branch_office: string) =>
  env.DB.prepare('UPDATE employees SET branch_office = ? WHERE employee_id = ?')
    .bind(branch_office, employee_id)
    .run()

/** Two people of the branch and one of another, in a closing to which one of them objects. */
const someBranch = async () => {
  for (const id of ['E-ana', 'E-luis']) await somebody(id)
  await somebody('E-otra', 'Sur')
  const { id } = await payrollOf(admin.token).closed({ before: '2026-11-16' })
  const luis = as((await aUser({ employee_id: 'E-luis' })).token)
  const path = `/v2/incidents/my_closings/${id}`
  const { hash } = (await luis('GET', path)).body.data
  const objection = { hash, agrees: false, comment: 'Faltan horas.', password: PASSWORD }
  expect((await luis('POST', `${path}/sign`, objection)).status).toBe(200)
}

const changed = (text: string, change: (lines: ReturnType<typeof parseLines>) => object[]) =>
  change(parseLines(text))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')

describe('the evidence of a branch', () => {
  it('proves the logs, closings and statements of its people, and has nothing of others', async () => {
    await someBranch()
    const { text } = await evidence()
    expect(text).not.toContain('E-otra')
    const report = await verifyText(text, { keys: [VERIFIER_KEY] })
    expect(report.faults.texts).toEqual([])
    expect(report).toMatchObject({ about: { employee_ids: ['E-ana', 'E-luis'] }, logs: 8 })
    const paid = { paid_seconds: 50_400, deducted_seconds: 0, before: '2026-11-16' }
    expect(report.ownClosings).toMatchObject([
      { ...paid, employee_id: 'E-ana' },
      { ...paid, employee_id: 'E-luis' },
    ])
    const shown = parseLines(text).filter(({ entry }) => entry?.includes('"event":"shown"'))
    expect(shown.map(({ entry }) => JSON.parse(entry).employee_id)).toEqual(['E-ana', 'E-luis'])
    const { title, summary, lists } = textOfReport(report)
    expect(title).toBe('Íntegro')
    expect(summary[0]).toMatch(/^2 empleados, de E-ana a E-luis: /)
    expect(lists[0]).toEqual({ title: 'Las personas', texts: ['E-ana', 'E-luis'] })
    expect(lists[1]?.texts.join('\n')).toContain('E-luis: la cuenta de la persona objetó')
    expect(await faultsOf((await evidence('')).text)).toEqual([])
  })

  it('has the words of objections, and of decisions only if they are asked for', async () => {
    await someBranch()
    const { id: log_id } = await aLog({ employee_id: 'E-ana' })
    await admin.change({ log_id, status: 'rejected', comment: 'No vino.' })
    const { text } = await evidence()
    expect([text.includes('Faltan horas.'), text.includes('No vino.')]).toEqual([true, false])
    const withComments = (await evidence(`${NORTE}&comments=true`)).text
    expect(withComments).toContain('No vino.')
    expect(await faultsOf(withComments)).toEqual([])
  })

  it('cannot lose a line or a person without a fault', async () => {
    await someBranch()
    const { text } = await evidence()
    expect(await faultsOf(text)).toEqual([])
    const count = parseLines(text).length
    for (let from = 0; from < count; from++) {
      for (let to = from + 1; to <= count; to++) {
        const left = changed(text, (lines) => lines.toSpliced(from, to - from))
        expect(await faultsOf(left), `lines ${from} to ${to}`).not.toEqual([])
      }
    }
    const withoutAna = changed(text, ([head, ...rest]) => {
      const isKept = ({ entry }: { entry?: string }) => !entry?.includes('"employee_id":"E-ana"')
      const left = rest.filter(isKept)
      const events = left.filter(({ entry }) => entry).length
      const end = { end: { ...left.at(-1).end, events } }
      const about = { ...head.about, employee_ids: ['E-luis'] }
      return [{ ...head, about }, ...left.slice(0, -1), end]
    })
    expect((await faultsOf(withoutAna)).join()).toContain(
      'lo que se entregó no es lo que dice la primera línea.',
    )
  })

  it('is in files of fifty people, each with a link to the next', async () => {
    const ids = Array.from({ length: 51 }, (_, i) => `E-${String(i).padStart(2, '0')}`)
    for (const employee_id of ids) {
      await anEmployee({ employee_id, branch_office: 'Norte' })
      await aLog({ employee_id, recorded_at: '2026-11-04T14:00:00.000Z' })
    }
    const first = await evidence()
    const [, query = ''] = /^<\?(.*)>; rel="next"$/.exec(first.headers.get('Link') ?? '') ?? []
    const last = await evidence(query)
    expect(last.headers.get('Link')).toBeNull()
    const people = [first, last].map(({ text }) => parseLines(text)[0].about.employee_ids)
    expect(people).toEqual([ids.slice(0, 50), ids.slice(50)])
    for (const { text } of [first, last]) expect(await faultsOf(text)).toEqual([])
  })

  it('gives one file a minute, and two further ones of it', async () => {
    await someBranch()
    const from = { headers: { 'CF-Connecting-IP': '203.0.113.7' } }
    let left = 120
    const env = { EXPORTS_BY_USER: { limit: async () => ({ success: --left >= 0 }) } }
    const next = `${NORTE}&cursor=${btoa('["E-ana"]')}`
    const statuses = []
    for (const query of [NORTE, next, next, next]) {
      statuses.push((await evidence(query, { ...from, env })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
  })

  it('has people in the order of the format, which is not the one of the database', async () => {
    for (const id of ['E-Ａ', 'E-😀']) await somebody(id)
    await payrollOf(admin.token).closed({ before: '2026-11-16' })
    const { text } = await evidence()
    expect(await faultsOf(text)).toEqual([])
    expect(parseLines(text)[0].about.employee_ids).toEqual(['E-😀', 'E-Ａ'])
  })

  it('has the events of one download only', async () => {
    await someBranch()
    const early = (await evidence()).text
    const [log_id] = await punch('E-ana', '06 E08:00?')
    await admin.change({ log_id: log_id ?? 0, status: 'rejected' })
    const later = (await evidence()).text
    const shownOfAna = (text: string) =>
      parseLines(text).find(({ entry }) => /"employee_id":"E-ana".*"shown"/.test(entry ?? '')) ?? {}
    const isNew = ({ entry }: { entry?: string }) =>
      entry === shownOfAna(later).entry || entry?.includes(`"log_id":${log_id},`)
    const mixed = changed(later, (lines) => {
      const at = lines.findIndex(({ seal }) => seal === 1)
      const left = lines.toSpliced(at, 0, shownOfAna(early)).filter((line) => !isNew(line))
      const events = left.filter(({ entry }) => entry).length
      return [...left.slice(0, -1), { end: { ...left.at(-1).end, events } }]
    })
    expect((await faultsOf(mixed)).join()).toContain('no son de una sola entrega')
  })

  it('has the cancellation of a closing that comes in while the file is made', async () => {
    await someBranch()
    let closing_id = 1
    // Batch 3 reads the events, and batch 4 records that the file is shown.
    for (const batch of [3, 4]) {
      const DB = actBeforeBatch(batch, () => payrollOf(admin.token).cancel(closing_id))
      const { text } = await evidence(NORTE, { env: { DB } })
      const entries = parseLines(text).flatMap(({ entry }) => (entry ? [JSON.parse(entry)] : []))
      const cancelled = entries.filter(({ event }) => event === 'cancelled').at(-1)
      expect([batch, cancelled?.closing_id]).toEqual([batch, closing_id])
      expect(await faultsOf(text)).toEqual([])
      const closing = await payrollOf(admin.token).closed({ before: '2026-11-16' })
      closing_id = closing.id
    }
  })

  it('says that anybody may have cut it if its last events are not sealed', async () => {
    await someBranch()
    const { text } = await evidence()
    const isSealLine = ({ seal }: { seal?: number }) => seal !== undefined
    const last = parseLines(text).filter(isSealLine).at(-1)
    const cut = changed(text, ([head, ...lines]) => {
      const left = lines.filter((line) => line !== lines.find(({ seal }) => seal === last.seal))
      const bare = left.map(({ proof: _, ...line }) => line)
      const seals = left.filter(isSealLine).length
      return [
        { ...head, until: null, keys: [], origin: '' },
        ...bare.slice(0, -1),
        { end: { ...bare.at(-1)?.end, seals } },
      ]
    })
    const report = await verifyText(cut)
    expect(report.faults.texts).toEqual([])
    expect(report.warnings.texts.join()).toContain('se le pudieron quitar eventos o personas')
  })

  it('names the people whose lines of a closing are missing', async () => {
    await someBranch()
    const { text } = await evidence()
    const isKept = (line: { employee_id: string }) => line.employee_id !== 'E-ana'
    const without = changed(text, (lines) =>
      lines.map((line) => (line.lines ? { ...line, lines: line.lines.filter(isKept) } : line)),
    )
    const checks = textOfReport(await verifyText(without)).checks.map((check) => check.text)
    expect(checks).toContain('Del cierre 1 no trae renglones de E-ana.')
  })

  it('is made with few queries', async () => {
    await someBranch()
    const { recording, DB } = recordQueries(env.DB)
    await evidence(NORTE, { env: { DB } })
    expect(recording.calls).toBeLessThan(15)
  })
})

describe('the evidence of a branch is', () => {
  it('for administrators who may see the branch and its people', async () => {
    await someBranch()
    const statusFor = async (row: Parameters<typeof aUser>[0]) =>
      (await evidence(NORTE, { token: (await aUser(row)).token })).status
    expect(await statusFor({ role: 'employee' })).toBe(403)
    expect(await statusFor({ role: 'admin', scope_branches: inBranches('Sur') })).toBe(403)
    const ofNorte = { role: 'admin', scope_branches: inBranches('Norte') }
    expect(await statusFor(ofNorte)).toBe(200)
    await move('E-luis', 'Sur')
    expect(await statusFor(ofNorte)).toBe(403)
    expect((await evidence()).status).toBe(200)
  })

  it('refused whole if a person has logs of another branch that the caller may not see', async () => {
    await someBranch()
    await move('E-ana', 'Sur')
    await aLog({ employee_id: 'E-ana', recorded_at: '2026-11-20T14:00:00.000Z' })
    await move('E-ana', 'Norte')
    await aLog({ employee_id: 'E-ana', recorded_at: '2026-11-21T14:00:00.000Z' })
    const { token } = await anAdmin({ scope_branches: inBranches('Norte') })
    expect((await evidence(NORTE, { token })).status).toBe(403)
  })

  it.each([
    ['branch_office=Norte&to=2026-11-30', 'from'],
    ['branch_office=Norte&from=2026-11-30', 'to'],
    ['branch_office=Norte&from=2026-10-01&to=2026-11-30', 'to'],
    [`${NORTE}&employee_id=E-ana`, 'branch_office'],
    [`${NORTE}&cursor=x`, 'cursor'],
    [`employee_id=E-ana&cursor=${btoa('["E-ana"]')}`, 'cursor'],
    [`cursor=${btoa('["E-ana"]')}`, 'cursor'],
  ])('refused for %s', async (query, field) => {
    await someBranch()
    const { status, body } = await evidence(query)
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
  })

  it('not found for a branch where nobody has checked in', async () => {
    await someBranch()
    expect((await evidence(`branch_office=Este&${PERIOD}`)).status).toBe(404)
    expect((await evidence('branch_office=Norte&from=2026-10-01&to=2026-10-30')).status).toBe(404)
  })
})
