import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { axeViolations, lastMessage, useConsole } from '../support/console.ts'
import { aUser, done, failed, LINK, letKeepPeople } from '../support/console-people.ts'

const { open, signIn } = useConsole()

const openUsers = async (path: string, viewport = { width: 320, height: 640 }): Promise<Page> => {
  const page = await open({ signedIn: false, path, viewport })
  await letKeepPeople(page)
  const users = [aUser(1), aUser(20), aUser(21, { machine: true, role: 'reloj' })]
  await page.route(/people\/users(\?|$)/, (route) =>
    route.request().method() === 'GET'
      ? done(route, { users, next_cursor: null })
      : done(route, { user: aUser(30, route.request().postDataJSON()), invitation: LINK }),
  )
  await page.route(/people\/users\/\d+$/, (route) =>
    done(route, { user: users.find(({ id }) => route.request().url().endsWith(`/${id}`)) }),
  )
  await page.route(/people\/changes/, (route) => done(route, { changes: [], next_after: 0 }))
  await signIn(page)
  return page
}

it('invites somebody and shows the link once', async () => {
  const page = await openUsers('usuarios')
  await page.getByRole('link', { name: 'Lupe Número 20' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Invitar' }).click()
  await page.getByLabel('Correo electrónico').fill('lupe@demo.mx')
  await page.getByLabel('Nombre', { exact: true }).fill('Lupe')
  await page.getByRole('button', { name: 'Invitar' }).click()
  await page.getByText('Elige un rol.').waitFor()
  await page.getByLabel('Rol').selectOption('admin')
  await page.getByLabel('Solo algunas').check()
  await page.getByLabel('Norte', { exact: true }).check()
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('button', { name: 'Invitar' }).click()
  const body = (await sent).postDataJSON()
  expect(body).toMatchObject({ email: 'lupe@demo.mx', role: 'admin', scope_branches: ['Norte'] })
  expect(await page.getByLabel('Enlace de invitación').inputValue()).toBe(LINK.url)
  expect(await axeViolations(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
})

it('keeps what was typed when somebody else has changed the user', async () => {
  const page = await openUsers('usuarios/20')
  const bodies: unknown[] = []
  await page.route(/people\/users\/20$/, (route) => {
    if (route.request().method() === 'GET') return route.fallback()
    bodies.push(route.request().postDataJSON())
    const current = aUser(20, { role: 'admin', version: 4 })
    return bodies.length === 1 ? failed(route, 409, { current }) : done(route, { user: current })
  })
  await page.getByLabel('Nombre', { exact: true }).fill('Guadalupe')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await page.getByText('Rol: de employee a admin').waitFor()
  await page.getByRole('button', { name: 'Guardar' }).click()
  await lastMessage(page).getByText('Se guardó a Guadalupe').waitFor()
  expect(bodies).toMatchObject([
    { first_name: 'Guadalupe', role: 'employee', expected_version: 3 },
    { first_name: 'Guadalupe', role: 'admin', active: 1, expected_version: 4 },
  ])
})

it('shows the token of a machine once, and offers it no invitation', async () => {
  const page = await openUsers('usuarios/21')
  await page.route(/users\/21\/token/, (route) => done(route, { token: 'a-token' }))
  await page.getByRole('button', { name: 'Hacer un token' }).click()
  await page.getByRole('button', { name: 'Hacer el token' }).click()
  expect(await page.getByLabel('Token').inputValue()).toBe('a-token')
  expect(await page.getByRole('button', { name: /invitación/ }).count()).toBe(0)
})

it('does not offer what nobody may do to themself', async () => {
  const page = await openUsers('usuarios/1')
  await page.getByText('Es tu usuario').waitFor()
  expect(await page.getByLabel('Rol').count()).toBe(0)
  expect(await page.getByRole('button', { name: /Desactivar|enlace|sesiones/ }).count()).toBe(0)
})

it('names, retires and dismisses in the list of clocks', async () => {
  const page = await openUsers('relojes')
  const sent: unknown[] = []
  await page.route(/incidents\/sources\/./, (route) => {
    sent.push(route.request().postDataJSON())
    return done(route, null)
  })
  await page.getByRole('button', { name: 'Cambiar el nombre de reloj-sur' }).click()
  await page.getByLabel('Cómo le dicen las personas').fill('Puerta sur')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await lastMessage(page).getByText('Ahora se llama Puerta sur.').waitFor()
  await page.getByRole('button', { name: 'Retirar reloj-sur' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Retirar' }).click()
  await lastMessage(page).getByText('se retiró').waitFor()
  await page
    .getByRole('button', { name: /^Descartar/ })
    .first()
    .click()
  await page.getByLabel('Motivo').fill('Ya no trabaja aquí.')
  await page.getByRole('dialog').getByRole('button', { name: 'Descartar' }).click()
  await lastMessage(page).getByText('El aviso se descartó.').waitFor()
  expect(sent).toEqual([
    { label: 'Puerta sur', retired: false },
    { label: null, retired: true },
    { reason: 'Ya no trabaja aquí.' },
  ])
})
