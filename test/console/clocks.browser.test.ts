import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { dataOf } from '../../sdk/api-client.ts'
import { requestAsClock } from '../support/clock-requests.ts'
import {
  expectAccessible,
  go,
  NARROW,
  OTHER_ADMIN,
  press,
  SCREENS,
  useConsole,
  waitForMessage,
} from '../support/console.ts'
import { dateDaysAgo } from '../support/console-api.ts'

/** Tests the page of the clocks: new ones, what waits, and the file of a USB stick. */

const { open, service, api } = useConsole()

const callAsClock = (path: string, body?: string) =>
  requestAsClock(`${new URL(service.api).origin}/iclock/${path}`, body)

const push = async (serial: string, lines: string[]) => {
  const answer = await callAsClock(`cdata?SN=${serial}&table=ATTLOG&Stamp=1`, lines.join('\n'))
  return answer.text
}

const itemOf = (page: Page, text: string) =>
  page.locator('main li').filter({ hasText: text }).first()

/** Adds a clock that has called, with the last characters of its sticker. */
const addClock = async (page: Page, serial: string, label: string) => {
  await press(itemOf(page, `${serial.slice(0, -4)}····`), /^Agregar/)
  const dialog = page.getByRole('dialog', { name: 'Agregar un reloj' })
  await dialog.getByLabel('Los últimos 4 caracteres de su serie').fill(serial.slice(-4))
  await dialog.getByLabel('Cómo le dicen las personas (opcional)').fill(label)
  await dialog.getByLabel('Sucursal').selectOption('Norte')
  return dialog
}

it('adds a clock within a minute of being plugged in, by what its sticker says', async () => {
  expect((await callAsClock('cdata?SN=HXPUSH21&options=all')).status).toBe(403)
  const page = await open({ path: 'hoy' })
  await page.getByRole('link', { name: '1 reloj nuevo' }).click()
  const dialog = await addClock(page, 'HXPUSH21', 'Puerta norte')
  await dialog.getByLabel('Los últimos 4 caracteres de su serie').fill('SH99')
  await dialog.getByRole('button', { name: 'Agregar' }).click()
  await dialog.getByText('Ningún reloj con ese número de serie ha llamado.').waitFor()
  await dialog.getByLabel('Los últimos 4 caracteres de su serie').fill('sh21')
  await dialog.getByLabel('Sucursal').selectOption('')
  await dialog.getByRole('button', { name: 'Agregar' }).click()
  await dialog.getByText('Elige la sucursal.').waitFor()
  await dialog.getByLabel('Sucursal').selectOption('Norte')
  await dialog.getByRole('button', { name: 'Agregar' }).click()
  await waitForMessage(page, /^El reloj se agregó/)
  await itemOf(page, 'Serie HXPUSH21').getByText('Todavía no ha llamado').waitFor()
  expect(await page.getByRole('heading', { name: 'Relojes nuevos' }).count()).toBe(0)
  expect((await callAsClock('cdata?SN=HXPUSH21&options=all')).status).toBe(200)
})

