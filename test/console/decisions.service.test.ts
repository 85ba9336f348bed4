// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { DEMO_ADMIN, DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import {
  type ApiClient,
  dateDaysAgo,
  daysAgo,
  OTHER_ADMIN,
  recentMoments,
} from '../support/console-api.ts'
import {
  answerWith,
  fill,
  focused,
  go,
  holdRequests,
  loseRequests,
  partAt,
  partOf,
  press,
  pressKey,
  sentRequests,
  textsAt,
  usePages,
  waitForMessage,
  waitForNone,
  waitForRest,
} from '../support/dom-page.ts'

const { open, api } = usePages(['--var', 'EMPLOYEE_CLOCK_IN:on'])

const CHANGE = /change_logs_status/

/** Records pending logs of one person, one per day. Each test uses a different person. */
const anEmployeeWithLogs = (client: ApiClient, employee_id: string, count: number) =>
  client.record(
    employee_id,
    Array.from({ length: count }, (_, i) => ({
      kind: 'entrada',
      at: daysAgo(30 - i, '14:03'),
    })),
  )

const listOf = (employee_id: string) =>
  `checadas?employee_id=${employee_id}&kind=entrada&from=${dateDaysAgo(31)}`

const rowOf = (log: number) => partAt(`[data-log="${log}"]`)

const act = async (log: number, name: string) => press(await rowOf(log), new RegExp(`^${name}`))

const decisionsOf = async (client: ApiClient, log: number) =>
  (await client.read(log)).history.filter(({ event }) => event === 'decided')

/** Holds the next decision until the returned function is called. */
const holdNext = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = answerWith(CHANGE, (send) => {
    stop()
    return promise.then(send)
  })
  return resolve
}

it('shows who decided first and why, and keeps the selection and the text', async () => {
  const [ana, maria] = [await api(), await api(OTHER_ADMIN)]
  const [first = 0, second = 0] = await anEmployeeWithLogs(ana, 'E-002', 2)
  const page = await open(listOf('E-002'))
  for (const log of [first, second]) await rowOf(log)
  await maria.change([first], 'rejected', 'Checada repetida.')

  for (const log of [first, second]) await press(await rowOf(log), /^Seleccionar/, 'checkbox')
  await press(page, 'Aprobar 2 checadas')
  const dialog = await partOf(page, 'dialog')
  await fill(dialog, 'Comentario (opcional)', 'Visto con su jefe.')
  await press(dialog, 'Aprobar 2 checadas')

  await dialog.findByText(/María José Hernández Núñez decidió antes/)
  expect(textsAt('dialog .conflicts').join()).toContain('«Checada repetida.»')
  expect((await dialog.findByRole('textbox')).value).toBe('Visto con su jefe.')
  const row = await rowOf(first)
  expect(row.queryAllByText(/decidió antes/)).toHaveLength(1)
  expect((await row.findByRole('checkbox')).checked).toBe(true)
  expect(await maria.read(first)).toMatchObject({ status: 'rejected' })
  expect(await decisionsOf(maria, second)).toMatchObject([{ to_status: 'approved' }])

  // The user has seen the first decision and overrules it.
  await press(dialog, 'Aprobar 1 checada')
  await waitForNone('dialog')
  expect(await decisionsOf(maria, first)).toMatchObject([
    { from_status: 'rejected', to_status: 'approved', comment: 'Visto con su jefe.' },
    { from_status: 'pending', to_status: 'rejected' },
  ])
})

it('has the typed reason again after the page was left, unless it was cancelled', async () => {
  const [log = 0] = await anEmployeeWithLogs(await api(), 'E-006', 1)
  const page = await open(listOf('E-006'))
  const reason = async () => {
    await act(log, 'Rechazar')
    return (await (await partOf(page, 'dialog')).findByLabelText('Motivo')).value
  }
  expect(await reason()).toBe('')
  await fill(page, 'Motivo', 'No coincide con tu turno.')
  go('hoy')
  await waitForNone('dialog')
  go(listOf('E-006'))
  expect(await reason()).toBe('No coincide con tu turno.')
  await press(page, 'Cancelar')
  expect(await reason()).toBe('')
})

it.each([
  ['request', 'E-005'],
  ['response', 'E-004'],
])('makes one decision if its first %s is lost', async (lost, employee_id) => {
  const ana = await api()
  const [log = 0] = await anEmployeeWithLogs(ana, employee_id, 1)
  await open(listOf(employee_id))
  const stop = answerWith(CHANGE, async (send) => {
    stop()
    if (lost === 'response') await send()
    throw new TypeError('The connection was reset.')
  })
  await act(log, 'Aprobar')
  await waitForMessage('Aprobada: ')
  await (await rowOf(log)).findByText('Aprobada')
  expect(sentRequests(CHANGE)).toHaveLength(2)
  expect(await decisionsOf(ana, log)).toHaveLength(1)
})

