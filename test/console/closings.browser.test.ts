import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import {
  download,
  expectAccessible,
  go,
  holdEffects,
  SCREENS,
  useConsole,
  waitForMessage,
} from '../support/console.ts'
import {
  type ApiClient,
  aWorkDay,
  dateDaysAgo,
  daysAgo,
  recentMoments,
} from '../support/console-api.ts'

const { open, api } = useConsole([
  ...['--var', 'ADMIN_ROLES:admin,supervisor'],
  ...['--var', 'PAYROLL_ROLES:admin,auditor'],
])

/** Records a worked day of nine hours, approved unless another status is given. */
const aDay = async (client: ApiClient, employee_id: string, days: number, status = 'approved') => {
  const logs = await client.record(employee_id, aWorkDay(days))
  if (status === 'approved') await client.change(logs, 'approved')
  return logs
}

/** Chooses one person and a last day, and opens the preview. */
const preview = async (page: Page, name: string, days: number) => {
  await page.getByLabel('De quién').selectOption('Una persona (finiquito)')
  await page.getByRole('combobox', { name: 'Persona' }).fill(name)
  await page.getByRole('listbox').getByRole('option').first().click()
  await page.getByLabel('Último día').fill(dateDaysAgo(days))
  await page.getByLabel('Último día').blur()
  await page.getByRole('button', { name: 'Ver cómo quedaría' }).click()
  await page.locator('.figures').waitFor()
}

const figure = (page: Page, name: string) =>
  page
    .locator('.figures div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')

const NAMED = { employee_id: 'E-011', full_name: "Fernanda O'Farrill Campos" }

const closeButton = (page: Page) => page.getByRole('button', { name: /^Cerrar y pagar/ })

const cardOf = (page: Page, text: string | RegExp) =>
  page.getByRole('listitem').filter({ hasText: text }).first()

it('shows what a closing pays, asks for pending logs, and then closes', async () => {
  const ana = await api()
  await ana.changeEmployee('E-008', { paid_from: dateDaysAgo(44) })
  await aDay(ana, 'E-008', 44)
  await aDay(ana, 'E-008', 43)
  await aDay(ana, 'E-008', 42, 'pending')
  const page = await open({ path: 'cierres' })
  await preview(page, 'Zúñiga', 40)
  await page.getByRole('heading', { name: /^Héctor Zúñiga Robles, hasta el/ }).waitFor()
  await page.getByText('Se paga aquí por primera vez a 1 persona.').waitFor()
  await page.getByText('2 checadas de estas personas sin decidir').waitFor()
  await expect.poll(() => figure(page, 'Por pagar').textContent()).toBe('18 h 18.00 h')
  expect(await figure(page, 'Personas').textContent()).toBe('1')

  await closeButton(page).click()
  await page.getByText('Decídelas antes, o di que se quedan pendientes.').waitFor()
  await page.getByLabel(/^Dejar 2 checadas sin decidir/).check()
  await page.getByLabel('Comentario (opcional)').fill('Finiquito del viernes.')
  await closeButton(page).click()
  const done = page.getByRole('heading', { name: /^Se guardó el cierre \d+: 18 h de 1 persona$/ })
  await done.waitFor()
  expect(await page.locator('h2:focus').textContent()).toBe(await done.textContent())

  const card = cardOf(page, 'Finiquito del viernes.')
  await card.getByText('18 h', { exact: true }).waitFor()
  const file = await download(page, card.getByRole('button', { name: 'Para nómina' }))
  expect(file.name).toBe(`cierre_E-008_hasta_${dateDaysAgo(40)}_por-persona.csv`)
  const [columns = '', row = ''] = file.bytes.toString().replace('\ufeff', '').split('\r\n')
  const value = (name: string) => row.split(',')[columns.split(',').indexOf(name)]
  expect([value('Segundos por pagar'), value('Horas por pagar')]).toEqual(['64800', '18.00'])
  const plainIds = page.waitForRequest(/by=employee.*ids=plain|ids=plain.*by=employee/)
  const program = card.getByRole('button', { name: 'Para el programa de nómina' })
  expect((await download(page, program)).name).toBe(file.name)
  await plainIds
  const weeks = await download(page, card.getByRole('button', { name: 'Por semana' }))
  expect(weeks.name).toContain('_por-semana.csv')
  const lines = await download(page, card.getByRole('button', { name: 'Renglones' }))
  expect(lines.name).toBe(`cierre_E-008_hasta_${dateDaysAgo(40)}.csv`)
})

