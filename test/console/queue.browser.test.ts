import { expect, it } from 'vitest'
import { DEMO_EMPLOYEE } from '../../cli/demo/demo-data.ts'
import { saveScreenshot } from '../support/browser.ts'
import {
  axeViolations,
  expectAccessible,
  focusedLog,
  go,
  PHONE,
  rows,
  SCREENS,
  useConsole,
  waitForMessage,
} from '../support/console.ts'
import { dateDaysAgo, daysAgo } from '../support/console-api.ts'

const { open, api, service, signIn, takeProblems } = useConsole()

it('redirects / to the sign-in, shows today after it, and lists the logs, the oldest first', async () => {
  const page = await open({ signedIn: false })
  await page.goto(new URL(service.api).origin)
  expect(new URL(page.url()).pathname).toBe('/revision/')
  expect(await page.locator('main').ariaSnapshot()).toMatchInlineSnapshot(`
    "- main:
      - heading "Revisión de checadas" [level=1]
      - paragraph: Entra con tu cuenta para revisar lo que espera antes del cierre.
      - text: Correo electrónico
      - textbox "Correo electrónico"
      - text: Contraseña
      - textbox "Contraseña"
      - button "Entrar"
      - paragraph: ¿Olvidaste tu contraseña? Pide a tu empresa un enlace nuevo.
      - paragraph:
        - text: ¿Integras un reloj o una app?
        - link "Referencia de la API":
          - /url: /docs"
  `)

  await page.getByLabel('Correo electrónico').fill('ana.torres@demo.mx')
  await page.getByLabel('Contraseña').fill('otra')
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await page.getByText('El correo electrónico o la contraseña no son correctos.').waitFor()
  await signIn(page)

  await page.getByRole('heading', { name: /^Hoy/ }).waitFor()
  await page.getByRole('link', { name: /^\d+ checadas por revisar$/ }).click()
  await rows(page).first().waitFor()
  const days = await page.locator('.of-day h2').allTextContents()
  expect(days.length).toBeGreaterThan(1)
  const hidden = (await rows(page).first().ariaSnapshot()).replace(/\d/g, '0')
  expect(hidden).toMatchInlineSnapshot(`
    "- listitem:
      - 'checkbox "Seleccionar: Héctor Zúñiga Robles, entrada 00:00"'
      - link "Héctor Zúñiga Robles":
        - /url: "#/checadas/00"
      - paragraph: E-000 · Sistemas · Centro
      - paragraph:
        - text: Entrada
        - strong: 00:00
      - list "Checadas de ese día":
        - listitem: Entrada 00:00 por revisar
        - listitem: Salida 00:00 aprobada
      - paragraph: Importada
      - 'button "Aprobar: Héctor Zúñiga Robles, entrada 00:00"': Aprobar
      - 'button "Rechazar: Héctor Zúñiga Robles, entrada 00:00"': Rechazar"
  `)
})

it('does not sign in a user who may not review logs', async () => {
  const page = await open({ signedIn: false })
  await signIn(page, DEMO_EMPLOYEE)
  await page.getByText('Tu usuario no revisa checadas.').waitFor()
  expect(await page.evaluate("sessionStorage.getItem('checada.token')")).toBeNull()
})

