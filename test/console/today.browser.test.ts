import { expect, it } from 'vitest'
import { dataOf } from '../../sdk/api-client.ts'
import {
  expectAccessible,
  go,
  NARROW,
  OTHER_ADMIN,
  openMore,
  PHONE,
  SCREENS,
  useConsole,
  waitForMessage,
} from '../support/console.ts'
import { aWorkDay, dateDaysAgo, daysAgo } from '../support/console-api.ts'

/** Tests the first page: what waits for the user, and who is at work. */

const { open, api } = useConsole()

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

it('has the approval of a supervisor’s days at the top of a phone, and names only their branch', async () => {
  const ana = await api()
  await ana.record('E-002', aWorkDay(2))
  await ana.changeUser(OTHER_ADMIN, { scope_branches: ['Norte'] })
  const page = await open({ email: OTHER_ADMIN, viewport: NARROW, path: '' })
  await page.getByRole('heading', { name: /^Hoy/ }).waitFor()
  const approve = page.getByRole('button', {
    name: /^Aprobar (el día|los \d+ días) sin excepción$/,
  })
  await approve.waitFor()
  const { y = 640, height = 0 } = (await approve.boundingBox()) ?? {}
  expect(y + height).toBeLessThan(320)
  await expect.poll(() => page.getByRole('heading', { name: /^En turno/ }).count()).toBe(1)
  expect(await page.locator('main').textContent()).not.toMatch(/Centro|Sur/)
  expect(await page.getByRole('heading', { name: 'Próximo cierre' }).count()).toBe(0)
  await approve.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Aprobar \d+ checadas$/ }).click()
  await waitForMessage(page, /^Aprobadas: \d+ checadas\.$/)
  await expect.poll(() => approve.count()).toBe(0)
  await ana.changeUser(OTHER_ADMIN, { scope_branches: null })
})

it('lists the days to review, the newest first, and mends one in its row', async () => {
  const ana = await api()
  for (const [id, days] of [
    ['H-001', 2],
    ['H-002', 1],
  ] as const) {
    await ana.addEmployee(id, `Persona ${id}`)
    const entrada = { kind: 'entrada' as const, at: daysAgo(days, '14:00') }
    await ana.change(await ana.record(id, [entrada]), 'approved')
  }
  const page = await open({ path: 'hoy', viewport: PHONE })
  const days = page.locator('[data-day]')
  await days.first().waitFor()
  const listed = () =>
    days.evaluateAll((rows) =>
      rows
        .filter((row) => !row.classList.contains('paid'))
        .map((row) => String(row.getAttribute('data-day'))),
    )
  const ids = await listed()
  expect(await days.count()).toBe(10)
  const dates = ids.map((id) => id.slice(-10))
  expect(dates).toEqual(dates.toSorted().reverse())
  const [newest, older] = [`H-002${dateDaysAgo(1)}`, `H-001${dateDaysAgo(2)}`]
  expect(ids).toEqual(expect.arrayContaining([newest, older]))
  const first = page.locator(`[data-day="${newest}"]`)
  await first.getByText('Falta la salida.').waitFor()
  await first.getByRole('button', { name: 'Agregar la salida que falta' }).click()
  await first.getByLabel('Hora de la salida').fill('17:00')
  await first.getByLabel('Motivo').fill('Olvidó checar.')
  await first.getByRole('button', { name: 'Agregar y aprobar' }).click()
  await first.waitFor({ state: 'detached' })
  // The row that took its place has the focus.
  await page.locator(`[data-day="${ids[ids.indexOf(newest) + 1]}"]:focus-within`).waitFor()

  const second = page.locator(`[data-day="${older}"]`)
  await openMore(second)
  await second.getByRole('button', { name: 'Revisada' }).click()
  await page.getByRole('button', { name: 'Marcar como revisada' }).click()
  await second.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /^Ver los \d+$/ }).click()
  await page.getByRole('heading', { name: /^Horas/ }).waitFor()
})

