import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { addDays } from '../../src/core/values/time-zone.ts'
import {
  axeViolations,
  collectRequests,
  expectAccessible,
  go,
  OTHER_ADMIN,
  openMore,
  PHONE,
  useConsole,
  waitForMessage,
} from '../support/console.ts'
import { aWorkDay, dateDaysAgo, daysAgo, emptyDayText } from '../support/console-api.ts'

const { open, api } = useConsole()

const printedPages = async (page: Page): Promise<number> => {
  const pdf = (await page.pdf({ preferCSSPageSize: true, format: 'Letter' })).toString('latin1')
  return pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0
}

const cards = (page: Page) => page.locator('.card')

const rowOf = (page: Page, text: string) => cards(page).locator('tbody tr', { hasText: text })

it('prints one card on one page: every day, weeks, payments, closing and hash', async () => {
  const ana = await api()
  await ana.nameCompany('Comercial Demo, S.A. de C.V.')
  // The period has fifteen days of 9 h 17 min, but one day lacks the exit and one has no logs. The
  // sixteenth day is after the period.
  const moments = Array.from({ length: 16 }, (_, i) => [
    ...(i === 5 ? [] : [{ kind: 'entrada' as const, at: daysAgo(44 - i, '14:00') }]),
    ...(i === 3 || i === 5 ? [] : [{ kind: 'salida' as const, at: daysAgo(44 - i, '23:17') }]),
  ]).flat()
  await ana.change(await ana.record('E-008', moments), 'approved')
  const whom = { employee_id: 'E-008', before: dateDaysAgo(29) }
  const { id, hash } = await ana.closeFrom(dateDaysAgo(44), whom)
  const page = await open({ path: 'relojes' })
  await page.waitForLoadState('networkidle')
  const requests = collectRequests(page)
  await go(page, `tarjeta?closing=${id}`)
  await cards(page).waitFor()
  // Five requests read the company, the closing, and the closing's lines, people and signatures.
  // Three more requests read the days, totals and weeks of the period.
  expect(requests).toHaveLength(8)
  const text = (await cards(page).textContent()) ?? ''
  for (const part of [
    'Comercial Demo, S.A. de C.V.',
    'Héctor Zúñiga Robles',
    'E-008',
    'ZURH',
    '08:00–17:17',
    '9:17:00 9.28 h',
    `9:17:00, cierre ${id}`,
    'Omisión de salida',
    'Semana del',
    `Cierre ${id} · ${hash}`,
    'Firma de Héctor',
    'Por la empresa',
  ]) {
    expect(text).toContain(part)
  }
  expect(await cards(page).locator('tbody tr:not(.week)').count()).toBe(15)
  expect(await rowOf(page, emptyDayText(39)).count()).toBe(1)
  // The total is thirteen times 9 h 17 min.
  const total = await cards(page).locator('tfoot').textContent()
  expect(total).toContain('120:41:00 120.68 h')
  expect(total).toContain(`120:41:00, cierre ${id}`)
  // Weeks are whole, so they include the day after the period unless that day is a Monday.
  const weeks = await cards(page).locator('tbody .week').allTextContents()
  const minutes = weeks.map((week) => /(\d+):(\d\d):00 \d+\.\d\d h/.exec(week))
  const sum = minutes.reduce((all, at) => all + Number(at?.[1]) * 60 + Number(at?.[2]), 0)
  const isAfterInWeek = new Date(`${dateDaysAgo(29)}T00:00:00Z`).getUTCDay() !== 1
  expect(sum).toBe((isAfterInWeek ? 14 : 13) * 557)
  expect(weeks.some((week) => week.includes('días de otro periodo'))).toBe(isAfterInWeek)
  // A whole week of these days is over the law's limit of any year. The card has today's date.
  expect(weeks.some((week) => /\d+:\d\d:00 sobre el límite de \d\d h/.test(week))).toBe(true)
  expect(text).toMatch(/con el límite de la ley el \d+ de [a-z]+ de 20\d\d\./)
  expect(text).not.toMatch(/cumple|prueba plena/i)
  expect(await printedPages(page)).toBe(1)
  // Only the card is printed.
  await page.emulateMedia({ media: 'print' })
  expect(await cards(page).isVisible()).toBe(true)
  for (const role of ['navigation', 'button', 'status'] as const) {
    expect(await page.getByRole(role).filter({ visible: true }).count()).toBe(0)
  }
  expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(false)
  await page.emulateMedia({ media: 'screen' })

  // After a correction, the next closing pays the corrected day and the day after the period. Its
  // card has both days. The card of a longer period has the payments of both closings.
  const { log_id } = await ana.addByHand('E-008', 'salida', daysAgo(41, '23:17'))
  await ana.change([log_id ?? 0], 'approved')
  const next = await ana.close({ ...whom, before: dateDaysAgo(28) })
  await go(page, `tarjeta?closing=${next.id}`)
  await rowOf(page, 'Días anteriores').waitFor()
  expect(await cards(page).locator('tbody tr').last().locator('td').nth(2).textContent()).toBe(
    `9:17:00, cierre ${next.id}`,
  )
  await go(page, `tarjeta?employee_id=E-008&from=${dateDaysAgo(44)}&to=${dateDaysAgo(28)}`)
  await cards(page)
    .locator('tfoot', { hasText: `120:41:00, cierre ${id}; 18:34:00, cierre ${next.id}` })
    .waitFor()

  // A closing that pays only a correction has no period. Its card has only the earlier day.
  const entrada = await ana.addByHand('E-008', 'entrada', daysAgo(39, '14:00'))
  const salida = await ana.addByHand('E-008', 'salida', daysAgo(39, '23:17'))
  await ana.change([entrada.log_id ?? 0, salida.log_id ?? 0], 'approved')
  const correction = await ana.close({ ...whom, before: dateDaysAgo(28) })
  await go(page, `tarjeta?closing=${correction.id}`)
  await cards(page)
    .locator('.hash', { hasText: `Cierre ${correction.id} ·` })
    .waitFor()
  expect(await cards(page).locator('tbody tr').count()).toBe(2)
  expect(await rowOf(page, '08:00–17:17').count()).toBe(1)
  expect(await cards(page).locator('dd').allTextContents()).toContain('Solo días anteriores')
  expect(await cards(page).locator('tfoot tr').allTextContents()).toEqual([
    `Días anteriores9:17:00, cierre ${correction.id}`,
  ])
})