it('lets a user decide thirty logs with only the keyboard', async () => {
  const ana = await api()
  const before = await ana.count({})
  const page = await open({ signedIn: false })

  await expect.poll(() => page.evaluate('document.activeElement?.type')).toBe('email')
  await page.keyboard.type('ana.torres@demo.mx')
  await page.keyboard.press('Tab')
  await page.keyboard.type('checada-demo')
  await page.keyboard.press('Enter')
  await rows(page).first().waitFor()
  await page.keyboard.press('j')

  const decided: number[] = []
  for (let i = 1; i <= 30; i++) {
    const log = await focusedLog(page)
    expect(decided).not.toContain(log)
    decided.push(log)
    if (i % 10 === 0) {
      await page.keyboard.press('r')
      await page.getByRole('textbox', { name: 'Motivo' }).waitFor()
      await page.keyboard.type('La hora no coincide con tu turno.')
      await page.keyboard.press('Tab')
      await page.getByRole('button', { name: 'Rechazar 1 checada' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    } else {
      await page.keyboard.press('a')
    }
    await expect.poll(() => focusedLog(page)).not.toBeOneOf([0, log])
  }

  await expect.poll(async () => (await ana.count({})).pending).toBe(before.pending - 30)
  const after = await ana.count({})
  expect(after.approved - before.approved).toBe(27)
  expect(after.rejected - before.rejected).toBe(3)
  const { history } = await ana.read(decided[9] ?? 0)
  expect(history[0]).toMatchObject({
    to_status: 'rejected',
    comment: 'La hora no coincide con tu turno.',
  })

  // The last decision was a rejection. The key Z undoes it, with an entry in the log's history.
  await page.keyboard.press('z')
  await expect.poll(async () => (await ana.count({})).rejected).toBe(before.rejected + 2)
  expect((await ana.read(decided[29] ?? 0)).history[0]).toMatchObject({
    from_status: 'rejected',
    to_status: 'pending',
    comment: 'Se deshizo la decisión anterior; queda en revisión.',
  })
  await waitForMessage(page, 'Se deshizo')
})

it('ignores its shortcuts in text fields, with Ctrl, and if they are switched off', async () => {
  const ana = await api()
  const { pending } = await ana.count({})
  const page = await open()
  await rows(page).first().waitFor()

  await page.keyboard.press('/')
  const search = page.getByRole('combobox', { name: 'Persona' })
  await expect.poll(() => page.evaluate('document.activeElement?.role')).toBe('combobox')
  await page.keyboard.type('ajax?')
  expect(await search.inputValue()).toBe('ajax?')
  await search.fill('')
  await search.blur()

  await page.keyboard.press('j')
  const first = await focusedLog(page)
  await page.keyboard.press('x')
  expect(await rows(page).first().getByRole('checkbox').isChecked()).toBe(true)
  await page.keyboard.press('x')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Atajos de teclado' }).waitFor()
  await page.getByLabel('Usar estos atajos en este equipo').uncheck()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await rows(page).first().getByRole('link').focus()
  for (const key of ['a', 'r', 'j', '?']) await page.keyboard.press(key)
  expect(await focusedLog(page)).toBe(first)
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect((await ana.count({})).pending).toBe(pending)
})

it('decides one row while a key is held', async () => {
  const ana = await api()
  const { approved } = await ana.count({})
  const page = await open()
  await rows(page).first().waitFor()
  await page.keyboard.press('j')
  const first = await focusedLog(page)
  // The second and later ones are the repetitions of a key that is held.
  await page.keyboard.down('a')
  await expect.poll(() => focusedLog(page)).not.toBeOneOf([0, first])
  const next = await focusedLog(page)
  await page.keyboard.down('a')
  await page.keyboard.down('a')
  await page.keyboard.up('a')
  // Another key shows that the page has handled them.
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Atajos de teclado' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(async () => (await ana.count({})).approved).toBe(approved + 1)
  expect((await ana.read(next)).status).toBe('pending')
})

it('decides no selected logs while another page than their list is open', async () => {
  const page = await open()
  for (const row of [rows(page).nth(0), rows(page).nth(1)]) await row.getByRole('checkbox').check()
  await go(page, 'horas')
  await page.getByRole('heading', { name: /^Horas/, level: 1 }).waitFor()
  await rows(page).first().waitFor({ state: 'detached' })
  for (const key of ['a', 'r', '?']) await page.keyboard.press(key)
  // While the dialog of a decision is open, the help would not be opened.
  await page.getByRole('dialog', { name: 'Atajos de teclado' }).waitFor()
  await page.keyboard.press('Escape')
  await page.goBack()
  await rows(page).first().waitFor()
  await page.keyboard.press('a')
  await page.getByRole('dialog', { name: 'Aprobar 2 checadas' }).waitFor()
})

it('lists old pending logs too after a list that begins 30 days ago', async () => {
  await (await api()).record('E-003', [{ kind: 'entrada', at: daysAgo(44, '14:00') }])
  const page = await open()
  await rows(page).first().waitFor()
  const tab = (name: string) =>
    page.getByRole('navigation', { name: 'Estado' }).getByRole('link', { name })
  const heading = page.getByRole('heading', { level: 1 })
  await expect.poll(() => heading.textContent()).toMatch(/^Por revisar\d/)
  const pending = (await heading.textContent()) ?? ''
  await tab('Aprobadas').click()
  await expect.poll(() => heading.textContent()).toMatch(/^Aprobadas\d/)
  expect(await page.getByLabel('Desde').inputValue()).toBe(dateDaysAgo(30))
  // Another change of the filter does not make the default a chosen date either.
  await page.getByLabel('Tipo').selectOption('entrada')
  await expect.poll(() => page.url()).toContain('kind=entrada')
  await page.getByLabel('Tipo').selectOption('')
  await expect.poll(() => page.url()).not.toContain('kind=')
  await tab('Por revisar').click()
  await expect.poll(() => heading.textContent()).toBe(pending)
  expect(page.url()).not.toContain('from=')
})

it('filters by branch, status, department and person, and shows the filters', async () => {
  const page = await open()
  await rows(page).first().waitFor()
  const branch = page
    .getByRole('navigation', { name: 'Sucursales' })
    .getByRole('link', { name: /^Sur/ })
  // The count of a branch comes after its name.
  await expect.poll(() => branch.textContent()).toMatch(/^Sur\s*\d/)
  const count = Number((await branch.textContent())?.replace(/\D/g, ''))
  await branch.click()
  await expect
    .poll(() => page.getByRole('heading', { level: 1 }).textContent())
    .toBe(`Por revisar${count}`)
  // Until the rows of this branch come, the others are shown as such.
  await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
  for (const text of await rows(page).locator('.who p').allTextContents())
    expect(text).toMatch(/Sur$/)

  await page.getByLabel('Departamento').selectOption('Ventas')
  await expect.poll(() => page.url()).toContain('department=Ventas')
  await page.getByRole('combobox', { name: 'Persona' }).fill('inigo sal')
  await page.getByRole('option', { name: /Íñigo Salas Montaño/ }).click()
  await page.getByRole('button', { name: 'Íñigo Salas Montaño : quitar este filtro' }).waitFor()
  await expect
    .poll(async () => new Set(await rows(page).getByRole('link').allTextContents()))
    .toEqual(new Set(['Íñigo Salas Montaño']))

  await page.getByLabel('Tipo').selectOption('checada')
  await go(page, 'checadas?branch_office=Nada&status=pending')
  await page.getByRole('heading', { name: 'Nada coincide con estos filtros' }).waitFor()
  await page.getByRole('link', { name: 'Quitar los filtros' }).click()
  await rows(page).first().waitFor()
  expect(page.url()).not.toContain('branch_office')
})

it('shows one log with its history, decides it there, and goes back to the list', async () => {
  const page = await open()
  const link = rows(page).first().getByRole('link')
  const name = (await link.textContent()) ?? ''
  await link.click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await page.getByRole('button', { name: /^Aprobar/ }).click()
  await page.locator('.history').getByText('Aprobada').first().waitFor()
  const article = (await page.getByRole('article').ariaSnapshot()).replace(/\d/g, '0')
  expect(article).toContain('heading "Historia"')
  await page.getByRole('button', { name: /^Reabrir/ }).click()
  await page.locator('.history').getByText('Reabierta').first().waitFor()
  await page.getByRole('link', { name: 'Volver a la lista' }).click()
  await rows(page).first().waitFor()
})

it('adds a missing log by hand, with its reason', async () => {
  const ana = await api()
  const { pending } = await ana.count({ employee_id: 'E-009' })
  const page = await open({ path: 'agregar' })
  await page.getByRole('button', { name: 'Agregar checada' }).click()
  await page.getByText('Elige a la persona de la lista.').waitFor()

  const day = dateDaysAgo(16)
  await page.getByRole('combobox', { name: 'Persona' }).fill('itzel')
  await page.getByRole('option', { name: /Itzel Ramírez/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByLabel('Salida').check()
  await page.getByLabel('Día').fill(day)
  await page.getByLabel('Hora').fill('18:05')
  await page.getByLabel('Motivo').fill('Olvidó checar al salir; lo confirma su jefa.')
  await page.getByRole('button', { name: 'Agregar checada' }).click()
  await waitForMessage(page, 'Se agregó: Itzel Ramírez Ochoa')

  expect((await ana.count({ employee_id: 'E-009' })).pending).toBe(pending + 1)
  await go(page, `checadas?employee_id=E-009&from=${day}&to=${day}`)
  const added = rows(page).filter({ hasText: 'Agregada a mano' })
  await added.waitFor()
  // The time is in the installation's zone, not in the browser's.
  expect(await added.locator('.when').textContent()).toBe('Salida 18:05')
})

it('shows labels of clocks, which are silent, and which of their logs were refused', async () => {
  await (await api()).labelSource('reloj-norte', 'Puerta norte')
  const page = await open({ path: 'relojes' })
  const clock = page.getByRole('listitem').filter({ hasText: 'reloj-sur' })
  await clock.getByText('Sin noticias desde hace 3 días').waitFor()
  await clock.getByText('esa persona no está dada de alta').waitFor()
  const other = page.getByRole('listitem').filter({ hasText: 'reloj-norte' })
  await other.getByRole('heading', { name: 'Puerta norte' }).waitFor()
})

it('shows a comment with HTML as plain text, and lets no string become markup', async () => {
  const ana = await api()
  const text = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
  await ana.change([1], 'rejected', text)
  const page = await open({ path: 'checadas/1' })
  await page.getByText(text).first().waitFor()
  expect(await page.title()).toBe('Checada · Revisión')
  expect(await page.locator('main img').count()).toBe(0)

  const blocked = await page.evaluate(
    `try { document.body.innerHTML = '<img src=x>' } catch (error) { error.name }`,
  )
  expect(blocked).toBe('TypeError')
  expect(takeProblems().join()).toMatch(/TrustedHTML/)
})

const VIEWS: [path: string, wait: string][] = [
  ['checadas', '.log'],
  ['checadas?status=all', '.log'],
  ['checadas?branch_office=Nada', '.empty'],
  ['checadas/1', 'article'],
  ['agregar?employee_id=E-001&kind=salida', 'form'],
  ['relojes', 'main li'],
  ['cierres', 'form'],
  ['horas?branch_office=Norte', 'tbody tr'],
  ['horas?employee_id=E-001', '.calendar li'],
  ['personas', 'tbody tr'],
  ['personas/agregar', 'form'],
  ['personas/archivo', 'form'],
  ['personas/persona?id=E-002', '.facts'],
  ['personas/persona?id=E-002&hacer=baja', 'form'],
]

it.each(SCREENS)('is accessible on %s (%o)', async (_, viewport) => {
  const page = await open({ viewport, signedIn: false })
  await page.getByLabel('Correo electrónico').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await signIn(page)
  for (const [path, wait] of VIEWS) {
    await go(page, path)
    await page.locator(wait).first().waitFor()
    await page.waitForLoadState('networkidle')
    await expectAccessible(page, path)
    await saveScreenshot(page, `${path} ${viewport.width}`.replace(/[^\w]+/g, '-'))
  }
  await go(page, 'checadas')
  await rows(page).nth(1).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Rechazar 1 checada' }).click()
  await page.getByRole('dialog').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
})

it('has targets of 44 pixels on a phone', async () => {
  const page = await open({ viewport: PHONE })
  await rows(page).first().waitFor()
  const small = await page.evaluate(`
    [...document.querySelectorAll(
      'button, input, select, summary, nav a, a.button, .who a',
    )].flatMap((target) => {
      const { width, height } = (target.closest('label') ?? target).getBoundingClientRect()
      return height > 0 && height < 44 ? [target.outerHTML + ' ' + width + '×' + height] : []
    })`)
  expect(small).toEqual([])
})
