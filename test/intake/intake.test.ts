import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { openAsOperator } from '../../cli/core/operator.ts'
import { employee_sources, intake_problems, intake_sources } from '../../src/core/tables/intake.ts'
import { log_events } from '../../src/core/tables/logs.ts'
import { employees } from '../../src/core/tables/people.ts'
import { sourceKey } from '../../src/core/values/text.ts'
import { timeZone } from '../../src/core/values/time-zone.ts'
import { dismissProblem, replaceSource } from '../../src/intake/sources.queries.ts'
import { signInAdmin, useAdmin } from '../support/admin.ts'
import { call, expectInvalid, expectSuccess, get, post } from '../support/api.ts'
import { ago, stopClock } from '../support/clock/clock.ts'
import {
  aLog,
  allLogs,
  anEmployee,
  aProblem,
  aUser,
  aZone,
  db,
  inBranches,
  tokenFor,
} from '../support/factories.ts'
import { parseLines } from '../support/lines.ts'
import { recordQueries } from '../support/record-queries.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const admin = useAdmin()
let employee_id: string
beforeEach(async () => {
  employee_id = (await anEmployee({ branch_office: 'Norte' })).employee_id
})

const send = (logs: unknown, more: object = {}, env: Partial<Env> = {}) =>
  post('/v2/incidents/logs', { source: 'reloj', logs, ...more }, { token: admin.token, env })

/** Dismisses the open problems of one log, or all if `source_id` is null. Returns their number. */
const dismiss = async (source_id: string | null) => {
  const open = (await db.select().from(intake_problems)).filter(
    (problem) =>
      problem.dismissed_at === null && (source_id === null || problem.source_id === source_id),
  )
  const dismissal = { source: 'reloj', reason: 'Registro dañado del reloj.' }
  for (const { id } of open) {
    const at = new Date().toISOString()
    await dismissProblem(await openAsOperator(env.DB), { ...dismissal, id, at })
  }
  return open.length
}

const item = (source_id: string, more: object = {}) => ({
  source_id,
  employee_id,
  kind: 'entrada',
  recorded_at: ago(DAY),
  ...more,
})

const aHundred = () =>
  Array.from({ length: 100 }, (_, i) => item(`${i}`, { recorded_at: ago(DAY + i * MINUTE) }))

const results = async (logs: unknown[], more?: object) => (await send(logs, more)).body.data

interface Result {
  result: string
  reason?: string
  detail?: string
  near?: string
}

const sources = async (query = '') => (await admin.get(`/sources${query}`)).body.data
/** The problems of the only source. */
const problems = async () => (await sources())[0].problems