it('shows the progress of a slow decision, and moves the focus to the next row', async () => {
  const ana = await api()
  const [first = 0, second = 0] = await anEmployeeWithLogs(ana, 'E-007', 2)
  await open(listOf('E-007'))
  await rowOf(second)
  const release = holdRequests(CHANGE)
  await act(first, 'Aprobar')
  await (await rowOf(first)).findByText('Guardando…')
  await expect.poll(() => focused('data-log')).toBe(String(second))
  release()
  await (await rowOf(first)).findByText('Aprobada')
  expect(focused('data-log')).toBe(String(second))
})

it('undoes the decision that was made last, even if an earlier one is saved after it', async () => {
  const ana = await api()
  const logs = await ana.record(
    'E-006',
    ['14:01', '14:02', '14:03'].map((time) => ({ kind: 'entrada', at: daysAgo(20, time) })),
  )
  const [first = 0, second = 0, third = 0] = logs
  const page = await open(listOf('E-006'))
  const statuses = async () => (await Promise.all(logs.map(ana.read))).map(({ status }) => status)

  // The second decision is still being saved when Z is pressed.
  await act(first, 'Aprobar')
  await waitForMessage(/^Aprobada: .* 08:01/)
  const releaseSecond = holdNext()
  await act(second, 'Aprobar')
  await (await rowOf(second)).findByText('Guardando…')
  await pressKey('z')
  releaseSecond()
  await waitForMessage(/^Se deshizo: .* 08:02/)
  expect(await statuses()).toEqual(['approved', 'pending', 'pending'])
  expect(await decisionsOf(ana, second)).toHaveLength(2)

  // The message of a decision that is not the last one does not offer to undo it.
  const release = holdNext()
  await act(second, 'Aprobar')
  await act(third, 'Aprobar')
  await waitForMessage(/^Aprobada: .* 08:03/)
  await page.findByRole('button', { name: 'Deshacer' })
  release()
  await waitForMessage(/^Aprobada: .* 08:02/)
  expect(page.queryAllByRole('button', { name: 'Deshacer' })).toEqual([])
  await pressKey('z')
  await waitForMessage(/^Se deshizo: .* 08:03/)
  expect(await statuses()).toEqual(['approved', 'approved', 'pending'])
})

it('asks for a reason, then to sign in again without losing it, and then goes on', async () => {
  const ana = await api()
  const [log = 0] = await anEmployeeWithLogs(ana, 'E-003', 1)
  const page = await open(listOf('E-003'))
  await act(log, 'Rechazar')
  const dialog = await partOf(page, 'dialog', 'Rechazar 1 checada')
  await dialog.findByText('Lo leerá la persona. No escribas datos de salud.')
  await press(dialog, 'Rechazar 1 checada')
  await dialog.findByText('Escribe el motivo: la persona lo va a leer.')
  await press(dialog, /^La hora no coincide/)
  // The dialog must have read the effect of the rejection before the session ends. Otherwise the
  // request for the effect would ask to sign in again, and not the decision.
  await dialog.findByText(/este rechazo/i)
  await ana.endSessions()
  await press(dialog, 'Rechazar 1 checada')
  const again = await partOf(page, 'dialog', 'Entra de nuevo')
  await fill(again, 'Correo electrónico', DEMO_ADMIN)
  await fill(again, 'Contraseña', DEMO_PASSWORD)
  await press(again, 'Entrar')
  await waitForMessage(/^Rechazada: \S+ \S+ .*, entrada 08:03/)
  expect(await decisionsOf(await api(), log)).toMatchObject([
    { comment: expect.stringMatching(/^La hora no coincide/) },
  ])
})

