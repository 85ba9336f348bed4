import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { forgetEmployee } from '../../cli/people/forget.ts'
import { textOfReport } from '../../sdk/evidence/report-text.ts'
import { SEALED_LINE_FIELDS } from '../../src/payroll/closing-lines.ts'
import { call, get } from '../support/api.ts'
import { dropTriggers, faultsOf, namedFile, verifyText } from '../support/evidence.ts'
import { VERIFIER_KEY } from '../support/evidence-files.ts'
import { anAdmin, anEmployee, aUser, inBranches, paysFrom } from '../support/factories.ts'
import { parseLines } from '../support/lines.ts'
import { type Payroll, payrollOf } from '../support/payroll.ts'
import { seal } from '../support/seals.ts'
import { punch } from '../support/time-card.ts'

/** Tests that the lines of a closing can be compared with its sealed event. */

const PEOPLE = ['E-ana', 'E-luis']

let token: string
let payroll: Payroll
let closingId: number
beforeEach(async () => {
  token = (await anAdmin()).token
  payroll = payrollOf(token)
  await paysFrom('2026-11-01')
  for (const employee_id of PEOPLE) {
    await anEmployee({ employee_id, full_name: `Persona ${employee_id}` })
    await punch(employee_id, '02 E08:00 S17:00 03 E08:00 S13:00')
  }
  closingId = (await payroll.closed({ before: '2026-11-16' })).id
})

const linesOf = async (id: number): Promise<string> =>
  (await payroll.send('GET', `/closings/${id}/lines?format=ndjson`)).text

const evidence = async () => (await get('/v2/audit/evidence', { token })).text

/** Compares closing lines with the evidence. `uncompared` says why lines were not compared. */
const compare = async (lines?: string, file?: string) => {
  const closings = lines === undefined ? [] : [namedFile('corte.ndjson', lines)]
  const report = await verifyText(file ?? (await evidence()), { closings })
  return {
    faults: report.faults.texts,
    uncompared: report.uncompared.texts,
    closing: report.comparedClosings[0]?.id,
  }
}

const SOUND = { faults: [], uncompared: [] }

/** The fault of lines that match no closing in the evidence of the whole record. */
const OTHER_LINES = [
  expect.stringMatching(
    /^corte\.ndjson: sus renglones no son los que selló ningún cierre .* serían del cierre 1: /,
  ),
]

const UNKNOWN = [
  expect.stringMatching(
    /^corte\.ndjson: no se pudo comparar\. .* o se alteraron, o son de un cierre/,
  ),
]

it('proves the lines of a closing in any order', async () => {
  await seal()
  const lines = await linesOf(closingId)
  expect(await compare(lines)).toEqual({ ...SOUND, closing: closingId })
  const reversed = lines.trimEnd().split('\n').toReversed().join('\n')
  expect(await compare(`${reversed}\n`)).toEqual({ ...SOUND, closing: closingId })
})

it('checks each of several files in any order', async () => {
  await seal()
  const good = await linesOf(closingId)
  const altered = good.replace(/"difference_seconds":\d+/, '"difference_seconds":1')
  const text = await evidence()
  for (const isReversed of [false, true]) {
    const closings = [namedFile('bueno.ndjson', good), namedFile('alterado.ndjson', altered)]
    if (isReversed) closings.reverse()
    const { faults, comparedClosings } = await verifyText(text, { closings })
    expect(faults.texts).toEqual([expect.stringContaining('alterado.ndjson: sus renglones no son')])
    expect(comparedClosings).toMatchObject([{ id: closingId, name: 'bueno.ndjson' }])
  }
})

it('proves the lines of a closing that was cancelled and made again as it was', async () => {
  await payroll.cancel(closingId)
  const { id } = await payroll.closed({ before: '2026-11-16' })
  await seal()
  expect(await compare(await linesOf(id))).toEqual({ ...SOUND, closing: id })
})