describe('POST /v2/incidents/logs', () => {
  it('records the logs of a clock as pending, with ids from 1,000,000,000 on', async () => {
    const [one, two] = [item('1', { log_id: null }), item('2', { kind: 'checada' })]
    const res = await send([one, two])
    expectSuccess(res, 'Registros recibidos.', [
      { log_id: 1_000_000_000, result: 'created' },
      { log_id: 1_000_000_001, result: 'created' },
    ])
    expect(await allLogs()).toMatchObject([
      { source: 'reloj', source_id: '1', status: 'pending', branch_office: 'Norte' },
      { source: 'reloj', source_id: '2', kind: 'checada', recorded_by: admin.id },
    ])
    const recorded = { event: 'recorded', user_id: admin.id }
    expect(await db.select().from(log_events)).toMatchObject([
      { ...recorded, actor: admin.actor_hash, recorded_at: one.recorded_at },
      { ...recorded, source: 'reloj' },
    ])
  })

  it('takes a log of a day after the last day of work, and the hours mark that day', async () => {
    stopClock('2026-11-16T18:00:00.000Z')
    await db.update(employees).set({ ended_at: '2026-11-13' })
    const recorded_at = ['2026-11-14T02:00:00.000Z', '2026-11-14T14:00:00.000Z']
    const sent = recorded_at.map((moment, i) => item(`${i}`, { recorded_at: moment }))
    expect(await results(sent)).toMatchObject([{ result: 'created' }, { result: 'created' }])
    const { token } = await signInAdmin()
    const path = '/v2/incidents/hours?format=ndjson&from=2026-11-10&to=2026-11-15'
    for (const [by, notices] of [
      ['', [[], ['fuera_de_relacion']]],
      ['&by=employee', [['fuera_de_relacion']]],
    ] as const) {
      const rows = parseLines((await get(path + by, { token })).text)
      expect(rows.map((row) => row.notices)).toEqual(notices)
    }
  })

  it('continues after imported numbers of its own range, and keeps legacy numbers', async () => {
    await aLog({ id: 1_000_000_007 })
    const numbered = item('x', { source_id: null })
    expect(await results([item('1'), { ...numbered, log_id: 41, kind: 'salida' }])).toEqual([
      { log_id: 1_000_000_008, result: 'created' },
      { log_id: 41, result: 'created' },
    ])
  })

  it('recognizes a stored log by its id, or by employee, kind and second, and never changes it', async () => {
    const recorded_at = ago(DAY).replace(/\d{3}Z$/, '250Z')
    const sent = item('1', { recorded_at })
    await results([sent])
    const sameSecond = item('2', { recorded_at: recorded_at.replace('250Z', '900Z') })
    expect(await results([sent, sameSecond, { ...sent, source_id: '3', kind: 'salida' }])).toEqual([
      { log_id: 1_000_000_000, result: 'known' },
      { log_id: 1_000_000_000, result: 'known' },
      { log_id: 1_000_000_001, result: 'created' },
    ])
    const stored = await allLogs()
    expect(stored).toHaveLength(2)
    expect(await results([{ ...sent, recorded_at: ago(3 * DAY) }])).toEqual([
      { log_id: 1_000_000_000, result: 'differs' },
    ])
    expect(await allLogs()).toEqual(stored)
  })

  it('treats logs within one whole second as one log, stored or in the same call', async () => {
    const second = ago(DAY).slice(0, 19)
    const at = (ms: string) => ({ recorded_at: `${second}.${ms}Z` })
    const next = new Date(Date.parse(`${second}.000Z`) + 1000).toISOString()
    const before = new Date(Date.parse(`${second}.000Z`) - 1).toISOString()
    const around = [item('4', { recorded_at: next }), item('5', { recorded_at: before })]
    const late = { kind: 'salida' }
    for (const [items, expected] of [
      [
        [item('1', at('000')), item('2', at('999'))],
        ['created', 'known'],
      ],
      [[item('3', at('999'))], ['known']],
      [around, ['created', 'created']],
      [[item('6', { ...late, ...at('999') })], ['created']],
      [[item('7', { ...late, ...at('000') })], ['known']],
    ] as const) {
      expect((await results([...items])).map(({ result }: Result) => result)).toEqual(expected)
    }
  })

  it('takes times from 45 days ago to five minutes ahead, to the millisecond', async () => {
    stopClock()
    const ages = [45 * DAY, 45 * DAY + 1, -5 * MINUTE, -5 * MINUTE - 1]
    const kinds = ['entrada', 'salida', 'entrada', 'salida']
    const items = ages.map((age, i) => item(String(i), { recorded_at: ago(age), kind: kinds[i] }))
    const reasons = (await results(items)).map(({ reason }: Result) => reason)
    expect(reasons).toEqual([undefined, 'too_old', undefined, 'future'])
  })

  it('compares each item of a call with the items before it', async () => {
    const [first, later] = [item('1'), item('1', { recorded_at: ago(2 * DAY) })]
    const same = { ...first, source_id: '2' }
    expect(await results([first, later, first, same])).toEqual([
      { log_id: 1_000_000_000, result: 'created' },
      { log_id: 1_000_000_000, result: 'differs' },
      { log_id: 1_000_000_000, result: 'known' },
      { log_id: 1_000_000_000, result: 'known' },
    ])
    expect(await allLogs()).toHaveLength(1)
  })

  it.each([
    ['in the future', -3 * DAY],
    ['too old', 300 * DAY],
  ])('recognizes an imported log even if its time lies %s', async (_, age) => {
    const recorded_at = ago(age)
    const log = { employee_id, kind: 'entrada' as const, recorded_at }
    const numbered = await aLog({ ...log, id: 41 })
    const named = await aLog({ ...log, kind: 'salida', source: 'reloj', source_id: '9' })
    const { source_id: __, ...withoutId } = item('x', { recorded_at })
    const sent = [
      { ...withoutId, log_id: 41 },
      item('9', { recorded_at, kind: 'salida' }),
      item('otro', { recorded_at, kind: 'salida' }),
      item('9', { recorded_at, kind: 'checada' }),
    ]
    expect(await results(sent)).toEqual([
      { log_id: numbered.id, result: 'known' },
      { log_id: named.id, result: 'known' },
      { log_id: named.id, result: 'known' },
      { log_id: null, result: 'refused', reason: age < 0 ? 'future' : 'too_old' },
    ])
    expect(await allLogs()).toHaveLength(2)
  })

  it('remembers the newest log of each employee in any order of batches', async () => {
    const [older, newest] = [item('1', { recorded_at: ago(3 * DAY) }), item('2')]
    const refused = item('3', { recorded_at: ago(-DAY) })
    for (const batch of [[newest], [older], [refused]]) await results(batch)
    expect(await db.select().from(employee_sources)).toEqual([
      { employee_id, source: 'reloj', last_recorded_at: newest.recorded_at },
    ])
  })

  it('refuses single items with a reason, and records the others', async () => {
    const sent = [
      item('1'),
      item('2', { employee_id: 'nadie' }),
      item('3', { recorded_at: ago(-6 * MINUTE) }),
      item('4', { recorded_at: ago(45 * DAY + MINUTE) }),
      item('5', { kind: 'comida' }),
      item('6', { recorded_at: '2026-11-20T08:00:00' }),
      item('61', { recorded_at: '2026-11-20T08:00:00-0600' }),
      item('62', { recorded_at: '2026-11-20' }),
      item('63', { recorded_at: null }),
      item('7', { source_id: undefined }),
      item('8', { log_id: 5 }),
      item('9', { source_id: 'x'.repeat(101) }),
      item('10', { source_id: undefined, log_id: 1_000_000_000 }),
      'basura',
      null,
    ]
    const refused = (reason: string, detail?: string) => ({
      ...{ log_id: null, result: 'refused', reason },
      ...(detail && { detail }),
    })
    const data = await results(sent)
    expect(data).toEqual([
      { log_id: 1_000_000_000, result: 'created' },
      refused('unknown_employee'),
      refused('future'),
      refused('too_old'),
      refused('invalid', 'kind'),
      ...Array.from({ length: 4 }, () => refused('invalid', 'recorded_at')),
      ...Array.from({ length: 3 }, () => refused('invalid', 'source_id')),
      refused('invalid', 'log_id'),
      ...Array.from({ length: 2 }, () => refused('invalid')),
    ])
    const problems = (await sources())[0].problems as { source_id: string; detail: string | null }[]
    const details = new Map(problems.map(({ source_id, detail }) => [source_id, detail]))
    expect(Object.fromEntries(details)).toMatchObject({ 2: null, 5: 'kind', 6: 'recorded_at' })
  })

  it('does not say that an old log of another branch is stored', async () => {
    const recorded_at = ago(46 * DAY)
    await aLog({ employee_id, kind: 'entrada', recorded_at, source: 'reloj', source_id: '9' })
    const sentBy = async (branch: string) => {
      const { token } = await aUser({ role: 'admin', scope_branches: inBranches(branch) })
      const logs = [item('9', { recorded_at })]
      const { body } = await post('/v2/incidents/logs', { source: 'reloj', logs }, { token })
      return body.data[0].result
    }
    expect(await sentBy('Norte')).toBe('known')
    expect(await sentBy('Sur')).toBe('refused')
  })

  it('says whom an unknown employee resembles, within the scope of the sender', async () => {
    await anEmployee({ employee_id: '5', branch_office: 'Norte' })
    await anEmployee({ employee_id: 'Ñ-0070', branch_office: 'Norte' })
    await anEmployee({ employee_id: '000008', branch_office: 'Sur' })
    const ids = ['        5', '0000000005', '5\r\n', ' ñ - 0070', '8', '51']
    const sent = ids.map((id, i) => item(String(i), { employee_id: id }))
    const detailsFor = async (token: string) => {
      const res = await post('/v2/incidents/logs', { source: 'reloj', logs: sent }, { token })
      const found = res.body.data.map(({ detail }: Result) => detail)
      const near = res.body.data.map(({ near }: Result) => near && `near:${near}`)
      expect(near).toEqual(found)
      return found
    }
    const near = ['near:5', 'near:5', 'near:5', 'near:Ñ-0070']
    expect(await detailsFor(admin.token)).toEqual([...near, 'near:000008', undefined])
    const known = expect.objectContaining({
      employee_id: '8',
      detail: 'near:000008',
      near: '000008',
    })
    expect(await problems()).toContainEqual(known)
    const { token } = await aUser({ role: 'admin', scope_branches: inBranches('Norte') })
    expect(await detailsFor(token)).toEqual([...near, undefined, undefined])
  })

  it('reads the employees once for a hundred unknown ones, and not at all without any', async () => {
    for (let i = 0; i < 100; i++) await anEmployee()
    const rowsRead = async (logs: object[]) => {
      const { DB, recording } = recordQueries(env.DB)
      await send(logs, {}, { DB })
      return recording.rowsRead
    }
    await send([item('1')])
    const known = await rowsRead([item('1')])
    const unknown = (count: number) =>
      Array.from({ length: count }, (_, i) => item(`x${i}`, { employee_id: `nadie-${i}` }))
    expect(known).toBeLessThan(100)
    expect(await rowsRead(unknown(100))).toBeLessThan(4_000)
  })

  it('takes a log with an offset that its branch does not have, and shows it in the source', async () => {
    stopClock('2026-11-16T18:00:00.000Z')
    const inCancun = (hour: string, offset = '-05:00') =>
      item(hour, { recorded_at: `2026-11-15T${hour}:00:00${offset}` })
    expect(await results([inCancun('08'), inCancun('09')])).toEqual([
      { log_id: 1_000_000_000, result: 'created' },
      { log_id: 1_000_000_001, result: 'created' },
    ])
    const otherZone = { result: 'created', reason: 'otra_zona', detail: null }
    expect(await problems()).toMatchObject([{ ...otherZone, employee_id, source_id: '', count: 2 }])

    // A log that is sent again, and a log in UTC, say nothing of the branch's zone.
    stopClock('2026-11-16T18:01:00.000Z')
    await results([inCancun('08'), item('10', { recorded_at: '2026-11-15T15:00:00Z' })])
    expect(await problems()).toMatchObject([{ ...otherZone, count: 2 }])
    await results([inCancun('11')])
    expect(await problems()).toMatchObject([{ ...otherZone, count: 3 }])

    await aZone({ branch_office: 'Norte', time_zone: 'America/Cancun' })
    const other = await anEmployee({ branch_office: 'Centro' })
    const ofOther = { ...inCancun('12', '-06:00'), employee_id: other.employee_id }
    stopClock('2026-11-16T18:02:00.000Z')
    await results([inCancun('13'), ofOther])
    expect(await problems()).toEqual([])
    await results([inCancun('14', '-06:00'), inCancun('15', '-05:00')])
    expect(await problems()).toMatchObject([{ ...otherZone, employee_id, count: 1 }])

    // A dismissed problem stays dismissed, also after a log with a right offset.
    expect(await dismiss('')).toBe(1)
    stopClock('2026-11-16T18:03:00.000Z')
    await results([inCancun('16')])
    await results([inCancun('17', '-06:00')])
    expect(await problems()).toEqual([])
  })

  it('judges the offset of the log that it has stored, not of one that differs from it', async () => {
    stopClock('2026-11-16T18:00:00.000Z')
    const at = (time: string) => item('1', { recorded_at: `2026-11-15T${time}` })
    const sent = [at('08:00:00-06:00'), at('08:00:00-05:00'), at('08:00:00-06:00')]
    const given = (await results(sent)).map(({ result }: Result) => result)
    expect(given).toEqual(['created', 'differs', 'known'])
    expect(await problems()).toMatchObject([{ result: 'differs', source_id: '1' }])
  })

  const OWN_SOURCE = 'El origen no puede llevar dos puntos ni comenzar con «clock ».'
  const TOO_LONG = 'El origen no puede tener más de 100 caracteres.'
  const MOMENT =
    'La fecha de cierre debe ser un instante ISO 8601 con zona, como 2026-11-02T08:00:00-06:00.'
  const FUTURE = 'La fecha de cierre no puede estar en el futuro.'

  it.each([
    [{ source: ' ' }, 'source', 'El origen es obligatorio.'],
    [{ source: '\u200B\u3164' }, 'source', 'El origen es obligatorio.'],
    [{ source: 'app:1' }, 'source', OWN_SOURCE],
    [{ source: '\u200Bapp:1' }, 'source', OWN_SOURCE],
    [{ source: 'ＲＥＱＵＥＳＴ：1' }, 'source', OWN_SOURCE],
    [{ source: '10.0.0.7:4370' }, 'source', OWN_SOURCE],
    [{ source: 'ﷺ'.repeat(6) }, 'source', TOO_LONG],
    [{ source: 'x'.repeat(101) }, 'source', TOO_LONG],
    [{ logs: 'x' }, 'logs', 'Los registros deben ser una lista.'],
    [{ logs: [] }, 'logs', 'Los registros son obligatorios si no hay complete_until.'],
    [{ logs: Array(101).fill({}) }, 'logs', 'Se pueden enviar 100 registros a la vez como máximo.'],
    [{ complete_until: 'ayer' }, 'complete_until', MOMENT],
    [{ complete_until: '0000-01-01T00:00:00+06:00' }, 'complete_until', MOMENT],
    [{ complete_until: '2999-01-01T00:00:00Z' }, 'complete_until', FUTURE],
  ])('is a 422 for the envelope %j', async (wrong, field, message) => {
    const res = await send([item('1')], wrong)
    expectInvalid(res, field, message)
    expect(await allLogs()).toEqual([])
  })

  const NAMES = ['Reloj (2) #3, norte/sur_b-1.4', 'ＲＥＬＯＪ', '出勤 2', 'app', 'Ñandú 😀']
  it.each(NAMES)('takes logs of a new source named %s', async (source) => {
    expect((await send([item('1')], { source })).status).toBe(200)
    expect(await allLogs()).toMatchObject([{ source: sourceKey(source) }])
  })

  it('is a 403 for every user unless INTAKE_ROLES lists the role', async () => {
    for (const INTAKE_ROLES of ['', 'reloj']) {
      expect((await send([item('1')], {}, { INTAKE_ROLES })).status).toBe(403)
    }
    Object.assign(admin, await aUser({ role: 'reloj' }))
    expect((await send([item('1')], {}, { INTAKE_ROLES: 'reloj' })).status).toBe(200)
  })

  it('creates each item once when the same hundred arrive three times at once', async () => {
    const logs = aHundred()
    const calls = await Promise.all([results(logs), results(logs), results(logs)])
    const created = calls.flat().filter(({ result }) => result === 'created')
    expect(created).toHaveLength(100)
    expect(calls.flat().filter(({ result }) => result === 'known')).toHaveLength(200)
    expect(new Set(created.map(({ log_id }) => log_id)).size).toBe(100)
    expect(await allLogs()).toHaveLength(100)
    expect(await db.select().from(log_events)).toHaveLength(100)
  })

  it('reads a bounded number of rows for a hundred known items', async () => {
    const logs = aHundred()
    await results(logs)
    const { recording, DB } = recordQueries(env.DB)
    await send(logs, {}, { DB })
    expect(recording.calls).toBe(1)
    expect(recording.rowsRead).toBeLessThan(6_000)
  })
})

