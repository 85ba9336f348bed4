// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import {
  aWorkDay,
  dateDaysAgo,
  daysAgo,
  emptyDayText,
  OTHER_ADMIN,
  recordObjection,
} from '../support/console-api.ts'
import {
  answerWith,
  fill,
  follow,
  go,
  linesAnswer,
  loseRequests,
  partAt,
  partOf,
  partsAt,
  press,
  sentRequests,
  shownAddress,
  textsAt,
  unfold,
  usePages,
  waitForMessage,
  waitForNone,
  waitForRest,
} from '../support/dom-page.ts'

/** What cards say, and the objections of who signs them. */

const { open, api } = usePages()

const DAYS = '.card tbody tr'

const daysWith = (text: string) => textsAt(DAYS).filter((row) => row.includes(text))

it('has every day, weeks, payments, closing and hash on a card, with eight requests', async () => {
  const ana = await api()
  await ana.nameCompany('Comercial Demo, S.A. de C.V.')
  // The period has fifteen days of 9 h 17 min, but one day lacks the exit and one has no logs. The
  // sixteenth day is after the period.
  const moments = Array.from({ length: 16 }, (_, i) => [
    ...(i === 5 ? [] : [{ kind: 'entrada' as const, at: daysAgo(44 - i, '14:00') }]),
    ...(i === 3 || i === 5 ? [] : [{ kind: 'salida' as const, at: daysAgo(44 - i, '23:17') }]),
  ]).flat()
  await ana.change(await ana.record('E-008', moments), 'approved')
  const whom = { employee_id: 'E-008', before: dateDaysAgo(29) }
  const { id, hash } = await ana.closeFrom(dateDaysAgo(44), whom)
  await open('relojes')
  await partAt('main li')
  await waitForRest()
  const before = sentRequests().length
  go(`tarjeta?closing=${id}`)
  const card = await partAt('.card')
  await waitForRest()
  // Five requests read the company, the closing, and the closing's lines, people and signatures.
  // Three more requests read the days, totals and weeks of the period.
  expect(sentRequests().length - before).toBe(8)
  const text = card.element.textContent
  for (const part of [
    'Comercial Demo, S.A. de C.V.',
    'Héctor Zúñiga Robles',
    'E-008',
    'ZURH',
    '08:00–17:17',
    '9:17:00 9.28 h',
    `9:17:00, cierre ${id}`,
    'Omisión de salida',
    'Semana del',
    `Cierre ${id} · ${hash}`,
    'Firma de Héctor',
    'Por la empresa',
  ]) {
    expect(text).toContain(part)
  }
  expect(textsAt(`${DAYS}:not(.week)`)).toHaveLength(15)
  expect(daysWith(emptyDayText(39))).toHaveLength(1)
  // The total is thirteen times 9 h 17 min.
  const total = textsAt('.card tfoot').join()
  expect(total).toContain('120:41:00 120.68 h')
  expect(total).toContain(`120:41:00, cierre ${id}`)
  // Weeks are whole, so they include the day after the period unless that day is a Monday.
  const weeks = textsAt('.card tbody .week')
  const minutes = weeks.map((week) => /(\d+):(\d\d):00 \d+\.\d\d h/.exec(week))
  const sum = minutes.reduce((all, at) => all + Number(at?.[1]) * 60 + Number(at?.[2]), 0)
  const isAfterInWeek = new Date(`${dateDaysAgo(29)}T00:00:00Z`).getUTCDay() !== 1
  expect(sum).toBe((isAfterInWeek ? 14 : 13) * 557)
  expect(weeks.some((week) => week.includes('días de otro periodo'))).toBe(isAfterInWeek)
  // A whole week of these days is over the law's limit of any year. The card has today's date.
  expect(weeks.some((week) => /\d+:\d\d:00 sobre el límite de \d\d h/.test(week))).toBe(true)
  expect(text).toMatch(/con el límite de la ley el \d+ de [a-z]+ de 20\d\d\./)
  expect(text).not.toMatch(/cumple|prueba plena/i)

  // After a correction, the next closing pays the corrected day and the day after the period. Its
  // card has both days. The card of a longer period has the payments of both closings.
  const { log_id } = await ana.addByHand('E-008', 'salida', daysAgo(41, '23:17'))
  await ana.change([log_id ?? 0], 'approved')
  const next = await ana.close({ ...whom, before: dateDaysAgo(28) })
  go(`tarjeta?closing=${next.id}`)
  await partAt(DAYS, 'Días anteriores')
  expect(textsAt(`${DAYS}:last-child td`)[2]).toBe(`9:17:00, cierre ${next.id}`)
  go(`tarjeta?employee_id=E-008&from=${dateDaysAgo(44)}&to=${dateDaysAgo(28)}`)
  await partAt('.card tfoot', `120:41:00, cierre ${id}; 18:34:00, cierre ${next.id}`)

  // A closing that pays only a correction has no period. Its card has only the earlier day.
  const entrada = await ana.addByHand('E-008', 'entrada', daysAgo(39, '14:00'))
  const salida = await ana.addByHand('E-008', 'salida', daysAgo(39, '23:17'))
  await ana.change([entrada.log_id ?? 0, salida.log_id ?? 0], 'approved')
  const correction = await ana.close({ ...whom, before: dateDaysAgo(28) })
  go(`tarjeta?closing=${correction.id}`)
  await partAt('.card .hash', `Cierre ${correction.id} ·`)
  expect(textsAt(DAYS)).toHaveLength(2)
  expect(daysWith('08:00–17:17')).toHaveLength(1)
  expect(textsAt('.card dd')).toContain('Solo días anteriores')
  expect(textsAt('.card tfoot tr')).toEqual([`Días anteriores9:17:00, cierre ${correction.id}`])
})

