import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parse } from 'csv-parse/sync'
import { strFromU8, unzipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { HoursDay, HoursWeek } from '../../sdk/api-types.ts'
import { linesOf } from '../../sdk/evidence/lines.ts'
import { verdictOf } from '../../sdk/evidence/report.ts'
import { verifyEvidence } from '../../sdk/evidence/verify.ts'
import { saveScreenshot, useBrowser } from '../support/browser.ts'
import {
  axeViolations,
  expectAccessible,
  NARROW,
  openMore,
  PHONE,
  useConsole,
  waitForMessage,
} from '../support/console.ts'
import { aWorkDay, dateDaysAgo, daysAgo } from '../support/console-api.ts'
import { parseLines } from '../support/lines.ts'
import { signInToService } from '../support/service-evidence.ts'
import { useTemporaryFolder } from '../support/temporary-folder.ts'

const { open, api, service, takeProblems } = useConsole()
const newContext = useBrowser()
const { write } = useTemporaryFolder()

const FORM = { name: 'Preparar la carpeta' } as const

/** Presses the button of the form. Returns the name and the files of the downloaded ZIP. */
const prepare = async (page: Page) => {
  const button = page.getByRole('button', FORM)
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()])
  const name = file.suggestedFilename()
  // It is shown for some seconds only.
  await waitForMessage(page, `Se descargó ${name}.`)
  const files = unzipSync(readFileSync(await file.path()))
  return {
    name,
    names: Object.keys(files).sort(),
    text: (name: string) => strFromU8(files[name] ?? new Uint8Array()),
    bytes: (name: string) => files[name] ?? new Uint8Array(),
  }
}

type Folder = Awaited<ReturnType<typeof prepare>>

/** Compares each SHA-256 in LEEME.txt with its file. Returns the names of these files. */
const hashedFiles = ({ text, bytes }: Folder): string[] =>
  [...text('LEEME.txt').matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm)].map(([, hash, name = '']) => {
    expect([name, hash]).toEqual([name, createHash('sha256').update(bytes(name)).digest('hex')])
    return name
  })

const rowsOf = ({ text }: Folder): Record<string, string>[] =>
  parse(text('registro.csv'), { columns: true, bom: true })

const hoursOf = async <Row = HoursDay>(query: string): Promise<Row[]> => {
  const admin = await signInToService(service)
  return parseLines(await admin.get(`/v2/incidents/hours?${query}&format=ndjson`))
}

async function* inOneChunk(text: string) {
  yield text
}