it('asks whose a number is, and registers its punches', async () => {
  const day = dateDaysAgo(2)
  const lines = ['08:00:00', '17:00:00'].map((time) => `00317\t${day} ${time}\t0\t1`)
  expect(await push('HXPUSH21', [...lines, `5\t2000-01-01 00:00:00\t0\t1`])).toBe('OK: 3')
  const page = await open({ path: 'hoy', viewport: NARROW })
  await page.getByRole('link', { name: '3 checadas de relojes' }).click()
  const waiting = itemOf(page, '2 checadas del número 00317')
  await waiting.getByText('¿De quién son?').waitFor()
  await waiting.getByRole('button', { name: /^Decir de quién son/ }).click()
  const dialog = page.getByRole('dialog', { name: '¿De quién es el número 00317?' })
  await dialog.getByRole('button', { name: 'Es de esta persona' }).click()
  await dialog.getByText('Elige a la persona.').waitFor()
  await dialog.getByLabel('Persona').fill('Luis Mendoza')
  await dialog.getByRole('option').first().click()
  await dialog.getByRole('button', { name: 'Es de esta persona' }).click()
  await waitForMessage(page, 'Se registraron 2 checadas.')
  // Whose a number is can be put right.
  await press(itemOf(page, 'Serie HXPUSH21'), /^Números/)
  const numbers = page.getByRole('dialog', { name: 'Números de Puerta norte' })
  const number = numbers.getByRole('listitem').filter({ hasText: '00317: Luis Mendoza Peña' })
  await number.getByRole('button', { name: /^Es de otra persona/ }).click()
  await dialog.getByText('Hasta hoy es de Luis Mendoza Peña.').waitFor()
  await dialog.getByLabel('Persona').fill('Raúl Soto')
  await dialog.getByRole('option').first().click()
  await dialog.getByRole('button', { name: 'Es de esta persona' }).click()
  await numbers.getByText(/00317: Raúl Soto Vega/).waitFor()
  await numbers.getByRole('button', { name: 'Cerrar' }).click()
  // A time that cannot be is only dismissed, with the reason.
  const lost = itemOf(page, '1 checada del número 5')
  expect(await lost.getByRole('button', { name: /^Decir de quién son/ }).count()).toBe(0)
  await lost.getByRole('button', { name: /^Descartar/ }).click()
  const dismissal = page.getByRole('dialog', { name: 'Descartar 1 checada' })
  await dismissal.getByLabel('Motivo').fill('Se fue la luz.')
  await dismissal.getByRole('button', { name: 'Descartar' }).click()
  await waitForMessage(page, 'Se descartó 1 checada.')
  await expect
    .poll(() => page.getByRole('heading', { name: 'Checadas que esperan' }).count())
    .toBe(0)
})

it('takes the punches of a number typed wrong, and leaves the number nobody’s', async () => {
  const typo = (time: string) => push('HXPUSH21', [`3171\t${dateDaysAgo(1)} ${time}\t0\t1`])
  await typo('08:00:00')
  const page = await open({ path: 'relojes' })
  const waiting = itemOf(page, '1 checada del número 3171')
  await waiting.getByRole('button', { name: /^Decir de quién son/ }).click()
  const dialog = page.getByRole('dialog', { name: '¿De quién es el número 3171?' })
  // Somebody who punches at this clock is proposed.
  await dialog
    .getByLabel(/checa en este reloj/)
    .first()
    .check()
  await dialog.getByRole('radio', { name: /^Solo estas checadas/ }).check()
  await dialog.getByRole('button', { name: 'Es de esta persona' }).click()
  await waitForMessage(page, 'Se registró 1 checada.')
  await typo('17:00:00')
  await go(page, 'hoy')
  await go(page, 'relojes')
  await waiting.getByRole('button', { name: /^Decir de quién son/ }).click()
  await dialog.getByRole('link', { name: 'Agregar persona' }).click()
  await page.getByRole('heading', { name: 'Agregar persona' }).waitFor()
  expect(await page.getByLabel('Número', { exact: true }).inputValue()).toBe('3171')
  await go(page, 'relojes')
  await waiting.getByRole('button', { name: /^Descartar/ }).click()
  const dismissal = page.getByRole('dialog', { name: 'Descartar 1 checada' })
  await dismissal.getByLabel('Motivo').fill('Una prueba.')
  await dismissal.getByRole('button', { name: 'Descartar' }).click()
  await waitForMessage(page, 'Se descartó 1 checada.')
})

