// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { createClient, dataOf, type EmployeeBody } from '../../sdk/api-client.ts'
import { dateDaysAgo, OTHER_ADMIN } from '../support/console-api.ts'
import {
  answerWith,
  choose,
  fill,
  focusedText,
  go,
  loseRequests,
  partAt,
  partOf,
  press,
  shownAddress,
  textsAt,
  usePages,
  waitForMessage,
  waitForNone,
} from '../support/dom-page.ts'

const { open, api, service } = usePages()

const readPerson = async (employee_id: string) => {
  const { token } = await api(OTHER_ADMIN)
  const { employees } = createClient(new URL(service.api).origin, { token }).v2.people
  const param = { employee_id: encodeURIComponent(employee_id) }
  return (await dataOf(employees[':employee_id'].$get({ param }))).employee
}

/** Changes a person as the other administrator does. */
const changePerson = async (id: string, fields: Partial<EmployeeBody>) =>
  (await api(OTHER_ADMIN)).changeEmployee(id, fields)

const PERSON = 'tbody tr'

const names = () => textsAt(`${PERSON} [scope=row] a`)

it('refuses a number that somebody has, and keeps what was typed over a reload', async () => {
  const page = await open('personas/agregar')
  await fill(page, 'Número', 'E-005')
  await fill(page, 'Nombre completo', 'Otra persona')
  await fill(page, 'Ingreso', '2026-11-23')
  await press(page, 'Agregar')
  await page.findByText('Ese número ya es de Guadalupe Ibarra Cruz.')
  expect((await readPerson('E-005')).version).toBe(1)
  const reloaded = await open('personas/agregar')
  expect((await reloaded.findByLabelText('Nombre completo')).value).toBe('Otra persona')
})

it('refuses a last day before a paid day, and names the closing and the day', async () => {
  const page = await open('personas/persona?id=E-010&hacer=baja')
  await press(page, 'Registrar último día')
  await page.findByText('Pon su último día de trabajo.')
  await fill(page, 'Último día', '2026-01-15')
  await press(page, 'Registrar último día')
  await page.findByText(/El cierre \d+ pagó el \d\d\/\d\d\/\d{4}, después del último día/)
  const link = await page.findByRole('link', { name: /^Ver el cierre \d+$/ })
  expect(link.href).toMatch(/cierre=\d+$/)
  const day = await page.findByLabelText('Último día')
  expect(day.getAttribute('aria-invalid')).toBe('true')
  expect((await readPerson('E-010')).ended_at).toBeNull()
})

it('records a last day in the past, and deactivates the user', async () => {
  // No closing has paid this person's days.
  const page = await open('personas/persona?id=E-008&hacer=baja')
  const lastDay = dateDaysAgo(2)
  await fill(page, 'Último día', lastDay)
  await press(page, /^Desactivar/, 'checkbox')
  await press(page, 'Registrar último día')
  await page.findByText('Se guardó a Héctor Zúñiga Robles.')
  expect(await readPerson('E-008')).toMatchObject({ ended_at: lastDay, user: { active: 0 } })
  go('personas/persona?id=E-008')
  await page.findByRole('link', { name: 'Recontratar' })
  await page.findByText('hector.zuniga@demo.mx (desactivado)')
})

it('offers no act on the user’s own record, and none that does not exist', async () => {
  const page = await open('personas/persona?id=E-001')
  await page.findByText('Tu propio registro lo cambia otra persona.')
  expect(page.queryAllByRole('link', { name: 'Editar' })).toEqual([])
  go('personas/persona?id=E-009&hacer=constructor')
  await page.findByRole('heading', { name: 'Itzel Ramírez Ochoa' })
  await page.findByRole('heading', { name: 'Cambios' })
})

it('finds people by name, branch, department and employment, and keeps the filters in the URL', async () => {
  const page = await open('')
  await press(await partOf(page, 'navigation', 'Secciones'), 'Personas', 'link')
  const people = () => textsAt(PERSON)
  await expect.poll(() => people().length).toBeGreaterThan(12)
  await fill(page, 'Nombre o número', 'mendoza')
  await expect
    .poll(people)
    .toEqual([
      expect.stringContaining(
        'Mendoza Peña, LuisE-002 · Auxiliar de almacén · luis.mendoza@demo.mxNorteAlmacén',
      ),
    ])
  await expect.poll(shownAddress).toContain('q=mendoza')
  await fill(page, 'Nombre o número', '')
  await choose(page, 'Sucursal', 'Sur')
  await expect.poll(() => people().length).toBe(3)
  await fill(page, 'Departamento', 'Ventas')
  await expect.poll(people).toEqual([expect.stringContaining('Salas Montaño, Íñigo')])
  await press(page, 'Salas Montaño, Íñigo', 'link')
  await page.findByRole('heading', { name: 'Íñigo Salas Montaño' })
  await press(await partOf(page, 'main'), 'Personas', 'link')
  await expect.poll(() => people().length).toBe(1)
  await choose(page, 'Trabajan aquí', 'false')
  await page.findByText('Nadie coincide')
})

