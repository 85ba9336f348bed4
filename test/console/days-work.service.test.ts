// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { IRREGULARITIES, type Irregularity } from '../../console/help/irregularities.ts'
import { aWorkDay, dateDaysAgo, daysAgo, OTHER_ADMIN } from '../support/console-api.ts'
import {
  fill,
  follow,
  go,
  holdRequests,
  loseRequests,
  type Place,
  partAt,
  partOf,
  press,
  shownAddress,
  unfold,
  usePages,
  waitForMessage,
  waitForNone,
} from '../support/dom-page.ts'

/** Nothing stops a day's work in the console, and nothing typed is lost. */

const { open, visit, api } = usePages()

/** A period around the days 40 to 44 days ago. Logs that are 45 days old are refused. */
const PERIOD = `from=${dateDaysAgo(45)}&to=${dateDaysAgo(39)}`

const TOKEN = 'checada.token'

const valueIn = async (page: Place, label: string) => (await page.findByLabelText(label)).value

it('keeps a half-written punch over a reload, for its own day only', async () => {
  const page = await open(`agregar?employee_id=E-007&day=${dateDaysAgo(44)}&kind=salida`)
  await fill(page, 'Hora', '18:05')
  await fill(page, 'Motivo', 'Se fue la luz')
  const reloaded = await open(shownAddress())
  await expect.poll(() => valueIn(reloaded, 'Motivo')).toBe('Se fue la luz')
  expect(await valueIn(reloaded, 'Hora')).toBe('18:05')
  const other = await open(`agregar?employee_id=E-008&day=${dateDaysAgo(44)}`)
  await expect.poll(() => valueIn(other, 'Persona')).toMatch(/Zúñiga/)
  expect(await valueIn(other, 'Motivo')).toBe('')
})

it('adds a punch for the person of the address, also before the name is found', async () => {
  const release = holdRequests(/^GET .*\/employees\?/)
  const page = await open('agregar?employee_id=E-003')
  await press(page, 'Entrada', 'radio')
  await fill(page, 'Día', dateDaysAgo(20))
  await fill(page, 'Hora', '07:01')
  await fill(page, 'Motivo', 'Olvidó checar')
  await press(page, 'Agregar checada')
  await waitForMessage('Se agregó: E-003, entrada del')
  release()
})

it('removes the error of a corrected field, and keeps a chosen person over a reload', async () => {
  const page = await open('agregar')
  await press(page, 'Agregar checada')
  await page.findByText(/^Escribe por qué falta/)
  await fill(page, 'Persona', 'Zúñiga')
  await press(page, /Zúñiga/, 'option')
  await fill(page, 'Motivo', 'Olvidó checar')
  await expect.poll(() => page.queryByText(/^Escribe por qué falta/)).toBeNull()
  await page.findByText('Pon el día y la hora.')
  const reloaded = await open(shownAddress())
  await expect.poll(() => valueIn(reloaded, 'Persona')).toContain('Zúñiga')
  expect(await valueIn(reloaded, 'Motivo')).toBe('Olvidó checar')
})