describe('GET /v2/incidents/sources', () => {
  it('shows until when a clock is complete, which only moves forward', async () => {
    const [earlier, later] = [ago(2 * DAY), ago(DAY)]
    expect((await send(null, { complete_until: earlier })).body.data).toEqual([])
    expect(await sources()).toMatchObject([{ source: 'reloj', complete_until: earlier }])
    await send([], { complete_until: later })
    await send([], { complete_until: earlier })
    await send([item('1')])
    const shown = { source: 'reloj', label: null, last_seen_at: expect.stringMatching(/Z$/) }
    expect(await sources()).toEqual([
      {
        ...{ ...shown, complete_until: later, problem_count: 0, problems: [] },
        complete_until_local_at: timeZone('America/Mexico_City').localAt(new Date(later)),
        last_seen_local_at: expect.stringMatching(/-06:00$/),
      },
    ])
  })

  it('shows the label of a source, also after it has sent again', async () => {
    const at = ago(2 * DAY)
    const label = 'Entrada norte, junto al comedor'
    await db.insert(intake_sources).values({ source: 'reloj', last_seen_at: at, label })
    await send([item('1')], { complete_until: at })
    expect(await sources()).toMatchObject([{ source: 'reloj', label, complete_until: at }])
  })

  it('shows refused and differing logs until they are accepted', async () => {
    const late = item('2', { employee_id: 'E-nueva' })
    const stored = item('3', { kind: 'salida' })
    await send([item('1'), late, stored])
    await send([late, { ...stored, recorded_at: ago(3 * DAY) }])
    const moment = expect.any(String)
    const times = { first_at: moment, last_at: moment }
    const problem = { id: expect.any(Number), detail: null, near: null, ...times }
    const refused = { ...problem, result: 'refused', reason: 'unknown_employee' }
    const differs = { ...problem, result: 'differs', reason: null }
    expect(await problems()).toHaveLength(2)
    expect(await problems()).toEqual(
      expect.arrayContaining([
        { ...refused, employee_id: 'E-nueva', source_id: '2', count: 2 },
        { ...differs, employee_id, source_id: '3', count: 1 },
      ]),
    )
    await anEmployee({ employee_id: 'E-nueva' })
    await send([late, stored])
    expect(await problems()).toEqual([])
  })

  it('shows a differing log beside an accepted one with the same id in the same request', async () => {
    const stored = item('3')
    const differing = { ...stored, recorded_at: ago(3 * DAY) }
    await send([stored, differing])
    expect(await problems()).toMatchObject([{ source_id: '3', result: 'differs' }])
    await send([stored])
    expect(await problems()).toEqual([])
  })

  it('also solves the problem of a log with a legacy number', async () => {
    const { source_id: _, ...numbered } = item('x', { employee_id: 'E-nueva', log_id: 9002 })
    for (const count of [1, 2, 3]) {
      await send([numbered])
      expect(await problems()).toMatchObject([{ source_id: '9002', count }])
    }
    await anEmployee({ employee_id: 'E-nueva' })
    await send([numbered])
    expect(await problems()).toEqual([])
  })

  it('names an invalid log by its id, if that can be read, until it is accepted', async () => {
    const { source_id: _, ...numbered } = item('x', { log_id: 9003, kind: 'comida' })
    const clock = item('4', { recorded_at: 'ayer' })
    await send([numbered, clock, 'basura'])
    const names = async () =>
      (await problems()).map(({ source_id }: { source_id: string }) => source_id).sort()
    expect(await names()).toEqual(['', '4', '9003'])
    await send([
      { ...numbered, kind: 'entrada' },
      { ...clock, recorded_at: ago(2 * DAY) },
    ])
    expect(await names()).toEqual([''])
  })

  it('names no employee for a log that cannot be read, not even the caller', async () => {
    const sender = await signInAdmin({ employee_id })
    const body = { source: 'reloj', logs: ['basura'] }
    await post('/v2/incidents/logs', body, { token: sender.token })
    expect(await problems()).toMatchObject([{ reason: 'invalid', employee_id: '' }])
  })

  it('shows a problem to the branch that its employee has now', async () => {
    const sent = item('1')
    const differing = { ...sent, recorded_at: ago(3 * DAY) }
    await send([sent])
    await send([differing])
    await db.update(employees).set({ branch_office: 'Sur' })
    await send([differing])
    expect(await db.select().from(intake_problems)).toMatchObject([{ branch_office: 'Sur' }])
  })

  it('keeps the problems of each source apart', async () => {
    const unknown = (ids: number) =>
      Array.from({ length: ids }, (_, i) => item(String(i), { employee_id: 'nadie' }))
    await send(unknown(80))
    await send(unknown(80), { source: 'otro' })
    await send([item('7')])
    expect(await sources()).toMatchObject([
      { source: 'otro', problem_count: 80 },
      { source: 'reloj', problem_count: 79 },
    ])
  })

  const sendUnknown = async (count: number, prefix: string) => {
    for (let from = 0; from < count; from += 100) {
      await send(
        Array.from({ length: Math.min(100, count - from) }, (_, i) =>
          item(`${prefix}-${from + i}`, { employee_id: 'nadie' }),
        ),
      )
    }
  }

  it('shows the newest 100 problems, and counts all', async () => {
    await sendUnknown(160, 'a')
    const [{ problems, problem_count }] = await sources()
    expect([problems.length, problem_count]).toEqual([100, 160])
  })

  it('keeps a problem for exactly 90 days, and a dismissed one for good', async () => {
    stopClock()
    await sendUnknown(3, 'a')
    const setAge = (id: string, age: number) =>
      env.DB.prepare('UPDATE intake_problems SET last_at = ? WHERE source_id = ?')
        .bind(ago(age), id)
        .run()
    await setAge('a-0', 90 * DAY)
    await setAge('a-1', 90 * DAY + 1)
    await setAge('a-2', 200 * DAY)
    await dismiss('a-2')
    await send([], { complete_until: ago(DAY) })
    await send([item('1')])
    const rows = await db.select().from(intake_problems)
    expect(rows.map(({ source_id }) => source_id).sort()).toEqual(['a-0', 'a-2'])
  })

  it('keeps a thousand problems per source, not counting dismissed ones', async () => {
    await sendUnknown(1_000, 'a')
    expect(await dismiss(null)).toBe(1_000)
    await sendUnknown(10, 'b')
    expect(await sources()).toMatchObject([{ problem_count: 10 }])
  })

  it('keeps the oldest thousand problems of a source in a flood of new ones', async () => {
    await send([item('lost', { kind: 'salida', employee_id: 'E-nueva' })])
    await sendUnknown(1_100, 'flood')
    await sendUnknown(1_100, 'flood')
    expect(await sources()).toMatchObject([{ problem_count: 1_000 }])
    expect((await db.select().from(intake_problems)).slice(0, 2)).toMatchObject([
      { source_id: 'lost', count: 1 },
      { source_id: 'flood-0', count: 2 },
    ])
    // Each source has its own limit.
    await send([item('1', { employee_id: 'nadie' })], { source: 'reloj-2' })
    expect(await sources()).toMatchObject([{}, { source: 'reloj-2', problem_count: 1 }])
  })

  it('hides a dismissed problem unless the log is refused for a different reason', async () => {
    const sent = item('7', { employee_id: 'nadie' })
    await send([sent, item('8', { employee_id: 'nadie' })])
    expect(await dismiss('7')).toBe(1)
    expect(await dismiss('7')).toBe(0)
    await send([sent])
    expect(await sources()).toMatchObject([{ problem_count: 1, problems: [{ source_id: '8' }] }])
    const dismissed = { dismissed_reason: 'Registro dañado del reloj.', count: 2 }
    expect((await db.select().from(intake_problems))[0]).toMatchObject(dismissed)
    await send([{ ...sent, recorded_at: ago(50 * DAY) }])
    expect((await sources())[0].problem_count).toBe(2)
    const shown = { reason: 'too_old', dismissed_reason: null, dismissed_at: null }
    expect((await db.select().from(intake_problems))[0]).toMatchObject(shown)
    expect(await dismiss(null)).toBe(2)
    expect(await problems()).toEqual([])
  })

  it.each([
    ['a log', ['2'], {}],
    ['complete_until alone', [], { complete_until: ago(DAY) }],
  ])('lists a retired source again once it sends %s', async (_, logs, more) => {
    await send([item('1')])
    const retired_at = new Date().toISOString()
    const retired = { source: 'reloj', label: null, retired_at, at: retired_at }
    await replaceSource(await openAsOperator(env.DB), retired)
    expect(await sources()).toEqual([])
    const items = logs.map((id) => item(id, { kind: 'salida' }))
    await send(items, more)
    expect(await sources()).toMatchObject([{ source: 'reloj' }])
  })
})

