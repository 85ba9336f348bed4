// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { figure, preview } from '../support/closing-pages.ts'
import {
  type ApiClient,
  aWorkDay,
  dateDaysAgo,
  daysAgo,
  recentMoments,
} from '../support/console-api.ts'
import {
  answerWith,
  fill,
  focusedText,
  go,
  loseRequests,
  type Place,
  partAt,
  partOf,
  press,
  setOnline,
  textsAt,
  usePages,
  waitForMessage,
  waitForNone,
} from '../support/dom-page.ts'

const { open, api } = usePages([
  ...['--var', 'ADMIN_ROLES:admin,supervisor'],
  ...['--var', 'PAYROLL_ROLES:admin,auditor'],
])

/** Records a worked day of nine hours, approved unless another status is given. */
const aDay = async (client: ApiClient, employee_id: string, days: number, status = 'approved') => {
  const logs = await client.record(employee_id, aWorkDay(days))
  if (status === 'approved') await client.change(logs, 'approved')
  return logs
}

const pressClose = (page: Place) => press(page, /^Cerrar y pagar/)

const CARDS = 'main li:has(h2)'

it('shows what a closing pays, asks for pending logs, and then closes', async () => {
  const ana = await api()
  await ana.changeEmployee('E-008', { paid_from: dateDaysAgo(44) })
  await aDay(ana, 'E-008', 44)
  await aDay(ana, 'E-008', 43)
  await aDay(ana, 'E-008', 42, 'pending')
  const page = await open('cierres')
  await preview(page, 'Zúñiga', 40)
  await page.findByRole('heading', { name: /^Héctor Zúñiga Robles, hasta el/ })
  await partAt('.warnings', 'Se paga aquí por primera vez a 1 persona.')
  await partAt('.warnings', '2 checadas de estas personas sin decidir')
  await expect.poll(() => figure('Por pagar')).toBe('18 h 18.00 h')
  expect(figure('Personas')).toBe('1')

  await pressClose(page)
  await page.findByText('Decídelas antes, o di que se quedan pendientes.')
  await press(page, /^Dejar 2 checadas sin decidir/, 'checkbox')
  await fill(page, 'Comentario (opcional)', 'Finiquito del viernes.')
  await pressClose(page)
  const done = /^Se guardó el cierre \d+: 18 h de 1 persona$/
  const heading = await page.findByRole('heading', { name: done })
  await expect.poll(focusedText).toBe(heading.textContent)
  await partAt(`${CARDS} strong`, '18 h')
  expect(textsAt(CARDS)[0]).toContain('«Finiquito del viernes.»')
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
  await open(`horas?employee_id=E-009&from=${dateDaysAgo(44)}&to=${dateDaysAgo(43)}`)
  await partAt('.work', `pagado: 9 h, cierre ${id}; 1 h se pagarán en el próximo cierre`)
})

it('decides a paid log with a comment, cancels its closing, and explains both effects first', async () => {
  const ana = await api()
  const [entrada = 0] = await aDay(ana, 'E-007', 44)
  const request = { before: dateDaysAgo(40), employee_id: 'E-007' }
  const { id } = await ana.closeFrom(dateDaysAgo(44), request)
  const page = await open(`checadas/${entrada}`)
  await partAt('main', 'Ya se pagó. Si la cambias, di por qué')
  await press(page, /^Reabrir/)
  const dialog = await partOf(page, 'dialog')
  await dialog.findByText(/Ya pagadas: 1 checada\./)
  await press(dialog, 'Reabrir 1 checada')
  await dialog.findByText(/^Escribe el motivo/)
  expect(await ana.read(entrada)).toMatchObject({ locked: true, status: 'approved' })
  await fill(dialog, /^Motivo/, 'La entrada era de otra persona.')
  await press(dialog, 'Reabrir 1 checada')
  await partAt('main', 'La entrada era de otra persona.')
  await waitForNone('main', 'Ya se pagó')
  expect(await ana.read(entrada)).toMatchObject({ locked: false, status: 'pending' })

  go('cierres')
  const card = `Cierre ${id}:`
  await press(await partAt(CARDS, card), 'Cancelar (nadie cobró con él)')
  const cancel = await partOf(page, 'dialog', `Cancelar el cierre ${id}`)
  await partAt('dialog', 'Sus 9 h')
  await cancel.findByText(/se le pagaría dos veces/)
  await press(cancel, 'Cancelar el cierre')
  await cancel.findByText(/^Escribe el motivo/)
  await fill(cancel, /^Motivo/, 'Era otra persona.')
  setOnline(false)
  await cancel.findByText(/Sin conexión/)
  expect((await cancel.findByRole('button', { name: 'Cancelar el cierre' })).disabled).toBe(true)
  setOnline(true)
  // The response is lost after the commit. The page sends the same again, which is refused.
  const restore = answerWith(/cancel$/, async (send) => {
    restore()
    await send()
    throw new TypeError('The connection was reset.')
  })
  await press(cancel, 'Cancelar el cierre')
  await waitForMessage(`Se canceló el cierre ${id}`)
  const cancelled = await partAt(CARDS, '«Era otra persona.». No cuenta como pagado.')
  expect(cancelled.element.textContent).toContain(card)
  expect(cancelled.queryAllByRole('button')).toEqual([])
})