it("shows the closing's period, not the days of its lines, and exact hours that add up", async () => {
  const ana = await api()
  const whom = { employee_id: 'E-009', payroll_group: null, leave_pending: true }
  const aDay = async (days: number, end: string) =>
    ana.change(
      await ana.record('E-009', [
        { kind: 'entrada', at: daysAgo(days, '14:00') },
        { kind: 'salida', at: `${dateDaysAgo(days)}T${end}.000Z` },
      ]),
      'approved',
    )
  // The weekdays are fixed. The first closing ends on this Monday, and the second one on the Friday
  // of the same week.
  const monday = 36 + ((new Date(dateDaysAgo(36)).getUTCDay() + 6) % 7)
  // The first and the last day have no logs. Twice 7:55:38 is 15:51:16, not 15 h 52 min.
  await aDay(monday + 2, '21:55:38')
  await aDay(monday + 1, '21:55:38')
  const first = await ana.closeFrom(dateDaysAgo(monday + 3), {
    ...whom,
    before: dateDaysAgo(monday - 1),
  })
  await aDay(monday - 3, '21:59:29')
  const late = await ana.record('E-009', aWorkDay(monday, '14:00', '15:00'))
  await ana.change(late, 'approved')
  const second = await ana.close({ ...whom, before: dateDaysAgo(monday - 5) })
  const name = (from: number, to: number) => {
    const [first, last] = [dateDaysAgo(from), dateDaysAgo(to)].map(
      (day) => new Date(`${day}T12:00:00Z`),
    )
    const long = (date?: Date) =>
      date?.toLocaleDateString('es-MX', { day: 'numeric', month: 'long', timeZone: 'UTC' })
    const isOne = first?.getUTCMonth() === last?.getUTCMonth()
    return `${isOne ? first?.getUTCDate() : long(first)} al ${long(last)} de ${last?.getUTCFullYear()}`
  }
  await open(`tarjeta?closing=${first.id}`)
  await partAt('.card')
  expect(textsAt('.card dl div')).toContain(`Periodo${name(monday + 3, monday)}`)
  expect(textsAt('.card tfoot').join()).toContain('15:51:16 15.85 h')
  // The rows of weeks are left out, since a week can have the hours of a single day.
  const days = textsAt(`${DAYS}:not(.week)`)
  expect(days.filter((text) => text.includes('7:55:38 7.93 h'))).toHaveLength(2)

  go(`tarjeta?closing=${second.id}`)
  await partAt(DAYS, 'Días anteriores')
  expect(textsAt('.card dl div')).toContain(`Periodo${name(monday - 1, monday - 4)}`)
  // The hours are beside the payment for them. The payment for earlier days has its own row.
  expect(textsAt('.card tfoot tr')).toEqual([
    `Total del periodo7:59:29 7.99 h7:59:29, cierre ${second.id}`,
    `Días anteriores1:00:00, cierre ${second.id}`,
    `Total pagado8:59:29, cierre ${second.id}`,
  ])
  // A week includes all of its days, also a day that is paid as an earlier day.
  const weeks = textsAt('.card tbody .week th[scope=row] + td')
  expect(weeks.some((week) => week.startsWith('8:59:29'))).toBe(true)
  const month = new Date(`${dateDaysAgo(monday)}T12:00:00Z`)
    .toLocaleDateString('es-MX', { month: 'short', timeZone: 'UTC' })
    .replace('.', '')
  const isOther = dateDaysAgo(monday).slice(0, 7) !== dateDaysAgo(monday - 4).slice(0, 7)
  const [earlier] = textsAt(`${DAYS}:last-child th`)
  expect(earlier?.endsWith(` ${month}`)).toBe(isOther)
})

