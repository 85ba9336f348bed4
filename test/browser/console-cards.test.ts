import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { axeViolations, PHONE, useConsole } from '../support/console.ts'
import { daysAgo } from '../support/console-api.ts'

const { open, api, service } = useConsole()

const dayOf = (days: number) => daysAgo(days, '00:00').slice(0, 10)

/** The pages of what the browser would print. */
const printedPages = async (page: Page): Promise<number> => {
  const pdf = (await page.pdf({ preferCSSPageSize: true, format: 'Letter' })).toString('latin1')
  return pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0
}

const cards = (page: Page) => page.locator('.card')

it('prints a card of one person on one page, with weeks, words, closing and hash', async () => {
  const ana = await api()
  const config = ['set', 'empresa', 'Comercial Demo, S.A. de C.V.', '--tipo', 'texto']
  expect((await service.run('config', [...config, '--nombre', 'Empresa'])).err).toBe('')
  const moments = Array.from({ length: 15 }, (_, i) => [
    { kind: 'entrada' as const, at: daysAgo(44 - i, '14:00') },
    ...(i === 3 ? [] : [{ kind: 'salida' as const, at: daysAgo(44 - i, '23:17') }]),
  ]).flat()
  await ana.change(await ana.record('E-008', moments), 'approved')
  const { id, hash } = await ana.close({
    before: dayOf(29),
    employee_id: 'E-008',
    payroll_group: null,
    from: dayOf(44),
    leave_pending: true,
  })
  const page = await open({ path: `tarjeta?closing=${id}` })
  await cards(page).waitFor()
  const text = (await cards(page).textContent()) ?? ''
  for (const part of [
    'Comercial Demo, S.A. de C.V.',
    'Héctor Zúñiga Robles',
    'E-008',
    'ZURH',
    '08:00–17:17',
    '9 h 17 min',
    'Omisión de salida',
    'Semana del',
    `Cierre ${id} · ${hash}`,
    'Firma de Héctor',
    'Por la empresa',
  ]) {
    expect(text).toContain(part)
  }
  // Fourteen days of 9 h 17 min.
  expect(await cards(page).locator('tfoot').textContent()).toContain('129 h 58 min')
  expect(await printedPages(page)).toBe(1)
})

it('prints 400 people in one go, a page each', async () => {
  const page = await open({ path: 'relojes' })
  const days = Array.from({ length: 15 }, (_, i) => dayOf(44 - i))
  const people = Array.from({ length: 400 }, (_, i) => ({
    employee_id: `T-${i}`,
    full_name: `María de los Ángeles Persona ${i}`,
    rfc: 'PEAM800101AB1',
    branch_office: 'Norte',
    exceptions: ['sin_salida', 'jornada_larga'],
  }))
  await page.route('**/hours?*', (route) => {
    const isTotal = route.request().url().includes('by=employee')
    const rows = people.flatMap((person) =>
      isTotal
        ? [person]
        : days.map((day) => ({
            ...person,
            day,
            detail: '08:00–13:00 14:00–17:17',
            worked_seconds: 29_820,
          })),
    )
    return route.fulfill({ body: rows.map((row) => JSON.stringify(row)).join('\n') })
  })
  await page.evaluate(`location.hash = '#/tarjeta?from=${days[0]}&to=${days[14]}'`)
  await page.getByRole('button', { name: 'Imprimir 400 tarjetas' }).waitFor()
  expect(await cards(page).count()).toBe(400)
  expect(await printedPages(page)).toBe(400)
})

it('opens from a person, and says what failed; axe finds nothing on a phone', async () => {
  const page = await open({ viewport: PHONE, path: 'horas?employee_id=E-001' })
  await page.route('**/clients/config/**', (route) => route.abort('connectionreset'))
  await page.getByRole('link', { name: 'Tarjeta para firmar' }).click()
  await page.getByRole('heading', { name: 'No se pudieron leer las tarjetas' }).waitFor()
  await page.unroute('**/clients/config/**')
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await cards(page).getByText('Ana Torres Rivas').first().waitFor()
  expect(await axeViolations(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
})