describe('does not judge lines', () => {
  it('of a closing that is later than the file', async () => {
    await seal()
    const file = await evidence()
    await punch('E-ana', '16 E08:00 S10:00')
    const { id } = await payroll.closed({ before: '2026-11-17' })
    const lines = await linesOf(id)
    const { faults, uncompared } = await compare(lines, file)
    expect([faults, uncompared]).toEqual([[], UNKNOWN])
    expect(uncompared[0]).toContain('Con el registro completo y más reciente se sabe.')
    // Altered lines are no fault either, because this file does not have their closing.
    const altered = lines.replace('"difference_seconds":7200', '"difference_seconds":1')
    expect((await compare(altered, file)).uncompared).toEqual(UNKNOWN)
    await seal()
    expect((await compare(lines)).closing).toBe(id)
    expect((await compare(altered)).faults.at(-1)).toContain('serían del cierre 2: ')
  })

  it('of a later closing that corrects a day paid by a closing in the file', async () => {
    await seal()
    const file = await evidence()
    const log_ids = await punch('E-ana', '03 E18:00? S19:00?')
    await payroll.send('POST', '/change_logs_status', { log_ids, status: 'approved' })
    const { id } = await payroll.closed({ before: '2026-11-17' })
    const lines = await linesOf(id)
    expect(lines).toContain(`"previous_closing_id":${closingId}`)
    expect(await compare(lines, file)).toMatchObject({ faults: [], uncompared: UNKNOWN })
  })

  it('of a closing that is not sealed yet', async () => {
    const text = await evidence()
    const unsealed = text.split('\n').filter((line) => !line.startsWith('{"seal"'))
    const head = { ...JSON.parse(unsealed[0] ?? ''), origin: '', keys: [] }
    const { end } = JSON.parse(unsealed.at(-2) ?? '')
    const newEnd = JSON.stringify({ end: { ...end, seals: 0 } })
    const file = [JSON.stringify(head), ...unsealed.slice(1, -2), newEnd, ''].join('\n')
    expect(await compare(await linesOf(closingId), file)).toEqual({
      faults: [],
      uncompared: [
        'corte.ndjson: sus renglones son los del cierre 1, que todavía no tiene sello: no están probados.',
      ],
      closing: undefined,
    })
  })

  it.each(['CSV', 'by=employee', 'by=week'])('in a different format: %s', async (form) => {
    const query = form === 'CSV' ? 'format=csv' : `format=ndjson&${form}`
    const { text } = await payroll.send('GET', `/closings/${closingId}/lines?${query}`)
    await expect(compare(text)).rejects.toThrow(
      'corte.ndjson no trae los renglones de un cierre (línea 1): descárguelo con format=ndjson y sin by.',
    )
  })
})

