import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { createClient, dataOf } from '../../sdk/api-client.ts'
import { saveScreenshot } from '../support/browser.ts'
import { download, go, OTHER_ADMIN, press, useConsole, waitForMessage } from '../support/console.ts'
import { dateDaysAgo } from '../support/console-api.ts'

const { open, api, service } = useConsole()

const asMaria = async () => {
  const { token } = await api(OTHER_ADMIN)
  const { employees } = createClient(new URL(service.api).origin, { token }).v2.people
  const read = async (employee_id: string) =>
    (await dataOf(employees[':employee_id'].$get({ param: { employee_id } }))).employee
  return {
    read,
    change: async (id: string, changes: object) => {
      const { employee_id, version, user: _, ...record } = await read(id)
      const json = { ...record, expected_version: version, ...changes }
      return dataOf(employees[':employee_id'].$put({ param: { employee_id }, json }))
    },
  }
}

const people = (page: Page) => page.locator('tbody tr')

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })

/** A form gets the focus in its next frame. What is typed before would go into its first field. */
const waitForFocus = (page: Page) =>
  expect.poll(() => page.evaluate("document.activeElement.closest('form') !== null")).toBe(true)

it('finds people by name, branch, department and employment, and keeps the filters in the URL', async () => {
  const page = await open()
  await page.getByRole('link', { name: 'Personas' }).click()
  await people(page).nth(12).waitFor()
  await page.getByLabel('Nombre o número').pressSequentially('mendoza')
  await expect.poll(() => people(page).count()).toBe(1)
  expect(await people(page).textContent()).toContain(
    'Mendoza Peña, LuisE-002 · Auxiliar de almacén · luis.mendoza@demo.mxNorteAlmacén',
  )
  await saveScreenshot(page, 'personas')
  await expect.poll(() => page.url()).toContain('q=mendoza')
  await page.getByLabel('Nombre o número').fill('')
  await page.getByLabel('Sucursal').selectOption('Sur')
  await expect.poll(() => people(page).count()).toBe(3)
  await page.getByLabel('Departamento').fill('Ventas')
  await expect
    .poll(() => people(page).allTextContents())
    .toEqual([expect.stringContaining('Salas Montaño, Íñigo')])
  await people(page).getByRole('link', { name: 'Salas Montaño, Íñigo' }).click()
  await page.getByRole('heading', { name: 'Íñigo Salas Montaño' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Personas' }).click()
  await expect.poll(() => people(page).count()).toBe(1)
  await page.getByLabel('Trabajan aquí').selectOption('Ya no')
  await page.getByText('Nadie coincide').waitFor()
})

it('stays on the page that was opened right after typing in a filter', async () => {
  const page = await open({ path: 'personas' })
  await people(page).nth(12).waitFor()
  await page.clock.install()
  await page.getByLabel('Nombre o número').fill('mendoza')
  await go(page, 'ayuda')
  await page.getByRole('heading', { name: 'Ayuda' }).first().waitFor()
  await page.clock.runFor(1_000)
  expect(page.url()).toMatch(/#\/ayuda$/)
})

it('sorts people by surname, by branch, and the other way round', async () => {
  const page = await open({ path: 'personas' })
  const names = () => people(page).getByRole('rowheader').getByRole('link').allTextContents()
  await expect
    .poll(async () => (await names()).slice(0, 2))
    .toEqual(['Cárdenas Solís, Renata', 'Castañeda Luna, Sofía'])
  await page.getByRole('button', { name: 'Persona' }).click()
  await expect.poll(async () => (await names())[0]).toBe('Zúñiga Robles, Héctor')
  expect(await page.getByRole('columnheader', { name: 'Persona' }).getAttribute('aria-sort')).toBe(
    'descending',
  )
  await page.getByRole('button', { name: 'Sucursal' }).click()
  await expect.poll(() => people(page).first().textContent()).toContain('Centro')
  await people(page)
    .first()
    .getByRole('link', { name: /^Checadas/ })
    .click()
  await page.waitForURL('**/#/checadas?employee_id=*')
})

it('moves several people to a branch at once, and gives what is shown as CSV', async () => {
  const ana = await api()
  for (const [id, name] of [
    ['00077', 'Rita Vidal Mora'],
    ['M-2', 'Saúl Vidal Mora'],
  ] as const) {
    await ana.addEmployee(id, name)
    await ana.changeEmployee(id, { branch_office: 'Norte 1' })
  }
  const page = await open({ path: 'personas?q=Vidal&branch_office=Norte+1' })
  await expect.poll(() => people(page).count()).toBe(2)
  const selectAll = page.getByRole('checkbox', { name: 'Seleccionar 2 personas' })
  await selectAll.check()
  await page.getByRole('button', { name: 'Cambiar los datos de 2 personas…' }).click()
  const dialog = page.getByRole('dialog')
  const save = dialog.getByRole('button', { name: 'Guardar los cambios de 2 personas' })
  await save.click()
  await dialog.getByText('Elige a dónde.').waitFor()
  await dialog.getByLabel('A dónde').selectOption('Norte')
  // Somebody else changes one of them meanwhile. Then nobody is moved.
  await ana.changeEmployee('M-2', { job_position: 'Guardia' })
  await save.click()
  await dialog.getByText(/^Saúl Vidal Mora \(M-2\): /).waitFor()
  await page.reload()
  expect(await people(page).first().textContent()).toContain('Norte 1')
  await selectAll.check()
  await page.getByRole('button', { name: 'Cambiar los datos de 2 personas…' }).click()
  await dialog.getByLabel('A dónde').selectOption('Norte')
  await save.click()
  await waitForMessage(page, 'Se guardaron los cambios de 2 personas.')
  await expect.poll(() => page.getByText('Norte 1').count()).toBe(0)
  expect(await selectAll.isChecked()).toBe(false)

  const { name, bytes } = await download(page, page.getByRole('button', { name: /^CSV/ }))
  const lines = bytes.toString().split('\r\n')
  expect(name).toBe('personas.csv')
  expect(lines[0]).toMatch(/^\ufeffNúmero,Nombre completo,RFC,Sucursal,/)
  expect(lines[1]).toMatch(/^"=""00077""",Rita Vidal Mora,/)
})

it('adds somebody with the keyboard, after the warnings have been confirmed', async () => {
  const page = await open({ path: 'personas' })
  await people(page).first().waitFor()
  await page.getByRole('link', { name: 'Agregar persona' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('employee_id')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Escribe su número.').waitFor()
  await field(page, 'Número').focus()
  await page.keyboard.type('e-0013')
  for (const text of ['Tomás Ñúñez', 'MEPL760907AJ6', 'Oriente', 'ventas', 'Cajero', '']) {
    await page.keyboard.press('Tab')
    await page.keyboard.type(text)
  }
  await field(page, 'Ingreso').fill('2026-11-23')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Todavía no se guarda').waitFor()
  const warning = (name: string) => page.locator(`[id$="-${name}-hint"]`).textContent()
  expect(await warning('rfc')).toBe('También lo tiene E-002.')
  expect(await warning('branch_office')).toBe('Nadie más está en esta sucursal.')
  expect(await warning('department')).toBe(
    'Nadie más está en este departamento. ¿Es «Ventas»?Sí, es «Ventas»',
  )
  await saveScreenshot(page, 'personas-avisos')
  const maria = await asMaria()
  await expect(maria.read('e-0013')).rejects.toThrow('No existe')
  await press(page, 'Sí, es «Ventas»')
  expect(await field(page, 'Departamento').inputValue()).toBe('Ventas')
  // A corrected field has other warnings, which are confirmed anew.
  await field(page, 'Sucursal').fill('Sur')
  await page.getByLabel('Leí los avisos y es correcto').check()
  await Promise.all([page.waitForResponse('**/bulk'), page.keyboard.press('Control+Enter')])
  await expect.poll(() => page.getByText('Nadie más está en esta sucursal.').count()).toBe(0)
  await page.getByLabel('Leí los avisos y es correcto').check()
  await page.keyboard.press('Control+Enter')
  await waitForMessage(page, 'Se agregó a Tomás Ñúñez.')
  await page.getByText(/^Alta: Número «e-0013»|^Alta: Nombre completo «Tomás Ñúñez»/).waitFor()
  expect(await maria.read('e-0013')).toMatchObject({ branch_office: 'Sur', version: 1 })
})

it('shows what somebody else changed, keeps what was typed, and goes on from there', async () => {
  const maria = await asMaria()
  const page = await open({ path: 'personas/persona?id=E-006&hacer=editar' })
  await waitForFocus(page)
  await field(page, 'Puesto').fill('Gerente')
  await field(page, 'Teléfono').fill('5550000000')
  await maria.change('E-006', { job_position: 'Asesor', department: 'Operaciones' })
  await press(page, 'Guardar')
  await page.getByText('Alguien guardó otros datos mientras escribías.').waitFor()
  expect(await page.locator('.conflicts li').allTextContents()).toEqual([
    'Departamento: antes «Ventas», ahora «Operaciones».',
    'Puesto: antes «Ejecutivo de ventas», ahora «Asesor». Tú escribiste «Gerente».',
  ])
  expect(await field(page, 'Puesto').inputValue()).toBe('Gerente')
  expect(await field(page, 'Departamento').inputValue()).toBe('Operaciones')
  await saveScreenshot(page, 'personas-cambio-de-otra')
  await press(page, 'Guardar sobre lo de ahora')
  await waitForMessage(page, 'Se guardó a Íñigo Salas Montaño.')
  expect(await maria.read('E-006')).toMatchObject({
    job_position: 'Gerente',
    department: 'Operaciones',
    phone: '5550000000',
    version: 3,
  })
  const changes = page.locator('section', { hasText: 'Cambios' }).locator('li')
  // The import of the demo data added everybody.
  await expect.poll(() => changes.count()).toBe(3)
  expect(await changes.first().textContent()).toMatch(
    /Puesto: antes «Asesor», ahora «Gerente»\.Ana Torres Rivas, \d\d\/\d\d\/\d{4}, \d\d:/,
  )
  expect(await changes.nth(1).textContent()).toContain('María José Hernández Núñez')
  expect(await changes.last().textContent()).toContain('Quien opera el servicio')
  expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
})

it('treats a write whose response was lost as done', async () => {
  const maria = await asMaria()
  const page = await open({ path: 'personas/persona?id=E-007&hacer=editar' })
  await waitForFocus(page)
  await field(page, 'Celular').fill('5599999999')
  let lost = 0
  await page.route('**/people/employees/E-007', async (route) => {
    if (route.request().method() !== 'PUT' || lost++ > 0) return route.continue()
    await route.fetch()
    await route.abort()
  })
  await press(page, 'Guardar')
  await page.getByText('El servicio no respondió.').waitFor()
  await press(page, 'Guardar')
  await waitForMessage(page, 'Se guardó a Sofía Castañeda Luna.')
  expect(await maria.read('E-007')).toMatchObject({ cellphone: '5599999999', version: 2 })
})

it('moves somebody, records their last day while their user stays active, and hires them again', async () => {
  const maria = await asMaria()
  const page = await open({ path: 'personas/persona?id=E-005' })
  await page.getByRole('link', { name: 'Cambiar de sucursal' }).click()
  await field(page, 'Sucursal').fill('Norte')
  await press(page, 'Cambiar de sucursal')
  await waitForMessage(page, 'Se guardó a Guadalupe Ibarra Cruz.')
  await page.locator('.facts').getByText('Norte').waitFor()

  const today = dateDaysAgo(0)
  await page.getByRole('link', { name: 'Último día' }).click()
  await field(page, 'Último día').fill(today)
  await page.getByLabel(/^Desactivar también su usuario \(guadalupe.ibarra@demo.mx\)/).check()
  await press(page, 'Registrar último día')
  await page.getByText(/Solo se desactiva el usuario de una persona/).waitFor()
  await page.getByLabel(/^Desactivar/).uncheck()
  await press(page, 'Registrar último día')
  await page.getByRole('link', { name: 'Recontratar' }).waitFor()
  expect(await maria.read('E-005')).toMatchObject({ ended_at: today, user: { active: 1 } })

  await page.getByRole('link', { name: 'Recontratar' }).click()
  await waitForFocus(page)
  await field(page, 'Puesto').fill('Cajera')
  await press(page, 'Recontratar')
  await page.getByText('Pon su primer día de trabajo.').waitFor()
  await field(page, 'Ingreso').fill(today)
  await press(page, 'Recontratar')
  await page.getByText(/con checadas aprobadas antes del nuevo primer día/).waitFor()
  await page.getByLabel('Leí los avisos y es correcto').check()
  await press(page, 'Recontratar')
  await page.getByRole('link', { name: 'Último día' }).waitFor()
  expect(await maria.read('E-005')).toMatchObject({
    started_at: today,
    ended_at: null,
    branch_office: 'Norte',
    job_position: 'Cajera',
  })
})

it('deletes only somebody to whom nothing refers', async () => {
  const maria = await asMaria()
  const page = await open({ path: 'personas/persona?id=E-002' })
  await press(page, 'Borrar (número equivocado)')
  await press(page, 'Borrar E-002')
  await page.getByText('Ya tiene checadas, usuario o cierres: no se borra.').waitFor()
  await page.keyboard.press('Escape')
  const wrong = 'A/B #1%?'
  const { version: _, user: __, employee_id: ___, ...record } = await maria.read('E-002')
  const { token } = await api(OTHER_ADMIN)
  await fetch(`${service.api}/v2/people/employees/${encodeURIComponent(wrong)}`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...record, rfc: '', expected_version: 0 }),
  })
  await go(page, `personas/persona?id=${encodeURIComponent(wrong)}`)
  await press(page, 'Borrar (número equivocado)')
  await press(page, `Borrar ${wrong}`)
  await waitForMessage(page, `Se borró ${wrong}.`)
  await people(page).nth(12).waitFor()
})