it('decides all matching logs in blocks of a hundred, and can be stopped in between', async () => {
  const ana = await api()
  await ana.record(
    'E-012',
    recentMoments(20, 236).map((at) => ({ kind: 'checada' as const, at })),
  )
  const who = { employee_id: 'E-012', kind: 'checada' as const }
  const { pending } = await ana.count(who)
  expect(pending).toBeGreaterThanOrEqual(236)
  await open('checadas?employee_id=E-012&kind=checada&status=pending')
  await press(await partAt('.selector'), 'Seleccionar 50 checadas de la lista', 'checkbox')
  await press(await partAt('.selector'), `Seleccionar las ${pending} que coinciden`)

  const release = holdRequests(CHANGE)
  // Looking for a button among those of 50 rows would take seconds.
  const decideAll = async (count: number) => {
    await press(await partAt('.selection'), `Aprobar ${count} checadas`)
    await press(await partAt('dialog'), `Aprobar ${count} checadas`)
  }
  await decideAll(pending)
  const dialog = await partAt('dialog')
  await dialog.findByText(`0 de ${pending} checadas`)
  await press(dialog, 'Detener')
  release()
  await waitForMessage('Aprobadas: 100 checadas. Se detuvo')
  expect([sentRequests(CHANGE).length, await ana.count(who)]).toMatchObject([
    1,
    { approved: 100, pending: pending - 100 },
  ])

  await decideAll(pending - 100)
  await waitForMessage(`Aprobadas: ${pending - 100} checadas.`)
  expect(await ana.count(who)).toMatchObject({ approved: pending, pending: 0 })
  // Decided logs leave the list of pending logs, and an undo brings them back.
  await waitForNone('.log')

  await pressKey('z')
  await waitForMessage(`Se deshizo: ${pending - 100} checadas.`)
  expect(await ana.count(who)).toMatchObject({ approved: 100, pending: pending - 100 })
  await expect.poll(() => textsAt('.log').length).toBe(50)
})

it('offers to correct a rejected punch without a kind, or to reject its pair', async () => {
  const ana = await api()
  const at = (days: number, time: string) => ({ kind: 'checada' as const, at: daysAgo(days, time) })
  const logs = await ana.record('E-011', [at(30, '14:00'), at(30, '23:00'), at(29, '14:00')])
  const [first = 0, second = 0, alone = 0] = logs
  const page = await open(`checadas/${second}`)
  const ask = async (log: number) => {
    await act(log, 'Rechazar')
    return partOf(page, 'dialog')
  }
  const offersOf = (dialog: Awaited<ReturnType<typeof ask>>) =>
    partOf(dialog, 'list', 'Además del rechazo')
  await press(await offersOf(await ask(second)), 'Agregar la salida verdadera', 'link')
  await waitForNone('dialog')
  await page.findByRole('heading', { name: 'Agregar una checada' })
  expect((await page.findByLabelText('Día')).value).toBe(dateDaysAgo(30))
  expect((await page.findByRole('radio', { name: 'Salida' })).checked).toBe(true)

  go(`checadas/${alone}`)
  const single = await ask(alone)
  await partAt('dialog .effect', 'no cambia ninguna hora')
  await waitForRest()
  expect(single.queryAllByRole('list', { name: 'Además del rechazo' })).toEqual([])
  await press(single, 'Cancelar')

  go(`checadas/${first}`)
  const dialog = await ask(first)
  await (await offersOf(dialog)).findByRole('link', { name: 'Agregar la entrada verdadera' })
  await fill(dialog, 'Motivo', 'Ese día no trabajó.')
  await press(await offersOf(dialog), 'Rechazar también la de las 17:00')
  const both = await partOf(page, 'dialog', 'Rechazar 2 checadas')
  expect((await both.findByRole('textbox', { name: /^Motivo/ })).value).toBe('Ese día no trabajó.')
  await press(both, 'Rechazar 2 checadas')
  await waitForNone('dialog')
  for (const id of [first, second]) {
    expect(await decisionsOf(ana, id)).toMatchObject([{ to_status: 'rejected' }])
  }
})

it('shows the effect of a rejection: part of a day, other days, nothing, or an error', async () => {
  const ana = await api()
  const logs = await ana.record('E-010', [
    { kind: 'entrada', at: daysAgo(40, '14:00') },
    { kind: 'salida', at: daysAgo(40, '18:00') },
    { kind: 'entrada', at: daysAgo(40, '19:00') },
    { kind: 'entrada', at: daysAgo(40, '19:02') },
    { kind: 'salida', at: daysAgo(40, '23:00') },
    // A night shift in the demo's zone, 22:00 to 06:00. These times are in UTC.
    { kind: 'entrada', at: daysAgo(37, '04:00') },
    { kind: 'salida', at: daysAgo(37, '12:00') },
  ])
  const [, , , again = 0, exit = 0, , morning = 0] = logs
  const page = await open('relojes')
  const asks = async (log: number, effect: RegExp) => {
    go(`checadas/${log}`)
    await act(log, 'Rechazar')
    await partAt('dialog .effect', effect)
    await press(page, 'Cancelar')
  }
  const day = (days: number) => Number(daysAgo(days, '00:00').slice(8, 10))

  await asks(exit, /queda con 4 h, si se aprueba lo pendiente\.$/)
  await asks(again, /Este rechazo no cambia ninguna hora\./)
  await ana.change(logs, 'approved')
  await open('relojes')
  await asks(morning, new RegExp(`${day(38)} queda sin horas\\.`))
  loseRequests(/\/hours\?/)
  await asks(exit, /No se pudo calcular qué pasa con sus horas\./)
})
