// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import { createClient, dataOf } from '../../sdk/api-client.ts'
import { createApiClient, OTHER_ADMIN } from '../support/console-api.ts'
import {
  choose,
  fill,
  focusedName,
  focusedText,
  go,
  loseRequests,
  type Place,
  partAt,
  partOf,
  press,
  textsAt,
  usePages,
  waitForMessage,
  waitForNone,
} from '../support/dom-page.ts'

const { open, api, service } = usePages(['--var', 'INTAKE_ROLES:admin,reloj'])

const PASSWORD = 'una clave muy larga'

const USER = {
  first_name: 'Lupe',
  last_name: 'Rangel',
  mother_last_name: '',
  role: 'admin',
  machine: false,
  employee_id: null,
  scope_branches: null,
  sources: null,
}

const addUser = async (email: string, more: Partial<typeof USER> = {}) => {
  const { users } = (await api(OTHER_ADMIN)).people
  return dataOf(users.$post({ json: { ...USER, email, ...more } }))
}

/** Adds a user who has a password through the link of an administrator who is none any more. */
const setPasswordThroughSomebodyWhoLeft = async (email: string) => {
  const open = createClient(new URL(service.api).origin, { token: () => undefined })
  const accept = async ({ url = '' }) => {
    const json = { token: url.split('/').at(-1) ?? '', password: PASSWORD }
    return dataOf(open.auth.invitation.$post({ json }))
  }
  const leader = await addUser(`jefa-${email}`)
  await accept(leader.invitation ?? {})
  const own = (await createApiClient(service.api, `jefa-${email}`, PASSWORD)).people.users
  const made = await dataOf(own.$post({ json: { ...USER, role: 'employee', email } }))
  const { token } = await accept(made.invitation ?? {})
  await (await api(OTHER_ADMIN)).changeUser(`jefa-${email}`, { active: 0 })
  return { token, user: made.user }
}

const findUser = async (q: string) => {
  const { users } = (await api(OTHER_ADMIN)).people
  return (await dataOf(users.$get({ query: { q } }))).users[0]
}

it('lists who uses the console, and the users of the app only when asked', async () => {
  const page = await open('usuarios')
  await page.findByRole('link', { name: 'Ana Torres Rivas' })
  expect(page.queryAllByRole('link', { name: 'Luis Mendoza Peña' })).toEqual([])
  // No setting names the auditor's role.
  await choose(page, 'Rol', 'auditor')
  await expect.poll(() => page.queryAllByRole('listitem').length).toBe(1)
  const link = await page.findByRole('link', { name: 'Elena Fuentes Arce' })
  const path = link.href.split('#/')[1] ?? ''
  const user = await open(path)
  await fill(user, 'Apellido materno', 'Arce Ruiz')
  await press(user, 'Guardar')
  await user.findByText('Se guardó a Elena Fuentes Arce Ruiz.')
})

it('says what somebody else has changed, also after an act on the same page', async () => {
  const email = 'chayo@demo.mx'
  const { user } = await addUser(email, { role: 'employee' })
  const page = await open(`usuarios/${user.id}`)
  await fill(page, 'Apellido materno', 'Cruz')
  await (await api(OTHER_ADMIN)).changeUser(email, { mother_last_name: 'Luna' })
  await press(page, 'Cerrar sus sesiones')
  await press(await partOf(page, 'dialog'), 'Cerrar sus sesiones')
  await page.findByText('Apellido materno: antes vacío, ahora «Luna». Tú escribiste «Cruz».')
  expect((await page.findByLabelText('Apellido materno')).value).toBe('Cruz')
})

