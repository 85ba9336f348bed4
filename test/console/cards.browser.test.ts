import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { addDays } from '../../src/core/values/time-zone.ts'
import {
  axeViolations,
  collectRequests,
  expectAccessible,
  go,
  OTHER_ADMIN,
  PHONE,
  useConsole,
  waitForRest,
} from '../support/console.ts'
import { aWorkDay, dateDaysAgo, daysAgo, recordObjection } from '../support/console-api.ts'

/** Cards on paper. What they say is in cards.service.test.ts. */

const { open, api } = useConsole()

/** In the page. */
declare const getComputedStyle: (element: unknown) => Record<'color' | 'fontWeight', string>

const printedPages = async (page: Page): Promise<number> => {
  const pdf = (await page.pdf({ preferCSSPageSize: true, format: 'Letter' })).toString('latin1')
  return pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0
}

const cards = (page: Page) => page.locator('.card')

it('prints one card on one page, and nothing else', async () => {
  const ana = await api()
  await ana.nameCompany('Comercial Demo, S.A. de C.V.')
  const logs = Array.from({ length: 16 }, (_, i) => aWorkDay(44 - i, '14:00', '23:17')).flat()
  await ana.change(await ana.record('E-008', logs), 'approved')
  const whom = { employee_id: 'E-008', before: dateDaysAgo(29) }
  const { id } = await ana.closeFrom(dateDaysAgo(44), whom)
  const page = await open({ path: `tarjeta?closing=${id}` })
  await cards(page).getByText('Héctor Zúñiga Robles').first().waitFor()
  await expect.poll(() => cards(page).locator('tbody tr:not(.week)').count()).toBe(15)
  expect(await printedPages(page)).toBe(1)
  await page.emulateMedia({ media: 'print' })
  expect(await cards(page).isVisible()).toBe(true)
  for (const role of ['navigation', 'button', 'status'] as const) {
    expect(await page.getByRole(role).filter({ visible: true }).count()).toBe(0)
  }
  expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(false)
})

it('shows apart an absence, a rest day and a day of a silent clock', async () => {
  const page = await open({ path: 'relojes' })
  const person = { employee_id: 'E-1', full_name: 'Ana Uno', rfc: '', branch_office: 'Norte' }
  const presence = { started_at: '2025-11-11', ended_at: '2025-11-28', unsynced_from: '2025-11-25' }
  const total = { ...person, ...presence, exceptions: ['sin_checadas', 'sin_sincronizar'] }
  await page.route('**/hours?*', (route) => {
    const isTotal = route.request().url().includes('by=employee')
    return route.fulfill({ body: isTotal ? JSON.stringify(total) : '' })
  })
  for (const [path, row, words] of [
    ['tarjeta', '.card tbody tr', 'td'],
    ['horas', '.calendar li', '.note'],
  ] as const) {
    await go(page, `${path}?employee_id=E-1&from=2025-11-10&to=2025-11-30`)
    const looks = new Set<unknown>()
    for (const look of ['absent', 'rest', 'unsynced']) {
      const cell = page.locator(`${row}.${look} ${words}`).first()
      const style = await cell.evaluate((one) => {
        const { color, fontWeight } = getComputedStyle(one)
        return color + fontWeight
      })
      looks.add(style)
    }
    expect([path, looks.size]).toEqual([path, 3])
  }
})

it('prints 40 cards of 31 days, one page each, without requests for each person', async () => {
  const count = 40
  // A page that reads nothing, because requests are counted below.
  const page = await open({ path: 'ayuda' })
  await page.getByRole('heading', { name: 'Ayuda' }).waitFor()
  await waitForRest(page)
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
  await expect.poll(() => cards(page).count()).toBe(count)
  await waitForRest(page)
  expect(requests).toHaveLength(4)
  expect(await printedPages(page)).toBe(count)
})

it('passes axe: a card on a phone, an objection, and a log that somebody asked for', async () => {
  const ana = await api()
  const worker = await api('sofia.castaneda@demo.mx')
  const id = await recordObjection(ana, worker, 'Salí a las siete.')
  const { log_id } = await ana.ask('salida', daysAgo(30, '23:00'), 'Olvidé checar.')
  const page = await open({ path: `tarjeta?closing=${id}`, viewport: PHONE, email: OTHER_ADMIN })
  await cards(page).getByText('No conforme, desde su cuenta, el').waitFor()
  await expectAccessible(page, 'card')
  await go(page, 'cierres')
  await page.getByText('«Salí a las siete.»').waitFor()
  expect(await axeViolations(page)).toEqual([])
  const day = dateDaysAgo(30)
  await go(page, `checadas?employee_id=E-001&from=${day}&to=${day}&status=pending`)
  await page.locator(`[data-log="${log_id}"]`).getByText('Solicitada').waitFor()
  expect(await axeViolations(page)).toEqual([])
})
