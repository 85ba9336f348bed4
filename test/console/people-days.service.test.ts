// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest'
import { dateDaysAgo, daysAgo } from '../support/console-api.ts'
import { go, partOf, press, usePages } from '../support/dom-page.ts'

/** Tests what the picture of people and days shows, counts and opens. */

const { open, api } = usePages(['--var', 'INTAKE_ROLES:admin'])

/** Only these people have no department. */
const PATH = `horas?department=-&from=${dateDaysAgo(44)}&to=${dateDaysAgo(38)}`
/** Three working days in a row. */
const [FIRST, SECOND, THIRD] = [44, 43, 42, 41, 40].filter(
  (days) => new Date(dateDaysAgo(days)).getUTCDay() !== 0,
) as [number, number, number]

const shift = (days: number) => [
  { kind: 'entrada' as const, at: daysAgo(days, '14:00') },
  { kind: 'salida' as const, at: daysAgo(days, '23:00') },
]

/** Shows a page with a part, which may take longer than Testing Library waits. */
const openWith = async (role: string, path: string) => {
  const page = await open(path)
  await expect.poll(() => page.queryAllByRole(role).length).toBeGreaterThan(0)
  return page
}

beforeAll(async () => {
  // The DOM sends requests of the page that is open.
  await open('ayuda')
  const client = await api()
  for (const name of ['Berta', 'Celia', 'Diana']) {
    await client.addEmployee(name, `${name} Prueba`)
  }
  await client.change(
    await client.record('Berta', [FIRST, SECOND, THIRD].flatMap(shift)),
    'approved',
  )
  const [entrada] = shift(SECOND)
  const odd = [...shift(FIRST), ...(entrada ? [entrada] : [])]
  await client.change(await client.record('Celia', odd), 'approved')
  await client.record('Diana', [...shift(FIRST), ...shift(THIRD)])
})

it('shows a row a person and a cell a day, and counts and filters what is odd', async () => {
  const page = await openWith('grid', `${PATH}&ver=personas`)
  const grid = await partOf(page, 'grid')
  const count = (name: RegExp) => grid.queryAllByRole('cell', { name }).length
  expect(count(/^9 h, aprobado/)).toBe(4)
  expect(count(/^9 h, por aprobar/)).toBe(2)
  // Two of three came: Diana is missing on the second day, and Celia on the third.
  expect(count(/^Sin checadas$/)).toBe(2)
  expect(page.queryAllByRole('link', { name: /Por aprobar 2/ })).toHaveLength(1)
  expect(page.queryByText('36 h aprobadas, 18 h por aprobar')).not.toBeNull()
  await press(page, /Por aclarar 1/, 'link')
  go(`${PATH}&ver=review`)
  await expect
    .poll(() => grid.queryAllByRole('link').map(({ textContent }) => textContent))
    .toEqual(['Celia Prueba'])
})

it('opens a day with its acts, and one without logs with the form that adds one', async () => {
  const page = await openWith('grid', `${PATH}&ver=personas`)
  await press(await partOf(page, 'grid'), 'Falta la salida.', 'cell')
  const day = await partOf(page, 'region', 'Día abierto')
  await day.findByRole('button', { name: 'Agregar la salida que falta' })
  // Only Celia is shown, who is missing on the third day.
  go(`${PATH}&ver=review`)
  await press(await partOf(page, 'grid'), 'Sin checadas', 'cell')
  const link = await day.findByRole('link', { name: 'Agregar checada…' })
  expect(link.href).toMatch(/agregar\?employee_id=Celia/)
})

it('keeps the list of days to clarify, and leads to it and back', async () => {
  const page = await open(PATH)
  await expect
    .poll(() => page.queryAllByRole('heading', { name: '1 día por aclarar' }).length)
    .toBe(1)
  const views = await partOf(page, 'navigation', 'Vistas')
  const link = await views.findByRole('link', { name: 'Personas y días' })
  expect(link.href).toContain('ver=personas')
  const sections = await partOf(page, 'navigation', 'Secciones')
  expect((await sections.findByRole('link', { name: 'Horas' })).href).toMatch(
    /horas\?ver=personas$/,
  )
})

it('has a page of a person with the last six weeks, and links to what there is about them', async () => {
  const page = await openWith('grid', 'persona?id=Celia')
  await page.findByRole('heading', { name: 'Celia Prueba', level: 1 })
  const grid = await partOf(page, 'grid')
  // 42 days, six weeks, and two sums.
  expect(grid.queryAllByRole('cell')).toHaveLength(50)
  const links = await partOf(page, 'navigation', 'De esta persona')
  const paths = links.queryAllByRole('link').map(({ href }) => href.replace(/.*#\/|[?].*/g, ''))
  expect(paths.join()).toBe('horas,checadas,checadas,tarjeta,inspeccion,personas/persona')
})

it('says so of a person who does not work here', async () => {
  const page = await open('persona?id=NADIE')
  await expect.poll(() => page.queryByText(/^No trabaja aquí/)).not.toBeNull()
})
