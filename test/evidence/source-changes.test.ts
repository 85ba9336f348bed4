import { beforeEach, describe, expect, it } from 'vitest'
import { verdictOf } from '../../sdk/evidence/report.ts'
import { textOfReport } from '../../sdk/evidence/report-text.ts'
import { type Admin, signInAdmin } from '../support/admin.ts'
import { call, get, post } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { line, pushPunches } from '../support/clocks.ts'
import { faultsOf, verifyText } from '../support/evidence.ts'
import { VERIFIER_KEY } from '../support/evidence-files.ts'
import { anEmployee, aUser } from '../support/factories.ts'
import { parseLines } from '../support/lines.ts'
import { as } from '../support/people.ts'
import released from './files-2.0.0.json' with { type: 'json' }

/** The changes of clocks and of other sources, in the evidence of who has logs of them. */

const PERIOD = 'from=2026-11-01&to=2026-11-30'
const CLOCK = {
  ...{ label: null, uses_keys: true, from_day: '2026-11-01' },
  ...{ retired: false, expected_version: 0, has_not_called: true },
}

let admin: Admin
beforeEach(async () => {
  stopClock('2026-11-25T18:00:00.000Z')
  admin = await signInAdmin()
  await addClock('A1', 'Centro')
  await addClock('B1', 'Norte')
  await anEmployee({ employee_id: 'E-1', branch_office: 'Centro' })
  await anEmployee({ employee_id: 'E-2', branch_office: 'Norte' })
  await pushPunches('A1', [line('E-1', '2026-11-24 08:00:00')])
  await pushPunches('B1', [line('E-2', '2026-11-24 08:00:00')])
  const beto = (await aUser({ role: 'admin' })).token
  await post('/v2/incidents/clocks/A1/confirm', {}, { token: beto })
})

const addClock = async (serial: string, branch_office: string) => {
  const body = { ...CLOCK, branch_office }
  const path = `/v2/incidents/clocks/${serial}`
  expect((await call('PUT', path, { token: admin.token, body })).status).toBe(200)
}
const evidence = async (query = '') =>
  (await get(`/v2/audit/evidence?${query}`, { token: admin.token })).text

const entriesOf = (text: string) =>
  parseLines(text).flatMap(({ entry }) => (entry ? [JSON.parse(entry)] : []))
/** The source and the changed fields of each rule in a file. */
const changesIn = (text: string) =>
  entriesOf(text)
    .filter(({ event, employee_id }) => event === 'ruled' && employee_id === null)
    .filter(({ rule }) => ['clock', 'source', 'company'].includes(rule))
    .map(({ value, branch }) => {
      const [source, changes] = value.split('\t')
      return [source, branch, JSON.parse(changes).map(({ field }: { field: string }) => field)]
    })

const ADDED = ['branch_office', 'uses_keys', 'from_day', 'retired']
const OF_A1 = [
  ['clock a1', 'Centro', ADDED],
  ['clock a1', 'Centro', ['confirmed']],
]

