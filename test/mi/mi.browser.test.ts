import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { DEMO_EMPLOYEE, DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import { dataOf } from '../../sdk/api-client.ts'
import { linesOf } from '../../sdk/evidence/lines.ts'
import { verifyEvidence } from '../../sdk/evidence/verify.ts'
import { saveScreenshot } from '../support/browser.ts'
import {
  axeViolations,
  download,
  go,
  NARROW,
  press,
  useConsole,
  waitForMessage,
  waitForRest,
} from '../support/console.ts'
import { type ApiClient, dateDaysAgo, daysAgo } from '../support/console-api.ts'

const { open, openTab, signIn, api, service, takeProblem } = useConsole([
  ...['--var', 'EMPLOYEE_CLOCK_IN:on'],
  ...['--var', 'EMPLOYEE_REQUESTS:on'],
  ...['--var', 'PAYROLL_ROLES:admin'],
])

const LUIS = { email: DEMO_EMPLOYEE, id: 'E-002', name: 'Luis Mendoza' }
const ITZEL = { email: 'itzel.ramirez@demo.mx', id: 'E-009', name: 'Itzel Ramírez' }
const GUADALUPE = { email: 'guadalupe.ibarra@demo.mx', id: 'E-005', name: 'Guadalupe Ibarra' }
const SOFIA = { email: 'sofia.castaneda@demo.mx', id: 'E-007', name: 'Sofía Castañeda' }

const isReady = (page: Page, { name }: { name: string }) =>
  page.getByRole('heading', { name: `Hola, ${name}` }).waitFor()

/** Opens the page, and waits until it can be opened without a network, and knows the service's time. */
const openAs = async (person: typeof LUIS, viewport = NARROW) => {
  const page = await open({ at: 'mi', email: person.email, viewport })
  await isReady(page, person)
  await page.evaluate('navigator.serviceWorker.ready')
  await page.getByRole('heading', { name: 'Últimas 24 horas' }).waitFor()
  await waitForRest(page)
  return page
}

async function* inOneChunk(text: string) {
  yield text
}

const waiting = (page: Page) => page.getByText('por enviar', { exact: true })

/**
 * Waits until the page has tried to send a check-in, and keeps it. Its next attempt sends the time
 * by the phone's clock. The first attempt may come after the check-in is shown.
 */
const savedOnPhone = (page: Page) =>
  waitForMessage(page, 'quedó guardada en este teléfono, por enviar')

const goOffline = (page: Page, isOffline = true) => page.context().setOffline(isOffline)

let admin: ApiClient | undefined
const countOf = async ({ id }: { id: string }, kind: 'entrada' | 'salida') => {
  admin ??= await api()
  const { pending, approved, rejected } = await admin.count({ employee_id: id, kind })
  return pending + approved + rejected
}

/** The number of a day's fortnight. Only differences of these numbers are used. */
const fortnightOf = (day: string): number => {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return (year * 12 + month) * 2 + (date > 15 ? 1 : 0)
}

/** Today in the zone of this computer, which is also the zone of the browser. */
const phoneDay = (): string => new Date().toLocaleDateString('en-CA')

const signOut = (page: Page) => press(page, 'Salir')

const signInAs = async (page: Page, person: typeof LUIS) => {
  await signIn(page, person.email)
  await isReady(page, person)
}

it('records a check-in without a network exactly once, after the page was closed', async () => {
  const page = await openAs(LUIS)
  const before = await countOf(LUIS, 'entrada')
  await goOffline(page)
  await press(page, 'Entrada')
  await waiting(page).waitFor()
  await savedOnPhone(page)
  await press(page, 'Entrada')
  await waitForMessage(page, 'Ya habías marcado tu entrada.')
  await page.reload()
  await isReady(page, LUIS)
  await waiting(page).waitFor()
  const again = await openTab(page)
  await page.close()
  await waiting(again).waitFor()
  expect(await waiting(again).count()).toBe(1)
  expect(await countOf(LUIS, 'entrada')).toBe(before)

  await goOffline(again, false)
  await expect.poll(() => waiting(again).count()).toBe(0)
  await again.getByText('Por revisar').first().waitFor()
  expect(await countOf(LUIS, 'entrada')).toBe(before + 1)
  await again.getByRole('link', { name: 'Mis días' }).click()
  await again.getByText(/^En turno desde \d\d:\d\d/).waitFor()
})

it('shows a waiting check-in in a second tab too, and records it once if both send it', async () => {
  const page = await openAs(SOFIA)
  const before = await countOf(SOFIA, 'salida')
  const tab = await openTab(page)
  await isReady(tab, SOFIA)
  await goOffline(page)
  await press(page, 'Salida')
  await savedOnPhone(page)
  await waiting(tab).waitFor()
  // No tab gets a response before both have sent the check-in.
  const { promise: bothSent, resolve } = Promise.withResolvers<void>()
  const sent: string[] = []
  await page.context().route(/my_logs$/, async (route) => {
    if (route.request().method() === 'POST') {
      sent.push(route.request().postDataJSON().client_id)
      if (sent.length === 2) resolve()
      await bothSent
    }
    await route.continue()
  })
  await goOffline(page, false)
  for (const one of [page, tab]) await expect.poll(() => waiting(one).count()).toBe(0)
  expect(await countOf(SOFIA, 'salida')).toBe(before + 1)
  expect([sent.length, new Set(sent).size]).toEqual([2, 1])
  await page.context().unrouteAll()

  // A sign-in in one tab also changes the user of the other tab.
  await signOut(tab)
  await page.getByRole('heading', { name: 'Checada' }).waitFor()
  await signInAs(tab, ITZEL)
  await isReady(page, ITZEL)
})

it('keeps a check-in on a shared phone, and sends it when the person signs in again', async () => {
  const page = await open({ at: 'mi', signedIn: false, viewport: NARROW })
  await page.getByLabel('Este teléfono es de varios').check()
  await signInAs(page, LUIS)
  const before = { luis: await countOf(LUIS, 'salida'), itzel: await countOf(ITZEL, 'salida') }
  await goOffline(page)
  await press(page, 'Salida')
  await savedOnPhone(page)
  await waiting(page).waitFor()
  await signOut(page)
  const question = page.getByRole('dialog', { name: '¿Salir sin enviar?' })
  await question.getByText('Queda 1 checada por enviar.').waitFor()
  await question.getByText('nadie más la puede enviar').waitFor()
  await question.getByRole('button', { name: 'Quedarme' }).click()
  expect(await waiting(page).count()).toBe(1)
  await press(page, 'Entrada')
  await waitForMessage(page, /^Tu entrada de las .* quedó guardada en este teléfono/)
  await expect.poll(() => waiting(page).count()).toBe(2)
  await signOut(page)
  await question.getByText('Quedan 2 checadas por enviar.').waitFor()
  await question.getByText('nadie más las puede enviar').waitFor()
  await question.getByRole('button', { name: 'Salir' }).click()
  const remark = page.getByText('esperan checadas de Luis Mendoza (2 checadas)')
  await remark.waitFor()

  await goOffline(page, false)
  expect(await page.getByLabel('Este teléfono es de varios').isChecked()).toBe(true)
  await signInAs(page, ITZEL)
  await remark.waitFor()
  expect(await waiting(page).count()).toBe(0)
  await press(page, 'Salida')
  await waitForMessage(page, 'Tu salida quedó registrada.')
  expect(await countOf(ITZEL, 'salida')).toBe(before.itzel + 1)
  expect(await countOf(LUIS, 'salida')).toBe(before.luis)
  // On a shared phone, each tab has a session of its own.
  const tab = await openTab(page)
  await tab.getByLabel('Número de empleado o correo').waitFor()

  await signOut(page)
  await page.getByLabel('Contraseña').waitFor()
  await page.evaluate(`{
    window.shown = ''
    const look = () => {
      shown += document.querySelector('.toast')?.textContent ?? ''
      requestAnimationFrame(look)
    }
    look()
  }`)
  await signInAs(page, LUIS)
  await expect.poll(() => waiting(page).count()).toBe(0)
  await expect.poll(() => countOf(LUIS, 'salida')).toBe(before.luis + 1)
  // The message is not shown to the next person, who has not checked in, in any frame.
  expect(await page.evaluate('shown')).not.toContain('quedó registrada')
  expect(await countOf(ITZEL, 'salida')).toBe(before.itzel + 1)
})

it('shows what a clock has sent meanwhile when the page is looked at again', async () => {
  const page = await openAs(GUADALUPE)
  const recorded = page.locator('section', { hasText: 'Últimas 24 horas' }).locator('li')
  await recorded.first().or(page.getByText('No hay checadas.')).waitFor()
  const before = await recorded.count()
  const ana = await api()
  await ana.record(GUADALUPE.id, [{ kind: 'salida', at: new Date().toISOString() }])
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  await expect.poll(() => recorded.count()).toBe(before + 1)
})

it('takes check-ins after the session has ended, and sends them at the next sign-in', async () => {
  const page = await openAs(SOFIA)
  const before = { sofia: await countOf(SOFIA, 'entrada'), itzel: await countOf(ITZEL, 'entrada') }
  await (await api(SOFIA.email)).endSessions()
  await press(page, 'Entrada')
  await waiting(page).waitFor()
  await page.getByText('Se envían cuando entres de nuevo.').waitFor()
  expect(await page.getByText('No autenticado').count()).toBe(0)
  await page.getByText('Tu sesión terminó: entra de nuevo').click()
  const known = () => page.getByLabel('Número de empleado o correo').inputValue()
  await expect.poll(known).toBe(SOFIA.email)
  expect(await axeViolations(page)).toEqual([])
  const tab = await openTab(page)
  await tab.getByText('Tu sesión terminó: entra de nuevo').click()
  await signInAs(tab, ITZEL)
  await isReady(page, ITZEL)
  await page.getByText('esperan checadas de Sofía Castañeda').waitFor()
  await signOut(page)
  await signInAs(page, SOFIA)
  await expect.poll(() => waiting(page).count()).toBe(0)
  await expect.poll(() => countOf(SOFIA, 'entrada')).toBe(before.sofia + 1)
  expect(await countOf(ITZEL, 'entrada')).toBe(before.itzel)
})

it('offers a request for a check-in that was refused because the phone’s clock was wrong', async () => {
  const page = await openAs(ITZEL)
  const before = await countOf(ITZEL, 'entrada')
  await page.clock.setSystemTime(Date.now() - 3_600_000)
  // With a network, the log gets the time of the service.
  await press(page, 'Entrada')
  await waitForMessage(page, 'Tu entrada quedó registrada.')
  // A page that was opened without a network, and is closed before it has one, knows no other time.
  await goOffline(page)
  await page.reload()
  await press(page, 'Salida')
  await savedOnPhone(page)
  await page.reload()
  await waiting(page).waitFor()
  await goOffline(page, false)
  await page.getByText('El reloj de este teléfono no da la hora correcta').waitFor()
  await saveScreenshot(page, 'mi check-in')
  expect(await axeViolations(page)).toEqual([])
  await page.reload()
  await page.getByRole('link', { name: 'Pedir que se agregue' }).click()
  await page.getByText('Escribe el día y la hora').waitFor()
  await saveScreenshot(page, 'mi request')
  await expect.poll(() => page.getByLabel('Qué falta').inputValue()).toBe('salida')
  await press(page, 'Enviar solicitud')
  for (const text of ['Elige el día.', 'Escribe la hora.', 'Escribe qué pasó.']) {
    await page.getByText(text).waitFor()
  }
  await page.getByLabel('Día').fill(daysAgo(0, '12:00').slice(0, 10))
  await page.getByLabel('Hora').fill('00:10')
  await page.getByLabel('Qué pasó').fill('No había señal y el reloj estaba mal.')
  expect(await axeViolations(page)).toEqual([])
  await press(page, 'Enviar solicitud')
  await waitForMessage(page, 'Tu solicitud quedó por revisar.')
  await page.getByText('La pediste: «No había señal y el reloj estaba mal.»').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Checar' }).click()
  await isReady(page, ITZEL)
  await waitForRest(page)
  expect(await page.getByText('no se registró').count()).toBe(0)
  expect(await countOf(ITZEL, 'entrada')).toBe(before + 1)

  // A request for a day of an earlier fortnight is shown in that fortnight.
  await page.getByRole('link', { name: 'Mis días' }).click()
  await page.getByRole('link', { name: 'Pedir una corrección' }).click()
  await page.getByLabel('Día').fill(daysAgo(20, '14:00').slice(0, 10))
  await page.getByLabel('Hora').fill('05:45')
  await page.getByLabel('Qué pasó').fill('Abrí la bodega.')
  await press(page, 'Enviar solicitud')
  await page.getByText('La pediste: «Abrí la bodega.»').waitFor()
})

it('takes a typed hour as the branch’s, although the phone has the zone of another country', async () => {
  const look = { viewport: NARROW, timezoneId: 'Pacific/Auckland' }
  const page = await open({ at: 'mi', email: SOFIA.email, path: 'pedir', ...look })
  await page.getByText('Es la hora de tu sucursal.').waitFor()
  // At 05:45 in Auckland, it is still the last day of the fortnight before in Mexico.
  const [year, month, date] = dateDaysAgo(16).split('-')
  const first = `${year}-${month}-${Number(date) > 15 ? '16' : '01'}`
  await page.getByLabel('Día').fill(first)
  await page.getByLabel('Hora').fill('05:45')
  await page.getByLabel('Qué pasó').fill('Iba de viaje.')
  await press(page, 'Enviar solicitud')
  const day = page.locator('section', { hasText: 'La pediste: «Iba de viaje.»' })
  await day.getByText('05:45', { exact: true }).waitFor()
  await page.getByText('Con la hora de tu sucursal, que no es la del teléfono.').waitFor()
  await expect.poll(() => page.url()).toContain(`dia=${first}`)
})

it('requests a refused check-in at the moment when it was pressed, or at another hour', async () => {
  const page = await openAs(GUADALUPE)
  const pressed = Date.now() - 4 * 86_400_000
  await page.clock.setSystemTime(pressed)
  await goOffline(page)
  await press(page, 'Entrada')
  await savedOnPhone(page)
  await page.clock.setSystemTime(Date.now())
  await goOffline(page, false)
  await page.getByText('Pasaron más de tres días').waitFor()
  await page.getByRole('link', { name: 'Pedir que se agregue' }).click()
  await page.getByText('según este teléfono').waitFor()
  expect(await axeViolations(page)).toEqual([])
  expect(await page.getByLabel('Hora').count()).toBe(0)
  await press(page, 'Fue a otra hora')
  await page.getByText('Es la hora de tu sucursal.').waitFor()
  await expect.poll(() => page.locator('[name=day]:focus').count()).toBe(1)
  await page.reload()
  await page.getByText('según este teléfono').waitFor()
  await page.getByLabel('Qué pasó').fill('No había señal.')
  const sent = page.waitForRequest('**/my_requests')
  await press(page, 'Enviar solicitud')
  const { recorded_at } = (await sent).postDataJSON() as { recorded_at: string }
  expect(Math.abs(Date.parse(recorded_at) - pressed)).toBeLessThan(60_000)
  await page.getByText('La pediste: «No había señal.»').waitFor()
})

it('warns if the phone cannot store a check-in, and still sends it', async () => {
  const page = await openAs(SOFIA)
  const before = await countOf(SOFIA, 'entrada')
  await page.evaluate("IDBFactory.prototype.open = () => { throw new Error('refused') }")
  await goOffline(page)
  await press(page, 'Entrada')
  await waitForMessage(page, 'no se pudo guardar: no cierres esta página')
  await page.getByText('No se pudo leer si este teléfono tiene checadas por enviar.').waitFor()
  const leave = "dispatchEvent(new Event('beforeunload', { cancelable: true }))"
  await expect.poll(() => page.evaluate(leave)).toBe(false)
  await goOffline(page, false)
  await expect.poll(() => waiting(page).count()).toBe(0)
  await waitForMessage(page, 'Tu entrada quedó registrada.')
  expect(await countOf(SOFIA, 'entrada')).toBe(before + 1)
  await expect.poll(() => page.evaluate(leave)).toBe(true)
})

it('shows an agreement, which is accepted with the password', async () => {
  const { token } = await api()
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const text = 'La jornada se registra de forma electrónica.\n\nCada registro se sella.'
  const body = JSON.stringify({ title: 'Registro electrónico', text, valid_from: '2026-01-01' })
  await fetch(`${service.api}/v2/agreements`, { method: 'POST', headers, body })
  const page = await openAs(LUIS)
  await page.getByRole('link', { name: 'Registro electrónico' }).click()
  await page.getByText('Cada registro se sella.').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByLabel('Tu contraseña').fill('otra cosa')
  await press(page, 'Lo leí y lo acepto')
  await page.getByText('La contraseña no es correcta.').waitFor()
  await page.getByLabel('Tu contraseña').fill(DEMO_PASSWORD)
  await press(page, 'Lo leí y lo acepto')
  await page.getByText('Lo aceptaste el').waitFor()
  await page.getByRole('link', { name: 'Checar' }).click()
  await isReady(page, LUIS)
  await waitForRest(page)
  expect(await page.getByText('Hay un acuerdo por leer').count()).toBe(0)
})

it('shows the person’s days with their hours, and lets them sign the card or object to it', async () => {
  const ana = await api()
  const at = (time: string) => daysAgo(40, time)
  const logs = await ana.record(GUADALUPE.id, [
    { kind: 'entrada', at: at('14:00') },
    { kind: 'salida', at: at('22:30') },
  ])
  await ana.change(logs, 'approved', 'Llegó puntual.')
  const day = at('14:00').slice(0, 10)
  const before = daysAgo(39, '00:00').slice(0, 10)
  const { id } = await ana.closeFrom(day, { employee_id: GUADALUPE.id, before })
  const page = await openAs(GUADALUPE)
  await page.getByRole('link', { name: /^Tienes \d+ tarjetas? por firmar$/ }).waitFor()
  await page.getByRole('link', { name: 'Mis días' }).click()
  const ofDay = page.locator('section', { hasText: 'Llegó puntual.' })
  const back = fortnightOf(phoneDay()) - fortnightOf(day)
  for (let i = 0; i < back; i++) await press(page, 'Quincena anterior')
  await ofDay.getByText('8 h 30 min · el cierre').waitFor()
  await saveScreenshot(page, 'mi days')
  expect(await axeViolations(page)).toEqual([])

  await page.getByRole('link', { name: 'Tarjetas' }).click()
  const row = page.locator('li', { hasText: '8:30:00 h' })
  await row.getByText('Por firmar').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await row.getByRole('link').click()
  await page.getByRole('row', { name: /8:30:00/ }).waitFor()
  // No answer is chosen at first.
  await page.getByLabel('Tu contraseña').fill(DEMO_PASSWORD)
  await press(page, 'Enviar')
  await page.getByText('Elige una respuesta.').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByLabel('No estoy conforme').check()
  await page.getByLabel('Tu contraseña').fill(DEMO_PASSWORD)
  await press(page, 'Enviar')
  await page.getByText('Escribe qué no está bien.').waitFor()
  await page.getByLabel('Qué no está bien').fill('Salí a las 17:00.')
  await saveScreenshot(page, 'mi card')
  expect(await axeViolations(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(NARROW.width)
  await press(page, 'Enviar')
  await page.getByText('«Salí a las 17:00.»').waitFor()
  await page.getByText('Cambiar mi respuesta').click()
  await page.getByLabel('Sí, estoy conforme').check()
  await page.getByLabel('Tu contraseña').fill(DEMO_PASSWORD)
  await press(page, 'Enviar')
  await page.getByText('Conforme, desde tu cuenta').waitFor()
  expect(await axeViolations(page)).toEqual([])

  // A closing that only corrects a paid day is signed too. The list distinguishes the two closings.
  const late = await ana.record(GUADALUPE.id, [
    { kind: 'entrada', at: at('23:00') },
    { kind: 'salida', at: at('23:45') },
  ])
  await ana.change(late, 'approved')
  const { id: second } = await ana.close({
    employee_id: GUADALUPE.id,
    before,
    leave_pending: true,
  })
  await page.getByRole('link', { name: 'Mis tarjetas' }).click()
  const link = page.getByRole('link', { name: `Cierre ${second}, hasta el` })
  const corrected = page.locator('li').filter({ has: link })
  await corrected.getByText('0:45:00 h').waitFor()
  await corrected.getByText('Por firmar').waitFor()
  expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(40)
  await page
    .locator('li', { hasText: `Cierre ${id}, hasta el` })
    .getByText('Conforme')
    .waitFor()
})

it('lets an employee in by the link of an invitation, later by the number, with a new password', async () => {
  const { people } = await api()
  const { invitations } = await dataOf(
    people.invitations.$post({ json: { employee_ids: ['E-011'] } }),
  )
  const page = await open({ at: 'mi', signedIn: false, viewport: NARROW })
  await page.goto(invitations[0]?.url ?? '')
  await page.getByRole('heading', { name: /^Hola, Fernanda/ }).waitFor()
  await expect.poll(() => page.url()).toMatch(/\/mi\/#\/invitacion$/)
  await page.getByLabel('Tu contraseña nueva').fill('una frase mía')
  await page.getByLabel('Otra vez').fill('una frase mía')
  await press(page, 'Guardar y entrar')
  await isReady(page, { name: 'Fernanda' })

  await page.getByRole('link', { name: 'Cambiar mi contraseña' }).click()
  await page.getByLabel('Contraseña actual').fill('una frase mía')
  await page.getByLabel('Contraseña nueva').fill('otra frase mía')
  await page.getByLabel('La nueva, otra vez').fill('otra')
  await press(page, 'Cambiar la contraseña')
  await page.getByText('No es igual a la contraseña nueva.').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByLabel('La nueva, otra vez').fill('otra frase mía')
  await press(page, 'Cambiar la contraseña')
  await waitForMessage(page, 'Tu contraseña se cambió.')
  // The session goes on with its new token.
  await page.getByRole('heading', { name: 'Últimas 24 horas' }).waitFor()
  await page.reload()
  await isReady(page, { name: 'Fernanda' })
  await waitForRest(page)
  expect(await page.getByText('entra de nuevo').count()).toBe(0)
  await signOut(page)
  await page.getByText('¿Olvidaste tu contraseña? Pide a tu empresa un enlace nuevo.').waitFor()
  await press(page, 'Entrar')
  await page.getByText('Escribe tu número o correo, y tu contraseña.').waitFor()
  await page.getByLabel('Número de empleado o correo').fill(' E-011 ')
  await page.getByLabel('Contraseña').fill('otra')
  await press(page, 'Entrar')
  await page.getByText('El número o correo, o la contraseña, no son correctos.').waitFor()
  await page.getByLabel('Contraseña').fill('otra frase mía')
  await press(page, 'Entrar')
  await isReady(page, { name: 'Fernanda' })
  await signOut(page)
  // Luis has an address, and signs in by the number all the same.
  await page.getByLabel('Número de empleado o correo').fill('e-002')
  await page.getByLabel('Contraseña').fill(DEMO_PASSWORD)
  await press(page, 'Entrar')
  await isReady(page, LUIS)
})

/** The period stands between its two buttons, in one line. */
const expectPeriodInOneLine = async (page: Page) => {
  const topOf = async (name: string) =>
    (await page.getByRole('button', { name }).boundingBox())?.y ?? 0
  // What comes later may move both between the two readings.
  await waitForRest(page)
  expect(await topOf('Quincena anterior')).toBe(await topOf('Quincena siguiente'))
}

it('says in one sentence what to do about a day, and has the codes behind it', async () => {
  const ana = await api()
  // A Sunday, on which nobody of the demo works, and a day that is too long ago for a request.
  const sunday = 28 + new Date(dateDaysAgo(28)).getUTCDay()
  for (const day of [sunday, 41]) {
    await ana.record(LUIS.id, [{ kind: 'entrada', at: daysAgo(day, '14:00') }])
  }
  const page = await openAs(LUIS, { width: 320, height: 640 })
  await go(page, `dias?dia=${dateDaysAgo(41)}`)
  await page.getByText('Si saliste, avisa a quien lleva tu nómina.').waitFor()
  await go(page, `dias?dia=${dateDaysAgo(sunday)}`)
  const day = page.locator('section', { hasText: 'Falta tu salida. Si saliste, ' }).first()
  await day.getByText('Ver detalle').click()
  await day.getByText('Omisión de salida').waitFor()
  await expectPeriodInOneLine(page)
  expect(await axeViolations(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)

  // Its link opens the form with what is missing.
  const given = async (label: string) => page.getByLabel(label).inputValue()
  await day.getByRole('link', { name: 'pide la corrección' }).click()
  await expect
    .poll(async () => [await given('Qué falta'), await given('Día'), await given('Hora')])
    .toEqual(['salida', dateDaysAgo(sunday), ''])
  // A link of a log asks for its right hour.
  await page.goBack()
  await day.getByRole('link', { name: '¿Está mal la hora de la entrada de las 08:00?' }).click()
  await expect
    .poll(async () => [await given('Qué fue'), await given('Día'), await given('Hora')])
    .toEqual(['entrada', dateDaysAgo(sunday), '08:00'])
  await press(page, 'Enviar solicitud')
  await page.getByText('Es la hora que está mal: escribe la correcta.').waitFor()
  expect(await given('Qué pasó')).toContain('La entrada de las 08:00 está mal:')
  expect(await axeViolations(page)).toEqual([])
})

it('shows the hours of each week beside the limit, and gives the person their own evidence', async () => {
  const page = await openAs(SOFIA)
  await go(page, `dias?dia=${dateDaysAgo(8)}`)
  await page
    .getByText(/ de [a-z]+: \d+ (h|min).* de 4\d h/)
    .first()
    .waitFor()
  await expectPeriodInOneLine(page)
  await go(page, 'tarjetas')
  const button = page.getByRole('button', { name: 'Descargar mi evidencia' })
  const { name, bytes } = await download(page, button)
  expect(name).toMatch(/^evidencia_\d{4}-\d\d-\d\d\.ndjson$/)
  const report = await verifyEvidence(linesOf(inOneChunk(bytes.toString())))
  expect([report.faults.count, bytes.includes(SOFIA.id), bytes.includes(LUIS.id)]).toEqual([
    0,
    true,
    false,
  ])
  const link = page.getByRole('link', { name: 'aquí se verifica' })
  expect(await link.getAttribute('href')).toBe('/verificar')
})

it('can be used with the keyboard at 320 px, and is accessible', async () => {
  const page = await open({ at: 'mi', signedIn: false, viewport: NARROW })
  await page.getByRole('heading', { name: 'Checada' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await signInAs(page, SOFIA)
  await page.getByRole('heading', { name: 'Últimas 24 horas' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  const before = await countOf(SOFIA, 'salida')
  // The heading gets the focus at first.
  await waitForRest(page)
  await page.getByRole('button', { name: 'Salida' }).focus()
  await page.keyboard.press('Enter')
  await waitForMessage(page, 'Tu salida quedó registrada.')
  expect(await countOf(SOFIA, 'salida')).toBe(before + 1)
  for (const name of ['Mis días', 'Acuerdo']) {
    await page.getByRole('link', { name }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1')
    expect(await axeViolations(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(NARROW.width)
  }
})

it('is installed with its own files only, in place of an older version', async () => {
  const page = await open({ signedIn: false })
  await page.evaluate("caches.open('mi older')")
  await page.goto(`${new URL(service.api).origin}/mi/`)
  await signInAs(page, LUIS)
  await page.evaluate('navigator.serviceWorker.ready')
  await expect.poll(() => page.evaluate('caches.has("mi older")')).toBe(false)
  const kept = (await page.evaluate(`caches.keys()
    .then(([name]) => caches.open(name))
    .then((cache) => cache.keys())
    .then((requests) => requests.map(({ url }) => new URL(url).pathname))`)) as string[]
  expect(kept).toContain('/mi/')
  expect(kept.filter((path) => !/^\/mi\/[\w.-]*$/.test(path))).toEqual([])
  // A proxy that changes the page, such as by a script of its own, would keep it from being installed.
  const { headers } = await fetch(`${new URL(service.api).origin}/mi/`)
  expect(headers.get('Cache-Control')).toBe('public, max-age=0, must-revalidate, no-transform')
  const manifest = await page
    .context()
    .request.get(new URL('manifest.webmanifest', page.url()).href)
  expect(await manifest.json()).toMatchObject({ start_url: './', display: 'standalone' })
  // The page's Trusted Types policy accepts no other script as a worker.
  await page.evaluate("navigator.serviceWorker.register('other.js').catch(() => {})")
  await takeProblem(/TrustedScriptURL/)
})