it("shows the closing's period, not the days of its lines, and exact hours that add up", async () => {
  const ana = await api()
  const whom = { employee_id: 'E-009', payroll_group: null, leave_pending: true }
  const aDay = async (days: number, end: string) =>
    ana.change(
      await ana.record('E-009', [
        { kind: 'entrada', at: daysAgo(days, '14:00') },
        { kind: 'salida', at: `${dateDaysAgo(days)}T${end}.000Z` },
      ]),
      'approved',
    )
  // The weekdays are fixed. The first closing ends on this Monday, and the second one on the Friday
  // of the same week.
  const monday = 36 + ((new Date(dateDaysAgo(36)).getUTCDay() + 6) % 7)
  // The first and the last day have no logs. Twice 7:55:38 is 15:51:16, not 15 h 52 min.
  await aDay(monday + 2, '21:55:38')
  await aDay(monday + 1, '21:55:38')
  const first = await ana.closeFrom(dateDaysAgo(monday + 3), {
    ...whom,
    before: dateDaysAgo(monday - 1),
  })
  await aDay(monday - 3, '21:59:29')
  const late = await ana.record('E-009', aWorkDay(monday, '14:00', '15:00'))
  await ana.change(late, 'approved')
  const second = await ana.close({ ...whom, before: dateDaysAgo(monday - 5) })
  const name = (from: number, to: number) => {
    const [first, last] = [dateDaysAgo(from), dateDaysAgo(to)].map(
      (day) => new Date(`${day}T12:00:00Z`),
    )
    const long = (date?: Date) =>
      date?.toLocaleDateString('es-MX', { day: 'numeric', month: 'long', timeZone: 'UTC' })
    const isOne = first?.getUTCMonth() === last?.getUTCMonth()
    return `${isOne ? first?.getUTCDate() : long(first)} al ${long(last)} de ${last?.getUTCFullYear()}`
  }
  const page = await open({ path: `tarjeta?closing=${first.id}` })
  await cards(page).waitFor()
  const ofPeriod = cards(page).locator('dl div', { hasText: 'Periodo' }).locator('dd')
  expect(await ofPeriod.textContent()).toBe(name(monday + 3, monday))
  expect(await cards(page).locator('tfoot').textContent()).toContain('15:51:16 15.85 h')
  // The rows of weeks are left out, since a week can have the hours of a single day.
  const days = cards(page).locator('tbody tr:not(.week)', { hasText: '7:55:38 7.93 h' })
  expect(await days.count()).toBe(2)

  await go(page, `tarjeta?closing=${second.id}`)
  await rowOf(page, 'Días anteriores').waitFor()
  expect(await ofPeriod.textContent()).toBe(name(monday - 1, monday - 4))
  // The hours are beside the payment for them. The payment for earlier days has its own row.
  const totals = await cards(page).locator('tfoot tr').allTextContents()
  expect(totals).toEqual([
    `Total del periodo7:59:29 7.99 h7:59:29, cierre ${second.id}`,
    `Días anteriores1:00:00, cierre ${second.id}`,
    `Total pagado8:59:29, cierre ${second.id}`,
  ])
  // A week includes all of its days, also a day that is paid as an earlier day.
  const weeks = await cards(page).locator('tbody .week th[scope=row] + td').allTextContents()
  expect(weeks.some((week) => week.startsWith('8:59:29'))).toBe(true)
  const month = new Date(`${dateDaysAgo(monday)}T12:00:00Z`)
    .toLocaleDateString('es-MX', { month: 'short', timeZone: 'UTC' })
    .replace('.', '')
  const isOther = dateDaysAgo(monday).slice(0, 7) !== dateDaysAgo(monday - 4).slice(0, 7)
  const earlier = await cards(page).locator('tbody tr').last().locator('th').textContent()
  expect(earlier?.endsWith(` ${month}`)).toBe(isOther)
})

