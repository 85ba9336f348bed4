// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { aWorkDay, dateDaysAgo, daysAgo } from '../support/console-api.ts'
import {
  answerWith,
  choose,
  fill,
  go,
  holdRequests,
  partAt,
  partOf,
  press,
  pressKey,
  sentRequests,
  shownAddress,
  textsAt,
  usePages,
  waitForMessage,
  waitForNone,
  waitForRest,
} from '../support/dom-page.ts'

/** The list of logs, the page of one, and the form that adds one. */

const { open, api } = usePages()

const ROW = 'main [data-log]'

const heading = () => textsAt('h1').join()

it('lists old pending logs too after a list that begins 30 days ago', async () => {
  await (await api()).record('E-003', [{ kind: 'entrada', at: daysAgo(44, '14:00') }])
  const page = await open('checadas')
  await partAt(ROW)
  const tabs = await partOf(page, 'navigation', 'Estado')
  await expect.poll(heading).toMatch(/^Por revisar\d/)
  const pending = heading()
  await press(tabs, 'Aprobadas', 'link')
  await expect.poll(heading).toMatch(/^Aprobadas\d/)
  expect((await page.findByLabelText('Desde')).value).toBe(dateDaysAgo(30))
  // Another change of the filter does not make the default a chosen date either.
  await choose(page, 'Tipo', 'entrada')
  await expect.poll(shownAddress).toContain('kind=entrada')
  await choose(page, 'Tipo', '')
  await expect.poll(shownAddress).not.toContain('kind=')
  await press(tabs, 'Por revisar', 'link')
  await expect.poll(heading).toBe(pending)
  expect(shownAddress()).not.toContain('from=')
})

it('filters by branch, status, department and person, and shows the filters', async () => {
  const page = await open('checadas')
  await partAt(ROW)
  const sur = () => textsAt('nav[aria-label=Sucursales] a').find((text) => text.startsWith('Sur'))
  // The count of a branch comes after its name.
  await expect.poll(sur).toMatch(/\d/)
  const count = sur()?.replace(/\D/g, '')
  await press(await partOf(page, 'navigation', 'Sucursales'), /^Sur/, 'link')
  await expect.poll(heading).toBe(`Por revisar${count}`)
  // Until the rows of this branch come, the others are shown as such.
  await waitForNone('[aria-busy=true]')
  const places = textsAt(`${ROW} .who p`)
  expect(places.length).toBeGreaterThan(0)
  for (const text of places) expect(text).toMatch(/Sur$/)

  await choose(page, 'Departamento', 'Ventas')
  await expect.poll(shownAddress).toContain('department=Ventas')
  await fill(page, 'Persona', 'inigo sal')
  await press(page, /Íñigo Salas Montaño/, 'option')
  await page.findByRole('button', { name: /^Íñigo Salas Montaño ?: quitar este filtro$/ })
  const names = () => new Set(textsAt(`${ROW} .who a`))
  await expect.poll(names).toEqual(new Set(['Íñigo Salas Montaño']))

  await choose(page, 'Tipo', 'checada')
  go('checadas?branch_office=Nada&status=pending')
  await page.findByRole('heading', { name: 'Nada coincide con estos filtros' })
  await press(page, 'Quitar los filtros', 'link')
  await partAt(ROW)
  expect(shownAddress()).not.toContain('branch_office')
})

it('shows the newest list even if the response for an earlier one arrives later', async () => {
  await (await api()).record('E-006', [{ kind: 'entrada', at: daysAgo(30, '14:03') }])
  await open('relojes')
  const late = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  answerWith(/\/logs\?.*employee_id=E-006/, async (send) => {
    await released.promise
    const response = await send()
    late.resolve()
    return response
  })
  go(`checadas?employee_id=E-006&kind=entrada&from=${dateDaysAgo(31)}`)
  await expect.poll(() => sentRequests(/\/logs\?.*employee_id=E-006/).length).toBeGreaterThan(0)
  go('checadas?employee_id=E-001&status=all')
  await partAt(ROW)
  released.resolve()
  await late.promise
  await waitForRest()
  expect(new Set(textsAt(`${ROW} .who a`))).toEqual(new Set(['Ana Torres Rivas']))
})

it('shows one log with its history, decides it there, and goes back to the list', async () => {
  const page = await open('checadas')
  await partAt(ROW)
  const name = textsAt(`${ROW} .who a`)[0] ?? ''
  await press(await partAt(ROW), name, 'link')
  await page.findByRole('heading', { level: 1, name })
  await press(page, /^Aprobar/)
  await partAt('.history', 'Aprobada')
  await (await partOf(page, 'article')).findByRole('heading', { name: 'Historia' })
  await press(page, /^Reabrir/)
  await partAt('.history', 'Reabierta')
  await press(page, 'Volver a la lista', 'link')
  await partAt(ROW)
})

