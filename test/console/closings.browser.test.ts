import { expect, it } from 'vitest'
import { download, expectAccessible, SCREENS, useConsole } from '../support/console.ts'
import { aWorkDay, dateDaysAgo } from '../support/console-api.ts'

/** Cierres as only a browser shows it. What it says and sends is in closings.service.test.ts. */

const { open, api } = useConsole()

it('downloads the files of a closing', async () => {
  const ana = await api()
  for (const days of [44, 43])
    await ana.change(await ana.record('E-008', aWorkDay(days)), 'approved')
  const before = dateDaysAgo(39)
  const { id } = await ana.closeFrom(dateDaysAgo(44), { before, employee_id: 'E-008' })
  const page = await open({ path: 'cierres' })
  const card = page.getByRole('listitem').filter({ hasText: `Cierre ${id}:` })
  const file = await download(page, card.getByRole('button', { name: 'Para nómina' }))
  expect(file.name).toBe(`cierre_E-008_hasta_${dateDaysAgo(40)}_por-persona.csv`)
  const [columns = '', row = ''] = file.bytes.toString().replace('\ufeff', '').split('\r\n')
  const value = (name: string) => row.split(',')[columns.split(',').indexOf(name)]
  expect([value('Segundos por pagar'), value('Horas por pagar')]).toEqual(['64800', '18.00'])
  const plainIds = page.waitForRequest(/by=employee.*ids=plain|ids=plain.*by=employee/)
  const program = card.getByRole('button', { name: 'Para el programa de nómina' })
  expect((await download(page, program)).name).toBe(file.name)
  await plainIds
  const weeks = await download(page, card.getByRole('button', { name: 'Por semana' }))
  expect(weeks.name).toContain('_por-semana.csv')
  const lines = await download(page, card.getByRole('button', { name: 'Renglones' }))
  expect(lines.name).toBe(`cierre_E-008_hasta_${dateDaysAgo(40)}.csv`)
})

it('opens the days to review in another tab, signed in, and keeps the preview', async () => {
  const page = await open({ path: `cierres?before=${dateDaysAgo(19)}&payroll_group=semanal` })
  const warning = page.getByText(/^\d+ días? por aclarar\./)
  await warning.waitFor()
  const [days] = /^\d+ días?/.exec((await warning.textContent()) ?? '') ?? []
  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Ver la lista' }).click()
  const list = await opened
  await list.getByRole('heading', { name: `${days} por aclarar` }).waitFor()
  await page.getByRole('button', { name: /^Cerrar y pagar/ }).waitFor()
})

it.each(SCREENS)('is accessible on %s (%o)', async (_, viewport) => {
  const page = await open({ viewport, path: 'cierres' })
  await page.getByRole('button', { name: 'Cancelar (nadie' }).first().waitFor()
  await expectAccessible(page, 'list')
  await page.getByRole('button', { name: 'Ver cómo quedaría' }).click()
  await page.locator('.figures').waitFor()
  await expectAccessible(page, 'preview')
  await page.getByRole('button', { name: 'Cancelar (nadie' }).first().click()
  await page.getByRole('dialog').waitFor()
  await expectAccessible(page, 'dialog')
})