it('explains a day without logs: absence, rest day, silent clock, before hiring, after leaving', async () => {
  const page = await open({ path: 'relojes' })
  const person = { employee_id: 'E-1', full_name: 'Ana Uno', rfc: '', branch_office: 'Norte' }
  const presence = { started_at: '2025-11-11', ended_at: '2025-11-28', unsynced_from: '2025-11-25' }
  await page.route('**/hours?*', (route) => {
    const isTotal = route.request().url().includes('by=employee')
    const total = { ...person, ...presence, exceptions: ['sin_checadas', 'sin_sincronizar'] }
    return route.fulfill({ body: isTotal ? JSON.stringify(total) : '' })
  })
  const expected = [
    ['lun 10', '', 'Antes de su ingreso'],
    ['mar 11', 'absent', 'Sin checadas'],
    ['lun 17', 'rest', 'Descanso obligatorio: Revolución'],
    ['lun 24', 'absent', 'Sin checadas'],
    ['mar 25', 'unsynced', 'Sin checadas; falta información del reloj'],
    ['sáb 29', '', 'Después de su baja'],
  ] as const
  const period = 'employee_id=E-1&from=2025-11-10&to=2025-11-30'
  for (const [path, row, words] of [
    ['tarjeta', '.card tbody tr', 'td'],
    ['horas', '.calendar li', '.note'],
  ] as const) {
    await go(page, `${path}?${period}`)
    const looks = new Map<string, unknown>()
    for (const [day, look, text] of expected) {
      const one = page.locator(row).filter({ hasText: day }).filter({ hasNotText: 'Semana' })
      await one.waitFor()
      const shown = await one.locator(words).first().textContent()
      expect([
        path,
        day,
        (await one.getAttribute('class'))?.split(' ').at(-1) ?? '',
        shown,
      ]).toEqual([path, day, path === 'horas' && look === '' ? expect.anything() : look, text])
      if (look === '') continue
      const style = `getComputedStyle(document.querySelector('${row}.${look} ${words}'))`
      looks.set(look, await page.evaluate(`${style}.color + ${style}.fontWeight`))
    }
    expect(new Set([looks.get('absent'), looks.get('rest'), looks.get('unsynced')]).size).toBe(3)
  }
  await page.locator('.calendar .week', { hasText: '17 al 23 de noviembre' }).waitFor()
  // The list distinguishes a person without logs from one whose clock has sent nothing.
  await go(page, 'horas?from=2025-11-10&to=2025-11-30')
  await page.locator('tbody .status.absent', { hasText: 'Sin checadas en el periodo' }).waitFor()
  await page.locator('tbody .status.unsynced', { hasText: 'Falta información del reloj' }).waitFor()
})

