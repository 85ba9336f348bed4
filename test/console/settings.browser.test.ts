import { beforeAll, expect, it } from 'vitest'
import { go, rowOf, rows, useConsole, waitForMessage } from '../support/console.ts'
import { type ApiClient, dateDaysAgo, daysAgo } from '../support/console-api.ts'

// An installation in a different zone, with optional rules for decisions and a role for payroll. Its
// employees have no app. The demo would give them one.
const { open, api } = useConsole([
  ...['--var', 'EMPLOYEE_CLOCK_IN:off', '--var', 'EMPLOYEE_REQUESTS:off'],
  ...['--var', 'PAYROLL_ROLES:auditor', '--var', 'REQUIRE_COMMENT:approved'],
  ...['--var', 'FORBID_SELF_APPROVAL:true'],
])

beforeAll(async () => {
  const payroll = await api('auditoria@despacho.mx')
  await payroll.setZone(null, 'America/Tijuana', dateDaysAgo(3))
})

it('shows times in the zone of the company', async () => {
  const ana = await api()
  const [log = 0] = await ana.record('E-002', [{ kind: 'salida', at: daysAgo(2, '07:30') }])
  const page = await open({ path: `checadas/${log}` })
  const time = new Date(daysAgo(2, '07:30')).toLocaleTimeString('es-MX', {
    timeZone: 'America/Tijuana',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  await page.locator('.lead', { hasText: `Salida a las ${time}` }).waitFor()
})

it('asks for the comment that the installation requires', async () => {
  const ana = await api()
  // The log is from a clock, because Ana may not decide a log that she has added.
  const [log = 0] = await ana.pendingOf('E-004')
  const page = await open({ path: `checadas/${log}` })
  await page.getByRole('button', { name: /^Aprobar/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Aprobar 1 checada' })
  await dialog.getByRole('button', { name: 'Aprobar 1 checada' }).click()
  await dialog.getByText('Escribe el motivo.', { exact: true }).waitFor()
  // Employees have no app here, so no note names a reader of the comment.
  expect(await dialog.getByText(/le[ye]/).count()).toBe(0)
  expect((await ana.read(log)).status).toBe('pending')
  await dialog.getByRole('textbox', { name: 'Motivo' }).fill('Visto con su jefe.')
  await dialog.getByRole('button', { name: 'Aprobar 1 checada' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect((await ana.read(log)).status).toBe('approved')
})

it('lets no user decide their own log, alone or among others', async () => {
  const [ana, maria] = [await api(), await api('maria.hernandez@demo.mx')]
  const [own = 0] = await ana.record('E-001', [{ kind: 'entrada', at: daysAgo(9, '15:00') }])
  await maria.record('E-010', [{ kind: 'entrada', at: daysAgo(9, '15:01') }])
  const day = daysAgo(9, '15:00').slice(0, 10)
  const page = await open({ path: `checadas?from=${day}&to=${day}&status=pending` })
  await rowOf(page, own).getByText('La decide otra persona').waitFor()
  expect(await rowOf(page, own).getByRole('button').count()).toBe(0)
  await rowOf(page, own).getByRole('link').focus()
  await page.keyboard.press('a')
  await waitForMessage(page, 'Esta checada la decide otra persona')
  await page.getByLabel(/^Seleccionar \d+ checadas? de la lista$/).check()
  expect(await rowOf(page, own).getByRole('checkbox').isChecked()).toBe(false)
})

it('does not let users decide a log they added: in the list, on its page, among others', async () => {
  const [ana, maria] = [await api(), await api('maria.hernandez@demo.mx')]
  const add = (client: ApiClient, minute: number) =>
    client.addByHand('E-009', 'entrada', daysAgo(12, `15:${String(minute).padStart(2, '0')}`))
  const own = (await add(ana, 0)).log_id ?? 0
  // There are more logs than one page of the list shows.
  for (let minute = 1; minute <= 52; minute++) await add(maria, minute)
  const day = daysAgo(12, '15:00').slice(0, 10)
  const query = `employee_id=E-009&from=${day}&to=${day}&status=pending&kind=entrada`
  const page = await open({ path: `checadas/${own}` })
  await page.getByText('Esta checada la decide otra persona: es tuya o tú la agregaste.').waitFor()
  expect(await page.getByRole('button', { name: /^(Aprobar|Rechazar)/ }).count()).toBe(0)

  await go(page, `checadas?${query}`)
  await rowOf(page, own).getByText('La decide otra persona').waitFor()
  expect(await rowOf(page, own).getByRole('button').count()).toBe(0)
  expect(await rowOf(page, own).getByRole('checkbox').isDisabled()).toBe(true)
  await page.getByLabel('Seleccionar 49 checadas de la lista').check()
  await page.getByRole('button', { name: 'Seleccionar las 53 que coinciden' }).click()
  const others = 'Se seleccionaron 52 de 53 checadas: las demás las decide otra persona.'
  await waitForMessage(page, others)
  await page.getByRole('button', { name: 'Aprobar 52 checadas' }).click()
  const dialog = page.getByRole('dialog', { name: 'Aprobar 52 checadas' })
  await dialog.getByRole('textbox', { name: 'Motivo' }).fill('Visto con su jefe.')
  await dialog.getByRole('button', { name: 'Aprobar 52 checadas' }).click()
  await waitForMessage(page, 'Aprobadas: 52 checadas.')
  expect((await ana.read(own)).status).toBe('pending')

  // On the hours page, the only pending log is the user's own. The page explains that.
  await go(page, `horas?employee_id=E-009&from=${day}&to=${day}`)
  await page.getByRole('button', { name: 'Aprobar lo pendiente' }).first().click()
  await waitForMessage(page, 'Ya no queda nada pendiente de ese día que puedas decidir.')
})

it('lets payroll read everything and decide nothing', async () => {
  const page = await open({ email: 'auditoria@despacho.mx' })
  await rows(page).first().waitFor()
  const buttons = page.locator('main').getByRole('button', { name: /^(Aprobar|Rechazar|Reabrir)/ })
  expect(await buttons.count()).toBe(0)
  await page.keyboard.press('j')
  await page.keyboard.press('a')
  await waitForMessage(page, 'Tu usuario consulta, pero no decide checadas.')
  expect(await page.getByRole('link', { name: 'Agregar checada' }).count()).toBe(1)
})

it('shows skeletons while the network is slow, then an error, and tries again', async () => {
  const page = await open({ path: 'relojes' })
  const json = {
    success: false,
    message: 'Ocurrió un error interno.',
    data: null,
    code: 'INTERNAL_ERROR',
  }
  const headers = { 'X-Request-Id': 'a1b2c3' }
  const { promise, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/incidents\/logs\?/, async (route) => {
    await promise
    await route.fulfill({ status: 500, headers, json })
  })
  await page.getByRole('link', { name: 'Checadas', exact: true }).click()
  // The clocks' own page may still show its skeleton. The list's is inside the busy element.
  await page.locator('main [aria-busy="true"] .skeleton').waitFor()
  expect(await page.locator('main [role="progressbar"]').count()).toBe(0)
  release()
  await page.getByRole('heading', { name: 'No se pudo cargar la lista' }).waitFor()
  await page.getByText('Ocurrió un error interno. (a1b2c3)').waitFor()
  await page.unroute(/\/incidents\/logs\?/)
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await rows(page).first().waitFor()
  expect(await page.locator('.skeleton').count()).toBe(0)
})
