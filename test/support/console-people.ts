import type { Page, Route } from 'playwright-core'

/** Answers in place of the endpoints of users and invitations, in their documented form. */

export const LINK = {
  url: `https://checada.empresa.mx/revision/#/invitacion/${'a'.repeat(43)}`,
  expires_at: '2026-11-27T10:00:00.000Z',
}

export const aUser = (id: number, more = {}) => ({
  id,
  email: `p${id}@demo.mx`,
  first_name: 'Lupe',
  last_name: `Número ${id}`,
  mother_last_name: '',
  role: 'employee',
  active: 1,
  machine: false,
  employee_id: null,
  scope_branches: null,
  sources: null,
  has_password: true,
  invitation_expires_at: null,
  version: 3,
  ...more,
})

export const done = (route: Route, data: unknown) =>
  route.fulfill({ json: { success: true, message: '', data } })

export const failed = (route: Route, status: number, more = {}) =>
  route.fulfill({ status, json: { success: false, message: 'No se pudo.', data: null, ...more } })

/** Lets the signed-in user keep users and people. */
export const letKeepPeople = (page: Page) =>
  page.route(/incidents\/settings/, async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    if (!json.data) return route.fulfill({ response })
    Object.assign(json.data, { roles: ['admin', 'employee'], machine_roles: ['reloj'] })
    Object.assign(json.data.user, { may_keep_people: true, may_keep_users: true })
    await route.fulfill({ response, json })
  })