it('shows what was paid for a day, and that the next closing pays a correction', async () => {
  const ana = await api()
  await aDay(ana, 'E-009', 44)
  const before = dateDaysAgo(40)
  const { id } = await ana.closeFrom(dateDaysAgo(44), { before, employee_id: 'E-009' })
  await ana.change(await aDay(ana, 'E-009', 43, 'pending'), 'approved')
  await ana.record('E-009', [{ kind: 'entrada', at: daysAgo(44, '23:30') }])
  const late = await ana.record('E-009', [{ kind: 'salida', at: daysAgo(43, '00:30') }])
  const [entrada = 0] = await ana.record('E-009', [{ kind: 'entrada', at: daysAgo(44, '23:30') }])
  await ana.change([entrada, ...late], 'approved')
  const page = await open({
    path: `horas?employee_id=E-009&from=${dateDaysAgo(44)}&to=${dateDaysAgo(43)}`,
  })
  const paid = `pagado: 9 h, cierre ${id}; 1 h se pagarán en el próximo cierre`
  await page.locator('.work').filter({ hasText: paid }).waitFor()
})

it('proposes the last day of work of somebody who leaves', async () => {
  await (await api()).changeEmployee('E-012', { ended_at: dateDaysAgo(35) })
  const page = await open({ path: 'cierres' })
  await page.getByLabel('De quién').selectOption('Una persona (finiquito)')
  await page.getByRole('combobox', { name: 'Persona' }).fill('E-012')
  await page.getByRole('listbox').getByRole('option').first().click()
  await expect.poll(() => page.getByLabel('Último día').inputValue()).toBe(dateDaysAgo(35))
})