it('can save a user again whose password was cleared, on the page that asks for a link', async () => {
  const { token, user } = await setPasswordThroughSomebodyWhoLeft('lola@demo.mx')
  const page = await open(`usuarios/${user.id}`)
  await choose(page, 'Rol', 'admin')
  await press(page, 'Guardar')
  await page.findByText(/Puede más que antes: mándale un enlace nuevo\./)
  expect(await (await api()).isSignedIn(token)).toBe(false)
  // At once: the next save is based on what was saved, before the page has read it again.
  loseRequests(/^GET .*\/people\/users\//)
  await fill(page, 'Apellido materno', 'Cruz')
  await press(page, 'Guardar')
  await page.findByText('Se guardó a Lupe Rangel Cruz.')
})

it('does not offer users what they may not do to their own account', async () => {
  const ana = await findUser('ana.torres@demo.mx')
  const page = await open(`usuarios/${ana?.id}`)
  await page.findByText(/^Es tu usuario/)
  expect(page.queryByLabelText('Rol')).toBeNull()
  const main = await partOf(page, 'main')
  expect(main.queryAllByRole('button', { name: /Desactivar|enlace|sesiones/ })).toEqual([])
})

it('shows a heading on the page of a user who could not be read', async () => {
  const page = await open('usuarios/987654')
  await page.findByRole('heading', { name: 'No se pudo leer el usuario', level: 1 })
})

it('puts the focus into the first wrong field, and shows an error that belongs to none', async () => {
  const page = await open('usuarios/nuevo')
  await fill(page, 'Correo electrónico', 'lupe@demo.mx')
  await press(page, 'Invitar')
  await page.findByText('Escribe el nombre.')
  expect(focusedName()).toBe('first_name')
  const name = await page.findByLabelText('Nombre')
  expect(name.getAttribute('aria-describedby')).toMatch(/-first_name-problem$/)
  expect(name.getAttribute('aria-invalid')).toBe('true')
  await fill(page, 'Nombre', 'Lupe')
  expect(page.queryByText('Escribe el nombre.')).toBeNull()
  await choose(page, 'Rol', 'employee')
  await fill(page, 'Correo electrónico', 'ana.torres@demo.mx')
  await press(page, 'Invitar')
  await page.findByText(/^Ya hay un usuario/)
  expect(focusedName()).toBe('email')
})

it('closes a dialog when the address changes, and does nothing of it', async () => {
  const { user } = await addUser('nora@demo.mx', { role: 'employee' })
  const page = await open(`usuarios/${user.id}`)
  await press(page, 'Desactivar')
  await page.findByRole('dialog')
  go('usuarios')
  await page.findByRole('heading', { name: 'Usuarios', level: 1 })
  expect(page.queryAllByRole('dialog')).toEqual([])
  expect(await findUser('nora@demo.mx')).toMatchObject({ active: 1 })
})

it('keeps a half-filled user over a reload, until the form is left by its button', async () => {
  const typed = async (page: Place) => (await page.findByLabelText('Apellido materno')).value
  for (const path of ['usuarios/nuevo', 'usuarios/6']) {
    const page = await open(path)
    const before = await typed(page)
    await fill(page, 'Apellido materno', 'Olmos')
    const reloaded = await open(path)
    expect(await typed(reloaded)).toBe('Olmos')
    await press(reloaded, 'Volver', 'link')
    expect(await typed(await open(path))).toBe(before)
  }
})

it('keeps what was typed when somebody else has changed the user', async () => {
  const { user } = await addUser('lupe@demo.mx', { role: 'employee' })
  const page = await open(`usuarios/${user.id}`)
  await fill(page, 'Nombre', 'Guadalupe')
  await (await api(OTHER_ADMIN)).changeUser('lupe@demo.mx', { role: 'admin', last_name: 'Ríos' })
  await press(page, 'Guardar')
  await partAt('.conflicts', 'Rol: antes «employee», ahora «admin».')
  expect((await page.findByLabelText('Apellido paterno')).value).toBe('Ríos')
  await press(page, 'Guardar')
  await waitForMessage('Se guardó a Guadalupe')
  const saved = { first_name: 'Guadalupe', last_name: 'Ríos', role: 'admin', active: 1, version: 3 }
  expect(await findUser('lupe@demo.mx')).toMatchObject(saved)

  go(`usuarios/${user.id}`)
  const changes = async () => {
    const { element } = await partAt('section', 'Cambios')
    return Array.from(element.querySelectorAll('li'), ({ textContent }) => textContent)
  }
  await expect.poll(changes).toHaveLength(3)
  expect((await changes()).at(-1)).toMatch(
    /^Alta: Correo «lupe@demo.mx», Nombre «Lupe», Apellido paterno «Rangel», Rol «employee», Activo «sí»\.Enlace de invitación hasta el .*María José/,
  )
  // The message of the previous page is no longer shown.
  await expect.poll(() => textsAt('.toast [role=status]')).toEqual([''])
})

it('shows no technical fields, and keeps what was typed when reading the user again fails', async () => {
  const elena = await findUser('auditoria@despacho.mx')
  const page = await open(`usuarios/${elena?.id}`)
  await page.findByText(/^Alta: .*Nombre «Elena»/)
  expect(page.queryAllByText(/type_user|external|status_user|de nada/)).toEqual([])
  await fill(page, 'Nombre', 'Elena María')
  const stop = loseRequests(new RegExp(`^GET .*/people/users/${elena?.id}$`))
  await press(page, 'Cerrar sus sesiones')
  await press(await partOf(page, 'dialog'), 'Cerrar sus sesiones')
  await page.findByText(/No se pudo leer el usuario otra vez/)
  expect((await page.findByLabelText('Nombre')).value).toBe('Elena María')
  stop()
  await press(page, 'Reintentar')
  await expect.poll(() => page.queryByText(/No se pudo leer el usuario otra vez/)).toBeNull()
  expect((await page.findByLabelText('Nombre')).value).toBe('Elena María')
})

/** Acts when the page shows a text, before it draws a frame. */
const asSoonAs = (text: RegExp, act: () => void) => {
  const { document, MutationObserver } = globalThis as unknown as {
    document: { body: { textContent: string } }
    MutationObserver: new (
      look: () => void,
    ) => { observe: (body: object, what: object) => void; disconnect: () => void }
  }
  return new Promise<void>((resolve) => {
    const observer = new MutationObserver(() => {
      if (!text.test(document.body.textContent)) return
      observer.disconnect()
      act()
      resolve()
    })
    observer.observe(document.body, { childList: true, subtree: true, characterData: true })
  })
}

it('makes a key for a clock from the list of clocks, and shows it once', async () => {
  const page = await open('relojes')
  await press(page, 'Clave para el reloj reloj-norte', 'link')
  await page.findByRole('heading', { name: 'Usuario nuevo' })
  expect((await page.findByRole('checkbox', { name: /^Es una máquina/ })).checked).toBe(true)
  expect((await page.findByLabelText(/^Relojes de los que envía/)).value).toBe('reloj-norte')
  await fill(page, 'Correo electrónico', 'reloj-norte@demo.mx')
  await fill(page, 'Nombre', 'Reloj norte')
  await choose(page, 'Rol', 'reloj')
  await press(page, 'Agregar')
  await press(page, 'Hacer su clave', 'link')
  await press(page, 'Clave para el reloj')
  await press(await partOf(page, 'dialog'), 'Hacer la clave')
  const { value: token } = await page.findByRole('textbox', { name: 'Clave' })
  expect(await (await api()).isSignedIn(token)).toBe(true)
  await expect.poll(focusedText).toBe('Guarda esta clave en la máquina')
  expect(page.queryAllByRole('button', { name: /invitación/ })).toEqual([])
  const asked = vi.fn(() => false)
  vi.stubGlobal('confirm', asked)
  go('relojes')
  expect(asked).toHaveBeenCalledOnce()
  // From when the page says that the key was copied, it may be left.
  const left = asSoonAs(/Se copió\./, () => go('relojes'))
  await press(page, 'Copiar')
  await left
  expect(asked).toHaveBeenCalledOnce()
  vi.unstubAllGlobals()
  // The clock has a user now.
  await press(page, 'Clave para el reloj reloj-norte', 'link')
  await page.findByText(/Entra con reloj-norte@demo.mx\./)
})

it('renames and retires clocks and dismisses a problem in the list of clocks', async () => {
  const client = await api()
  const logs = [{ kind: 'entrada' as const, at: new Date().toISOString() }]
  await expect(client.record('X-404', logs)).rejects.toThrow('refused')
  await client.record('E-001', logs, 'planta/1')
  const page = await open('relojes')
  const CLOCK = 'main ul:not(.problems) > li'
  await press(page, 'Descartar X-404: esa persona no está dada de alta.')
  const dismissal = await partOf(page, 'dialog')
  await fill(dismissal, 'Motivo', 'Ya no trabaja aquí.')
  await press(dismissal, 'Descartar')
  await waitForMessage('El aviso se descartó.')
  await waitForNone('main li', 'X-404')
  await press(page, 'Cambiar el nombre de reloj-sur')
  await fill(page, 'Cómo le dicen las personas', 'Puerta sur')
  await press(await partOf(page, 'dialog'), 'Guardar')
  await waitForMessage('Ahora se llama Puerta sur.')
  await partAt(CLOCK, 'Puerta sur')
  await press(page, 'Retirar planta/1')
  await press(await partOf(page, 'dialog'), 'Retirar')
  await waitForNone(CLOCK, 'planta/1')
  for (let left = textsAt(CLOCK).length; left > 0; left--) {
    await expect.poll(() => textsAt(CLOCK).length).toBe(left)
    await press(await partAt(CLOCK), /^Retirar/)
    await press(await partOf(page, 'dialog'), 'Retirar')
    await waitForMessage('se retiró')
  }
  await page.findByRole('heading', { name: 'Todos los relojes están retirados' })
  await press(page, 'Ver los retirados')
  await partAt(CLOCK, 'Puerta sur')
  expect((await page.findByRole('checkbox', { name: 'Ver los retirados' })).checked).toBe(true)
})