it('sorts people by surname, by branch, and the other way round', async () => {
  const page = await open('personas')
  await expect
    .poll(() => names().slice(0, 2))
    .toEqual(['Cárdenas Solís, Renata', 'Castañeda Luna, Sofía'])
  await press(page, 'Persona')
  await expect.poll(() => names()[0]).toBe('Zúñiga Robles, Héctor')
  const header = await page.findByRole('columnheader', { name: 'Persona' })
  expect(header.getAttribute('aria-sort')).toBe('descending')
  await press(page, 'Sucursal')
  await expect.poll(() => textsAt(PERSON)[0]).toContain('Centro')
  await press(await partAt(PERSON), /^Checadas/, 'link')
  await expect.poll(shownAddress).toContain('checadas?employee_id=')
})

it('moves several people to a branch at once, unless somebody else has changed one', async () => {
  const ana = await api()
  for (const [id, name] of [
    ['00077', 'Rita Vidal Mora'],
    ['M-2', 'Saúl Vidal Mora'],
  ] as const) {
    await ana.addEmployee(id, name)
    await ana.changeEmployee(id, { branch_office: 'Norte 1' })
  }
  const list = 'personas?q=Vidal&branch_office=Norte+1'
  const page = await open(list)
  const ask = async () => {
    await press(page, 'Seleccionar 2 personas', 'checkbox')
    await press(page, 'Cambiar los datos de 2 personas…')
    return partOf(page, 'dialog')
  }
  const refused = await ask()
  await press(refused, 'Guardar los cambios de 2 personas')
  await refused.findByText('Elige a dónde.')
  await choose(refused, 'A dónde', 'Norte')
  // Somebody else changes one of them meanwhile. Then nobody is moved.
  await ana.changeEmployee('M-2', { job_position: 'Guardia' })
  await press(refused, 'Guardar los cambios de 2 personas')
  await refused.findByText(/^Saúl Vidal Mora \(M-2\): /)
  await open(list)
  await partAt(PERSON, 'Norte 1')
  const dialog = await ask()
  await choose(dialog, 'A dónde', 'Norte')
  await press(dialog, 'Guardar los cambios de 2 personas')
  await waitForMessage('Se guardaron los cambios de 2 personas.')
  await waitForNone(PERSON, 'Norte 1')
  expect((await page.findByRole('checkbox', { name: 'Seleccionar 2 personas' })).checked).toBe(
    false,
  )
})

it('shows what somebody else changed, keeps what was typed, and goes on from there', async () => {
  const page = await open('personas/persona?id=E-006&hacer=editar')
  await fill(page, 'Puesto', 'Gerente')
  await fill(page, 'Teléfono', '5550000000')
  await changePerson('E-006', { job_position: 'Asesor', department: 'Operaciones' })
  await press(page, 'Guardar')
  await page.findByText(/^Alguien guardó otros datos mientras escribías\./)
  expect(textsAt('.conflicts li')).toEqual([
    'Departamento: antes «Ventas», ahora «Operaciones».',
    'Puesto: antes «Ejecutivo de ventas», ahora «Asesor». Tú escribiste «Gerente».',
  ])
  expect((await page.findByLabelText('Puesto')).value).toBe('Gerente')
  expect((await page.findByLabelText('Departamento')).value).toBe('Operaciones')
  await press(page, 'Guardar sobre lo de ahora')
  await waitForMessage('Se guardó a Íñigo Salas Montaño.')
  expect(await readPerson('E-006')).toMatchObject({
    job_position: 'Gerente',
    department: 'Operaciones',
    phone: '5550000000',
    version: 3,
  })
  const changes = async () => {
    const { element } = await partAt('section', 'Cambios')
    return Array.from(element.querySelectorAll('li'), ({ textContent }) => textContent)
  }
  // The import of the demo data added everybody.
  await expect.poll(changes).toHaveLength(3)
  const [newest, older, oldest] = await changes()
  expect(newest).toMatch(
    /Puesto: antes «Asesor», ahora «Gerente»\.Ana Torres Rivas, \d\d\/\d\d\/\d{4}, \d\d:/,
  )
  expect(older).toContain('María José Hernández Núñez')
  expect(oldest).toContain('Quien opera el servicio')
  await expect.poll(focusedText).toBe('Íñigo Salas Montaño')
})