it('decides a paid log with a comment, cancels its closing, and explains both effects first', async () => {
  const ana = await api()
  const [entrada = 0] = await aDay(ana, 'E-007', 44)
  const request = { before: dateDaysAgo(40), employee_id: 'E-007' }
  const { id } = await ana.closeFrom(dateDaysAgo(44), request)
  const page = await open({ path: `checadas/${entrada}` })
  await page.getByText('Ya se pagó. Si la cambias, di por qué').waitFor()
  await page.getByRole('button', { name: /^Reabrir/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Ya pagadas: 1 checada.').waitFor()
  await dialog.getByRole('button', { name: 'Reabrir 1 checada' }).click()
  await dialog.getByText('Escribe el motivo').waitFor()
  expect(await ana.read(entrada)).toMatchObject({ locked: true, status: 'approved' })
  await dialog.getByLabel('Motivo').fill('La entrada era de otra persona.')
  await dialog.getByRole('button', { name: 'Reabrir 1 checada' }).click()
  await page.getByText('La entrada era de otra persona.').waitFor()
  expect(await page.getByText('Ya se pagó').count()).toBe(0)
  expect(await ana.read(entrada)).toMatchObject({ locked: false, status: 'pending' })

  await go(page, 'cierres')
  const card = cardOf(page, `Cierre ${id}:`)
  await card.getByRole('button', { name: 'Cancelar (nadie cobró con él)' }).click()
  const cancel = page.getByRole('dialog', { name: `Cancelar el cierre ${id}` })
  await cancel.getByText('Sus 9 h').waitFor()
  await cancel.getByText('se le pagaría dos veces').waitFor()
  const button = cancel.getByRole('button', { name: 'Cancelar el cierre' })
  await button.click()
  await cancel.getByText('Escribe el motivo').waitFor()
  await cancel.getByLabel('Motivo').fill('Era otra persona.')
  await page.context().setOffline(true)
  await cancel.getByText('Sin conexión').waitFor()
  expect(await button.isDisabled()).toBe(true)
  await page.context().setOffline(false)
  // The response is lost after the commit. The page sends the same again, which is refused.
  await page.route(
    '**/cancel',
    async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    },
    { times: 1 },
  )
  await button.click()
  await waitForMessage(page, `Se canceló el cierre ${id}`)
  await card.getByText('«Era otra persona.». No cuenta como pagado.').waitFor()
  expect(await card.getByRole('button').count()).toBe(0)
})

it('does not offer a paid log to users who may not pay', async () => {
  const client = await api()
  const logs = await client.record('E-005', aWorkDay(44, '14:00', '20:00'))
  await client.change(logs, 'approved')
  await client.closeFrom(dateDaysAgo(44), { before: dateDaysAgo(43), employee_id: 'E-005' })
  const path = `checadas?employee_id=E-005&status=approved&to=${dateDaysAgo(43)}`
  await client.changeUser('maria.hernandez@demo.mx', { role: 'supervisor' })
  const page = await open({ path, email: 'maria.hernandez@demo.mx' })
  const row = page.locator(`[data-log="${logs[0]}"]`)
  await row.getByText('· pagada').waitFor()
  expect(await row.getByRole('button', { name: /^Reabrir/ }).count()).toBe(0)

  // The unpaid logs can be selected together, without the paid ones. There are more logs than one
  // page of the list shows.
  const others = recentMoments(43, 50).map((at) => ({ kind: 'checada' as const, at }))
  await client.change(await client.record('E-005', others), 'approved')
  await page.getByRole('button', { name: 'Actualizar' }).click()
  await page.getByLabel('Seleccionar 48 checadas de la lista').check()
  expect(await row.getByRole('checkbox').isChecked()).toBe(false)
  await page.getByRole('button', { name: 'Seleccionar las 52 que coinciden' }).click()
  await waitForMessage(
    page,
    'Se seleccionaron 50 de 52 checadas: las demás las decide otra persona.',
  )
})

it('closes once if the response is lost, and not at all if the request is lost', async () => {
  const ana = await api()
  await aDay(ana, 'E-012', 44)
  await ana.changeEmployee('E-012', { paid_from: dateDaysAgo(44) })
  const page = await open({ path: 'cierres' })
  await preview(page, 'Óscar', 41)
  await expect.poll(() => figure(page, 'Por pagar').textContent()).toBe('9 h 9.00 h')
  const isPost = (method: string) => method === 'POST'
  await page.route('**/closings', (route) =>
    isPost(route.request().method()) ? route.abort('connectionreset') : route.continue(),
  )
  await closeButton(page).click()
  await page.getByText('El servicio no respondió.').waitFor()
  await page.unroute('**/closings')
  let sent = 0
  await page.route('**/closings', async (route) => {
    if (!isPost(route.request().method()) || sent++ > 0) return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
  await page.getByLabel('Comentario (opcional)').fill('Una sola vez.')
  await closeButton(page).click()
  await page.getByRole('heading', { name: /^Se guardó el cierre/ }).waitFor()
  await expect.poll(() => page.getByText('«Una sola vez.»').count()).toBe(1)
  expect(sent).toBe(2)
})

it('lists people with held hours and people without logs in pages of a hundred', async () => {
  const page = await open({ path: 'cierres' })
  const people = Array.from({ length: 130 }, (_, i) => ({
    employee_id: `T-${i}`,
    full_name: `Persona ${i}`,
    held_seconds: 3_600,
    exceptions: ['sin_checadas'],
  }))
  await page.route('**/closings/preview/lines?*', (route) =>
    route.fulfill({ body: people.map((person) => JSON.stringify(person)).join('\n') }),
  )
  await page.route('**/closings/preview?*', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: object }
    const data = { ...body.data, unsynced: ['reloj-norte', 'reloj-sur'] }
    await route.fulfill({ response, json: { ...body, data } })
  })
  await page.getByRole('button', { name: 'Ver cómo quedaría' }).click()
  await page
    .getByText(/Falta información de reloj-norte \(se conoce hasta el .*\), reloj-sur/)
    .waitFor()
  await page.getByText('de 130 personas hasta que se decida').waitFor()
  await page.getByText('Qué las retiene').click()
  await page.getByText('1 a 100 de 130').first().waitFor()
  const held = page.locator('details').filter({ hasText: 'Qué las retiene' })
  await held.getByRole('button', { name: 'Siguientes' }).click()
  await held.getByRole('link', { name: 'Persona 129' }).waitFor()
  expect(await held.getByRole('link', { name: 'Persona 129' }).getAttribute('href')).toBe(
    '#/checadas?employee_id=T-129&status=pending',
  )
})

it('keeps a last day that is typed right after the group is chosen', async () => {
  const page = await open({ path: 'cierres' })
  const [group, day] = [page.getByLabel('De quién'), page.getByLabel('Último día')]
  await group.getByRole('option', { name: 'Grupo semanal' }).waitFor({ state: 'attached' })
  const runEffects = await holdEffects(page, '#closing-day')
  await group.selectOption('Grupo semanal')
  await day.fill(dateDaysAgo(20))
  await day.blur()
  await runEffects()
  expect(await day.inputValue()).toBe(dateDaysAgo(20))
  await page.getByRole('button', { name: 'Ver cómo quedaría' }).click()
  await expect.poll(() => page.url()).toContain(`before=${dateDaysAgo(19)}`)
})

it('links to the same days and people in another tab, and counts the pending logs', async () => {
  const page = await open({ path: 'cierres' })
  await page.route('**/closings/preview?*', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: object }
    const figures = {
      pending: 529,
      added_seconds: 162_043_200,
      held_seconds: 0,
    }
    const first_taken = [{ ...NAMED, first_day: dateDaysAgo(35), was: null, seconds: 3_600 }]
    const left_out = [{ ...NAMED, days: 2, seconds: 7_200, reason: 'before_start' }]
    const people = { first_taken, left_out }
    await route.fulfill({
      response,
      json: { ...body, data: { ...body.data, ...figures, ...people } },
    })
  })
  await page.getByLabel('De quién').selectOption('Grupo semanal')
  await page.getByLabel('Último día').fill(dateDaysAgo(20))
  await page.getByLabel('Último día').blur()
  await page.getByRole('button', { name: 'Ver cómo quedaría' }).click()
  await page.locator('.figures').waitFor()
  expect(await figure(page, 'De días anteriores').textContent()).toBe('se agregan 45,012 h')
  expect(await figure(page, 'Sin decidir').textContent()).toBe('529 checadas')
  await page.getByText('Se paga aquí por primera vez a 1 persona.').waitFor()
  await page.getByText('1 persona con horas que ningún cierre paga').waitFor()
  const record = page.locator('details', { hasText: 'antes de su ingreso' }).locator('a')
  expect(await record.getAttribute('href')).toBe('#/personas/persona?id=E-011&hacer=editar')
  // The warning and the list have the same number.
  const warning = page.getByText(/^\d+ días? por aclarar\./)
  const [days] = /^\d+ días?/.exec((await warning.textContent()) ?? '') ?? []
  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Ver la lista' }).click()
  const list = await opened
  await list.getByRole('heading', { name: `${days} por aclarar` }).waitFor()
  expect(list.url()).toContain('#/horas?payroll_group=semanal&from=')
  expect(list.url()).toContain(`&to=${dateDaysAgo(20)}`)
  await closeButton(page).waitFor()
})

