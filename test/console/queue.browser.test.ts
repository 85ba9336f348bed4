import { expect, it } from 'vitest'
import { saveScreenshot } from '../support/browser.ts'
import {
  axeViolations,
  expectAccessible,
  focusedLog,
  go,
  NARROW,
  PHONE,
  rowOf,
  rows,
  SCREENS,
  useConsole,
  waitForMessage,
  waitForRest,
} from '../support/console.ts'

const { open, api, service, signIn, takeProblem } = useConsole()

it('shows three logs on the screen of a phone, and every tab in full at 320 px', async () => {
  // This test comes before the tests that decide logs, because the rows of others can have more
  // lines. The tabs of the branches are the widest if their zones differ.
  await (await api()).setZone('Norte', 'America/Tijuana')
  const page = await open({ viewport: PHONE })
  await rows(page).nth(2).waitFor()
  await waitForRest(page)
  const box = await rows(page).nth(2).boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(PHONE.height)
  await page.setViewportSize(NARROW)
  await page.evaluate("document.documentElement.style.fontFamily = 'DejaVu Sans, Verdana'")
  const hidden = '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)'
  await waitForRest(page)
  expect(await page.evaluate(`${hidden}(document.querySelector('.tabs'))`)).toBe(0)
  const [first] = await rows(page).all()
  const id = Number(await first?.getAttribute('data-log'))
  await rowOf(page, id).getByRole('link').click()
  await page.locator('main h1').waitFor()
})

it('redirects / to the sign-in, shows today after it, and lists the logs, the oldest first', async () => {
  const page = await open({ signedIn: false })
  await page.goto(new URL(service.api).origin)
  expect(new URL(page.url()).pathname).toBe('/revision/')
  await page.getByLabel('Correo electrónico').waitFor()
  await waitForRest(page)
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
  await waitForRest(page)
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
  await expect.poll(() => focusedLog(page)).not.toBe(0)

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
  await waitForMessage(page, 'Se deshizo')
  await expect.poll(async () => (await ana.count({})).rejected).toBe(before.rejected + 2)
  expect((await ana.read(decided[29] ?? 0)).history[0]).toMatchObject({
    from_status: 'rejected',
    to_status: 'pending',
    comment: 'Se deshizo la decisión anterior; queda en revisión.',
  })
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
  await expect.poll(() => search.inputValue()).toBe('ajax?')
  // In the list of what was found, Enter chooses the first.
  await search.fill('itzel')
  await page.getByRole('option', { name: /Itzel Ramírez/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Itzel Ramírez Ochoa : quitar/ }).click()
  await search.waitFor()
  // The rows of one person stay until the others come.
  await waitForRest(page)
  await search.blur()

  await page.keyboard.press('j')
  await expect.poll(() => focusedLog(page)).not.toBe(0)
  const first = await focusedLog(page)
  const isChecked = () => rows(page).first().getByRole('checkbox').isChecked()
  await page.keyboard.press('x')
  await expect.poll(isChecked).toBe(true)
  await page.keyboard.press('x')
  await expect.poll(isChecked).toBe(false)
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
  await expect.poll(() => focusedLog(page)).not.toBe(0)
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
  await takeProblem(/TrustedHTML/)
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
    await expectAccessible(page, path)
    await saveScreenshot(page, `${path} ${viewport.width}`.replace(/[^\w]+/g, '-'))
  }
  // The question which of two equal hours it was, as the service asks it once a year.
  const warning = {
    code: 'LOCAL_TIME_TWICE',
    message: 'Ese día la hora 01:30 pasó dos veces: se tomó la primera.',
  }
  const data = { log_id: 1, result: 'created', warnings: [warning] }
  await page.route('**/manual_logs', (route) =>
    route.fulfill({ json: { success: true, message: 'La checada se agregó.', data } }),
  )
  await go(page, 'agregar?employee_id=E-001&kind=entrada')
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Persona' }).inputValue())
    .toBe('Ana Torres Rivas')
  await page.getByLabel('Día').fill('2026-11-01')
  await page.getByLabel('Hora').fill('01:30')
  await page.getByLabel('Motivo').fill('Turno de noche.')
  await page.getByRole('button', { name: 'Agregar checada' }).click()
  await page.getByRole('button', { name: 'Fue la segunda' }).waitFor()
  await expectAccessible(page, 'the question')

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
  await waitForRest(page)
  const small = await page.evaluate(`
    [...document.querySelectorAll(
      'button, input, select, summary, nav a, a.button, .who a',
    )].flatMap((target) => {
      const { width, height } = (target.closest('label') ?? target).getBoundingClientRect()
      return height > 0 && height < 44 ? [target.outerHTML + ' ' + width + '×' + height] : []
    })`)
  expect(small).toEqual([])
})
