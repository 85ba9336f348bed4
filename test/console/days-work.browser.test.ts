import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { IRREGULARITIES, type Irregularity } from '../../console/help/irregularities.ts'
import {
  collectRequests,
  expectAccessible,
  go,
  holdEffects,
  NARROW,
  openMore,
  PHONE,
  rows,
  useConsole,
  waitForMessage,
} from '../support/console.ts'
import { type ApiClient, aWorkDay, dateDaysAgo, daysAgo } from '../support/console-api.ts'

/** Tests that nothing stops a day's work in the console, and that nothing typed is lost. */

const { open, api, takeProblems } = useConsole()

const PEOPLE = ['E-002', 'E-003', 'E-004', 'E-005', 'E-006']
/** A period around the days 40 to 44 days ago. Logs that are 45 days old are refused. */
const PERIOD = `from=${dateDaysAgo(45)}&to=${dateDaysAgo(39)}`

const forgetSalida = async (client: ApiClient, employee_id: string, days: number) => {
  const log = { kind: 'entrada' as const, at: daysAgo(days, '15:00') }
  await client.change(await client.record(employee_id, [log]), 'approved')
}

/** Adds the missing salida of a day. Returns where its row was on the screen. */
const fix = async (row: Locator): Promise<number> => {
  await row.getByRole('button', { name: /^Agregar la salida/ }).click()
  await row.getByLabel('Hora').fill('17:00')
  await row.getByLabel('Motivo').fill('Olvidó checar.')
  const save = row.getByRole('button', { name: 'Agregar y aprobar' })
  await save.scrollIntoViewIfNeeded()
  const { y = 0 } = (await row.boundingBox()) ?? {}
  await save.click()
  return y
}

it('fixes each day in its row with five requests at most, and keeps the place in the list', async () => {
  const client = await api()
  for (const employee_id of PEOPLE) {
    for (let days = 40; days <= 44; days++) await forgetSalida(client, employee_id, days)
  }
  const page = await open({ path: 'checadas/1' })
  await page.context().setExtraHTTPHeaders({ 'CF-Connecting-IP': '203.0.113.7' })
  await go(page, `horas?${PERIOD}`)
  await page.locator('[data-day]').first().waitFor()
  const requests = collectRequests(page)
  for (let i = 0; i < PEOPLE.length * 5; i++) {
    const row = page.locator('[data-day]').filter({ hasText: 'Falta la salida' }).nth(3)
    if ((await row.count()) === 0) break
    const id = await row.getAttribute('data-day')
    requests.length = 0
    const y = await fix(page.locator(`[data-day="${id}"]`))
    const fixed = page.locator(`[data-day="${id}"]`)
    await fixed.waitFor({ state: 'detached' })
    // It adds the log, reads the day's logs, approves them, and reads the days and the totals.
    expect(requests.length).toBeLessThanOrEqual(5)
    // The row that has the focus is where the fixed row was.
    const focused = page.locator('[data-day]:focus-within')
    const place = await focused.boundingBox()
    expect(Math.abs((place?.y ?? -1000) - y)).toBeLessThan(120)
  }
  expect(await page.getByText('Demasiad').count()).toBe(0)
  expect(await page.locator('[data-day]').filter({ hasText: 'Falta la salida' }).count()).toBe(3)
})

it('keeps a half-written punch over a reload, for its own day only', async () => {
  const path = `agregar?employee_id=E-007&day=${dateDaysAgo(44)}&kind=salida`
  const page = await open({ path })
  await page.getByLabel('Hora').fill('18:05')
  await page.getByLabel('Motivo').fill('Se fue la luz')
  await page.reload()
  await expect.poll(() => page.getByLabel('Motivo').inputValue()).toBe('Se fue la luz')
  expect(await page.getByLabel('Hora').inputValue()).toBe('18:05')
  await go(page, `agregar?employee_id=E-008&day=${dateDaysAgo(44)}`)
  await page.reload()
  await page.getByRole('combobox').waitFor()
  expect(await page.getByLabel('Motivo').inputValue()).toBe('')
})

it('keeps the day of the link if the hour is typed before the form is painted', async () => {
  const page = await open({ path: 'horas' })
  const runEffects = await holdEffects(page, 'input[name=time]')
  await go(page, `agregar?employee_id=E-007&day=${dateDaysAgo(44)}&kind=salida`)
  await page.getByLabel('Hora').fill('07:00')
  await runEffects()
  expect(await page.getByLabel('Hora').inputValue()).toBe('07:00')
  expect(await page.getByLabel('Día', { exact: true }).inputValue()).toBe(dateDaysAgo(44))
})

