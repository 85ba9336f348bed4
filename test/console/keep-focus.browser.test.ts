import { expect, it } from 'vitest'
import { useConsole, waitForMessage, waitForRest } from '../support/console.ts'
import { dateDaysAgo } from '../support/console-api.ts'

/** Where the focus goes after an act has disabled or removed what had it. */

const { open, signIn } = useConsole()

it('gives the focus back to a button that was busy, and goes on beside one that an act removed', async () => {
  // The period of today has no days at its beginning.
  const page = await open({ path: `horas?from=${dateDaysAgo(13)}&to=${dateDaysAgo(1)}` })
  await page.getByRole('button', { name: /^Aprobar los \d+ días/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('button:focus', { hasText: 'sin excepción' }).waitFor()

  await page.evaluate("location.hash = '#/relojes'")
  const dismiss = page.getByRole('button', { name: /^Descartar/ })
  await dismiss.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByLabel('Motivo').fill('Ya se arregló')
  await page.keyboard.press('Control+Enter')
  await waitForMessage(page, 'El aviso se descartó.')
  await dismiss.waitFor({ state: 'detached' })
  const focusedText = () => page.evaluate("document.activeElement.closest('li')?.textContent")
  await expect.poll(focusedText).toContain('reloj-sur')
})

it('gives the focus to nothing of the next page after signing in', async () => {
  const page = await open({ signedIn: false })
  await signIn(page)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await waitForRest(page)
  expect(await page.evaluate('document.activeElement.tagName')).toBe('BODY')
})
