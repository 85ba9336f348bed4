import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import {
  collectRequests,
  focusedLog,
  go,
  holdRequests,
  OTHER_ADMIN,
  rowOf,
  rows,
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

const { open, api, signIn } = useConsole(['--var', 'EMPLOYEE_CLOCK_IN:on'])

const CHANGE_ROUTE = '**/change_logs_status'

/** Records pending logs of one person, one per day. Each test uses a different person. */
const anEmployeeWithLogs = (client: ApiClient, employee_id: string, count: number) =>
  client.record(
    employee_id,
    Array.from({ length: count }, (_, i) => ({
      kind: 'entrada',
      at: daysAgo(30 - i, '14:03'),
    })),
  )

const listOf = (employee_id: string, more = '') =>
  `checadas?employee_id=${employee_id}&kind=entrada&from=${daysAgo(31, '00:00').slice(0, 10)}${more}`

const act = (page: Page, log: number, name: string) =>
  rowOf(page, log).getByRole('button', { name: new RegExp(`^${name}`) })

const decisionsOf = async (client: ApiClient, log: number) =>
  (await client.read(log)).history.filter(({ event }) => event === 'decided')

it('shows who decided first and why, and keeps the selection and the text', async () => {
  const [ana, maria] = [await api(), await api(OTHER_ADMIN)]
  const [first = 0, second = 0] = await anEmployeeWithLogs(ana, 'E-002', 2)
  const mine = await open({ path: listOf('E-002') })
  const hers = await open({ path: listOf('E-002'), email: OTHER_ADMIN })
  for (const page of [mine, hers]) await rowOf(page, second).waitFor()

  await act(hers, first, 'Rechazar').click()
  await hers.getByRole('textbox', { name: 'Motivo' }).fill('Checada repetida.')
  await hers.getByRole('button', { name: 'Rechazar 1 checada' }).click()
  await waitForMessage(hers, 'Rechazada: Luis Mendoza Peña')

  for (const log of [first, second]) await rowOf(mine, log).getByRole('checkbox').check()
  await mine.getByRole('button', { name: 'Aprobar 2 checadas' }).click()
  await mine.getByRole('textbox', { name: 'Comentario (opcional)' }).fill('Visto con su jefe.')
  await mine.getByRole('dialog').getByRole('button', { name: 'Aprobar 2 checadas' }).click()

  const dialog = mine.getByRole('dialog')
  await dialog.getByText('María José Hernández Núñez decidió antes').waitFor()
  expect(await dialog.locator('.conflicts').textContent()).toContain('«Checada repetida.»')
  expect(await dialog.getByRole('textbox').inputValue()).toBe('Visto con su jefe.')
  expect(await rowOf(mine, first).getByText('decidió antes').count()).toBe(1)
  expect(await rowOf(mine, first).getByRole('checkbox').isChecked()).toBe(true)
  expect(await maria.read(first)).toMatchObject({ status: 'rejected' })
  expect(await decisionsOf(maria, second)).toMatchObject([{ to_status: 'approved' }])

  // The user has seen the first decision and overrules it.
  await dialog.getByRole('button', { name: 'Aprobar 1 checada' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await decisionsOf(maria, first)).toMatchObject([
    { from_status: 'rejected', to_status: 'approved', comment: 'Visto con su jefe.' },
    { from_status: 'pending', to_status: 'rejected' },
  ])
})

it.each([
  ['request', 'E-005'],
  ['response', 'E-004'],
])('makes one decision if its first %s is lost', async (lost, employee_id) => {
  const ana = await api()
  const [log = 0] = await anEmployeeWithLogs(ana, employee_id, 1)
  const page = await open({ path: listOf(employee_id) })
  let attempts = 0
  await page.route(CHANGE_ROUTE, async (route) => {
    if (attempts++ > 0) return route.continue()
    if (lost === 'response') await route.fetch()
    await route.abort('connectionreset')
  })
  await act(page, log, 'Aprobar').click()
  await waitForMessage(page, 'Aprobada: ')
  await rowOf(page, log).getByText('Aprobada', { exact: true }).waitFor()
  expect(attempts).toBe(2)
  expect(await decisionsOf(ana, log)).toHaveLength(1)
})

it('shows the newest list even if the response for an earlier one arrives later', async () => {
  const ana = await api()
  await anEmployeeWithLogs(ana, 'E-006', 1)
  const page = await open({ path: 'relojes' })
  const release = await holdRequests(page, /\/logs\?.*employee_id=E-006/)
  const asked = page.waitForRequest(/\/logs\?.*employee_id=E-006/)
  await go(page, listOf('E-006'))
  await asked
  await go(page, 'checadas?employee_id=E-001&status=all')
  await rows(page).first().waitFor()
  const late = page.waitForResponse(/\/logs\?.*employee_id=E-006/)
  release()
  await late
  await page.evaluate('new Promise(requestAnimationFrame)')
  const names = await rows(page).getByRole('link').allTextContents()
  expect(new Set(names)).toEqual(new Set(['Ana Torres Rivas']))
})

it('shows the progress of a slow decision, and moves the focus to the next row', async () => {
  const ana = await api()
  const [first = 0, second = 0] = await anEmployeeWithLogs(ana, 'E-007', 2)
  const page = await open({ path: listOf('E-007') })
  await rowOf(page, second).waitFor()
  const release = await holdRequests(page, CHANGE_ROUTE)
  await act(page, first, 'Aprobar').click()
  await rowOf(page, first).getByText('Guardando…').waitFor()
  await expect.poll(() => focusedLog(page)).toBe(second)
  release()
  await rowOf(page, first).getByText('Aprobada', { exact: true }).waitFor()
  expect(await focusedLog(page)).toBe(second)
})

it('undoes the decision that was made last, even if an earlier one is saved after it', async () => {
  const ana = await api()
  const logs = await ana.record(
    'E-006',
    ['14:01', '14:02', '14:03'].map((time) => ({ kind: 'entrada', at: daysAgo(20, time) })),
  )
  const [first = 0, second = 0, third = 0] = logs
  const page = await open({ path: listOf('E-006') })
  const statuses = async () => (await Promise.all(logs.map(ana.read))).map(({ status }) => status)

  // The second decision is still being saved when Z is pressed.
  await act(page, first, 'Aprobar').click()
  await waitForMessage(page, /^Aprobada: .* 08:01/)
  const releaseSecond = await holdRequests(page, CHANGE_ROUTE, { times: 1 })
  await act(page, second, 'Aprobar').click()
  await rowOf(page, second).getByText('Guardando…').waitFor()
  await page.keyboard.press('z')
  releaseSecond()
  await waitForMessage(page, /^Se deshizo: .* 08:02/)
  expect(await statuses()).toEqual(['approved', 'pending', 'pending'])
  expect(await decisionsOf(ana, second)).toHaveLength(2)

  // The message of a decision that is not the last one does not offer to undo it.
  const release = await holdRequests(page, CHANGE_ROUTE, { times: 1 })
  await act(page, second, 'Aprobar').click()
  await act(page, third, 'Aprobar').click()
  await waitForMessage(page, /^Aprobada: .* 08:03/)
  const undo = page.getByRole('button', { name: 'Deshacer' })
  await undo.waitFor()
  release()
  await waitForMessage(page, /^Aprobada: .* 08:02/)
  expect(await undo.count()).toBe(0)
  await page.keyboard.press('z')
  await waitForMessage(page, /^Se deshizo: .* 08:03/)
  expect(await statuses()).toEqual(['approved', 'approved', 'pending'])
})

it('decides nothing without a connection, and says so', async () => {
  const ana = await api()
  const [log = 0] = await anEmployeeWithLogs(ana, 'E-008', 1)
  const page = await open({ path: listOf('E-008') })
  await rowOf(page, log).getByRole('link').focus()
  await page.context().setOffline(true)
  await page.getByText('Sin conexión. No se ha guardado').first().waitFor()
  await page.keyboard.press('a')
  await waitForMessage(page, 'Sin conexión')
  await page.context().setOffline(false)
  await expect.poll(() => page.locator('.offline').isVisible()).toBe(false)
  expect(await decisionsOf(ana, log)).toEqual([])
  await page.keyboard.press('a')
  await rowOf(page, log).getByText('Aprobada', { exact: true }).waitFor()
})

it('keeps a decision that was lost offline until it is stopped, or the connection is back', async () => {
  const ana = await api()
  const [log = 0] = await anEmployeeWithLogs(ana, 'E-009', 1)
  const page = await open({ path: listOf('E-009') })
  const loseNext = () =>
    page.route(
      CHANGE_ROUTE,
      async (route) => {
        await page.context().setOffline(true)
        await route.abort('internetdisconnected')
      },
      { times: 1 },
    )
  await act(page, log, 'Rechazar').click()
  const dialog = page.getByRole('dialog')
  const send = dialog.getByRole('button', { name: 'Rechazar 1 checada' })
  await dialog.getByRole('textbox', { name: 'Motivo' }).fill('La hora no coincide con tu turno.')
  await loseNext()
  await send.click()
  await dialog.getByText('Sin conexión. No se ha guardado').first().waitFor()
  await dialog.getByRole('button', { name: 'Detener' }).click()
  await dialog.getByText('Se detuvo sin conexión').waitFor()
  await page.context().setOffline(false)
  await loseNext()
  await send.click()
  await dialog.getByText('Sin conexión. No se ha guardado').first().waitFor()
  expect(await decisionsOf(ana, log)).toEqual([])
  expect(await dialog.getByRole('textbox').inputValue()).toBe('La hora no coincide con tu turno.')
  await page.context().setOffline(false)
  await dialog.waitFor({ state: 'detached' })
  expect(await decisionsOf(ana, log)).toHaveLength(1)
})

it('asks for a reason, then to sign in again without losing it, and then goes on', async () => {
  const ana = await api()
  const [log = 0] = await anEmployeeWithLogs(ana, 'E-003', 1)
  const page = await open({ path: listOf('E-003') })
  await act(page, log, 'Rechazar').click()
  const dialog = page.getByRole('dialog', { name: 'Rechazar 1 checada' })
  await dialog.getByText('Lo leerá la persona. No escribas datos de salud.').waitFor()
  const send = dialog.getByRole('button', { name: 'Rechazar 1 checada' })
  await send.click()
  await dialog.getByText('Escribe el motivo: la persona lo va a leer.').waitFor()
  await dialog.getByRole('button', { name: /^La hora no coincide/ }).click()
  // The dialog must have read the effect of the rejection before the session ends. Otherwise the
  // request for the effect would ask to sign in again, and not the decision.
  await dialog.getByText('este rechazo', { exact: false }).waitFor()
  await ana.endSessions()
  await send.click()
  await page.getByRole('dialog', { name: 'Entra de nuevo' }).waitFor()
  await signIn(page)
  await waitForMessage(page, 'Rechazada')
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
  const page = await open({ path: 'checadas?employee_id=E-012&kind=checada&status=pending' })
  await page.getByLabel('Seleccionar 50 checadas de la lista').check()
  await page.getByRole('button', { name: `Seleccionar las ${pending} que coinciden` }).click()

  const release = await holdRequests(page, CHANGE_ROUTE)
  const blocks = collectRequests(page, '/change_logs_status')
  const decideAll = async (count: number) => {
    await page.getByRole('button', { name: `Aprobar ${count} checadas` }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `Aprobar ${count} checadas` })
      .click()
  }
  await decideAll(pending)
  await page.getByText(`0 de ${pending} checadas`).waitFor()
  await page.getByRole('button', { name: 'Detener' }).click()
  release()
  await waitForMessage(page, 'Aprobadas: 100 checadas. Se detuvo')
  expect([blocks.length, await ana.count(who)]).toMatchObject([
    1,
    { approved: 100, pending: pending - 100 },
  ])

  await decideAll(pending - 100)
  await waitForMessage(page, `Aprobadas: ${pending - 100} checadas.`)
  expect(await ana.count(who)).toMatchObject({ approved: pending, pending: 0 })
  // Decided logs leave the list of pending logs, and an undo brings them back.
  await expect.poll(() => page.locator('.log').count()).toBe(0)

  await page.keyboard.press('z')
  await waitForMessage(page, `Se deshizo: ${pending - 100} checadas.`)
  expect(await ana.count(who)).toMatchObject({ approved: 100, pending: pending - 100 })
  await expect.poll(() => page.locator('.log').count()).toBe(50)
})

it('shows a decision in the other rows of its day too', async () => {
  const ana = await api()
  const [entrance = 0, exit = 0] = await ana.record('E-010', aWorkDay(43))
  const day = daysAgo(43, '14:00').slice(0, 10)
  const page = await open({ path: `checadas?employee_id=E-010&from=${day}&to=${day}` })
  const row = (id: number) => page.locator(`[data-log="${id}"]`)
  await row(exit)
    .getByRole('button', { name: /^Aprobar/ })
    .click()
  await waitForMessage(page, 'Aprobada:')
  await expect.poll(() => row(entrance).locator('.day').textContent()).toContain('aprobada')
  expect(await decisionsOf(ana, entrance)).toEqual([])
})

it('shows only the new page if a log’s page is left as soon as the log is decided', async () => {
  const ana = await api()
  const [log_id = 0] = await ana.record('E-012', [{ kind: 'entrada', at: daysAgo(44, '14:00') }])
  const page = await open({ path: `checadas/${log_id}` })
  await page.getByRole('button', { name: /^Aprobar/ }).waitFor()
  // The page's URL changes in the frame in which the page shows the decision.
  await page.evaluate(`new MutationObserver((_, observer) => {
    if (!document.querySelector('.status.approved')) return
    observer.disconnect()
    location.hash = '#/horas'
  }).observe(document.body, { childList: true, subtree: true, attributes: true })`)
  await page.getByRole('button', { name: /^Aprobar/ }).click()
  await page.getByRole('heading', { name: 'Horas' }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await page.locator('main').count()).toBe(1)
})

it('shows only the new page if the list of logs is left in the frame in which it appears', async () => {
  const page = await open({ path: 'horas' })
  await page.getByRole('heading', { name: 'Horas' }).waitFor()
  // The address changes again before a frame is drawn, as soon as the list is on the page.
  await page.evaluate(`new Promise((resolve) => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector('.queue')) return
      observer.disconnect()
      location.hash = '#/personas'
      dispatchEvent(new HashChangeEvent('hashchange'))
      resolve()
    }).observe(document.body, { childList: true, subtree: true })
    location.hash = '#/checadas'
  })`)
  await page.getByRole('heading', { name: 'Personas' }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await page.locator('main').count()).toBe(1)
})

it('offers to correct a rejected punch without a kind, or to reject its pair', async () => {
  const ana = await api()
  const at = (days: number, time: string) => ({ kind: 'checada' as const, at: daysAgo(days, time) })
  const logs = await ana.record('E-011', [at(30, '14:00'), at(30, '23:00'), at(29, '14:00')])
  const [first = 0, second = 0, alone = 0] = logs
  const page = await open({ path: `checadas/${second}` })
  const dialog = page.getByRole('dialog')
  const offers = dialog.getByRole('list', { name: 'Además del rechazo' })
  const ask = () => page.getByRole('button', { name: /^Rechazar/ }).click()
  await ask()
  await offers.getByRole('link', { name: 'Agregar la salida verdadera' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Agregar una checada' }).waitFor()
  expect(await page.getByLabel('Día').inputValue()).toBe(dateDaysAgo(30))
  expect(await page.getByRole('radio', { name: 'Salida' }).isChecked()).toBe(true)

  await go(page, `checadas/${alone}`)
  await ask()
  await dialog.locator('.effect').getByText('no cambia ninguna hora').waitFor()
  await page.waitForLoadState('networkidle')
  expect(await offers.count()).toBe(0)
  await dialog.getByRole('button', { name: 'Cancelar' }).click()

  await go(page, `checadas/${first}`)
  await ask()
  await offers.getByRole('link', { name: 'Agregar la entrada verdadera' }).waitFor()
  const reason = dialog.getByRole('textbox', { name: 'Motivo' })
  await reason.fill('Ese día no trabajó.')
  await offers.getByRole('button', { name: 'Rechazar también la de las 17:00' }).click()
  await dialog.getByRole('heading', { name: 'Rechazar 2 checadas' }).waitFor()
  expect(await reason.inputValue()).toBe('Ese día no trabajó.')
  await dialog.getByRole('button', { name: 'Rechazar 2 checadas' }).click()
  await dialog.waitFor({ state: 'detached' })
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
  const page = await open({ path: 'relojes' })
  const asks = async (log: number) => {
    await go(page, `checadas/${log}`)
    await page
      .locator(`[data-log="${log}"]`)
      .getByRole('button', { name: /^Rechazar/ })
      .click()
    return page.getByRole('dialog').locator('.effect')
  }
  const cancel = () => page.getByRole('button', { name: 'Cancelar' }).click()
  const day = (days: number) => Number(daysAgo(days, '00:00').slice(8, 10))

  await (await asks(exit)).getByText(/queda con 4 h, si se aprueba lo pendiente\.$/).waitFor()
  await cancel()
  await (await asks(again)).getByText('Este rechazo no cambia ninguna hora.').waitFor()
  await cancel()
  await ana.change(logs, 'approved')
  await page.reload()
  const effect = await asks(morning)
  await effect.getByText(`${day(38)} queda sin horas.`).waitFor()
  await cancel()
  await page.route('**/hours?*', (route) => route.abort('connectionreset'))
  await (await asks(exit)).getByText('No se pudo calcular qué pasa con sus horas.').waitFor()
})

it('shows a rejection in the colors of the other choices', async () => {
  const ana = await api()
  const [log = 0, other = 0] = await anEmployeeWithLogs(ana, 'E-013', 2)
  await ana.change([other], 'rejected', 'Checada repetida.')
  const page = await open({ path: listOf('E-013', '&status=all') })
  const colors = async (locator: ReturnType<typeof act>) => {
    await locator.hover()
    const style = "getComputedStyle(document.querySelector('button:hover'))"
    return page.evaluate(`(s => s.color + s.backgroundColor + s.borderColor)(${style})`)
  }
  await rowOf(page, log).waitFor()
  const neutral = await colors(act(page, other, 'Reabrir'))
  expect(await colors(act(page, log, 'Rechazar'))).toBe(neutral)
  await rowOf(page, log).getByRole('checkbox').check()
  const bar = page.getByRole('region', { name: 'Selección' })
  const chosen = await colors(bar.getByRole('button', { name: 'Aprobar' }))
  expect(await colors(bar.getByRole('button', { name: 'Rechazar' }))).toBe(neutral)
  await bar.getByRole('button', { name: 'Rechazar' }).click()
  const send = page.getByRole('dialog').getByRole('button', { name: 'Rechazar 1 checada' })
  expect(await colors(send)).toBe(chosen)
})

const tokenOf = (page: Page) =>
  page.evaluate("sessionStorage.getItem('checada.token')") as Promise<string>

it('stays signed in over a reload of the tab, and signing out ends the token', async () => {
  const ana = await api()
  const page = await open()
  await rows(page).first().waitFor()
  const token = await tokenOf(page)
  await page.reload()
  await rows(page).first().waitFor()
  expect(await ana.isSignedIn(token)).toBe(true)

  await page.locator('summary', { hasText: 'Menú' }).click()
  await page.getByRole('button', { name: 'Salir' }).click()
  await page.getByLabel('Correo electrónico').waitFor()
  expect(await tokenOf(page)).toBeNull()
  await expect.poll(() => ana.isSignedIn(token)).toBe(false)
})

it('signs out after half an hour without a key or a tap, and keeps what was typed', async () => {
  const ana = await api()
  const page = await open({ signedIn: false })
  await page.clock.install()
  await page.reload()
  await signIn(page)
  await rows(page).first().waitFor()
  const token = await tokenOf(page)
  await page.clock.fastForward('29:00')
  await go(page, 'agregar')
  await page.getByLabel('Motivo').pressSequentially('Olvidó checar')
  await page.clock.fastForward('29:00')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.clock.fastForward('02:00')
  await page.getByRole('dialog', { name: 'Entra de nuevo' }).waitFor()
  await expect.poll(() => ana.isSignedIn(token)).toBe(false)
  expect(await page.getByText('Pasó media hora sin actividad').isVisible()).toBe(true)

  await signIn(page)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await page.getByLabel('Motivo').inputValue()).toBe('Olvidó checar')
})

it('has at most two hundred rows on screen, and a decision changes only its own row', async () => {
  const ana = await api()
  const logs = await ana.record(
    'E-010',
    recentMoments(15, 260).map((at) => ({ kind: 'checada' as const, at })),
  )
  const page = await open({ path: 'checadas?employee_id=E-010&kind=checada&status=pending' })
  await rowOf(page, logs[0] ?? 0).waitFor()
  const more = page.getByRole('button', { name: 'Mostrar más' })
  const lastRow = () => rows(page).last().getAttribute('data-log')
  let most = 0
  while ((await more.count()) > 0) {
    const before = await lastRow()
    // A key press is used because the button may still move away from a pointer as rows appear.
    await more.press('Enter')
    await expect.poll(lastRow).not.toBe(before)
    most = Math.max(most, await rows(page).count())
  }
  expect(most).toBe(200)
  const last = rowOf(page, logs.at(-1) ?? 0)
  await last.waitFor()
  await page.evaluate(`
    window.touched = new Set()
    new MutationObserver((records) => {
      for (const { target, addedNodes } of records) {
        if ([...addedNodes].some((node) => node.matches?.('section, li.log'))) {
          window.touched.add('a row was moved')
        }
        const row = (target.nodeType === 1 ? target : target.parentElement)?.closest('[data-log]')
        if (row) window.touched.add(Number(row.dataset.log))
      }
    }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })`)
  await last.getByRole('button', { name: /^Aprobar/ }).click()
  await last.getByText('Aprobada', { exact: true }).waitFor()
  expect(await page.evaluate('[...window.touched]')).toEqual([logs.at(-1)])
})