it('shows a decision in the other rows of its day too', async () => {
  const ana = await api()
  const [entrance = 0, exit = 0] = await ana.record('E-010', aWorkDay(43))
  await open(`checadas?employee_id=E-010&from=${dateDaysAgo(43)}&to=${dateDaysAgo(43)}`)
  await press(await partAt(`[data-log="${exit}"]`), /^Aprobar/)
  await waitForMessage('Aprobada:')
  await partAt(`[data-log="${entrance}"] .day`, 'aprobada')
  expect((await ana.read(entrance)).history.map(({ event }) => event)).toEqual(['recorded'])
})

it('adds a missing log by hand, with its reason', async () => {
  const ana = await api()
  const { pending } = await ana.count({ employee_id: 'E-009' })
  const page = await open('agregar')
  await press(page, 'Agregar checada')
  await page.findByText('Elige a la persona de la lista.')

  const day = dateDaysAgo(16)
  await fill(page, 'Persona', 'itzel')
  await press(page, /Itzel Ramírez/, 'option')
  await press(page, 'Salida', 'radio')
  await fill(page, 'Día', day)
  await fill(page, 'Hora', '18:05')
  await fill(page, 'Motivo', 'Olvidó checar al salir; lo confirma su jefa.')
  await press(page, 'Agregar checada')
  await waitForMessage('Se agregó: Itzel Ramírez Ochoa')

  expect((await ana.count({ employee_id: 'E-009' })).pending).toBe(pending + 1)
  go(`checadas?employee_id=E-009&from=${day}&to=${day}`)
  await partAt(ROW, /Salida 18:05.*Agregada a mano/)
  // The time is in the installation's zone, not in the browser's.
  expect(textsAt(`${ROW} .when`)).toContain('Salida 18:05')
})

it('shows labels of clocks, which are silent, and which of their logs were refused', async () => {
  await (await api()).labelSource('reloj-norte', 'Puerta norte')
  await open('relojes')
  const clock = await partAt('main li', 'reloj-sur')
  await clock.findByText('Sin noticias desde hace 3 días')
  await partAt('.problems li', /^E-099: esa persona no está dada de alta/)
  const other = await partAt('main li', 'reloj-norte')
  await other.findByRole('heading', { name: /^Puerta norte/ })
})

/** Opens the list, and selects the first two logs. */
const openWithSelection = async () => {
  const page = await open('checadas')
  await partAt(ROW)
  const boxes = page.queryAllByRole('checkbox', { name: /^Seleccionar:/ })
  const names = boxes.slice(0, 2).map((box) => box.getAttribute('aria-label') ?? '')
  for (const name of names) await press(page, name, 'checkbox')
  return page
}

it('decides no selected logs while one log is being read', async () => {
  const page = await openWithSelection()
  const release = holdRequests(/\/logs\/\d/)
  await press(await partAt(ROW), /./, 'link')
  await waitForNone(ROW)
  for (const key of ['a', '?']) await pressKey(key)
  await page.findByRole('dialog', { name: 'Atajos de teclado' })
  expect(page.queryAllByRole('dialog')).toHaveLength(1)
  release()
})

it('decides no selected logs while another page than their list is open', async () => {
  const page = await openWithSelection()
  const list = shownAddress()
  go('horas')
  await page.findByRole('heading', { name: /^Horas/, level: 1 })
  await waitForNone(ROW)
  for (const key of ['a', 'r', '?']) await pressKey(key)
  // While the dialog of a decision is open, the help would not be opened.
  await page.findByRole('dialog', { name: 'Atajos de teclado' })
  go(list)
  await partAt(ROW)
  await waitForNone('dialog')
  await pressKey('a')
  await page.findByRole('dialog', { name: 'Aprobar 2 checadas' })
})

it('says to a key, too, that a paid log is decided by who also pays', async () => {
  answerWith(/GET .*\/settings$/, async (send) => {
    const response = await send()
    const text = await response.text()
    return new Response(text.replace('"pay",', ''), { headers: response.headers })
  })
  const ana = await api()
  const days = Array.from({ length: 28 }, (_, ago) => dateDaysAgo(ago))
  const logs = (await Promise.all(days.map((day) => ana.logsOf('E-010', day)))).flat()
  const paid = logs.find(({ locked }) => locked)
  const text = 'Ya se pagó. Solo la cambia quien decide y también paga.'
  await open(`checadas/${paid?.log_id}`)
  await partAt('main', text)
  await pressKey('r')
  await waitForMessage(text)

  const day = paid?.local_at.slice(0, 10)
  go(`checadas?employee_id=E-010&status=${paid?.status}&from=${day}&to=${day}`)
  await partAt(ROW)
  for (const key of ['j', 'r', '?']) await pressKey(key)
  await waitForMessage(text)
  expect(textsAt('dialog h2').join()).toBe('Atajos de teclado')
})