it('removes the error of a corrected field, and keeps a chosen person over a reload', async () => {
  const page = await open({ path: 'agregar' })
  await page.getByRole('button', { name: 'Agregar checada' }).click()
  const problem = page.getByText('Escribe por qué falta')
  await problem.waitFor()
  await page.getByRole('combobox', { name: 'Persona' }).fill('Zúñiga')
  await page.getByRole('listbox').getByRole('option').first().click()
  await page.getByLabel('Motivo').fill('Olvidó checar')
  await problem.waitFor({ state: 'detached' })
  await page.getByText('Pon el día y la hora.').waitFor()
  await page.reload()
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Persona' }).inputValue())
    .toContain('Zúñiga')
  expect(await page.getByLabel('Motivo').inputValue()).toBe('Olvidó checar')
})

it('keeps a preview and what was typed over a reload, and on the way back', async () => {
  const page = await open({ path: 'cierres' })
  await page.getByRole('button', { name: 'Ver cómo quedaría' }).click()
  const comment = page.getByLabel('Comentario')
  await comment.fill('Con el visto bueno de Ana')
  await page.reload()
  await expect.poll(() => comment.inputValue()).toBe('Con el visto bueno de Ana')
  await page.getByRole('navigation', { name: 'Secciones' }).getByText('Relojes').click()
  await page.getByRole('heading', { name: 'Relojes' }).waitFor()
  await page.goBack()
  await expect.poll(() => comment.inputValue()).toBe('Con el visto bueno de Ana')
})

it('asks once for the first day of a group that has none, and then has its figures', async () => {
  const client = await api()
  await client.addGroup('mensual')
  await client.changeEmployee('E-008', { payroll_group: 'mensual' })
  await client.change(await client.record('E-008', aWorkDay(44)), 'approved')
  const page = await open({ path: `cierres?before=${dateDaysAgo(40)}&payroll_group=mensual` })
  const sent = collectRequests(page, '/closings')
  await page.getByRole('heading', { name: 'Grupo mensual: falta desde qué día' }).waitFor()
  await page.getByRole('button', { name: /^Cerrar y pagar/ }).click()
  await page.getByText('Di antes desde qué día se le paga a cada grupo.').waitFor()
  const save = page.getByRole('button', { name: 'Guardar el primer día' })
  await save.click()
  await page.getByText('Di el primer día.').waitFor()
  const first = page.getByLabel('Primer día que se paga aquí')
  await first.fill(dateDaysAgo(44))
  // Enter sends the form of the day, and not that of the closing.
  await first.press('Enter')
  await page.getByRole('button', { name: 'Cerrar y pagar 9 h' }).waitFor()
  expect(await first.count()).toBe(0)
  expect(sent.filter((request) => request.startsWith('POST'))).toEqual([])
})

it('keeps the place of a day whose pending logs were approved', async () => {
  const client = await api()
  for (const days of [44, 43, 42]) {
    await client.record('E-011', [
      { kind: 'entrada', at: daysAgo(days, '14:00') },
      { kind: 'entrada', at: daysAgo(days, '16:00') },
    ])
  }
  const page = await open({ path: `horas?${PERIOD}` })
  const row = page.locator(`[data-day="E-011${dateDaysAgo(43)}"]`)
  await openMore(row)
  await row.getByRole('button', { name: 'Aprobar lo pendiente' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Aprobar 2/ })
    .click()
  await waitForMessage(page, 'Aprobadas: 2 checadas.')
  await page.locator(`[data-day="E-011${dateDaysAgo(43)}"]:focus-within`).waitFor()
})