it('keeps an open form as it is offline and when the page is read again, and says who was first', async () => {
  const page = await open({ path: 'hoy' })
  // The page of the clocks reads them again every 20 seconds.
  await page.evaluate(`{
    const every = setInterval
    window.setInterval = (run, ms) => every(run, ms === 20_000 ? 200 : ms)
  }`)
  await go(page, 'relojes')
  await press(itemOf(page, 'Serie HXPUSH21'), /^Cambiar/)
  const dialog = page.getByRole('dialog', { name: 'Reloj HXPUSH21' })
  const label = dialog.getByLabel('Cómo le dicen las personas (opcional)')
  const keys = dialog.getByLabel('La gente oprime entrada o salida en él')
  await label.fill('Puerta grande')
  await keys.check()
  await page.context().setOffline(true)
  await dialog.getByText('Sin conexión').waitFor()
  expect(await keys.isChecked()).toBe(true)
  await page.context().setOffline(false)
  await expect.poll(() => dialog.getByRole('button', { name: 'Guardar' }).isEnabled()).toBe(true)

  // Another administrator changes the clock meanwhile.
  const { clocks } = await api(OTHER_ADMIN)
  const read = async () =>
    (await dataOf(clocks.$get())).clocks.find(({ serial }) => serial === 'HXPUSH21')
  const { serial, branch_office, uses_keys, from_day, retired, version } =
    (await read()) ?? expect.fail('no clock')
  const kept = { branch_office, uses_keys, from_day, retired }
  const json = { ...kept, label: 'Entrada de la calle', expected_version: version }
  await dataOf(clocks[':serial'].$put({ param: { serial }, json }))
  await page.getByRole('heading', { name: /^Entrada de la calle/, includeHidden: true }).waitFor({
    state: 'attached',
  })
  expect(await label.inputValue()).toBe('Puerta grande')
  expect(await keys.isChecked()).toBe(true)
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await dialog.getByRole('alert').filter({ hasText: /cambi/ }).first().waitFor()
  expect(await keys.isChecked()).toBe(true)
  expect(await read()).toMatchObject({ label: 'Entrada de la calle', uses_keys: false })

  await dialog.getByRole('button', { name: 'Volver' }).click()
  await press(itemOf(page, 'Serie HXPUSH21'), /^Cambiar/)
  expect(await label.inputValue()).toBe('Entrada de la calle')
  await label.fill('Puerta norte')
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await waitForMessage(page, 'El reloj se guardó.')
})

it('uploads the file of a USB stick in parts, and says what it had', async () => {
  const page = await open({ path: 'relojes' })
  await press(itemOf(page, 'Serie HXPUSH21'), /^Subir archivo/)
  const dialog = page.getByRole('dialog', { name: 'Archivo de Puerta norte' })
  // 48 a day on 30 days, several times.
  const time = (i: number) =>
    `${dateDaysAgo(3 + (Math.floor(i / 48) % 30))} ${String(Math.floor((i % 48) / 2)).padStart(2, '0')}:${i % 2 ? '30' : '00'}:00`
  const lines = Array.from({ length: 6_000 }, (_, i) => `00317\t${time(i)}\t1\t0\t1\t0`)
  const photo = Buffer.from([0xff, 0xd8, 0, 16, 74, 70, 73, 70])
  await dialog.getByLabel('Archivo').setInputFiles({ name: 'a.jpg', mimeType: '', buffer: photo })
  await dialog.getByText(/En ese archivo no hay checadas/).waitFor()
  const buffer = Buffer.from([...lines, 'hola'].join('\r\n'))
  // The second part fails once. What has arrived stays.
  let requests = 0
  await page.route('**/file', (route) =>
    ++requests === 2 ? route.abort('connectionreset') : route.continue(),
  )
  await dialog.getByLabel('Archivo').setInputFiles({ name: '1_attlog.dat', mimeType: '', buffer })
  await dialog.getByRole('button', { name: 'Seguir' }).click()
  await dialog.getByText('1,440 nuevas.').waitFor()
  await dialog.getByText('4,560 ya estaban.').waitFor()
  await dialog.getByText('1 línea que no es una checada.').waitFor()
  await dialog.getByRole('button', { name: 'Cerrar' }).click()
})

it('is confirmed by somebody else than who added it', async () => {
  const author = await open({ path: 'relojes' })
  const own = itemOf(author, 'Serie HXPUSH21')
  await own.getByText(/^Lo agregó /).waitFor()
  expect(await own.getByRole('button', { name: /^Confirmar/ }).count()).toBe(0)
  const page = await open({ email: OTHER_ADMIN, path: 'relojes' })
  await press(itemOf(page, 'Serie HXPUSH21'), /^Confirmar/)
  await page.getByRole('dialog').getByRole('button', { name: 'Confirmar' }).click()
  await waitForMessage(page, /quedó confirmado/)
  await itemOf(page, 'Serie HXPUSH21')
    .getByText(/ Lo confirmó /)
    .waitFor()
})