it('moves people whose move was saved, although its response or the settings were lost', async () => {
  const page = await open('personas?q=Soto')
  await press(page, 'Seleccionar 1 persona', 'checkbox')
  await press(page, 'Cambiar los datos de 1 persona…')
  const dialog = await partOf(page, 'dialog')
  await choose(dialog, 'A dónde', 'Sur')
  const stop = answerWith(/^POST .*\/employees\/bulk/, async (send) => {
    stop()
    await send()
    throw new TypeError('The connection was reset.')
  })
  await press(dialog, 'Guardar los cambios de 1 persona')
  await dialog.findByText(/El servicio no respondió\./)
  loseRequests(/^GET .*\/settings/)
  await press(dialog, 'Guardar los cambios de 1 persona')
  await waitForMessage('Se guardaron los cambios de 1 persona.')
  await waitForNone('dialog')
})

it('treats a write whose response was lost as done', async () => {
  const page = await open('personas/persona?id=E-007&hacer=editar')
  await fill(page, 'Celular', '5599999999')
  const stop = answerWith(/^PUT .*\/people\/employees\/E-007/, async (send) => {
    stop()
    await send()
    throw new TypeError('The connection was reset.')
  })
  await press(page, 'Guardar')
  await page.findByText(/El servicio no respondió\./)
  await press(page, 'Guardar')
  await waitForMessage('Se guardó a Sofía Castañeda Luna.')
  expect(await readPerson('E-007')).toMatchObject({ cellphone: '5599999999', version: 2 })
})

it('moves somebody, records their last day while their user stays active, and hires them again', async () => {
  const page = await open('personas/persona?id=E-005')
  await press(page, 'Cambiar de sucursal', 'link')
  await fill(page, 'Sucursal', 'Norte')
  await press(page, 'Cambiar de sucursal')
  await waitForMessage('Se guardó a Guadalupe Ibarra Cruz.')
  await partAt('.facts', 'Norte')

  const today = dateDaysAgo(0)
  await press(page, 'Último día', 'link')
  await fill(page, 'Último día', today)
  const box = /^Desactivar también su usuario \(guadalupe.ibarra@demo.mx\)/
  await press(page, box, 'checkbox')
  await press(page, 'Registrar último día')
  await page.findByText(/Solo se desactiva el usuario de una persona/)
  await press(page, box, 'checkbox')
  await press(page, 'Registrar último día')
  await page.findByRole('link', { name: 'Recontratar' })
  expect(await readPerson('E-005')).toMatchObject({ ended_at: today, user: { active: 1 } })

  await press(page, 'Recontratar', 'link')
  await fill(page, 'Puesto', 'Cajera')
  await press(page, 'Recontratar')
  await page.findByText('Pon su primer día de trabajo.')
  await fill(page, 'Ingreso', today)
  await press(page, 'Recontratar')
  await page.findByText(/con checadas aprobadas antes del nuevo primer día/)
  await press(page, 'Leí los avisos y es correcto', 'checkbox')
  await press(page, 'Recontratar')
  await page.findByRole('link', { name: 'Último día' })
  expect(await readPerson('E-005')).toMatchObject({
    started_at: today,
    ended_at: null,
    branch_office: 'Norte',
    job_position: 'Cajera',
  })
})

it('deletes only somebody to whom nothing refers', async () => {
  // Without a filter, the list has everybody afterwards.
  const page = await open('personas')
  await partAt(PERSON)
  go('personas/persona?id=E-002')
  await press(page, 'Borrar (número equivocado)')
  await press(page, 'Borrar E-002')
  await page.findByText(/^Ya tiene checadas, usuario o cierres: no se borra\./)
  const wrong = 'A/B #1%?'
  const { version: _, user: __, employee_id: ___, ...record } = await readPerson('E-002')
  const { token } = await api(OTHER_ADMIN)
  await fetch(`${service.api}/v2/people/employees/${encodeURIComponent(wrong)}`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...record, rfc: '', expected_version: 0 }),
  })
  go(`personas/persona?id=${encodeURIComponent(wrong)}`)
  await press(page, 'Borrar (número equivocado)')
  await press(page, `Borrar ${wrong}`)
  await waitForMessage(`Se borró ${wrong}.`)
  await expect.poll(() => textsAt(PERSON).length).toBeGreaterThan(12)
})
