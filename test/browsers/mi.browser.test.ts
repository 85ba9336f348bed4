import { expect, it } from 'vitest'
import { DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import { BLOCK_STORAGE } from '../support/browsers/between.ts'
import type { Screen } from '../support/browsers/screen.ts'
import { type BrowserName, inEachBrowser, PHONE } from '../support/browsers/use-browsers.ts'
import { shiftDate } from '../support/clock/shift-date.ts'
import { dateDaysAgo, daysAgo } from '../support/console-api.ts'

const FLAGS = ['EMPLOYEE_CLOCK_IN:on', 'EMPLOYEE_REQUESTS:on', 'PAYROLL_ROLES:admin'].flatMap(
  (flag) => ['--var', flag],
)

/** Each browser is the phone of another person. */
const PEOPLE: Record<BrowserName, { email: string; id: string; name: string }> = {
  Chromium: { email: 'luis.mendoza@demo.mx', id: 'E-002', name: 'Luis Mendoza' },
  Firefox: { email: 'itzel.ramirez@demo.mx', id: 'E-009', name: 'Itzel Ramírez' },
  WebKitGTK: { email: 'sofia.castaneda@demo.mx', id: 'E-007', name: 'Sofía Castañeda' },
}

const LOGS = /^POST .*\/my_logs$/

/** Chromium and Firefox have es-MX in one form each, and ICU 72 of WebKitGTK in another. */
const TIME = /^\d\d:\d\d$/

const HOUR_MS = 3_600_000

inEachBrowser(FLAGS, 'America/Mexico_City', ({ name, open, between, api }) => {
  const person = PEOPLE[name]

  const countOf = async (kind: 'entrada' | 'salida') => {
    const { total } = { total: await (await api()).count({ employee_id: person.id, kind }) }
    return total.pending + total.approved + total.rejected
  }

  const openSignedIn = async (path = '') => {
    const screen = await open(`mi/#/${path}`, PHONE)
    await screen.fill('Número de empleado o correo', person.email)
    await screen.fill('Contraseña', DEMO_PASSWORD)
    await screen.press('Enter')
    return screen
  }

  const sendNow = (screen: Screen) => screen.evaluate(`dispatchEvent(new Event('online'))`)

  /** Runs a story about «Entrada». Expects one new log, with the time of the press. */
  const expectStoredAsPressed = async (screen: Screen, story: () => Promise<void>) => {
    const ana = await api()
    const logs = async () =>
      [
        ...(await ana.logsOf(person.id, dateDaysAgo(1))),
        ...(await ana.logsOf(person.id, dateDaysAgo(0))),
      ].filter(({ source }) => source.startsWith('app:'))
    const before = new Set((await logs()).map(({ log_id }) => log_id))
    await screen.evaluate(
      `addEventListener('click', () => { test.pressedAt = Date.now() }, { capture: true, once: true })`,
    )
    await story()
    const pressedAt = await screen.evaluate<number>('test.pressedAt')
    const added = (await logs()).filter(({ log_id }) => !before.has(log_id))
    expect(added, await screen.text()).toHaveLength(1)
    const [log] = added
    expect(Math.abs(Date.parse(log?.recorded_at ?? '') - pressedAt)).toBeLessThan(5_000)
  }

  it('checks in once, even if the answer is lost', async () => {
    const before = await countOf('entrada')
    const screen = await openSignedIn()
    await screen.see('heading', `Hola, ${person.name}`)
    await screen.save(`mi ${name}`)
    between.set(LOGS, 'lost')
    await screen.click('button', 'Entrada')
    await screen.see('text', 'por enviar')
    await expect.poll(() => countOf('entrada')).toBe(before + 1)
    between.clear()
    await sendNow(screen)
    await screen.gone('text', 'por enviar')
    await screen.see('text', TIME)
    expect(await countOf('entrada')).toBe(before + 1)
  })

  it('keeps a check-in while there is no network, also when the page is closed', async () => {
    const before = await countOf('salida')
    const screen = await openSignedIn()
    await screen.see('heading', `Hola, ${person.name}`)
    await screen.evaluate('navigator.serviceWorker.ready.then(() => true)')
    between.set(/./, 'down')
    await screen.click('button', 'Salida')
    await screen.see('text', 'por enviar')
    await screen.see('text', /^Tu salida de las \d\d:\d\d quedó guardada en este teléfono/)
    await screen.reload()
    await screen.see('heading', `Hola, ${person.name}`)
    await screen.see('text', 'por enviar')
    expect(await countOf('salida')).toBe(before)
    between.clear()
    await sendNow(screen)
    await screen.gone('text', 'por enviar')
    expect(await countOf('salida')).toBe(before + 1)
  })

  it.each([
    ['a portal’s page', { status: 200, type: 'text/html', body: '<h1>Inicia sesión</h1>' }],
    ['a proxy’s failure', { status: 502, type: 'text/html', body: '<h1>Proxy</h1>' }],
    ['a proxy’s sign-in', { status: 407, type: 'text/html', body: '<h1>Proxy</h1>' }],
    ['another server’s 401', { status: 401, type: 'text/html', body: '<h1>Sign in</h1>' }],
  ] as const)('takes %s for no answer of the service', async (_, fate) => {
    const before = await countOf('entrada')
    const screen = await openSignedIn()
    await screen.see('heading', `Hola, ${person.name}`)
    between.set(/ \/api\//, fate)
    await screen.click('button', 'Entrada')
    await screen.see('text', 'por enviar')
    await screen.see('text', /No se han podido enviar: (Contestó la red|El servicio no respondió)/)
    expect(await screen.count('text', /^Tu sesión terminó/)).toBe(0)
    between.clear()
    await sendNow(screen)
    await screen.gone('text', 'por enviar')
    expect(await countOf('entrada')).toBe(before + 1)
  })

  it('asks for the password again if the service ends the session, and sends then', async () => {
    const screen = await openSignedIn()
    await screen.see('heading', `Hola, ${person.name}`)
    await expectStoredAsPressed(screen, async () => {
      await (await api(person.email)).endSessions()
      await screen.click('button', 'Entrada')
      await screen.see('text', 'Se envían cuando entres de nuevo.')
      await screen.click('button', /^Tu sesión terminó: entra de nuevo/)
      await screen.fill('Contraseña', DEMO_PASSWORD)
      await screen.press('Enter')
      await screen.gone('text', 'por enviar')
    })
  })

  it('waits no longer than seconds for an answer that never comes, and sends again', async () => {
    const screen = await openSignedIn()
    await screen.see('heading', `Hola, ${person.name}`)
    await expectStoredAsPressed(screen, async () => {
      between.set(LOGS, 'hang')
      await screen.click('button', 'Entrada')
      await screen.see('text', /^Tu entrada de las \d\d:\d\d quedó guardada en este teléfono/)
      between.clear()
      await sendNow(screen)
      await screen.gone('text', 'por enviar')
    })
  })

  it.each([
    ['forward', HOUR_MS],
    ['back', -HOUR_MS],
  ])('stores when it was pressed, if the phone’s clock is put %s meanwhile', async (_, ms) => {
    const screen = await openSignedIn()
    await screen.see('heading', `Hola, ${person.name}`)
    // Then the page knows the service's time.
    await screen.rest()
    await expectStoredAsPressed(screen, async () => {
      between.set(/ \/api\//, 'down')
      await screen.click('button', 'Entrada')
      await screen.see('text', 'por enviar')
      await screen.evaluate(`(${shiftDate})(${ms})`)
      between.clear()
      await sendNow(screen)
      await screen.gone('text', 'por enviar')
    })
  })

  it('checks in on a phone that blocks the data of pages, and warns', async () => {
    between.run(BLOCK_STORAGE)
    const screen = await openSignedIn()
    await screen.see('heading', `Hola, ${person.name}`)
    await expectStoredAsPressed(screen, async () => {
      between.set(LOGS, 'down')
      await screen.click('button', 'Entrada')
      await screen.see('text', /no se pudo guardar: no cierres esta página/)
      between.clear()
      await sendNow(screen)
      await screen.gone('text', 'por enviar')
    })
  })

  it('asks for a log at a local time, and shows it in the days', async () => {
    const screen = await openSignedIn('pedir')
    await screen.see('heading', 'Pedir una corrección')
    await screen.choose('Día', dateDaysAgo(2))
    await screen.choose('Hora', '05:45')
    await screen.fill('Qué pasó', 'Abrí la bodega.')
    await screen.click('button', 'Enviar solicitud')
    await screen.see('text', /La pediste: «Abrí la bodega\.»/)
    await screen.see('text', '05:45')
    await screen.save(`mi days ${name}`)
    const [log] = await (await api()).logsOf(person.id, dateDaysAgo(2))
    expect(log?.local_at).toBe(`${dateDaysAgo(2)}T05:45:00-06:00`)
  })

  it('signs a card with the password', async () => {
    const ana = await api()
    const at = (time: string) => daysAgo(40, time)
    const logs = await ana.record(person.id, [
      { kind: 'entrada', at: at('14:00') },
      { kind: 'salida', at: at('22:30') },
    ])
    await ana.change(logs, 'approved')
    await ana.closeFrom(dateDaysAgo(40), { employee_id: person.id, before: dateDaysAgo(39) })
    const screen = await openSignedIn()
    await screen.click('link', /^Tienes 1 tarjeta por firmar$/)
    await screen.click('link', /^Cierre \d+, hasta el/)
    await screen.see('text', '8:30:00')
    await screen.click('field', 'Sí, estoy conforme')
    await screen.fill('Tu contraseña', DEMO_PASSWORD)
    await screen.click('button', 'Enviar')
    await screen.see('text', /^Conforme, desde tu cuenta, el \d+ \p{L}+, \d\d:\d\d\.$/u)
    await screen.save(`mi card ${name}`)
    expect(await screen.tooWide()).toBe(0)
  })

  it('has a sentence for a phone that is too old', async () => {
    between.run('delete Array.prototype.findLast')
    const screen = await open('mi/', PHONE)
    await screen.see('text', /Se necesita un iPhone con iOS 15\.4, o Chrome 100 o Firefox 140/)
    expect(await screen.count('button', /./)).toBe(0)
  })
})
