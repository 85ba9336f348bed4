// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { dataOf } from '../../sdk/api-client.ts'
import {
  aWorkDay,
  dateDaysAgo,
  daysAgo,
  OTHER_ADMIN,
  recordObjection,
} from '../support/console-api.ts'
import {
  fill,
  focused,
  follow,
  go,
  loseRequests,
  partAt,
  partOf,
  partsAt,
  press,
  textsAt,
  unfold,
  usePages,
  waitForMessage,
  waitForNone,
} from '../support/dom-page.ts'

/** The first page: what waits for the user, and who is at work. */

const { open, api } = usePages()

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

it('lets a supervisor approve the days of their branch, and names no other', async () => {
  const ana = await api()
  await ana.record('E-002', aWorkDay(2))
  await ana.changeUser(OTHER_ADMIN, { scope_branches: ['Norte'] })
  const page = await open('', OTHER_ADMIN)
  await page.findByRole('heading', { name: /^Hoy/ })
  const approve = /^Aprobar (el día|los \d+ días) sin excepción$/
  await page.findByRole('button', { name: approve })
  await page.findByRole('heading', { name: /^En turno/ })
  expect(textsAt('main').join()).not.toMatch(/Centro|Sur/)
  expect(page.queryAllByRole('heading', { name: 'Próximo cierre' })).toEqual([])
  await press(page, approve)
  await press(await partOf(page, 'dialog'), /^Aprobar \d+ checadas$/)
  await waitForMessage(/^Aprobadas: \d+ checadas\.$/)
  await expect.poll(() => page.queryAllByRole('button', { name: approve })).toEqual([])
  await ana.changeUser(OTHER_ADMIN, { scope_branches: null })
})

it('lists the days to review, the newest first, and mends one in its row', async () => {
  const ana = await api()
  for (const [id, days] of [
    ['H-001', 2],
    ['H-002', 1],
  ] as const) {
    await ana.addEmployee(id, `Persona ${id}`)
    const entrada = { kind: 'entrada' as const, at: daysAgo(days, '14:00') }
    await ana.change(await ana.record(id, [entrada]), 'approved')
  }
  const page = await open('hoy')
  await partAt('[data-day]')
  const ids = partsAt('[data-day]:not(.paid)').map((row) => String(row.getAttribute('data-day')))
  expect(partsAt('[data-day]')).toHaveLength(10)
  const dates = ids.map((id) => id.slice(-10))
  expect(dates).toEqual(dates.toSorted().reverse())
  const [newest, older] = [`H-002${dateDaysAgo(1)}`, `H-001${dateDaysAgo(2)}`]
  expect(ids).toEqual(expect.arrayContaining([newest, older]))
  const first = await partAt(`[data-day="${newest}"]`, 'Falta la salida.')
  await press(first, 'Agregar la salida que falta')
  await fill(first, 'Hora de la salida', '17:00')
  await fill(first, 'Motivo', 'Olvidó checar.')
  await press(first, 'Agregar y aprobar')
  await waitForNone(`[data-day="${newest}"]`)
  // The row that took its place has the focus.
  await expect.poll(() => focused('data-day')).toBe(ids[ids.indexOf(newest) + 1])

  const second = await partAt(`[data-day="${older}"]`)
  await unfold(second, 'Más')
  await press(second, 'Revisada')
  await press(await partOf(page, 'dialog'), 'Marcar como revisada')
  await waitForNone(`[data-day="${older}"]`)
  await follow(page, /^Ver los \d+$/)
  await page.findByRole('heading', { name: /^Horas/ })
})