it('explains a day without logs: absence, rest day, silent clock, before hiring, after leaving', async () => {
  await open('relojes')
  const person = { employee_id: 'E-1', full_name: 'Ana Uno', rfc: '', branch_office: 'Norte' }
  const presence = { started_at: '2025-11-11', ended_at: '2025-11-28', unsynced_from: '2025-11-25' }
  answerWith(/hours\?/, async (_, { url }) => {
    const exceptions = ['sin_checadas', 'sin_sincronizar']
    return linesAnswer(url.includes('by=employee') ? [{ ...person, ...presence, exceptions }] : [])
  })
  const expected = [
    ['lun 10', '', 'Antes de su ingreso'],
    ['mar 11', 'absent', 'Sin checadas'],
    ['lun 17', 'rest', 'Descanso obligatorio: Revolución'],
    ['lun 24', 'absent', 'Sin checadas'],
    ['mar 25', 'unsynced', 'Sin checadas; falta información del reloj'],
    ['sáb 29', '', 'Después de su baja'],
  ] as const
  const period = 'employee_id=E-1&from=2025-11-10&to=2025-11-30'
  for (const [path, rows, words] of [
    ['tarjeta', '.card tbody tr', 'td'],
    ['horas', '.calendar li', '.note'],
  ] as const) {
    go(`${path}?${period}`)
    await partAt(rows)
    for (const [day, look, text] of expected) {
      const at = partsAt(rows).findIndex(
        ({ textContent }) => textContent.includes(day) && !textContent.includes('Semana'),
      )
      const shown = textsAt(`${rows}:nth-child(${at + 1}) ${words}`)[0]
      const className = partsAt(rows)[at]?.getAttribute('class')?.split(' ').at(-1) ?? ''
      expect([path, day, className, shown]).toEqual([
        ...[path, day, path === 'horas' && look === '' ? expect.anything() : look, text],
      ])
    }
  }
  await partAt('.calendar .week', '17 al 23 de noviembre')
  // The list distinguishes a person without logs from one whose clock has sent nothing.
  go('horas?from=2025-11-10&to=2025-11-30')
  await partAt('tbody .status.absent', 'Sin checadas en el periodo')
  await partAt('tbody .status.unsynced', 'Falta información del reloj')
})

it("opens from a person's page, and shows an error", async () => {
  const page = await open('horas?employee_id=E-001')
  const restore = loseRequests(/v2\/company$/)
  await unfold(await partAt('.result .menu'), 'Más')
  await follow(await partAt('.result .menu'), 'Tarjeta para firmar')
  await page.findByRole('heading', { name: 'No se pudieron leer las tarjetas' })
  restore()
  await press(page, 'Reintentar')
  await partAt('.card', 'Ana Torres Rivas')
})