it('gives the record of one person in a ZIP that is read and checked without the service', async () => {
  const ana = await api()
  // The period has days of two months or more. Two logs are added by hand, and one is rejected.
  const logs = [...aWorkDay(40, '14:00', '23:17'), ...aWorkDay(35, '14:00', '22:00')]
  await ana.change(await ana.record('E-008', logs), 'approved')
  const [extra = 0] = await ana.record('E-008', [{ kind: 'salida', at: daysAgo(35, '22:31') }])
  await ana.change([extra], 'rejected', 'Checada de otra persona.')
  const byHand = [
    await ana.addByHand('E-008', 'entrada', daysAgo(33, '14:00')),
    await ana.addByHand('E-008', 'salida', daysAgo(33, '20:30')),
  ].map(({ log_id }) => log_id ?? 0)
  await ana.change(byHand, 'approved')
  const [from, to] = [dateDaysAgo(44), dateDaysAgo(2)]

  const page = await open({ path: `horas?employee_id=E-008&from=${dateDaysAgo(14)}&to=${to}` })
  await openMore(page)
  await page.getByRole('link', { name: 'Para la inspección' }).click()
  await page.getByRole('heading', { name: 'Para la inspección' }).waitFor()
  await page.getByText('Héctor Zúñiga Robles').waitFor()
  await page.getByLabel('Desde').fill(from)
  const folder = await prepare(page)
  expect(folder.name).toBe(`inspeccion_E-008_${from}_${to}.zip`)
  const named = ['evidencia.ndjson', 'registro.csv', 'tarjetas.html', 'verificar.html']
  expect(folder.names).toEqual(['LEEME.txt', ...named])
  expect(hashedFiles(folder).sort()).toEqual(named)
  const title = `Héctor Zúñiga Robles (E-008), del ${from} al ${to}.`
  expect(folder.text('LEEME.txt')).toContain(title)
  expect(folder.names.map(folder.text).join()).not.toMatch(/prueba plena|cumple/i)
  expect(folder.text('verificar.html')).toBe(readFileSync('public/verificar.html', 'utf8'))

  // The register has the hours of the API. It has a row for each day, also for days without logs.
  const days = await hoursOf(`employee_id=E-008&from=${from}&to=${to}`)
  const rows = rowsOf(folder)
  expect(rows).toHaveLength(43)
  const worked = rows.filter((row) => row.Inicio !== '')
  expect(worked.map((row) => [row.Día, row.Inicio, row.Fin, row.Horas, row.Segundos])).toEqual(
    days
      .filter(({ first_in }) => first_in !== null)
      .map((day) => [
        ...[day.day, day.first_in, day.last_out ?? '', day.worked_hours?.toFixed(2) ?? ''],
        String(day.worked_seconds ?? ''),
      ]),
  )
  const rowOn = (days: number) => rows.find((row) => row.Día === dateDaysAgo(days)) ?? {}
  expect(rowOn(40)).toMatchObject({
    ...{ Nombre: 'Héctor Zúñiga Robles', Inicio: `${dateDaysAgo(40)} 08:00:00` },
    ...{ Fin: `${dateDaysAgo(40)} 17:17:00`, 'Entradas y salidas': '08:00–17:17', Horas: '9.28' },
    ...{ Origen: 'reloj-prueba', 'Quién decidió': 'Ana Torres Rivas' },
  })
  const weeks = await hoursOf<HoursWeek>(`employee_id=E-008&from=${from}&to=${to}&by=week`)
  const week = weeks.find(({ week_from }) => week_from === rowOn(40)['Semana del'])
  expect([rowOn(40)['Horas de la semana'], rowOn(40)['Límite de la semana']]).toEqual(
    [week?.week_seconds, week?.limit_seconds].map((seconds = 0) => (seconds / 3600).toFixed(2)),
  )
  expect(rowOn(35).Checadas).toMatch(
    new RegExp(`; ${extra}: Salida .* 16:31:00, reloj-prueba, rechazada por Ana Torres Rivas el `),
  )
  expect(rowOn(33)).toMatchObject({ Origen: 'Agregada a mano', Horas: '6.50' })
  expect(rowOn(34)).toMatchObject({ Inicio: '', Horas: '', Checadas: '' })

  // The evidence is sound, and it has the logs of this person.
  const evidence = folder.text('evidencia.ndjson')
  expect(verdictOf(await verifyEvidence(linesOf(inOneChunk(evidence))))).toBe('sound')
  for (const log_id of [extra, ...byHand]) expect(evidence).toContain(`\\"log_id\\":${log_id}`)

  // The cards open from disk without a network, one card for each month.
  const context = await newContext({ offline: true, viewport: PHONE })
  const cards = await context.newPage()
  const opened: string[] = []
  cards.on('request', (request) => opened.push(request.url()))
  cards.on('console', (message) => opened.push(message.text()))
  const address = pathToFileURL(write('tarjetas.html', folder.bytes('tarjetas.html'))).href
  await cards.goto(address)
  await saveScreenshot(cards, 'inspection-cards')
  expect(await cards.locator('.card dd', { hasText: 'Héctor Zúñiga Robles' }).count()).toBe(
    new Set(rows.map((row) => row.Día?.slice(0, 7))).size,
  )
  await cards.locator('.card tr', { hasText: '08:00–17:17' }).getByText('9:17:00').first().waitFor()
  const border = "getComputedStyle(document.querySelector('.card')).borderTopWidth"
  expect(await cards.evaluate(border)).toBe('1px')
  expect(await axeViolations(cards)).toEqual([])
  expect(opened).toEqual([address])
  await context.close()
})

