import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { forgetEmployee } from '../../cli/people/forget.ts'
import { textOfReport } from '../../sdk/evidence/report-text.ts'
import { SEALED_LINE_FIELDS } from '../../src/payroll/closings/closing-lines.ts'
import { LINES_FILE } from '../../src/payroll/closings/closing-rows.http.ts'
import { call, get } from '../support/api.ts'
import { dropTriggers, faultsOf, namedFile, verifyText } from '../support/evidence.ts'
import {
  fileText,
  personFile,
  SOME_LEAVES,
  VERIFIER_KEY,
  wholeFile,
} from '../support/evidence-files.ts'
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

/** What is reported for a file whose lines have the hash of no sealed closing. */
const NONE = /^corte\.ndjson: sus renglones no son los que selló ninguno de los cierres/
const OF_NO_CLOSING = [expect.stringMatching(NONE)]

it('proves the lines of a closing in any order, and names the columns that are not sealed', async () => {
  await seal()
  const lines = await linesOf(closingId)
  const proven = { faults: [], uncompared: [], closing: closingId }
  expect(await compare(lines)).toEqual(proven)
  const reversed = lines.trimEnd().split('\n').toReversed().join('\n')
  expect(await compare(`${reversed}\n`)).toEqual(proven)
  const closings = [namedFile('corte.ndjson', lines)]
  const said = textOfReport(await verifyText(await evidence(), { closings })).checks
  const is = `Los renglones de corte.ndjson son los que selló el cierre ${closingId}.`
  const rest =
    'corte.ndjson, no sellado: rfc, full_name, payroll_group, ended_at, weekday, holiday, sunday_seconds, holiday_seconds, worked_hours, paid_before_hours, difference_hours, held_hours, sunday_hours, holiday_hours, spans, extra_log_ids.'
  expect(said.filter(({ text }) => text.includes('corte'))).toEqual([
    { isDone: true, text: is },
    { isDone: false, text: rest },
  ])
})

it('notices a change in each sealed column of the lines, and a repeated day', async () => {
  await seal()
  const file = await evidence()
  const [first = {}, ...others] = parseLines(await linesOf(closingId))
  expect(Object.keys(first)).toEqual(LINES_FILE.names)
  const textOf = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  for (const column of LINES_FILE.names) {
    const value = first[column]
    const changed = typeof value === 'number' ? value + 1_000 : `${value ?? ''}x`
    const { closing } = await compare(textOf([{ ...first, [column]: changed }, ...others]), file)
    const isSealed = SEALED_LINE_FIELDS.includes(column)
    expect([column, closing]).toEqual([column, isSealed ? undefined : closingId])
  }
  await expect(compare(textOf([first, ...others, first]), file)).rejects.toThrow(
    `corte.ndjson repite un día de una persona: línea ${others.length + 2}.`,
  )
})

it('checks each of several files', async () => {
  await seal()
  const good = await linesOf(closingId)
  const altered = good.replace(/"difference_seconds":\d+/, '"difference_seconds":1')
  const closings = [namedFile('corte.ndjson', altered), namedFile('bueno.ndjson', good)]
  const { faults, uncompared, comparedClosings } = await verifyText(await evidence(), { closings })
  expect([faults.texts, uncompared.texts]).toEqual([[], OF_NO_CLOSING])
  expect(comparedClosings).toMatchObject([{ id: closingId, name: 'bueno.ndjson' }])
})

it('proves lines for the cancelled closing and for the one that was made again as it was', async () => {
  await payroll.cancel(closingId)
  const { id } = await payroll.closed({ before: '2026-11-16' })
  await seal()
  const closings = [namedFile('corte.ndjson', await linesOf(id))]
  const report = await verifyText(await evidence(), { closings })
  expect(report.comparedClosings).toMatchObject([
    { id: closingId, isCancelled: true },
    { id, isCancelled: false },
  ])
  expect(textOfReport(report).checks.map(({ text }) => text)).toContain(
    `Los renglones de corte.ndjson son los que selló el cierre ${closingId}, que después se canceló.`,
  )
})

