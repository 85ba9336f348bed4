import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { go, rowOf, rows, useConsole, waitForMessage, waitForRest } from '../support/console.ts'
import { type ApiClient, daysAgo, recentMoments } from '../support/console-api.ts'

const { open, api, signIn } = useConsole(['--var', 'EMPLOYEE_CLOCK_IN:on'])

/** In the page. */
declare const getComputedStyle: (
  element: unknown,
) => Record<'color' | 'backgroundColor' | 'borderColor', string>

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
  await dialog.getByText('Sin conexión: sigue sola cuando vuelva. Van 0 de 1.').waitFor()
  await dialog.getByRole('button', { name: 'Detener' }).click()
  await dialog.getByText('Se detuvo sin conexión').waitFor()
  await page.context().setOffline(false)
  await loseNext()
  await send.click()
  await dialog.getByText('Sin conexión: sigue sola cuando vuelva. Van 0 de 1.').waitFor()
  expect(await decisionsOf(ana, log)).toEqual([])
  expect(await dialog.getByRole('textbox').inputValue()).toBe('La hora no coincide con tu turno.')
  await page.context().setOffline(false)
  await dialog.waitFor({ state: 'detached' })
  expect(await decisionsOf(ana, log)).toHaveLength(1)
})

it('shows only the new page if one is left as soon as a log is decided, or as it appears', async () => {
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
  await waitForRest(page)
  expect(await page.locator('main').count()).toBe(1)

  // The address changes again before a frame is drawn, as soon as the list is on the page.
  await page.evaluate(`new Promise((resolve) => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector('nav[aria-label=Estado]')) return
      observer.disconnect()
      location.hash = '#/personas'
      dispatchEvent(new HashChangeEvent('hashchange'))
      resolve()
    }).observe(document.body, { childList: true, subtree: true })
    location.hash = '#/checadas'
  })`)
  await page.getByRole('heading', { name: 'Personas' }).waitFor()
  await waitForRest(page)
  expect(await page.locator('main').count()).toBe(1)
})

it('shows a rejection in the colors of the other choices', async () => {
  const ana = await api()
  const [log = 0, other = 0] = await anEmployeeWithLogs(ana, 'E-013', 2)
  await ana.change([other], 'rejected', 'Checada repetida.')
  const page = await open({ path: listOf('E-013', '&status=all') })
  const colors = async (locator: ReturnType<typeof act>) => {
    let found: string | false = false
    // The row may move from under the mouse, for example when the selection's bar comes.
    await expect
      .poll(async () => {
        await locator.hover()
        found = await locator.evaluate((button) => {
          const { color, backgroundColor, borderColor } = getComputedStyle(button)
          return button.matches(':hover') && [color, backgroundColor, borderColor].join()
        })
        return found
      })
      .toMatch(/^rgb/)
    return found
  }
  await rowOf(page, log).waitFor()
  const neutral = await colors(act(page, other, 'Reabrir'))
  expect(await colors(act(page, log, 'Rechazar'))).toBe(neutral)
  await rowOf(page, log).getByRole('checkbox').check()
  const bar = page.getByRole('region', { name: 'Selección' })
  const chosen = await colors(bar.getByRole('button', { name: 'Aprobar' }))
  expect(chosen).not.toBe(neutral)
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
  // Time goes on meanwhile, and a request that is under way would be given up.
  await waitForRest(page)
  await page.clock.fastForward('20:00')
  await go(page, 'agregar')
  await waitForRest(page)
  await page.getByLabel('Motivo').pressSequentially('Olvidó checar')
  await page.clock.fastForward('29:00')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.clock.fastForward('02:00')
  await page.getByRole('dialog', { name: 'Entra de nuevo' }).waitFor()
  await expect.poll(() => ana.isSignedIn(token)).toBe(false)
  await page.getByText('Pasó media hora sin actividad').waitFor()

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
  // What is known of the days comes after the rows, and changes them.
  await waitForRest(page)
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