it('lists an objection until it is answered, and prints how the person has signed', async () => {
  const ana = await api()
  const worker = await api('sofia.castaneda@demo.mx')
  const id = await recordObjection(ana, worker, 'Salí a las siete.')

  const page = await open('cierres')
  const at = 'main section li'
  const objection = await partAt(at, '«Salí a las siete.»')
  expect(objection.element.textContent).toContain(`objetó sus renglones del cierre ${id}`)
  // Two people may have the same name.
  expect(objection.element.textContent).toContain('(E-007, ')
  await partAt('main li h2', /\(E-007\)$/)
  await follow(objection, 'Ver sus días')
  expect(shownAddress()).toBe(
    `horas?employee_id=E-007&from=${dateDaysAgo(46)}&to=${dateDaysAgo(16)}`,
  )
  await page.findByRole('heading', { name: /^Sofía Castañeda Luna/ })
  go('cierres')
  await press(await partAt(at, '«Salí a las siete.»'), /^Responder a/)
  const dialog = await partOf(page, 'dialog')
  await press(dialog, 'Responder')
  await dialog.findByText('Escribe la respuesta: la persona la verá.')
  await fill(dialog, 'Respuesta', 'Se agregó la salida.')
  await press(dialog, 'Responder')
  await waitForNone(at, '«Salí a las siete.»')
  await partAt('main li', 'firmaron 0, objetaron 1, faltan 0')

  go(`tarjeta?closing=${id}`)
  await partAt('.card', 'No conforme, desde su cuenta, el')
  await worker.sign(id)
  await open(shownAddress())
  await partAt('.card', /Conforme, desde su cuenta, el .*(sello \d+|sin sello)/)
  expect(textsAt('.card').join()).not.toMatch(/No conforme|Firma de/)
})

it('answers the objection of the person of its row, even if their number has a slash', async () => {
  const page = await open('relojes')
  const objection = {
    closing_id: 7,
    before: dateDaysAgo(15),
    employee_id: 'E/1 #2',
    full_name: 'Ana Uno',
    branch_office: 'Norte',
    at: daysAgo(3, '14:00'),
    comment: 'Salí a las siete.',
  }
  const answer = { success: true, message: '', data: { objections: [objection] } }
  answerWith(/incidents\/objections$/, async () => Response.json(answer))
  go('cierres')
  await press(page, 'Responder a Ana Uno')
  const dialog = await partOf(page, 'dialog')
  await fill(dialog, 'Respuesta', 'Se agregó la salida.')
  await press(dialog, 'Responder')
  await expect.poll(() => sentRequests(/closings\/7\//)).toHaveLength(1)
  const [{ method, url } = { method: '', url: '' }] = sentRequests(/closings\/7\//)
  expect(`${method} ${url}`).toMatch(/^POST .*\/closings\/7\/objections\/E%2F1%20%232\/answer$/)
})

it('shows who asked for a log and their words, lets somebody else decide, and has both on a card', async () => {
  // On this day, the demo has no logs, whatever weekday today is. This test is the last one, since
  // it gives the group a first day.
  const ana = await api()
  const words = 'Olvidé checar:\nme fui por la otra puerta.'
  const [entrada = 0] = await ana.record('E-001', [{ kind: 'entrada', at: daysAgo(30, '14:00') }])
  await ana.change([entrada], 'approved')
  await ana.paysFrom(dateDaysAgo(31))
  const whom = { employee_id: 'E-001', leave_pending: true }
  await ana.close({ ...whom, before: dateDaysAgo(29) })
  const { log_id } = await ana.ask('salida', daysAgo(30, '23:00'), words)
  const request = log_id ?? 0
  const day = dateDaysAgo(30)
  const path = `checadas?employee_id=E-001&from=${day}&to=${day}&status=pending`

  await open(path)
  const own = await partAt(`[data-log="${request}"]`, 'La decide otra persona')
  expect(own.queryAllByRole('button')).toEqual([])

  await open(path, OTHER_ADMIN)
  const row = await partAt(`[data-log="${request}"]`, 'Solicitada')
  expect(textsAt(`[data-log="${request}"] blockquote`)).toEqual([words])
  await press(row, /^Aprobar/)
  await waitForMessage('Aprobada')

  // The cell also names a holiday, if the day is one.
  const note = 'Solicitada: «Olvidé checar:\nme fui por la otra puerta.»'
  const printed = () => daysWith('08:00–17:00')
  go(`tarjeta?employee_id=E-001&from=${day}&to=${day}`)
  await partAt(DAYS, '08:00–17:00')
  expect(printed().join()).toContain(note)

  // The next closing pays this day as a day before the closing's period.
  const closing = await ana.close({ ...whom, before: dateDaysAgo(28) })
  go(`tarjeta?closing=${closing.id}`)
  await partAt('.card .hash', `Cierre ${closing.id} ·`)
  expect(textsAt(DAYS).at(-1)).toContain('08:00–17:00')
  expect(printed().join()).toContain(note)
})