describe('an irregularity takes the clicks and fields that Ayuda says', () => {
  const storyOf = (title: string) => {
    const story = IRREGULARITIES.find((one) => one.title === title)
    if (!story) throw new Error(`There is no irregularity «${title}».`)
    return story
  }

  /** Does a clerk's work in a place of the page, and counts it. */
  const clerkIn = (place: Locator) => {
    const work = { clicks: 0, fields: 0 }
    const dialog = place.page().getByRole('dialog')
    const click = (target: Locator) => {
      work.clicks++
      return target.click()
    }
    const fill = (target: Locator, text: string) => {
      work.fields++
      return target.fill(text)
    }
    return {
      expectWork: ({ clicks, fields }: Irregularity) => expect(work).toEqual({ clicks, fields }),
      press: (name: string | RegExp) => click(place.getByRole('button', { name })),
      follow: (name: string | RegExp) => click(place.getByRole('link', { name })),
      choose: (name: string) => click(place.getByRole('radio', { name })),
      more: () => click(place.getByText('Más', { exact: true })),
      fill: (label: string, text: string) => fill(place.getByLabel(label), text),
      confirm: (name: string | RegExp) => click(dialog.getByRole('button', { name })),
      explain: () => fill(dialog.getByRole('textbox', { name: 'Motivo' }), 'Se preguntó.'),
    }
  }

  /** Opens a page, and returns a day's row and a clerk who works in it. */
  const rowOf = async (employee_id: string, days: number, path = `horas?${PERIOD}`) => {
    const page = await open({ path })
    const row = page.locator(`[data-day="${employee_id}${dateDaysAgo(days)}"]`)
    await row.waitFor()
    return { page, row, clerk: clerkIn(row) }
  }
  const punchAt = (days: number, time: string, kind: 'entrada' | 'salida' | 'checada') => ({
    kind,
    at: daysAgo(days, time),
  })

  it('a forgotten exit of a night', async () => {
    const story = storyOf('Olvidó checar la salida de una noche')
    await (await api()).record('E-009', [punchAt(43, '04:00', 'entrada')])
    const { row, clerk } = await rowOf('E-009', 44)
    await row.getByText(story.says, { exact: true }).waitFor()
    await clerk.press(story.act)
    await clerk.fill('Hora', '06:00')
    await clerk.fill('Motivo', 'Olvidó checar.')
    await clerk.press('Agregar y aprobar')
    await row.waitFor({ state: 'detached' })
    clerk.expectWork(story)
  })

  it('two taps on a clock without keys', async () => {
    const story = storyOf('Checó dos veces en 8 minutos, en un reloj sin teclas')
    const taps = ['14:00', '14:08', '23:00'].map((time) => punchAt(43, time, 'checada'))
    await (await api()).record('E-010', taps)
    const { page, row, clerk } = await rowOf('E-010', 43)
    await row.getByText(story.says).waitFor()
    await openMore(row)
    await row.getByRole('button', { name: 'Rechazar la checada de las 17:00' }).waitFor()
    expect(await row.getByRole('button', { name: story.act }).count()).toBe(1)
    await clerk.press(story.act)
    await page.getByText('Sin esta checada, que sobra, el día queda completo.').waitFor()
    await clerk.explain()
    await clerk.confirm('Rechazar 1 checada')
    await row.waitFor({ state: 'detached' })
    clerk.expectWork(story)
  })

  it('the wrong key', async () => {
    const story = storyOf('Oprimió la tecla equivocada')
    const taps = ['14:00', '23:00'].map((time) => punchAt(42, time, 'entrada'))
    await (await api()).record('E-009', taps)
    const { row, clerk } = await rowOf('E-009', 42)
    await row.getByText(story.says).waitFor()
    await clerk.press(story.act)
    await clerk.explain()
    await clerk.confirm('Cambiar a salida')
    await row.waitFor({ state: 'detached' })
    clerk.expectWork(story)
  })

  it('the wrong key, although the rejection fails at first', async () => {
    const story = storyOf('Oprimió la tecla equivocada')
    const taps = ['14:00', '23:00'].map((time) => punchAt(40, time, 'entrada'))
    await (await api()).record('E-011', taps)
    const { page, row, clerk } = await rowOf('E-011', 40)
    await page.route('**/change_log*', (route) => route.abort())
    await clerk.press(story.act)
    await clerk.explain()
    await clerk.confirm('Cambiar a salida')
    await row.getByText('con una checada agregada a mano').waitFor()
    await page.getByRole('dialog').getByText('El servicio no respondió.').waitFor()
    takeProblems()
    await page.unroute('**/change_log*')
    await clerk.confirm('Cambiar a salida')
    await waitForMessage(page, 'La entrada de las 17:00 se cambió a salida. Quedó aprobada.')
    await row.waitFor({ state: 'detached' })
  })

  it('a clock without keys that lost an entrada, so that all that follows is inverted', async () => {
    const days = [44, 42].flatMap((day) => ['14:00', '23:00'].map((time) => [day, time] as const))
    const punches = [...days, [43, '23:00'] as const]
    await (await api()).record(
      'E-012',
      punches.map(([day, time]) => punchAt(day, time, 'checada')),
    )
    const { row, clerk } = await rowOf('E-012', 43)
    await row.getByText('parecen invertidas: sobra o falta una checada').waitFor()
    await clerk.press('Agregar la checada que falta')
    await clerk.choose('Entrada, antes de las 17:00')
    await clerk.fill('Hora', '08:00')
    await clerk.fill('Motivo', 'Olvidó checar.')
    await clerk.press('Agregar y aprobar')
    await row.waitFor({ state: 'detached' })
    clerk.expectWork({ ...storyOf('Olvidó checar la entrada'), clicks: 3, fields: 2 })
  })

  it('a punch that the person asks for', async () => {
    const story = storyOf('Pidió una checada desde su teléfono')
    await (await api()).record('E-007', [punchAt(33, '16:00', 'entrada')])
    const worker = await api('sofia.castaneda@demo.mx')
    await worker.ask('salida', daysAgo(33, '23:00'), 'Olvidé checar.')
    const { page, row, clerk } = await rowOf(
      'E-007',
      33,
      `horas?from=${dateDaysAgo(34)}&to=${dateDaysAgo(32)}`,
    )
    await row.getByText(story.says).waitFor()
    await clerk.press(story.act)
    await page.getByText('De Sofía Castañeda Luna, del ').waitFor()
    await clerk.confirm('Aprobar 2 checadas')
    await row.waitFor({ state: 'detached' })
    clerk.expectWork(story)
  })

  it('a wrong approval', async () => {
    const story = storyOf('Se aprobó una checada equivocada')
    const client = await api()
    const day = [
      punchAt(41, '14:00', 'entrada'),
      ...['23:00', '23:04'].map((time) => punchAt(41, time, 'salida')),
    ]
    await client.change(await client.record('E-010', day), 'approved')
    const { row, clerk } = await rowOf('E-010', 41, `horas?employee_id=E-010&${PERIOD}`)
    await row.getByText('9 h 4 min').waitFor()
    await clerk.more()
    await clerk.press('Rechazar la salida de las 17:04')
    await clerk.explain()
    await clerk.confirm('Rechazar 1 checada')
    await row.getByText('9 h 4 min').waitFor({ state: 'detached' })
    clerk.expectWork(story)
  })

  it('guards of 24 hours', async () => {
    const story = storyOf('Hace guardias de 24 horas')
    const kinds = ['entrada', 'salida'] as const
    const guards = [44, 43, 42, 41].map((day, i) =>
      punchAt(day, '14:00', kinds[i % 2] ?? 'entrada'),
    )
    await (await api()).record('E-007', guards)
    const { page, row, clerk } = await rowOf('E-007', 44)
    await row.getByText(story.says).waitFor()
    await clerk.follow(story.act)
    const company = clerkIn(page.getByRole('main'))
    await company.press(/^Ver qué cambia/)
    await company.confirm('Guardar')
    await waitForMessage(page, 'Se guardó: ')
    await go(page, `horas?${PERIOD}`)
    await page.getByRole('heading', { name: /por aclarar/ }).waitFor()
    await row.waitFor({ state: 'detached' })
    company.expectWork({ ...story, clicks: (story.clicks ?? 0) - 1 })
  })

  it('a punch before the first day', async () => {
    const story = storyOf('Entró a media quincena, y checó antes de su primer día')
    const client = await api()
    await client.record('E-010', aWorkDay(40))
    await client.changeEmployee('E-010', { started_at: dateDaysAgo(39) })
    const { page, row, clerk } = await rowOf('E-010', 40)
    await row.getByText(story.says).waitFor()
    await clerk.follow(story.act)
    const form = clerkIn(page.getByRole('main'))
    await form.fill('Ingreso', dateDaysAgo(44))
    await form.press('Guardar')
    await waitForMessage(page, 'Se guardó a ')
    form.expectWork({ ...story, clicks: (story.clicks ?? 0) - 1 })
  })
})

