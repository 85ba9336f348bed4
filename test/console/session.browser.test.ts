import { expect, it } from 'vitest'
import { go, rowOf, rows, useConsole } from '../support/console.ts'
import { recentMoments } from '../support/console-api.ts'

const { open, api, signIn } = useConsole()

const tokenOf = (page: Awaited<ReturnType<typeof open>>) =>
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
  expect(await ana.isSignedIn(token)).toBe(false)
  expect(await tokenOf(page)).toBeNull()
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