describe('an irregularity takes the clicks and fields that Ayuda says', () => {
  const storyOf = (title: string) => {
    const story = IRREGULARITIES.find((one) => one.title === title)
    if (!story) throw new Error(`There is no irregularity «${title}».`)
    return story
  }

  /** Does a clerk's work in a place of the page, and counts it. */
  const clerkIn = (page: Place, place: Place) => {
    const work = { clicks: 0, fields: 0 }
    const click = (act: Promise<unknown>) => {
      work.clicks++
      return act
    }
    const type = (act: Promise<unknown>) => {
      work.fields++
      return act
    }
    const dialog = () => partOf(page, 'dialog')
    return {
      expectWork: ({ clicks, fields }: Irregularity) => expect(work).toEqual({ clicks, fields }),
      press: (name: string | RegExp) => click(press(place, name)),
      follow: (name: string | RegExp) => click(follow(place, name)),
      choose: (name: string) => click(press(place, name, 'radio')),
      more: () => click(unfold(place, 'Más')),
      fill: (label: string | RegExp, text: string) => type(fill(place, label, text)),
      confirm: async (name: string | RegExp) => click(press(await dialog(), name)),
      explain: async () => type(fill(await dialog(), 'Motivo', 'Se preguntó.')),
    }
  }

  /** Opens a page, and returns a day's row and a clerk who works in it. */
  const rowOf = async (employee_id: string, days: number, path = `horas?${PERIOD}`) => {
    const page = await open(path)
    const at = `[data-day="${employee_id}${dateDaysAgo(days)}"]`
    const row = await partAt(at)
    return { page, row, at, clerk: clerkIn(page, row) }
  }
  const punchAt = (days: number, time: string, kind: 'entrada' | 'salida' | 'checada') => ({
    kind,
    at: daysAgo(days, time),
  })

  it('a forgotten exit of a night', async () => {
    const story = storyOf('Olvidó checar la salida de una noche')
    await (await api()).record('E-009', [punchAt(43, '04:00', 'entrada')])
    const { row, at, clerk } = await rowOf('E-009', 44)
    await row.findByText(story.says)
    await clerk.press(story.act)
    await clerk.fill(/^Hora/, '06:00')
    await clerk.fill('Motivo', 'Olvidó checar.')
    await clerk.press('Agregar y aprobar')
    await waitForNone(at)
    clerk.expectWork(story)
  })

  it('two taps on a clock without keys', async () => {
    const story = storyOf('Checó dos veces en 8 minutos, en un reloj sin teclas')
    const taps = ['14:00', '14:08', '23:00'].map((time) => punchAt(43, time, 'checada'))
    await (await api()).record('E-010', taps)
    const { row, at, clerk } = await rowOf('E-010', 43)
    await partAt(at, story.says)
    await unfold(row, 'Más')
    await row.findByRole('button', { name: 'Rechazar la checada de las 17:00' })
    expect(row.queryAllByRole('button', { name: story.act })).toHaveLength(1)
    await clerk.press(story.act)
    await partAt('dialog', 'Sin esta checada, que sobra, el día queda completo.')
    await clerk.explain()
    await clerk.confirm('Rechazar 1 checada')
    await waitForNone(at)
    clerk.expectWork(story)
  })

  it('the wrong key', async () => {
    const story = storyOf('Oprimió la tecla equivocada')
    const taps = ['14:00', '23:00'].map((time) => punchAt(42, time, 'entrada'))
    await (await api()).record('E-009', taps)
    const { at, clerk } = await rowOf('E-009', 42)
    await partAt(at, story.says)
    await clerk.press(story.act)
    await clerk.explain()
    await clerk.confirm('Cambiar a salida')
    await waitForNone(at)
    clerk.expectWork(story)
  })

  it('the wrong key, although the rejection fails at first', async () => {
    const story = storyOf('Oprimió la tecla equivocada')
    const taps = ['14:00', '23:00'].map((time) => punchAt(40, time, 'entrada'))
    await (await api()).record('E-011', taps)
    const { at, clerk } = await rowOf('E-011', 40)
    const restore = loseRequests(/change_log/)
    await clerk.press(story.act)
    await clerk.explain()
    await clerk.confirm('Cambiar a salida')
    await partAt(at, 'con una checada agregada a mano')
    await partAt('dialog', 'El servicio no respondió.')
    restore()
    await clerk.confirm('Cambiar a salida')
    await waitForMessage('La entrada de las 17:00 se cambió a salida. Quedó aprobada.')
    await waitForNone(at)
  })

  it('a clock without keys that lost an entrada, so that all that follows is inverted', async () => {
    const days = [44, 42].flatMap((day) => ['14:00', '23:00'].map((time) => [day, time] as const))
    const punches = [...days, [43, '23:00'] as const]
    await (await api()).record(
      'E-012',
      punches.map(([day, time]) => punchAt(day, time, 'checada')),
    )
    const { at, clerk } = await rowOf('E-012', 43)
    await partAt(at, 'parecen invertidas: sobra o falta una checada')
    await clerk.press('Agregar la checada que falta')
    await clerk.choose('Entrada, antes de las 17:00')
    await clerk.fill(/^Hora/, '08:00')
    await clerk.fill('Motivo', 'Olvidó checar.')
    await clerk.press('Agregar y aprobar')
    await waitForNone(at)
    clerk.expectWork({ ...storyOf('Olvidó checar la entrada'), clicks: 3, fields: 2 })
  })

  it('a punch that the person asks for', async () => {
    const story = storyOf('Pidió una checada desde su teléfono')
    await (await api()).record('E-007', [punchAt(33, '16:00', 'entrada')])
    const worker = await api('sofia.castaneda@demo.mx')
    await worker.ask('salida', daysAgo(33, '23:00'), 'Olvidé checar.')
    const path = `horas?from=${dateDaysAgo(34)}&to=${dateDaysAgo(32)}`
    const { at, clerk } = await rowOf('E-007', 33, path)
    await partAt(at, story.says)
    await clerk.press(story.act)
    await partAt('dialog', 'De Sofía Castañeda Luna, del ')
    await clerk.confirm('Aprobar 2 checadas')
    await waitForNone(at)
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
    const { at, clerk } = await rowOf('E-010', 41, `horas?employee_id=E-010&${PERIOD}`)
    await partAt(at, '9 h 4 min')
    await clerk.more()
    await clerk.press('Rechazar la salida de las 17:04')
    await clerk.explain()
    await clerk.confirm('Rechazar 1 checada')
    await waitForNone(at, '9 h 4 min')
    clerk.expectWork(story)
  })

  it('guards of 24 hours', async () => {
    const story = storyOf('Hace guardias de 24 horas')
    const kinds = ['entrada', 'salida'] as const
    const guards = [44, 43, 42, 41].map((day, i) =>
      punchAt(day, '14:00', kinds[i % 2] ?? 'entrada'),
    )
    await (await api()).record('E-007', guards)
    const { page, at, clerk } = await rowOf('E-007', 44)
    await partAt(at, story.says)
    await clerk.follow(story.act)
    // The form is made anew once the proposed person is read.
    await page.findByLabelText('Persona')
    const company = clerkIn(page, await partOf(page, 'region', 'Jornada más larga'))
    await company.press(/^Ver qué cambia/)
    await company.confirm('Guardar')
    await waitForMessage('Se guardó: ')
    go(`horas?${PERIOD}`)
    await page.findByRole('heading', { name: /por aclarar/ })
    await waitForNone(at)
    company.expectWork({ ...story, clicks: (story.clicks ?? 0) - 1 })
  })

  it('a punch before the first day', async () => {
    const story = storyOf('Entró a media quincena, y checó antes de su primer día')
    const client = await api()
    await client.record('E-010', aWorkDay(40))
    await client.changeEmployee('E-010', { started_at: dateDaysAgo(39) })
    const { page, at, clerk } = await rowOf('E-010', 40)
    await partAt(at, story.says)
    await clerk.follow(story.act)
    const form = clerkIn(page, page)
    await form.fill('Ingreso', dateDaysAgo(44))
    await form.press('Guardar')
    await waitForMessage('Se guardó a ')
    form.expectWork({ ...story, clicks: (story.clicks ?? 0) - 1 })
  })
})