it('says of lines that a line is left out, or that no sealed closing of the file has them', async () => {
  const unsealed = await evidence()
  await seal()
  const file = await evidence()
  const [, ...rest] = (await linesOf(closingId)).split('\n')
  await punch('E-ana', '16 E08:00 S10:00')
  const { id: later } = await payroll.closed({ before: '2026-11-17' })
  const withoutSeals = unsealed.replaceAll(/^\{"seal".*\n/gm, '').replace('"seals":1', '"seals":0')
  const withoutKeys = withoutSeals.replace(/"origin":.*?"keys":\[.*?\]/, '"origin":"","keys":[]')
  for (const [lines, text] of [
    [rest.join('\n'), file],
    [await linesOf(later), file],
    [await linesOf(closingId), withoutKeys],
  ] as const) {
    expect(await compare(lines, text)).toEqual({ faults: [], uncompared: OF_NO_CLOSING })
  }
})

it.each(['CSV', 'by=employee', 'by=week'])('cannot read lines in the form %s', async (form) => {
  const query = form === 'CSV' ? 'format=csv' : `format=ndjson&${form}`
  const { text } = await payroll.send('GET', `/closings/${closingId}/lines?${query}`)
  await expect(compare(text)).rejects.toThrow(
    'corte.ndjson no trae los renglones de un cierre (línea 1): descárguelo con format=ndjson y sin by.',
  )
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
      const paid = { employee_id: 'E-ana', isCancelled: false, deducted_seconds: 0 }
      expect(report.ownClosings).toEqual([
        { ...paid, id: closingId, before: '2026-11-16', paid_seconds: 14 * 3600 },
        { ...paid, id: closingId + 1, before: '2026-11-17', paid_seconds: 2 * 3600 },
      ])
      expect(textOfReport(report).checks.map((check) => check.text)).toContain(
        `Los renglones de E-ana en el cierre ${closingId}, de días anteriores al 2026-11-16, son los que se sellaron: paga 50,400 s (14 h). Ningún evento sellado de este archivo lo cancela.`,
      )
    }
  })

  it('reports that a closing was cancelled', async () => {
    await payroll.cancel(closingId)
    await seal()
    const report = await verifyText(await ofAna())
    expect(report.faults.texts).toEqual([])
    expect(report.ownClosings).toMatchObject([{ id: closingId, isCancelled: true }])
    const said = JSON.stringify(textOfReport(report))
    expect(said).toContain('Después se canceló: nadie cobró con él.')
  })

  it('has the closings with a day in the period, and none in a log’s own evidence', async () => {
    const closingsOf = async (query: string) =>
      (await verifyText(await ofAna(token, query))).closings
    expect(await closingsOf('employee_id=E-ana&from=2026-11-03&to=2026-11-03')).toBe(1)
    expect(await closingsOf('employee_id=E-ana&from=2026-11-04&to=2026-11-30')).toBe(0)
    expect(await closingsOf('employee_id=E-ana&from=2026-10-01&to=2026-11-01')).toBe(0)
    expect(await closingsOf('log_id=1')).toBe(0)
  })

  it('has no lines of a closing with a line outside the administrator’s branches', async () => {
    await punch('E-ana', '16 E08:00 S10:00')
    await env.DB.prepare("UPDATE employees SET branch_office = 'Sur'").run()
    await punch('E-ana', '17 E08:00 S10:00')
    await payroll.close({ before: '2026-11-18', employee_id: 'E-ana' })
    await env.DB.prepare("UPDATE employees SET branch_office = 'Centro'").run()
    const { token: scoped } = await anAdmin({ scope_branches: inBranches('Centro') })
    const until = 'employee_id=E-ana&from=2026-11-01&to=2026-11-16'
    const report = await verifyText(await ofAna(scoped, until))
    expect(report.faults.texts).toEqual([])
    expect(report.ownClosings.map(({ id }) => id)).toEqual([closingId])
    expect(report.sealedClosings.map(({ id }) => id)).toEqual([closingId, closingId + 1])
    const text = `No trae los renglones de estos cierres: ${closingId + 1}.`
    expect(textOfReport(report).checks).toContainEqual({ isDone: false, text })
  })

  it('has a title that reports lines that were not compared', async () => {
    await seal()
    const closings = [namedFile('corte.ndjson', await linesOf(closingId))]
    const report = await verifyText(await ofAna(token, 'log_id=1'), { closings })
    const text = textOfReport(report)
    expect(text.title).toBe('Íntegro; no todo se pudo comparar')
    expect(text.findings[0]).toMatchObject({ kind: 'uncompared', texts: OF_NO_CLOSING })
  })

  it('proves the lines of everybody in a closing that paid the person', async () => {
    await seal()
    const compared = await compare(await linesOf(closingId), await ofAna())
    expect(compared).toMatchObject({ closing: closingId })
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
    ['sus renglones no son los que se sellaron.', /(?<="difference_seconds":)\d+/, '1'],
    ['sus huellas no son las que se sellaron.', /(?<="hashes":\["..)../, '00'],
    ['trae renglones de otra persona.', /(?<="employee_id":")E-ana(?=","exc)/g, 'E-luis'],
  ])('has a fault that names what was changed: %s', async (flaw, place, other) => {
    await seal()
    const text = await ofAna()
    expect(text).toMatch(place)
    const changed = text.replace(place, other)
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
  expect((await compare(await linesOf(closingId))).uncompared).toEqual(OF_NO_CLOSING)
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
    expect(await compare(lines)).toEqual({ faults: [], uncompared: [], closing: closingId })
  }
  const [{ hash }] = (await call('GET', '/v2/incidents/closings', { token })).body.data.closings
  expect(hash).toMatch(/^[0-9a-f]{64}$/)
})

it('lists the closings with the hash of their lines, and a person’s logs with their status', async () => {
  const leaves = SOME_LEAVES.slice(0, 9)
  const listsOf = async (file: Awaited<ReturnType<typeof wholeFile>>) =>
    textOfReport(await verifyText(fileText(file))).lists
  const hash = SOME_LEAVES.flatMap((leaf) => (leaf.event === 'closed' ? leaf.lines : []))[0]
  const closings = {
    title: 'Los cierres',
    texts: [
      `Cierre 1, de días anteriores al 2 de noviembre de 2026, con huella ${hash}; después se canceló.`,
      `Cierre 2, de días anteriores al 2 de noviembre de 2026, con huella ${hash}.`,
    ],
  }
  expect(await listsOf(await wholeFile(leaves, [9]))).toEqual([closings])
  expect(await listsOf(await personFile(leaves, [7]))).toEqual([
    {
      title: 'Las checadas, como las dejó su último evento',
      texts: [
        'Entrada 2 de noviembre de 2026 a las 2:00:00 p.m. (UTC), Norte (checada 1): aprobada.',
        'Salida 2 de noviembre de 2026 a las 3:30:00 p.m. (UTC), Norte (checada 4): su último evento no está sellado.',
      ],
    },
    { ...closings, texts: closings.texts.slice(0, 1) },
  ])
})

it('shows the reader’s zone beside UTC, and says that the branch’s is not known', async () => {
  const report = await verifyText(fileText(await personFile(SOME_LEAVES.slice(0, 9), [7])))
  const { lists, details } = textOfReport(report, { zone: 'America/Tijuana' })
  expect(lists[0]?.texts[0]).toBe(
    'Entrada 2 de noviembre de 2026 a las 2:00:00 p.m. (UTC); en este equipo, 2 de noviembre de 2026 a las 6:00:00 a.m., Norte (checada 1): aprobada.',
  )
  expect(details.at(-1)).toEqual({
    term: 'Horas',
    text: 'En UTC, como se sellaron: la evidencia no dice en qué zona está cada sucursal. «En este equipo» es la hora de America/Tijuana, que puede no ser la de la sucursal.',
    isCode: false,
  })
})