it('mends a clock that was wrong as one decision, and undoes it', async () => {
  const day = dateDaysAgo(3)
  const page = await open({ path: 'relojes' })
  await press(itemOf(page, 'Serie HXPUSH21'), /^Corregir la hora/)
  const dialog = page.getByRole('dialog', { name: 'Corregir la hora de Puerta norte' })
  await dialog.getByLabel('Desde, según el reloj').fill(`${day}T08:00`)
  await dialog.getByLabel('Hasta, según el reloj').fill(`${day}T12:30`)
  await dialog.getByLabel('Cuántos minutos').fill('60')
  await dialog.getByLabel('Motivo').fill('Se fue la luz.')
  await dialog.getByRole('button', { name: 'Ver cómo quedaría' }).click()
  await dialog.getByRole('button', { name: 'Corregir 10 checadas' }).click()
  await waitForMessage(page, 'Se corrigieron 10 checadas: quedan por aprobar.')
  await press(itemOf(page, 'Serie HXPUSH21'), /^Corregir la hora/)
  const list = page.getByRole('dialog', { name: 'Correcciones de Puerta norte' })
  await list.getByText(/10 checadas del .*, 1 h más tarde/).waitFor()
  await list.getByRole('button', { name: 'Deshacer' }).click()
  const undoing = page.getByRole('dialog', { name: 'Deshacer la corrección' })
  await undoing.getByLabel('Motivo').fill('Estaba bien.')
  await undoing.getByRole('button', { name: 'Deshacer' }).click()
  await list.getByText('Deshecha').waitFor()
})

it('rejects what a clock has sent in a period, with one reason', async () => {
  const page = await open({ path: 'relojes' })
  await press(itemOf(page, 'Serie HXPUSH21'), /^Rechazar sus checadas/)
  const dialog = page.getByRole('dialog', { name: /^Rechazar checadas de/ })
  await expectAccessible(page, 'with the rejection')
  await dialog.getByLabel('Del').fill(dateDaysAgo(10))
  await dialog.getByLabel('al', { exact: true }).fill(dateDaysAgo(9))
  await dialog.getByLabel('Solo las que llegaron de otra dirección que la suya').uncheck()
  await dialog.getByRole('button', { name: 'Rechazar' }).click()
  await dialog.getByText('Escribe el motivo').waitFor()
  await dialog.getByLabel('Motivo').fill('El archivo era de otro reloj.')
  await dialog.getByRole('button', { name: 'Rechazar' }).click()
  await waitForMessage(page, 'Se rechazaron 96 checadas.')
})

it('changes a clock, retires it, and uses it again', async () => {
  const page = await open({ path: 'relojes' })
  await press(itemOf(page, 'Serie HXPUSH21'), /^Cambiar/)
  const dialog = page.getByRole('dialog', { name: 'Reloj HXPUSH21' })
  await dialog.getByLabel('Cómo le dicen las personas (opcional)').fill('Patio')
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await waitForMessage(page, 'El reloj se guardó.')
  await press(itemOf(page, 'Patio'), /^Retirar/)
  const retirement = page.getByRole('dialog', { name: 'Retirar Patio' })
  await retirement.getByRole('button', { name: 'Retirar' }).click()
  await waitForMessage(page, 'Patio se retiró.')
  expect((await callAsClock('getrequest?SN=HXPUSH21')).status).toBe(403)
  await page.getByLabel('Ver los retirados').check()
  await press(itemOf(page, 'Patio'), /^Volver a usar/)
  await page.getByRole('dialog').getByRole('button', { name: 'Volver a usar' }).click()
  await waitForMessage(page, 'Patio se usa otra vez.')
})

it.each(SCREENS)('is accessible on %s (%o)', async (_, viewport) => {
  await callAsClock('cdata?SN=OTRO0001')
  await push('HXPUSH21', [`77\t${dateDaysAgo(1)} 08:00:00\t0\t1`])
  const page = await open({ path: 'relojes', viewport })
  await page.getByRole('heading', { name: 'Checadas que esperan' }).waitFor()
  await expectAccessible(page, 'the page')
  await press(itemOf(page, 'número 77'), /^Decir de quién son/)
  await page.getByRole('dialog').waitFor()
  await expectAccessible(page, 'with a dialog')
  await go(page, 'relojes')
})
