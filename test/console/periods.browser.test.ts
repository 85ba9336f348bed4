import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openMore, press, useConsole, waitForMessage } from '../support/console.ts'
import { type ApiClient, aWorkDay, dateDaysAgo, daysAgo } from '../support/console-api.ts'

/** Tests the periods of groups, days that are closed already, and inverted days. */

const { open, api } = useConsole()

const period = (page: Page) => page.getByRole('navigation', { name: 'Periodos' })

/** Records punches of a clock that gives no kind. */
const recordPunches = (client: ApiClient, employee_id: string, moments: [number, string][]) =>
  client.record(
    employee_id,
    moments.map(([days, time]) => ({ kind: 'checada' as const, at: daysAgo(days, time) })),
  )

/** The punches of three days. The second day lacks its entrada, so it seems inverted. */
const TURNED: [number, string][] = [
  [44, '14:00'],
  [44, '23:00'],
  [43, '23:00'],
  [42, '14:00'],
  [42, '23:00'],
  [41, '14:00'],
]

it('begins with the group whose period is over, and offers the next periods by name', async () => {
  const page = await open({ path: 'cierres' })
  const whose = page.getByLabel('De quién')
  await expect.poll(() => whose.inputValue()).toMatch(/^:/)
  await expect.poll(() => period(page).textContent()).toMatch(/^(Quincena|Semana) \d+ · /)
  const day = await page.getByLabel('Último día').inputValue()
  expect(day < dateDaysAgo(0)).toBe(true)
  await whose.selectOption('Grupo semanal')
  await expect.poll(() => period(page).textContent()).toMatch(/^Semana \d+ · /)
  const next = await period(page).textContent()
  await period(page).getByRole('button', { name: 'Periodo anterior' }).click()
  await expect.poll(() => period(page).textContent()).not.toBe(next)
  expect(await period(page).textContent()).toMatch(/^Semana/)
  await period(page).getByRole('button', { name: 'Periodo siguiente' }).click()
  await expect.poll(() => period(page).textContent()).toBe(next)
  await whose.selectOption('Grupo General')
  await expect.poll(() => period(page).textContent()).toMatch(/^Quincena \d+ · /)
  await whose.selectOption('Todos')
  await expect.poll(() => whose.inputValue()).toBe('')
})

it('closes a period that is not over only after a second act, and lists the hours of people', async () => {
  const client = await api()
  await client.addGroup('guardias', `14 days ${dateDaysAgo(0)}`)
  await client.changeEmployee('E-013', { payroll_group: 'guardias', paid_from: dateDaysAgo(30) })
  await client.change(await client.record('E-013', aWorkDay(2)), 'approved')
  const page = await open({ path: `cierres?before=${dateDaysAgo(-1)}&payroll_group=guardias` })
  await page.getByText('Ver las horas de 1 persona').click()
  const row = page.locator('tbody tr')
  await expect.poll(() => row.allTextContents()).toEqual(['Renata Cárdenas SolísE-01319 h9.00 h–'])
  const close = page.getByRole('button', { name: 'Cerrar y pagar 9 h' })
  await close.click()
  await page.getByText('Ese día todavía no termina el periodo de «guardias»').waitFor()
  await page.getByLabel('Cerrar antes de que termine el periodo').check()
  await close.click()
  await page.getByRole('heading', { name: /^Se guardó el cierre \d+: 9 h de 1 persona/ }).waitFor()
})

it('says in a second preview who closed these days, and not that nobody checked in', async () => {
  const client = await api()
  await client.change(await client.record('E-008', aWorkDay(43)), 'approved')
  const before = dateDaysAgo(41)
  await client.closeFrom(dateDaysAgo(44), { before, employee_id: 'E-008' })
  const page = await open({ path: 'cierres' })
  await page.getByLabel('De quién').selectOption('Una persona (finiquito)')
  await page.getByRole('combobox', { name: 'Persona' }).fill('Zúñiga')
  await page.getByRole('listbox').getByRole('option').first().click()
  await page.getByLabel('Último día').fill(dateDaysAgo(42))
  await page.getByLabel('Último día').blur()
  await page.getByRole('button', { name: 'Ver cómo quedaría' }).click()
  await page.getByText(/^Estos días ya se cerraron: los pagó el cierre \d+, hasta el/).waitFor()
  expect(await page.getByText('Otro cierre no pagaría nada más.').count()).toBe(1)
  expect(await page.getByText('sin ninguna checada').count()).toBe(0)
  await page.getByRole('button', { name: /^Cerrar y pagar/ }).click()
  await page.getByText('No hay nada más que pagar.').waitFor()
})

