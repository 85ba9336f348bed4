import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { saveScreenshot } from '../support/browser.ts'
import {
  expectAccessible,
  go,
  PHONE,
  useConsole,
  waitForMessage,
  waitForRest,
} from '../support/console.ts'
import { type ApiClient, dateDaysAgo, daysAgo } from '../support/console-api.ts'

/** Tests the picture of people and days with sixty people, a fortnight and 25 irregularities. */

const { open, api } = useConsole()

const PEOPLE = 60
const DAYS = Array.from({ length: 14 }, (_, i) => 44 - i)
const isSunday = (daysBefore: number) => new Date(dateDaysAgo(daysBefore)).getUTCDay() === 0
/** The weeks of these days, which begin on Mondays: the first day of 1970 was a Thursday. */
const WEEKS = new Set(
  DAYS.map((days) => Math.floor((Date.parse(dateDaysAgo(days)) / 86_400_000 + 3) / 7)),
)
const WORKING = DAYS.filter((days) => !isSunday(days))
const nameOf = (i: number) => `Persona ${String(i + 1).padStart(2, '0')} Hernández García`
/** Only these people have no department. */
const PATH = `horas?department=-&from=${dateDaysAgo(44)}&to=${dateDaysAgo(31)}&ver=personas`

/** The days of a person: 25 have one odd day each, and the last ten wait for their approval. */
const punchesOf = (i: number) =>
  WORKING.flatMap((days, at) => {
    const odd = i < 25 && at === i % WORKING.length
    const [entrada, salida] = [
      { kind: 'entrada' as const, at: daysAgo(days, '14:00') },
      { kind: 'salida' as const, at: daysAgo(days, '23:00') },
    ]
    if (!odd) return i === 30 && at === 4 ? [] : [entrada, salida]
    if (i % 3 === 0) return [entrada]
    if (i % 3 === 1) return [salida]
    return [entrada, { ...salida, at: daysAgo(days - 1, '05:00') }]
  })

const hire = async (client: ApiClient, i: number) => {
  const id = `P-${String(i + 1).padStart(3, '0')}`
  await client.addEmployee(id, nameOf(i))
  const ids = await client.record(id, punchesOf(i))
  if (i < 50) await client.change(ids, 'approved')
}
beforeAll(async () => {
  const client = await api()
  for (let i = 0; i < PEOPLE; i += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, n) => hire(client, i + n)))
  }
})

const cellsOf = (page: Page, i: number, label: RegExp) =>
  page
    .locator('tr[data-index]')
    .filter({ hasText: nameOf(i) })
    .getByRole('gridcell', { name: label })
const cellsOfCard = (page: Page, name: RegExp) => page.getByRole('gridcell', { name })
const chip = (page: Page, name: RegExp) =>
  page.getByRole('navigation', { name: 'Qué se muestra' }).getByRole('link', { name })
/** The rows that are seen whole below the heading of the days, when the table is at the top. */
const seen = async (page: Page) => {
  await page.evaluate(
    'scrollBy(0, document.querySelector("[role=grid]").getBoundingClientRect().top)',
  )
  return page.evaluate(
    `[...document.querySelectorAll('tr[data-index]')].filter((row) => {
      const { top, bottom } = row.getBoundingClientRect()
      const head = document.querySelector('[role=grid] thead').getBoundingClientRect()
      return top >= head.bottom - 1 && bottom <= innerHeight
    }).length`,
  )
}

it('shows sixty people on a screen, thirty on a small laptop, all on one sheet, and cards on a phone', async () => {
  const page = await open({ path: PATH, viewport: { width: 1920, height: 1080 } })
  await cellsOf(page, 0, /^Falta la salida/).waitFor()
  await expect.poll(() => seen(page)).toBeGreaterThanOrEqual(60)
  await page.setViewportSize({ width: 1366, height: 768 })
  await saveScreenshot(page, 'laptop')
  await expect.poll(() => seen(page)).toBeGreaterThanOrEqual(30)
  await waitForRest(page)
  const pdf = await page.pdf({ format: 'Letter', landscape: true })
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
  await expectAccessible(page, 'a laptop')

  await page.setViewportSize(PHONE)
  await go(page, PATH)
  const card = page.locator('tr[data-index]').first()
  await expect.poll(async () => (await card.boundingBox())?.height).toBeGreaterThan(100)
  await expectAccessible(page, 'a phone')
})

const focused = (page: Page) =>
  page.evaluate(
    "[document.activeElement.closest('tr')?.querySelector('th')?.textContent, document.activeElement.cellIndex]",
  )

it('is moved in by the keys, and a day opens beside its row, where it is approved', async () => {
  const page = await open({ path: PATH })
  const first = page.locator('[role=grid] [tabindex="0"]')
  await first.focus()
  await expect.poll(() => focused(page)).toEqual([nameOf(0), 1])
  const press = (key: string) => page.keyboard.press(key)
  await press('ArrowDown')
  await press('ArrowRight')
  await expect.poll(() => focused(page)).toEqual([nameOf(1), 2])
  await press('Control+End')
  await expect.poll(() => focused(page)).toEqual([nameOf(59), DAYS.length + WEEKS.size + 2])
  await press('PageUp')
  await press('Control+Home')
  await expect.poll(() => focused(page)).toEqual([nameOf(0), 0])
  await press('ArrowRight')
  await press('Enter')
  await page.getByRole('region', { name: 'Día abierto' }).getByText(nameOf(0)).waitFor()
  await press('Escape')
  await expect.poll(() => focused(page)).toEqual([nameOf(0), 1])

  await chip(page, /Por aprobar/).click()
  await chip(page, /Por aprobar/)
    .and(page.locator('[aria-current]'))
    .waitFor()
  const pending = cellsOf(page, 59, /por aprobar/)
  await pending.nth(1).click()
  const opened = page.getByRole('region', { name: 'Día abierto' })
  await opened.getByRole('button', { name: 'Aprobar lo pendiente' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Aprobar/ }).click()
  await waitForMessage(page, /checada/)
  await expect.poll(() => cellsOf(page, 59, /^9 h, aprobado$/).count()).toBe(1)

  // A person is found from any page.
  await opened.getByRole('button', { name: 'Cerrar' }).click()
  await press('/')
  await dialog.locator('input:focus').waitFor()
  await page.keyboard.type('Persona 0')
  const found = dialog.getByRole('option')
  await found.nth(3).waitFor()
  // The dialog grows with what was found, and hides none of it.
  const hidden =
    "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('dialog[open]'))"
  await expect.poll(() => page.evaluate(hidden)).toBe(0)
  await page.keyboard.type('7')
  await expect.poll(() => found.allTextContents()).toEqual([expect.stringContaining(nameOf(6))])
  await press('Enter')
  await page.getByRole('heading', { name: nameOf(6), level: 1 }).waitFor()
  await cellsOfCard(page, /^9 h, aprobado$/)
    .first()
    .waitFor()
  await expectAccessible(page, 'a person')
  await saveScreenshot(page, 'person')
})