describe('acts of an administrator on a source', () => {
  const SOURCES = '/v2/incidents/sources'
  const put = (source: string, body: object) =>
    call('PUT', `${SOURCES}/${encodeURIComponent(source)}`, { token: admin.token, body })
  const dismissAs = (source: string, id: number, reason: string) =>
    post(`${SOURCES}/${source}/problems/${id}/dismiss`, { reason }, { token: admin.token })

  it('labels a source, retires it and takes it back', async () => {
    await aProblem({ source: 'reloj norte' })
    const { body } = await put('Reloj Norte', { label: 'Nave norte', retired: true })
    const seen = { complete_until: null, last_seen_at: '2026-11-02T14:00:00.000Z' }
    const changed = { source: 'reloj norte', label: 'Nave norte', retired: true, ...seen }
    expect(body.data).toEqual(changed)
    expect(await sources()).toEqual([])
    expect(await sources('?retired=true')).toMatchObject([{ source: 'reloj norte' }])
    const back = await put('reloj norte', { label: null, retired: false })
    expect(back.body.data).toMatchObject({ label: null, retired: false })
    expect(await sources()).toMatchObject([{ source: 'reloj norte' }])
  })

  it('dismisses an open problem, once', async () => {
    const { id } = await aProblem({ source: 'reloj' })
    await aProblem({ source: 'otro' })
    expect((await dismissAs('otro', id, 'Ya no trabaja aquí.')).status).toBe(404)
    expect((await dismissAs('reloj', id, ' ')).status).toBe(422)
    expect((await dismissAs('reloj', id, 'Ya no trabaja aquí.')).status).toBe(200)
    expect(await sources()).toMatchObject([{ source: 'otro' }, { source: 'reloj', problems: [] }])
    expect((await dismissAs('reloj', id, 'Otra vez.')).status).toBe(404)
  })

  it('rejects unknown sources and invalid labels', async () => {
    await aProblem({ source: 'reloj' })
    expect((await put('nadie', { label: null, retired: true })).status).toBe(404)
    for (const body of [{ retired: true }, { label: ' ', retired: true }, { label: null }]) {
      expect((await put('reloj', body)).status).toBe(422)
    }
  })
})

it('lets a machine’s token outlive TOKEN_TTL_MINUTES, but not its revocation', async () => {
  const machine = await aUser({ role: 'reloj' })
  const issuedAt = new Date(Date.now() - 90 * MINUTE)
  const token = await tokenFor({ ...machine, machine: true }, issuedAt)
  const settings = { TOKEN_TTL_MINUTES: '60' }
  expect((await get('/auth/me', { token, env: settings })).status).toBe(200)
  const person = await tokenFor(machine, issuedAt)
  expect((await get('/auth/me', { token: person, env: settings })).status).toBe(401)
  await env.DB.prepare('UPDATE users SET token_version = token_version + 1').run()
  expect((await get('/auth/me', { token, env: settings })).status).toBe(401)
})