it('prints 40 cards of 31 days, one page each, without requests for each person', async () => {
  const count = 40
  const page = await open({ path: 'relojes' })
  // The view of the clocks must have made its own request, because requests are counted below.
  await page.locator('main li').first().waitFor()
  // December and January have the most holidays, whose names stand in their rows.
  const days = Array.from({ length: 31 }, (_, i) => addDays('2025-12-05', i))
  const mondays = days.filter((day) => new Date(day).getUTCDay() === 1)
  // These values give the longest text that the row of a week can have.
  const judged = {
    ...{ week_seconds: 273_600, limit_seconds: 172_800, over_seconds: 100_800 },
    ...{ shifts_over_12h: 2, open: true },
  }
  const people = Array.from({ length: count }, (_, i) => ({
    employee_id: `T-${i}`,
    full_name: `María de los Ángeles Persona ${i}`,
    rfc: 'PEAM800101AB1',
    branch_office: 'Norte',
    exceptions: ['sin_salida', 'jornada_larga'],
    notices: [],
    request_comments: [],
  }))
  const aSpan = (from: string, to: string) => {
    return { from, to, from_log_id: null, to_log_id: null, pending: false, shift_day: null }
  }
  const requests = collectRequests(page)
  await page.route('**/hours?*', (route) => {
    const isTotal = route.request().url().includes('by=employee')
    const isWeek = route.request().url().includes('by=week')
    const rows = people.flatMap((person) => {
      if (isTotal) return [person]
      return isWeek
        ? mondays.map((week_from) => ({ ...person, week_from, ...judged }))
        : days.map((day) => ({
            ...person,
            day,
            detail: '08:00–13:00 14:00–17:17',
            worked_seconds: 29_820,
            paid_seconds: 29_820,
            closing_id: 12,
            spans: [
              aSpan(`${day}T08:00:00`, `${day}T13:00:00`),
              aSpan(`${day}T14:00:00`, `${day}T17:17:00`),
            ],
            extra_log_ids: [],
          }))
    })
    return route.fulfill({ body: rows.map((row) => JSON.stringify(row)).join('\n') })
  })
  await go(page, `tarjeta?from=${days[0]}&to=${days.at(-1)}`)
  await page.getByRole('button', { name: `Imprimir ${count} tarjetas` }).waitFor()
  expect(await cards(page).count()).toBe(count)
  expect(requests).toHaveLength(4)
  expect(await printedPages(page)).toBe(count)
})

it("opens from a person's page, shows an error, and passes axe on a phone", async () => {
  const page = await open({ viewport: PHONE, path: 'horas?employee_id=E-001' })
  await page.route('**/v2/company', (route) => route.abort('connectionreset'))
  await openMore(page)
  await page.getByRole('link', { name: 'Tarjeta para firmar' }).click()
  await page.getByRole('heading', { name: 'No se pudieron leer las tarjetas' }).waitFor()
  await page.unroute('**/v2/company')
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await cards(page).getByText('Ana Torres Rivas').first().waitFor()
  await expectAccessible(page)
})