it('closes the menu with Escape, and returns the focus to its button', async () => {
  const page = await open()
  const menu = page.locator('summary', { hasText: 'Menú' })
  await menu.click()
  await page.getByRole('link', { name: 'Ayuda' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Ayuda' }).waitFor({ state: 'hidden' })
  expect(await menu.evaluate('document.activeElement?.tagName')).toBe('SUMMARY')
  expect(await page.getByRole('link', { name: 'Referencia de la API' }).count()).toBe(0)
})

it('changes the user’s password, which ends the other sessions, and can end all of them', async () => {
  const email = 'maria.hernandez@demo.mx'
  const other = await api(email)
  const page = await open({ email })
  const act = async (name: string) => {
    await page.locator('summary', { hasText: 'Menú' }).click()
    await page.getByRole('button', { name }).click()
  }
  await act('Cambiar mi contraseña')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Contraseña actual').fill('otra que no es')
  await dialog.getByLabel('Contraseña nueva').fill('una frase nueva')
  await dialog.getByLabel('La nueva, otra vez').fill('una frase distinta')
  await dialog.getByRole('button', { name: 'Cambiar la contraseña' }).click()
  await dialog.getByText('No es igual a la contraseña nueva.').waitFor()
  await dialog.getByLabel('La nueva, otra vez').fill('una frase nueva')
  await dialog.getByRole('button', { name: 'Cambiar la contraseña' }).click()
  await dialog.locator('.problem').filter({ hasText: 'actual' }).waitFor()
  await dialog.getByLabel('Contraseña actual').fill('checada-demo')
  await dialog.getByRole('button', { name: 'Cambiar la contraseña' }).click()
  await waitForMessage(page, 'Tu contraseña se cambió.')
  expect(await other.isSignedIn(other.token)).toBe(false)
  await page.reload()
  await rows(page).first().waitFor()

  await act('Cerrar todas mis sesiones')
  await dialog.getByRole('button', { name: 'Cerrar todas mis sesiones' }).click()
  await page.getByLabel('Correo electrónico').waitFor()
})

it('says that a section could not be opened, and opens it after a reload', async () => {
  const page = await open({ path: 'checadas', signedIn: false })
  await page.route('**/revision/part-*.js', async (route) => {
    const isShared = (await (await route.fetch()).text()).includes('Correo electrónico')
    await (isShared ? route.continue() : route.abort())
  })
  await page.getByLabel('Correo electrónico').fill('ana.torres@demo.mx')
  await page.getByLabel('Contraseña').fill('checada-demo')
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await page.getByRole('navigation', { name: 'Secciones' }).getByText('Horas').click()
  await page.getByText('No se pudo abrir esta sección').waitFor()
  takeProblems()
  await page.unroute('**/revision/part-*.js')
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await page.getByRole('heading', { name: 'Horas' }).waitFor()
})

it('explains a fortnight in ten steps with pictures, on a phone too', async () => {
  const page = await open({ path: 'ayuda', viewport: PHONE })
  await page.getByRole('heading', { name: 'Ayuda' }).waitFor()
  expect(await page.locator('.help ol > li').count()).toBe(10)
  for (const picture of await page.locator('.help img').all()) {
    await picture.scrollIntoViewIfNeeded()
    await expect
      .poll(() =>
        picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
      )
      .toBe(960)
  }
  await expectAccessible(page)
})

it('lists thirty irregularities, on a phone and on paper', async () => {
  const page = await open({ path: 'ayuda', viewport: PHONE })
  await page.getByRole('link', { name: 'treinta irregularidades' }).click()
  await page.getByRole('heading', { name: 'Treinta irregularidades' }).waitFor()
  expect(await page.locator('.help ol > li').count()).toBe(30)
  await expectAccessible(page)
  await page.emulateMedia({ media: 'print' })
  await page.getByRole('link', { name: 'Ayuda' }).waitFor({ state: 'hidden' })
  expect(await page.evaluate('document.body.scrollWidth <= innerWidth')).toBe(true)
})

it('shows days on the first screen of a phone', async () => {
  const page = await open({ path: `horas?${PERIOD}`, viewport: PHONE })
  const day = page.locator('[data-day]').first()
  await day.waitFor()
  const { y = PHONE.height } = (await day.boundingBox()) ?? {}
  expect(y).toBeLessThan(PHONE.height - 100)
})

it('names the period between its buttons on a narrow phone', async () => {
  const page = await open({ path: 'horas?payroll_group=semanal', viewport: NARROW })
  const steps = page.getByRole('navigation', { name: 'Periodos' }).getByRole('button')
  await steps.first().waitFor()
  const [before, after] = [await steps.first().boundingBox(), await steps.last().boundingBox()]
  expect(after?.y).toBe(before?.y)
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
})