it('does not offer a paid log to users who may not pay', async () => {
  const client = await api()
  const logs = await client.record('E-005', aWorkDay(44, '14:00', '20:00'))
  await client.change(logs, 'approved')
  await client.closeFrom(dateDaysAgo(44), { before: dateDaysAgo(43), employee_id: 'E-005' })
  const path = `checadas?employee_id=E-005&status=approved&to=${dateDaysAgo(43)}`
  await client.changeUser('maria.hernandez@demo.mx', { role: 'supervisor' })
  const page = await open(path, 'maria.hernandez@demo.mx')
  const row = `[data-log="${logs[0]}"]`
  const paid = await partAt(row, '· pagada')
  expect(paid.queryAllByRole('button', { name: /^Reabrir/ })).toEqual([])

  // The unpaid logs can be selected together, without the paid ones. There are more logs than one
  // page of the list shows.
  const others = recentMoments(43, 50).map((at) => ({ kind: 'checada' as const, at }))
  await client.change(await client.record('E-005', others), 'approved')
  await press(page, 'Actualizar')
  await press(page, 'Seleccionar 48 checadas de la lista', 'checkbox')
  expect((await (await partAt(row)).findByRole('checkbox')).checked).toBe(false)
  await press(page, 'Seleccionar las 52 que coinciden')
  await waitForMessage('Se seleccionaron 50 de 52 checadas: las demás las decide otra persona.')
})

it('closes once if the response is lost, and not at all if the request is lost', async () => {
  const ana = await api()
  await aDay(ana, 'E-012', 44)
  await ana.changeEmployee('E-012', { paid_from: dateDaysAgo(44) })
  const page = await open('cierres')
  await preview(page, 'Óscar', 41)
  await expect.poll(() => figure('Por pagar')).toBe('9 h 9.00 h')
  const post = /^POST .*\/closings$/
  const restore = loseRequests(post)
  await pressClose(page)
  await page.findByText('El servicio no respondió.')
  restore()
  let sent = 0
  answerWith(post, async (send) => {
    if (sent++ > 0) return send()
    await send()
    throw new TypeError('The connection was reset.')
  })
  await fill(page, 'Comentario (opcional)', 'Una sola vez.')
  await pressClose(page)
  await page.findByRole('heading', { name: /^Se guardó el cierre/ })
  await expect
    .poll(() => textsAt(CARDS).filter((text) => text.includes('«Una sola vez.»')))
    .toHaveLength(1)
  expect(sent).toBe(2)
})

it('shows closings without buttons to a user who may not close', async () => {
  const ana = await api()
  const [entrada = 0] = await aDay(ana, 'E-006', 44)
  await ana.closeFrom(dateDaysAgo(44), { before: dateDaysAgo(40), employee_id: 'E-006' })
  await ana.changeUser('auditoria@despacho.mx', { scope_branches: ['Sur'] })
  const page = await open('cierres', 'auditoria@despacho.mx')
  await (await partAt(CARDS)).findByRole('button', { name: 'Para nómina' })
  expect(page.queryAllByText(/, de tus sucursales$/).length).toBeGreaterThan(0)
  expect(page.queryAllByRole('button', { name: /Cancelar|Ver cómo/ })).toEqual([])
  go(`checadas/${entrada}`)
  await partAt('main', 'Ya se pagó. Solo la cambia quien decide y también paga.')
})