it('lists an objection until it is answered, and prints how the person has signed', async () => {
  const ana = await api()
  const worker = await api('sofia.castaneda@demo.mx')
  await ana.change(await ana.record('E-007', aWorkDay(20)), 'approved')
  const whom = { employee_id: 'E-007', before: dateDaysAgo(15) }
  const { id } = await ana.closeFrom(dateDaysAgo(25), whom)
  await worker.sign(id, 'Salí a las siete.')

  const page = await open({ path: 'cierres' })
  const objection = page.getByRole('listitem').filter({ hasText: '«Salí a las siete.»' })
  expect(await objection.textContent()).toContain(`objetó sus renglones del cierre ${id}`)
  // Two people may have the same name.
  expect(await objection.textContent()).toContain('(E-007, ')
  await page
    .getByText(/\(E-007\)$/)
    .first()
    .waitFor()
  await objection.getByRole('link', { name: 'Ver sus días' }).click()
  await page.waitForURL(
    `**/#/horas?employee_id=E-007&from=${dateDaysAgo(46)}&to=${dateDaysAgo(16)}`,
  )
  await page.getByRole('heading', { name: 'Sofía Castañeda Luna' }).waitFor()
  await page.goBack()
  expect(await axeViolations(page)).toEqual([])
  await objection.getByRole('button', { name: 'Responder a' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Responder', exact: true }).click()
  await dialog.getByText('Escribe la respuesta: la persona la verá.').waitFor()
  await dialog.getByLabel('Respuesta').fill('Se agregó la salida.')
  await dialog.getByRole('button', { name: 'Responder', exact: true }).click()
  await objection.waitFor({ state: 'detached' })
  await page.getByText('firmaron 0, objetaron 1, faltan 0').waitFor()

  await go(page, `tarjeta?closing=${id}`)
  await cards(page).getByText('No conforme, desde su cuenta, el').waitFor()
  await worker.sign(id)
  await page.reload()
  await cards(page)
    .getByText(/^Conforme, desde su cuenta, el .*(sello \d+|sin sello)$/)
    .waitFor()
  expect(await cards(page).getByText('Firma de').count()).toBe(0)
})

it('answers the objection of the person of its row, even if their number has a slash', async () => {
  const page = await open({ path: 'relojes' })
  const objection = {
    closing_id: 7,
    before: dateDaysAgo(15),
    employee_id: 'E/1 #2',
    full_name: 'Ana Uno',
    branch_office: 'Norte',
    at: daysAgo(3, '14:00'),
    comment: 'Salí a las siete.',
  }
  const answer = { success: true, message: '', data: { objections: [objection] } }
  await page.route('**/incidents/objections', (route) => route.fulfill({ json: answer }))
  const requests = collectRequests(page, '/closings/7/')
  await go(page, 'cierres')
  await page.getByRole('button', { name: 'Responder a Ana Uno' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Respuesta').fill('Se agregó la salida.')
  await dialog.getByRole('button', { name: 'Responder', exact: true }).click()
  await expect.poll(() => requests).toHaveLength(1)
  expect(requests[0]).toMatch(/^POST .*\/closings\/7\/objections\/E%2F1%20%232\/answer$/)
})

it('shows who asked for a log and their words, lets somebody else decide, and prints both', async () => {
  // On this day, the demo has no logs, whatever weekday today is. This test is the last one, since
  // it gives the group a first day.
  const ana = await api()
  const words = 'Olvidé checar:\nme fui por la otra puerta.'
  const [entrada = 0] = await ana.record('E-001', [{ kind: 'entrada', at: daysAgo(30, '14:00') }])
  await ana.change([entrada], 'approved')
  await ana.paysFrom(dateDaysAgo(31))
  const whom = { employee_id: 'E-001', leave_pending: true }
  await ana.close({ ...whom, before: dateDaysAgo(29) })
  const { log_id } = await ana.ask('salida', daysAgo(30, '23:00'), words)
  const request = log_id ?? 0
  const day = dateDaysAgo(30)
  const path = `checadas?employee_id=E-001&from=${day}&to=${day}&status=pending`

  const mine = await open({ path })
  const own = mine.locator(`[data-log="${request}"]`)
  await own.getByText('La decide otra persona').waitFor()
  expect(await own.getByRole('button').count()).toBe(0)

  const hers = await open({ path, email: OTHER_ADMIN })
  const row = hers.locator(`[data-log="${request}"]`)
  await row.getByText('Solicitada').waitFor()
  expect(await row.locator('blockquote').textContent()).toBe(words)
  expect(await axeViolations(hers)).toEqual([])
  await row.getByRole('button', { name: /^Aprobar/ }).click()
  await waitForMessage(hers, 'Aprobada')

  // The cell also names a holiday, if the day is one.
  const note = 'Solicitada: «Olvidé checar:\nme fui por la otra puerta.»'
  const printed = hers.locator('.card tbody tr', { hasText: '08:00–17:00' })
  await go(hers, `tarjeta?employee_id=E-001&from=${day}&to=${day}`)
  expect(await printed.locator('td').last().textContent()).toContain(note)

  // The next closing pays this day as a day before the closing's period.
  const closing = await ana.close({ ...whom, before: dateDaysAgo(28) })
  await go(hers, `tarjeta?closing=${closing.id}`)
  await hers.getByText(`Cierre ${closing.id} ·`).waitFor()
  expect(await hers.locator('.card tbody tr').last().textContent()).toContain('08:00–17:00')
  expect(await printed.locator('td').last().textContent()).toContain(note)
})