describe('the changes of a clock', () => {
  it('stand in the evidence of who has logs of it, and of nobody else', async () => {
    const first = await evidence(`employee_id=E-1&${PERIOD}`)
    expect(changesIn(first)).toEqual(OF_A1)
    const [added, confirmed] = entriesOf(first).filter(({ rule }) => rule === 'clock')
    expect(added.user_id).toBe(1)
    expect(confirmed.user_id).not.toBe(1)
    const report = await verifyText(first, { keys: [VERIFIER_KEY] })
    expect([report.faults.texts, verdictOf(report)]).toEqual([[], 'sound'])
    expect(report.sources.texts).toEqual([
      expect.stringMatching(/^el usuario 1 agregó el reloj a1, el 25 de noviembre de 2026/),
      expect.stringMatching(/^el usuario \d confirmó el reloj a1, /),
    ])
    const second = await evidence(`employee_id=E-2&${PERIOD}`)
    expect(changesIn(second)).toEqual([['clock b1', 'Norte', ADDED]])
    const third = await anEmployee({ employee_id: 'E-3', branch_office: 'Centro' })
    expect(changesIn(await evidence(`employee_id=${third.employee_id}&${PERIOD}`))).toEqual([])
  })

  it('are also who has said which address is its own', async () => {
    const address = '203.0.113.7'
    await post('/v2/incidents/clocks/A1/address', { address }, { token: admin.token })
    const file = await evidence(`employee_id=E-1&${PERIOD}`)
    expect(changesIn(file)).toEqual([...OF_A1, ['clock a1', 'Centro', ['address']]])
    const report = await verifyText(file, { keys: [VERIFIER_KEY] })
    expect([report.faults.texts, verdictOf(report)]).toEqual([[], 'sound'])
    expect(report.sources.texts.at(-1)).toMatch(
      /^el usuario 1 dijo desde dónde llama el reloj a1, /,
    )
  })

  it('stand in the evidence of a branch, in the person’s own and in all of it', async () => {
    expect(changesIn(await evidence(`branch_office=Centro&${PERIOD}`))).toEqual(OF_A1)
    const own = as((await aUser({ employee_id: 'E-1' })).token)
    expect(
      changesIn((await own('GET', `/v2/audit/evidence?employee_id=E-1&${PERIOD}`)).text),
    ).toEqual(OF_A1)
    const all = await evidence()
    expect(changesIn(all)).toEqual([OF_A1[0], ['clock b1', 'Norte', ADDED], OF_A1[1]])
    const report = await verifyText(all, { keys: [VERIFIER_KEY] })
    expect(report.faults.texts).toEqual([])
    const [{ title, texts = [] } = {}] = textOfReport(report).lists.slice(-1)
    expect(title).toBe('Los relojes y otros orígenes')
    expect(texts[0]).toMatch(/^\S+@\S+ agregó el reloj a1, /i)
  })

  it('cannot be taken out of a file of people', async () => {
    const lines = parseLines(await evidence(`employee_id=E-1&${PERIOD}`))
    const isChange = ({ entry }: { entry?: string }) => entry?.includes('"rule":"clock"')
    const change = lines.find(isChange)
    const left = lines.filter((each) => each !== change)
    const text = left.map((each) => `${JSON.stringify(each)}\n`).join('')
    expect((await faultsOf(text)).join()).toContain('se entregó con')
  })

  it('cannot be put into a file without a log of the clock', async () => {
    const other = parseLines(await evidence(`employee_id=E-2&${PERIOD}`))
    const foreign = other.find(({ entry }) => entry?.includes('"rule":"clock"')) ?? {}
    const lines = parseLines(await evidence(`employee_id=E-1&${PERIOD}`))
    const first = lines.findIndex(({ entry }) => entry)
    const text = lines
      .toSpliced(first + 1, 0, foreign)
      .map((each) => `${JSON.stringify(each)}\n`)
      .join('')
    expect((await faultsOf(text)).join()).toContain('no es de lo que trata el archivo')
  })

  it('of another source stand with the logs of that source', async () => {
    const log = { source_id: '1', employee_id: 'E-1', kind: 'salida' }
    const logs = [{ ...log, recorded_at: '2026-11-24T17:00:00-06:00' }]
    const { token } = admin
    await post('/v2/incidents/logs', { source: 'torniquete', logs }, { token })
    const body = { label: 'Puerta', retired: true }
    await call('PUT', '/v2/incidents/sources/torniquete', { token, body })
    await call('PUT', '/v2/company', { token, body: { name: 'Norte', expected_version: 1 } })
    const text = await evidence(`employee_id=E-1&${PERIOD}`)
    expect(changesIn(text)).toEqual([...OF_A1, ['torniquete', null, ['label', 'retired']]])
    expect(await faultsOf(text)).toEqual([])
    expect(changesIn(await evidence()).at(-1)).toEqual(['', null, ['name']])
  })
})

describe('the form of a change', () => {
  /** The file with one field of its first change of a clock changed, without proof of it. */
  const withChange = async (more: object, version = 2) => {
    const lines = parseLines(await evidence())
    const changed = lines.map((each) => {
      if (each.evidence) return { ...each, evidence: version }
      if (!each.entry?.includes('"rule":"clock"')) return each
      return { ...each, entry: JSON.stringify({ ...JSON.parse(each.entry), ...more }) }
    })
    return faultsOf(changed.map((each) => `${JSON.stringify(each)}\n`).join(''))
  }

  it.each([
    ['is of no person', { employee_id: 'E-1' }],
    ['is of a branch', { branch: null }],
    ['is valid always', { valid_from: '2026-11-01' }],
    ['names a source', { value: '\t[{"after":1,"before":null,"field":"x"}]' }],
    ['names a clock', { value: 'torniquete\t[1]' }],
    ['is JSON', { value: 'clock a1\t[x]' }],
    ['is a list', { value: 'clock a1\t' }],
    ['of a source has no branch', { rule: 'source' }],
    ['of the company has no source', { rule: 'company', branch: null }],
  ])('%s, or the file is unreadable', async (_, more) => {
    expect((await withChange(more)).join()).toMatch(/^Línea \d+: su cambio/)
  })

  it('is of version 2: a file of version 1 has none', async () => {
    expect((await withChange({}, 1)).join()).toContain('no es de un archivo de esa versión')
    expect(await withChange({}, 3)).toEqual([expect.stringContaining('versión posterior')])
  })
})

it.each(Object.entries(released))(
  'a file of version 2.0.0 verifies as before: %s',
  async (_, text) => {
    const report = await verifyText(text, { keys: [VERIFIER_KEY] })
    expect([report.faults.texts, verdictOf(report)]).toEqual([[], 'sound'])
    expect(text).toContain('{"evidence":1,')
  },
)