it('shows the weeks over the limit in one line, with the hours of each person, and one act', async () => {
  const ana = await api()
  const monday = 8 + ((new Date(dateDaysAgo(8)).getUTCDay() + 6) % 7)
  // The law takes two hours a week off the limit with each year from 2027 to 2030.
  const year = Number(dateDaysAgo(monday).slice(0, 4))
  const limit = 48 - 2 * Math.max(0, Math.min(year, 2030) - 2026)
  // Six days of nine hours.
  for (const id of ['H-003', 'H-004']) {
    await ana.addEmployee(id, `Persona ${id}`)
    const days = [0, 1, 2, 3, 4, 5].flatMap((day) => aWorkDay(monday - day))
    await ana.change(await ana.record(id, days), 'approved')
  }
  const page = await open({ path: 'hoy' })
  const line = page.locator('.over-limit')
  await line
    .getByText(/^\d+ semanas pasan el límite de la ley: .+ de más, de \d+ personas\.$/)
    .waitFor()
  const count = async () =>
    Number.parseInt(
      (await page.getByRole('heading', { name: /por aclarar/ }).textContent()) ?? '',
      10,
    )
  const before = await count()
  await line.getByText('Ver de quiénes').click()
  const amounts = line.getByRole('listitem').filter({ hasText: /Persona H-00[34]/ })
  await expect
    .poll(() => amounts.allTextContents())
    .toEqual(
      [3, 4].map((n) =>
        expect.stringMatching(`H-00${n} · .+: ${54 - limit} h sobre el límite de ${limit} h$`),
      ),
    )
  expect(await page.locator('[data-day^="H-003"]').count()).toBe(0)

  const act = line.getByRole('button', { name: /^Marcar \d+ días como revisados…$/ })
  const marked = Number.parseInt((await act.textContent())?.replace(/\D+/, '') ?? '', 10)
  // The page of hours counts the same days.
  await page.goto(page.url().replace(/#.*/, `#/horas?from=${dateDaysAgo(30)}&to=${dateDaysAgo(0)}`))
  await line.waitFor()
  expect(await count()).toBe(before)
  await act.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Motivo').fill('Inventario anual, con autorización.')
  await dialog.getByRole('button', { name: /^Marcar/ }).click()
  await line.waitFor({ state: 'detached' })
  expect(await count()).toBe(before - marked)
})

it('shows what the person wrote, and acts on what the user has just decided', async () => {
  const worker = await api('sofia.castaneda@demo.mx')
  const day = dateDaysAgo(29)
  await worker.ask('salida', daysAgo(29, '23:00'), 'El reloj no leyó mi huella.')
  const page = await open({ path: `horas?from=${day}&to=${day}` })
  const row = page.locator(`[data-day="E-007${day}"]`)
  await row.getByText('«El reloj no leyó mi huella.»').waitFor()
  await openMore(row)
  await row.getByRole('button', { name: 'Rechazar la salida de las 17:00' }).waitFor()
  await row.getByRole('button', { name: 'Aprobar lo pendiente' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('«El reloj no leyó mi huella.»').waitFor()
  await dialog.getByRole('button', { name: 'Aprobar 1 checada' }).click()
  await waitForMessage(page, 'Aprobada: Sofía Castañeda')

  // The row has read again what it acts on.
  await row.getByRole('button', { name: 'Rechazar la salida de las 17:00' }).click()
  await dialog.getByRole('textbox').fill('Ese día no vino.')
  await dialog.getByRole('button', { name: 'Rechazar 1 checada' }).click()
  await waitForMessage(page, 'Rechazada: Sofía Castañeda')
})

it('offers to reject the second of two entradas within the hour, and no other', async () => {
  const ana = await api()
  for (const [employee_id, second] of [
    ['E-010', '14:25'],
    ['E-011', '17:00'],
  ] as const) {
    const [entrada, again] = ['14:00', second].map((time) => daysAgo(28, time))
    const logs = [
      { kind: 'entrada' as const, at: entrada ?? '' },
      { kind: 'entrada' as const, at: again ?? '' },
      { kind: 'salida' as const, at: daysAgo(28, '22:00') },
    ]
    await ana.change(await ana.record(employee_id, logs), 'approved')
  }
  const day = dateDaysAgo(28)
  const page = await open({ path: `horas?from=${day}&to=${day}` })
  const twice = page.locator(`[data-day="E-010${day}"]`)
  await twice.getByText('una sobra, o falta la salida de la primera').waitFor()
  await twice.getByRole('button', { name: 'Rechazar la entrada de las 08:25' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('La marcó dos veces.')
  await dialog.getByRole('button', { name: /^Rechazar/ }).click()
  // The day is whole, so it leaves the list. Its person's page has it.
  await twice.waitFor({ state: 'detached' })
  await go(page, `horas?employee_id=E-010&from=${day}&to=${day}`)
  await twice.getByText('08:00–16:00').waitFor()
  await openMore(twice)
  await twice.getByRole('button', { name: /^Aprobar la entrada de las 08:25/ }).click()
  await twice.getByText('una sobra, o falta la salida de la primera').waitFor()

  await go(page, `horas?from=${day}&to=${day}`)
  const apart = page.locator(`[data-day="E-011${day}"]`)
  await apart.getByRole('button', { name: 'Agregar la salida que falta' }).waitFor()
  expect(await apart.getByRole('button', { name: /^Rechazar/ }).count()).toBe(0)
  // Behind «Más», any approved log of the day can be rejected.
  await openMore(apart)
  await apart.getByRole('button', { name: 'Rechazar la entrada de las 08:00' }).waitFor()
})

it('counts who is at work of the people who work here today, and says since when', async () => {
  const ana = await api()
  await ana.record('E-012', [{ kind: 'entrada', at: hoursAgo(2) }])
  await ana.record('E-013', [
    { kind: 'entrada', at: hoursAgo(3) },
    { kind: 'salida', at: hoursAgo(1) },
  ])
  await ana.changeEmployee('E-008', { ended_at: dateDaysAgo(3) })
  const page = await open({ path: 'hoy' })
  const query = { active: 'true', limit: 500 } as const
  const { employees } = await dataOf(ana.people.employees.$get({ query }))
  const heading = `de ${employees.length} personas`
  await page
    .getByRole('heading', { name: /^En turno/ })
    .getByText(heading)
    .waitFor()
  await page.getByText('Ver quiénes').click()
  const atWork = page.locator('section', { hasText: 'En turno' }).getByRole('listitem')
  await atWork
    .filter({ hasText: 'Óscar Treviño Gámez' })
    .getByText(/En turno desde \d\d:\d\d/)
    .waitFor()
  expect(await atWork.filter({ hasText: 'Renata' }).count()).toBe(0)
})

it('names the silent clocks, unanswered objections and the next closing of each group', async () => {
  const ana = await api()
  const worker = await api('sofia.castaneda@demo.mx')
  await ana.change(await ana.record('E-007', aWorkDay(20)), 'approved')
  const whom = { employee_id: 'E-007', before: dateDaysAgo(15) }
  const { id } = await ana.closeFrom(dateDaysAgo(25), whom)
  await worker.sign(id, 'Trabajé también el sábado.')
  const page = await open({ path: 'hoy' })
  const clocks = page.locator('section', { hasText: 'Relojes' }).last()
  await clocks
    .getByRole('listitem')
    .filter({ hasText: 'reloj-sur' })
    .getByText(/Sin noticias/)
    .waitFor()
  await page.getByText('Trabajé también el sábado.').waitFor()
  const closings = page.locator('section', { hasText: 'Próximo cierre' }).last()
  await closings.getByText(/^Grupo semanal/).waitFor()
  await closings.getByRole('link', { name: 'Ver cómo quedaría' }).first().click()
  await page.getByRole('button', { name: /^Cerrar y pagar/ }).waitFor()
})

it('says what it could not read, instead of showing nothing to do', async () => {
  const page = await open({ path: 'ayuda' })
  for (const path of ['**/logs/summary?*', '**/sources', '**/payroll_groups*'])
    await page.route(path, (route) => route.abort('connectionreset'))
  await go(page, 'hoy')
  for (const text of [
    'No se pudieron contar las checadas por revisar. El servicio no respondió.',
    'No se pudo leer cómo están los relojes. El servicio no respondió.',
    'No se pudo leer el próximo cierre. El servicio no respondió.',
  ])
    await page.getByText(text, { exact: true }).waitFor()
})

it('shows the other sections although the hours cannot be read', async () => {
  const page = await open({ path: 'relojes' })
  await page.route('**/hours?*', (route) => route.abort('connectionreset'))
  await page.getByRole('link', { name: 'Hoy', exact: true }).click()
  await page.getByRole('heading', { name: 'No se pudo leer lo que espera' }).waitFor()
  await page.getByRole('heading', { name: 'Próximo cierre' }).waitFor()
  await page.unroute('**/hours?*')
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await page.locator('[data-day]').first().waitFor()
})

it.each(SCREENS)('is accessible on %s (%o)', async (_, viewport) => {
  const page = await open({ path: 'hoy', viewport })
  const add = page.getByRole('button', { name: /^Agregar la/ })
  const days = page.locator('[data-day]').filter({ has: add })
  const first = page.locator(`[data-day="${await days.first().getAttribute('data-day')}"]`)
  await openMore(first)
  await first.getByRole('link', { name: 'Agregar otra checada…' }).waitFor()
  await expectAccessible(page, 'with the other acts of a day')
  await first.getByRole('button', { name: /^Agregar la/ }).click()
  await first.getByLabel('Motivo').waitFor()
  await expectAccessible(page, 'with the form of a day')
})