it('gives the record of a branch with its evidence, and of everybody with the newest checkpoint', async () => {
  const page = await open({ viewport: NARROW, path: 'inspeccion' })
  await page.getByLabel('O todas las personas de una sucursal').selectOption('Norte')
  await page.getByLabel('Hasta').fill(dateDaysAgo(2))
  await page.getByLabel('Desde').fill(dateDaysAgo(60))
  await page.getByRole('button', FORM).click()
  await page.getByText('De varias personas son 31 días como máximo.').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Desde').fill(dateDaysAgo(32))
  await saveScreenshot(page, 'inspection-form')
  const folder = await prepare(page)
  expect(folder.name).toBe(`inspeccion_norte_${dateDaysAgo(32)}_${dateDaysAgo(2)}.zip`)
  const named = ['evidencia.ndjson', 'registro.csv', 'tarjetas.html', 'verificar.html']
  expect(hashedFiles(folder).sort()).toEqual(named)
  expect(folder.text('LEEME.txt')).toContain('suelta en ella evidencia.ndjson.')
  const rows = rowsOf(folder)
  const report = await verifyEvidence(linesOf(inOneChunk(folder.text('evidencia.ndjson'))))
  expect(verdictOf(report)).toBe('sound')
  const people = rows.map(({ Número }) => Número)
  expect(report.about?.employee_ids).toEqual([...new Set(people)].sort())
  expect(new Set(rows.map((row) => row.Sucursal))).toEqual(new Set(['Norte']))
  expect(rows.filter((row) => row.Número === 'E-007')).toHaveLength(31)
  const days = await hoursOf(`branch_office=Norte&from=${dateDaysAgo(32)}&to=${dateDaysAgo(2)}`)
  const figures = rows.flatMap((row) => (row.Horas ? [[row.Número, row.Día, +row.Horas]] : []))
  expect(figures.length).toBeGreaterThan(0)
  expect(figures).toEqual(
    days.flatMap((day) =>
      day.worked_hours === null ? [] : [[day.employee_id, day.day, day.worked_hours]],
    ),
  )
  // On a day without logs at this branch, a person may have logs at another branch.
  const notes = rows.filter(({ Checadas }) => Checadas === '').map(({ Notas }) => Notas)
  expect(notes).toContain('Sin checadas en esta sucursal')
  expect(notes).not.toContain('Sin checadas')
  // The form keeps its values, also over a reload.
  const from = () => page.getByLabel('Desde').inputValue()
  expect(await from()).toBe(dateDaysAgo(32))
  await page.reload()
  await expect.poll(from).toBe(dateDaysAgo(32))

  await page.getByLabel('O todas las personas de una sucursal').selectOption('Todas las sucursales')
  const ofAll = await prepare(page)
  expect(ofAll.names).toContain('checkpoint.txt')
  const admin = await signInToService(service)
  expect(ofAll.text('checkpoint.txt')).toBe(await admin.checkpoint())
  expect(ofAll.text('LEEME.txt')).toContain('La evidencia es de una persona, de 366 días')
})

it('has all files of a branch, and waits if the limit of a minute is reached', async () => {
  const period = `from=${dateDaysAgo(30)}&to=${dateDaysAgo(2)}`
  const page = await open({ path: `inspeccion?branch_office=Norte&${period}` })
  const code = 'TOO_MANY_REQUESTS'
  const body = { success: false, message: 'Demasiadas peticiones.', data: null, code }
  let isLimited = true
  // The demo's branches have few people. So the second file is that of the people after the first.
  await page.route('**/audit/evidence?*', async (route) => {
    const { search, searchParams } = new URL(route.request().url())
    if (searchParams.has('cursor')) {
      if (!isLimited) return route.continue()
      isLimited = false
      return route.fulfill({ status: 429, json: body })
    }
    const response = await route.fetch()
    const link = `<${search}&cursor=${btoa('["E-002"]')}>; rel="next"`
    await route.fulfill({ response, headers: { ...response.headers(), link } })
  })
  await page.clock.install()
  const refused = page.waitForResponse((response) => response.status() === 429)
  const prepared = prepare(page)
  await refused
  await page.clock.fastForward(60_000)
  const folder = await prepared
  takeProblems()
  const files = ['evidencia-1.ndjson', 'evidencia-2.ndjson']
  expect(folder.names).toEqual(expect.arrayContaining(files))
  expect(folder.text('LEEME.txt')).toContain(`suelta en ella ${files.join(', ')}.`)
})
