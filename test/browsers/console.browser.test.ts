import { beforeAll, expect, it } from 'vitest'
import { DEMO_ADMIN, DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import { BLOCK_STORAGE } from '../support/browsers/between.ts'
import { type BrowserName, inEachBrowser, LAPTOP } from '../support/browsers/use-browsers.ts'
import { type ApiClient, aWorkDay, dateDaysAgo, daysAgo } from '../support/console-api.ts'

/** The logs of one person are decided in one browser. */
const PEOPLE: Record<BrowserName, string> = {
  Chromium: 'E-004',
  Firefox: 'E-006',
  WebKitGTK: 'E-008',
}

const REJECT = /^Rechazar \d+ checadas$/

/** Norte and Sur get zones that the data of WebKitGTK lacks or has otherwise. */
let haveZones = false
const setZones = async (ana: ApiClient) => {
  if (haveZones) return
  haveZones = true
  await ana.setZone('Norte', 'America/Ciudad_Juarez', dateDaysAgo(10))
  await ana.setZone('Sur', 'America/Vancouver', dateDaysAgo(10))
}

// The computer is in a zone that no branch has.
inEachBrowser(['--var', 'PAYROLL_ROLES:admin'], 'Asia/Tokyo', ({ name, open, between, api }) => {
  const employee_id = PEOPLE[name]
  const list = `checadas?employee_id=${employee_id}&status=pending&from=${dateDaysAgo(30)}`

  const openSignedIn = async (path: string, size = LAPTOP) => {
    const screen = await open(`revision/#/${path}`, size)
    await screen.fill('Correo electrónico', DEMO_ADMIN)
    await screen.fill('Contraseña', DEMO_PASSWORD)
    await screen.press('Enter')
    await screen.see('button', /^(Salir|Menú)/)
    return screen
  }

  beforeAll(async () => {
    const ana = await api()
    await ana.record(employee_id, [...aWorkDay(12), ...aWorkDay(11)])
  })

  it('decides one log, many by a dialog with the keyboard, and undoes', async () => {
    const ana = await api()
    const before = await ana.count({ employee_id })
    const screen = await openSignedIn(list)
    await screen.click('button', /^Aprobar/)
    await expect
      .poll(async () => (await ana.count({ employee_id })).approved)
      .toBe(before.approved + 1)
    await screen.see('text', /^Aprobada: /)
    await screen.save(`console list ${name}`)
    await screen.type('z')
    await expect.poll(async () => (await ana.count({ employee_id })).approved).toBe(before.approved)

    await screen.click('field', /^Seleccionar \d+ checadas de la lista$/)
    await screen.click('button', REJECT)
    await screen.see('field', 'Motivo')
    await screen.press('Escape')
    await screen.gone('dialog', /./)
    await screen.click('button', REJECT)
    await screen.see('field', 'Motivo')
    await screen.fill('Motivo', 'No es su turno.')
    const isReached = async () => /^button Rechazar/.test(await screen.focused())
    for (let i = 0; i < 12 && !(await isReached()); i++) {
      const before = await screen.focused()
      await screen.press('Tab')
      await expect.poll(screen.focused).not.toBe(before)
    }
    expect(await isReached()).toBe(true)
    await screen.press('Enter')
    await screen.gone('dialog', /./)
    await expect.poll(async () => (await ana.count({ employee_id })).pending).toBe(0)
  })

  it('adds a log by a form, at a local time', async () => {
    const ana = await api()
    const screen = await openSignedIn(`agregar?employee_id=${employee_id}&kind=salida`)
    const added = async () =>
      (await ana.logsOf(employee_id, dateDaysAgo(5))).filter(
        ({ local_at }) => local_at.slice(11, 19) === '18:10:00',
      )
    await screen.choose('Día', dateDaysAgo(5))
    await screen.choose('Hora', '18:10')
    await screen.fill('Motivo', 'El reloj no tenía corriente.')
    between.set(/^POST .*\/manual_logs$/, 'lost')
    await screen.click('button', 'Agregar checada')
    await expect.poll(added).toHaveLength(1)
    between.clear()
    await screen.gone('heading', 'Agregar una checada')
    expect(await added()).toHaveLength(1)
  })

  it('shows hours, and prints help', async () => {
    const screen = await openSignedIn(
      `horas?employee_id=${employee_id}&from=${dateDaysAgo(13)}&to=${dateDaysAgo(1)}`,
    )
    await screen.see('heading', /^Horas/)
    await screen.see('text', /^\d+ h/)
    await screen.save(`console hours ${name}`)
    await screen.go('ayuda')
    await screen.see('heading', 'Ayuda')
    const paper = await screen.tab.print?.()
    if (paper) expect(paper.length).toBeGreaterThan(20_000)
  })

  it('shows branches in zones that the browser may lack, as the service says', async () => {
    const ana = await api()
    await setZones(ana)
    const [log = 0] = await ana.record(
      'E-002',
      [{ kind: 'entrada', at: daysAgo(8, '15:11') }],
      name,
    )
    const stored = await ana.read(log)
    const screen = await openSignedIn(`checadas/${log}`)
    await screen.see('text', new RegExp(`${stored.local_at.slice(11, 19)}, hora de`))
    await screen.go('empresa')
    await screen.see('text', /hora de la montaña \(Ciudad Juárez\)/)
    await screen.see('text', /hora de Vancouver/)
    await screen.save(`console zones ${name}`)
    await screen.go('hoy')
    await screen.see('heading', /^Hoy/)
    const today = new Date(dateDaysAgo(0)).getUTCDate()
    await screen.see('heading', new RegExp(` ${today} de `))
  })

  it.each([390, 320])('is no wider than a phone of %s px', async (width) => {
    const screen = await openSignedIn('usuarios', { width, height: 700 })
    await screen.see('field', 'Rol')
    expect(await screen.tooWide()).toBe(0)
    await screen.go('invitaciones')
    await screen.see('button', /^Hacer los enlaces de \d+ personas$/)
    expect(await screen.tooWide()).toBe(0)
    await screen.go('empresa')
    // What is read later would move the button.
    for (const text of [/^Toda la empresa: hora del centro/, 'Grupo General']) {
      await screen.see('text', text)
    }
    await screen.click('button', 'Agregar un grupo')
    await screen.see('field', 'Cada cuánto se paga')
    expect(await screen.tooWide()).toBe(0)
  })

  it('works until it is closed in a browser that blocks the data of pages', async () => {
    between.run(BLOCK_STORAGE)
    const screen = await openSignedIn(list)
    await screen.see('heading', /./)
    await screen.go('agregar')
    await screen.fill('Motivo', 'El reloj no tenía corriente.')
    await screen.go('hoy')
    await screen.see('heading', /^Hoy/)
  })

  it('has a sentence for a browser that is too old', async () => {
    between.run('delete Array.prototype.findLast')
    const screen = await open('revision/', LAPTOP)
    await screen.see('text', /Se necesita Chrome 100, Firefox 140 o Safari 15\.4/)
  })
})
