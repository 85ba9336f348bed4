import { expect, it } from 'vitest'
import { saveScreenshot } from '../support/browser.ts'
import { expectAccessible, SCREENS, useConsole } from '../support/console.ts'

/** Tests amounts as bars, of which a screen reader has the text alone. */

const { open, api } = useConsole()

it('has the punches an hour of the last day of a clock', async () => {
  const ana = await api()
  const at = new Date(Date.now() - 1000).toISOString()
  await ana.record('E-002', [{ kind: 'entrada', at }], 'reloj-por-hora')
  for (const [name, viewport] of SCREENS) {
    const page = await open({ path: 'relojes', viewport })
    const clock = page.getByRole('listitem').filter({ hasText: 'reloj-por-hora' })
    await clock.getByText(/^Checadas por hora, /).click()
    const amounts = clock.getByRole('list', { name: 'Checadas por hora' })
    await expect
      .poll(() => amounts.getByRole('listitem').allTextContents())
      .toEqual([expect.stringMatching(/^\d\d:00 · 1 checada$/)])
    await saveScreenshot(page, `clock ${name}`)
    await expectAccessible(page, name)
  }
})
