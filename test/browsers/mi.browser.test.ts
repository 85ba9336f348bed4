import { expect, it } from 'vitest'
import { DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import { type BrowserName, inEachBrowser, PHONE } from '../support/browsers/use-browsers.ts'

const FLAGS = ['EMPLOYEE_CLOCK_IN:on', 'EMPLOYEE_REQUESTS:on', 'PAYROLL_ROLES:admin'].flatMap(
  (flag) => ['--var', flag],
)

/** Each browser is the phone of another person. */
const PEOPLE: Record<BrowserName, { email: string; id: string; name: string }> = {
  Chromium: { email: 'luis.mendoza@demo.mx', id: 'E-002', name: 'Luis Mendoza' },
  Firefox: { email: 'itzel.ramirez@demo.mx', id: 'E-009', name: 'Itzel Ramírez' },
  WebKitGTK: { email: 'sofia.castaneda@demo.mx', id: 'E-007', name: 'Sofía Castañeda' },
}

inEachBrowser(FLAGS, ({ name, open, between, api }) => {
  const person = PEOPLE[name]

  const countOf = async (kind: 'entrada' | 'salida') => {
    const { pending, approved, rejected } = await (await api()).count({
      employee_id: person.id,
      kind,
    })
    return pending + approved + rejected
  }

  const openSignedIn = async () => {
    const screen = await open('mi/', PHONE)
    await screen.fill('Número de empleado o correo', person.email)
    await screen.fill('Contraseña', DEMO_PASSWORD)
    await screen.press('Enter')
    await screen.see('heading', `Hola, ${person.name}`)
    return screen
  }

  it('signs in and checks in, once, even if the answer is lost', async () => {
    const before = await countOf('entrada')
    const screen = await openSignedIn()
    await screen.save(`mi-${name}`)
    between.set(/^POST .*my_logs$/, 'lost')
    await screen.click('button', 'Entrada')
    await screen.see('text', 'por enviar')
    expect(await countOf('entrada')).toBe(before + 1)
    between.clear()
    await screen.evaluate(`dispatchEvent(new Event('online'))`)
    await screen.gone('text', 'por enviar')
    expect(await countOf('entrada')).toBe(before + 1)
  })
})