describe('does not prove lines', () => {
  it('if one is left out', async () => {
    await seal()
    const [, ...rest] = (await linesOf(closingId)).split('\n')
    expect((await compare(rest.join('\n'))).faults).toEqual(OTHER_LINES)
  })

  it('of a closing with an unsealed cancellation, but says so', async () => {
    const lines = await linesOf(closingId)
    await seal()
    const { end } = parseLines(await evidence()).at(-1) ?? {}
    await payroll.cancel(closingId)
    // The newest event is the cancellation, and the newest seal covers it.
    const all = (await evidence()).split('\n').slice(0, -3)
    const file = [...all, JSON.stringify({ end: { ...end, events: end.events + 1 } }), ''].join(
      '\n',
    )
    expect(await compare(lines, file)).toEqual({
      faults: [],
      uncompared: [
        'corte.ndjson: la cancelación del cierre 1 todavía no tiene sello: no está probada.',
      ],
      closing: closingId,
    })
  })

  it('of a cancelled closing', async () => {
    const lines = await linesOf(closingId)
    expect((await payroll.cancel(closingId)).status).toBe(200)
    await seal()
    expect((await compare(lines)).faults).toEqual([
      `corte.ndjson: el cierre ${closingId} está cancelado: no se paga nada con él.`,
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
      const report = await verifyText(text, { keys: [VERIFIER_KEY] })
      expect(report.faults.texts).toEqual([])
      const paid = { isCancelled: false, deducted_seconds: 0 }
      expect(report.ownClosings).toEqual([
        { ...paid, id: closingId, before: '2026-11-16', paid_seconds: 14 * 3600 },
        { ...paid, id: closingId + 1, before: '2026-11-17', paid_seconds: 2 * 3600 },
      ])
      expect(textOfReport(report).checks.map((check) => check.text)).toContain(
        `Los renglones de la persona en el cierre ${closingId}, de días anteriores al 2026-11-16, son los que se sellaron: paga 50,400 s (14 h). Ningún evento sellado de este archivo lo cancela.`,
      )
    }
  })

  it('reports that a closing was cancelled', async () => {
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
    const closingsOf = async (query: string) =>
      (await verifyText(await ofAna(token, query))).closings
    expect(await closingsOf('employee_id=E-ana&from=2026-11-03&to=2026-11-03')).toBe(1)
    expect(await closingsOf('employee_id=E-ana&from=2026-11-04&to=2026-11-30')).toBe(0)
    expect(await closingsOf('employee_id=E-ana&from=2026-10-01&to=2026-11-01')).toBe(0)
    expect(await closingsOf('log_id=1')).toBe(0)
  })

  it('leaves out a closing with lines outside the administrator’s branches', async () => {
    await env.DB.prepare("UPDATE employees SET branch_office = 'Sur'").run()
    await punch('E-ana', '16 E08:00 S10:00')
    await payroll.close({ before: '2026-11-17', employee_id: 'E-ana' })
    const { token: scoped } = await anAdmin({ scope_branches: inBranches('Centro') })
    const report = await verifyText(await ofAna(scoped))
    expect(report.faults.texts).toEqual([])
    expect([...report.ownClosings].map(({ id }) => id)).toEqual([closingId])
  })

  it('does not judge a closing without the person, or of another period', async () => {
    await punch('E-luis', '16 E08:00 S10:00')
    const { id } = await payroll.closed({ before: '2026-11-17', employee_id: 'E-luis' })
    await seal()
    for (const [lines, query] of [
      [await linesOf(id), PERIOD],
      [await linesOf(closingId), 'employee_id=E-ana&from=2026-11-04&to=2026-11-30'],
      [await linesOf(closingId), 'log_id=1'],
    ] as const) {
      const result = await compare(lines, await ofAna(token, query))
      expect(result, query).toEqual({ faults: [], uncompared: UNKNOWN, closing: undefined })
    }
  })

  it('has a title that reports lines that were not compared', async () => {
    await seal()
    const closings = [namedFile('corte.ndjson', await linesOf(closingId))]
    const report = await verifyText(await ofAna(token, 'log_id=1'), { closings })
    const text = textOfReport(report)
    expect(text.title).toBe('Íntegro; no todo se pudo comparar')
    expect(text.findings[0]).toMatchObject({ kind: 'uncompared', texts: UNKNOWN })
  })

  it('proves the lines of everybody in a closing, and names what was altered', async () => {
    await seal()
    const file = await ofAna()
    const lines = await linesOf(closingId)
    expect(await compare(lines, file)).toEqual({ ...SOUND, closing: closingId })
    const alteredOf = (employee_id: string) =>
      lines.replace(new RegExp(`"${employee_id}".*"difference_seconds":32400`), (line) =>
        line.replace(/32400$/, '36000'),
      )
    const start = 'corte.ndjson: no son los renglones que selló el cierre 1; cambian los de'
    expect((await compare(alteredOf('E-ana'), file)).faults).toEqual([
      `${start} E-ana. De E-ana, el 2026-11-02 difference_seconds es 36000, y se selló 32400.`,
    ])
    expect((await compare(alteredOf('E-luis'), file)).faults).toEqual([`${start} E-luis.`])
  })

  it('names the day if all lines are of that person', async () => {
    await punch('E-ana', '16 E08:00 S10:00')
    const { id } = await payroll.closed({ before: '2026-11-17', employee_id: 'E-ana' })
    await seal()
    const lines = (await linesOf(id)).replace('"difference_seconds":7200', '"difference_seconds":1')
    expect((await compare(lines, await ofAna())).faults).toEqual([
      expect.stringContaining('el 2026-11-16 difference_seconds es 1, y se selló 7200.'),
    ])
  })

  it('reports that some lines are of a closing and others are missing', async () => {
    await seal()
    const own = (await linesOf(closingId)).split('\n').filter((line) => line.includes('E-ana'))
    expect(await compare(own.join('\n'), await ofAna())).toEqual({
      faults: [],
      uncompared: [
        'corte.ndjson: los renglones que trae son los que selló el cierre 1, pero faltan los de 1 persona.',
      ],
      closing: undefined,
    })
  })

  it('does not prove lines with a different value in any of their columns', async () => {
    await seal()
    const file = await ofAna()
    for (const name of SEALED_LINE_FIELDS) {
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

const attack = async (text: string) => {
  await dropTriggers()
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
  await forgetEmployee(env.DB, 'E-ana', { now: new Date(), adminRoles: ['admin'] })
  const after = await linesOf(closingId)
  expect(after).not.toContain('Persona E-ana')
  for (const lines of [before, after]) {
    expect(await compare(lines)).toEqual({ ...SOUND, closing: closingId })
  }
  const [{ hash }] = (await call('GET', '/v2/incidents/closings', { token })).body.data.closings
  expect(hash).toMatch(/^[0-9a-f]{64}$/)
})