it('offers the groups that exist, and shows an error', async () => {
  const page = await open({ path: 'cierres' })
  const options = page.getByLabel('De quién').getByRole('option')
  await expect
    .poll(() => options.allTextContents())
    .toEqual(['Todos', 'Grupo General', 'Grupo semanal', 'Una persona (finiquito)'])
  await page.getByLabel('De quién').selectOption('Una persona (finiquito)')
  await page.getByRole('button', { name: 'Ver cómo quedaría' }).click()
  await page.getByText('Elige a la persona de la lista.').waitFor()
  await page.getByLabel('De quién').selectOption('Grupo semanal')
  await page.route('**/closings/preview?*', (route) => route.abort('connectionreset'))
  await page.getByRole('button', { name: 'Ver cómo quedaría' }).click()
  await page.getByRole('heading', { name: 'No se pudo calcular el cierre' }).waitFor()
  await page.unroute('**/closings/preview?*')
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await page.locator('.figures').waitFor()
  await page.getByRole('button', { name: 'Volver' }).click()
  await expect.poll(() => page.getByLabel('De quién').inputValue()).toBe(':semanal')
})

it('shows closings without buttons to a user who may not close', async () => {
  const ana = await api()
  const [entrada = 0] = await aDay(ana, 'E-006', 44)
  await ana.closeFrom(dateDaysAgo(44), { before: dateDaysAgo(40), employee_id: 'E-006' })
  await ana.changeUser('auditoria@despacho.mx', { scope_branches: ['Sur'] })
  const page = await open({ email: 'auditoria@despacho.mx', path: 'cierres' })
  await page.getByRole('button', { name: 'Para nómina' }).first().waitFor()
  expect(await page.getByText(/, de tus sucursales$/).count()).toBeGreaterThan(0)
  expect(await page.getByRole('button', { name: /Cancelar|Ver cómo/ }).count()).toBe(0)
  await go(page, `checadas/${entrada}`)
  await page.getByText('Ya se pagó. Solo la cambia quien decide y también paga.').waitFor()
})

it.each(SCREENS)('is accessible on %s (%o)', async (_, viewport) => {
  const page = await open({ viewport, path: 'cierres' })
  await page.getByRole('button', { name: 'Cancelar (nadie' }).first().waitFor()
  await expectAccessible(page, 'list')
  await page.getByRole('button', { name: 'Ver cómo quedaría' }).click()
  await page.locator('.figures').waitFor()
  await expectAccessible(page, 'preview')
  await page.getByRole('button', { name: 'Cancelar (nadie' }).first().click()
  await page.getByRole('dialog').waitFor()
  await expectAccessible(page, 'dialog')
})