it('shows the weeks over the limit in one line, with the hours of each person, and one act', async () => {
  const ana = await api()
  const monday = 8 + ((new Date(dateDaysAgo(8)).getUTCDay() + 6) % 7)
  // The law takes two hours a week off the limit with each year from 2027 to 2030.
  const year = Number(dateDaysAgo(monday).slice(0, 4))
  const limit = 48 - 2 * Math.max(0, Math.min(year, 2030) - 2026)
  // Six days of nine hours.
  for (const id of ['H-003', 'H-004']) {
    await ana.addEmployee(id, `Persona ${id}`)
    const days = [0, 1, 2, 3, 4, 5].flatMap((day) => aWorkDay(monday - day))
    await ana.change(await ana.record(id, days), 'approved')
  }
  const page = await open('hoy')
  const weeks = /\d+ semanas pasan el límite de la ley: .+ de más, de \d+ personas\./
  await partAt('.over-limit', weeks)
  const count = async () => {
    const heading = await page.findByRole('heading', { name: /por aclarar/ })
    return Number.parseInt(heading.textContent, 10)
  }
  const before = await count()
  await expect
    .poll(() => textsAt('.over-limit li').filter((text) => /Persona H-00[34]/.test(text)))
    .toEqual(
      [3, 4].map((n) =>
        expect.stringMatching(`H-00${n} · .+: ${54 - limit} h sobre el límite de ${limit} h$`),
      ),
    )
  expect(textsAt('[data-day^="H-003"]')).toEqual([])

  const act = /^Marcar (\d+) días como revisados…$/
  const button = await (await partAt('.over-limit')).findByRole('button', { name: act })
  const marked = Number(act.exec(button.textContent)?.[1])
  // The page of hours counts the same days.
  go(`horas?from=${dateDaysAgo(30)}&to=${dateDaysAgo(0)}`)
  await page.findByRole('heading', { name: /^Horas/ })
  const line = await partAt('.over-limit')
  expect(await count()).toBe(before)
  await press(line, act)
  const dialog = await partOf(page, 'dialog')
  await fill(dialog, 'Motivo', 'Inventario anual, con autorización.')
  await press(dialog, /^Marcar/)
  await waitForNone('.over-limit')
  await expect.poll(count).toBe(before - marked)
})

it('counts who is at work of the people who work here today, and says since when', async () => {
  const ana = await api()
  await ana.record('E-012', [{ kind: 'entrada', at: hoursAgo(2) }])
  await ana.record('E-013', [
    { kind: 'entrada', at: hoursAgo(3) },
    { kind: 'salida', at: hoursAgo(1) },
  ])
  await ana.changeEmployee('E-008', { ended_at: dateDaysAgo(3) })
  await open('hoy')
  const query = { active: 'true', limit: 500 } as const
  const { employees } = await dataOf(ana.people.employees.$get({ query }))
  await partAt('h2', new RegExp(`^En turno \\d+ de ${employees.length} personas$`))
  await partAt('section li', /^Óscar Treviño Gámez .*En turno desde \d\d:\d\d/)
  expect(textsAt('section li').filter((text) => /Renata.*En turno/.test(text))).toEqual([])
})

it('names the silent clocks, unanswered objections and the next closing of each group', async () => {
  const ana = await api()
  const worker = await api('sofia.castaneda@demo.mx')
  await recordObjection(ana, worker, 'Trabajé también el sábado.')
  const page = await open('hoy')
  await partAt('section li', /reloj-sur.*Sin noticias/)
  await partAt('section li', 'Trabajé también el sábado.')
  const closings = await partAt('section', /^Próximo cierre/)
  await partAt('section li', /^Grupo semanal/)
  const [link] = closings.queryAllByRole('link', { name: 'Ver cómo quedaría' })
  go(link?.href.split('#/')[1] ?? '')
  await page.findByRole('button', { name: /^Cerrar y pagar/ })
})

it('says what it could not read, instead of showing nothing to do', async () => {
  const page = await open('ayuda')
  loseRequests(/logs\/summary\?|\/sources$|payroll_groups/)
  go('hoy')
  for (const text of [
    'No se pudieron contar las checadas por revisar. El servicio no respondió.',
    'No se pudo leer cómo están los relojes. El servicio no respondió.',
    'No se pudo leer el próximo cierre. El servicio no respondió.',
  ])
    await page.findByText(text)
})

it('shows the other sections although the hours cannot be read', async () => {
  const page = await open('relojes')
  const restore = loseRequests(/hours\?/)
  await follow(page, 'Hoy')
  await page.findByRole('heading', { name: 'No se pudo leer lo que espera' })
  await page.findByRole('heading', { name: 'Próximo cierre' })
  restore()
  await press(page, 'Reintentar')
  await partAt('[data-day]')
})