it('offers the missing punch of an inverted day, and pays it only if its hours are confirmed', async () => {
  const client = await api()
  await client.change(await recordPunches(client, 'E-009', TURNED), 'approved')
  const page = await open({
    path: `horas?from=${dateDaysAgo(44)}&to=${dateDaysAgo(40)}&employee_id=E-009`,
  })
  const row = page.locator(`[data-day="E-009${dateDaysAgo(43)}"]`)
  await row.getByText('Las entradas y salidas parecen invertidas').waitFor()
  await row.getByRole('button', { name: 'Agregar la checada que falta' }).waitFor()
  await openMore(row)
  await row.getByRole('button', { name: 'Está bien así…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/^Como está: 1\d:00–0\d:00\+1/).waitFor()
  await dialog.getByText(/^Si falta una entrada: \?–1\d:00/).waitFor()
  await dialog.getByRole('button', { name: 'Marcar como revisada' }).click()
  await dialog.getByText('Confirma las horas que se pagan').waitFor()
  await dialog.getByLabel('Se pagan 15:00 h así').check()
  await dialog.getByRole('button', { name: 'Marcar como revisada' }).click()
  await row.getByText(/revisada por/).waitFor()
})

it('pays days that count rest only if that is confirmed', async () => {
  const client = await api()
  await client.change(await recordPunches(client, 'E-005', TURNED), 'approved')
  await client.changeEmployee('E-005', { paid_from: dateDaysAgo(44) })
  const page = await open({ path: `cierres?before=${dateDaysAgo(41)}&employee_id=E-005` })
  await page.getByText('2 días con entradas y salidas invertidas').waitFor()
  const close = page.getByRole('button', { name: /^Cerrar y pagar 39 h/ })
  await close.click()
  await page.getByText('Agrega antes las checadas que faltan').waitFor()
  await page.getByLabel('Pagar así 30 h de días con').check()
  await close.click()
  await page.getByRole('heading', { name: /^Se guardó el cierre \d+: 39 h/ }).waitFor()
})

it('shows both readings of an inverted day with pending logs', async () => {
  const client = await api()
  await recordPunches(client, 'E-012', TURNED)
  const page = await open({
    path: `horas?from=${dateDaysAgo(44)}&to=${dateDaysAgo(40)}&employee_id=E-012`,
  })
  const row = page.locator(`[data-day="E-012${dateDaysAgo(43)}"]`)
  await openMore(row)
  await row.getByRole('button', { name: 'Aprobar y marcar como revisada…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Como está: (17:00–08:00+1)').waitFor()
  await dialog.getByText('Si falta una entrada: ?–17:00', { exact: true }).waitFor()
})

it('marks days as reviewed at once with one comment, but no inverted days', async () => {
  const client = await api()
  for (const employee_id of ['E-007', 'E-013']) await recordPunches(client, employee_id, TURNED)
  const page = await open({
    path: `horas?from=${dateDaysAgo(43)}&to=${dateDaysAgo(43)}&exception=pendientes`,
  })
  await page.getByText('parecen invertidas').nth(1).waitFor()
  expect(await page.getByRole('button', { name: /^Marcar/ }).count()).toBe(0)
  for (const [people, act, reviewed, done] of [
    [['E-002'], 'Marcar 1 día', 'como revisado', '1 día revisado. Vuelve a la lista'],
    [['E-010', 'E-011'], 'Marcar 2 días', 'como revisados', '2 días revisados. Cada uno vuelve'],
  ] as const) {
    for (const employee_id of people) {
      await client.record(employee_id, [{ kind: 'entrada', at: daysAgo(43, '14:00') }])
    }
    await page.reload()
    await press(page, `${act} ${reviewed}…`)
    const dialog = page.getByRole('dialog', { name: `${act} ${reviewed}` })
    await dialog.getByLabel('Motivo').fill('Salió por la otra puerta.')
    await press(dialog, act)
    await waitForMessage(page, done)
  }
})