it('changes the user’s password, which ends the other sessions, and can end all of them', async () => {
  const other = await api(OTHER_ADMIN)
  const page = await open('hoy', OTHER_ADMIN)
  await press(page, 'Cambiar mi contraseña')
  const dialog = await partOf(page, 'dialog')
  await fill(dialog, 'Contraseña actual', 'otra que no es')
  await fill(dialog, /^Contraseña nueva/, 'una frase nueva')
  await fill(dialog, 'La nueva, otra vez', 'una frase distinta')
  await press(dialog, 'Cambiar la contraseña')
  await dialog.findByText('No es igual a la contraseña nueva.')
  await fill(dialog, 'La nueva, otra vez', 'una frase nueva')
  await press(dialog, 'Cambiar la contraseña')
  await partAt('dialog .problem', /actual/)
  await fill(dialog, 'Contraseña actual', 'checada-demo')
  await press(dialog, 'Cambiar la contraseña')
  await waitForMessage('Tu contraseña se cambió.')
  expect(await other.isSignedIn(other.token)).toBe(false)
  go('checadas')
  await partAt('[data-log]')

  const token = sessionStorage.getItem(TOKEN) ?? ''
  await press(page, 'Cerrar todas mis sesiones')
  await press(await partOf(page, 'dialog'), 'Cerrar todas mis sesiones')
  await expect.poll(() => sessionStorage.getItem(TOKEN)).toBeNull()
  expect(await other.isSignedIn(token)).toBe(false)
  const again = await visit('hoy')
  await again.findByLabelText('Correo electrónico')
})
