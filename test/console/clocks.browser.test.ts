import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { dataOf } from '../../sdk/api-client.ts'
import { requestAsClock } from '../support/clock-requests.ts'
import {
  expectAccessible,
  go,
  OTHER_ADMIN,
  press,
  SCREENS,
  useConsole,
  waitForMessage,
} from '../support/console.ts'
import { dateDaysAgo } from '../support/console-api.ts'

/** What only a browser has of the page of the clocks: connection, files and how it looks. */

const { open, service, api } = useConsole()

const callAsClock = (path: string, body?: string) =>
  requestAsClock(`${new URL(service.api).origin}/iclock/${path}`, body)

const push = async (serial: string, lines: string[]) => {
  const answer = await callAsClock(`cdata?SN=${serial}&table=ATTLOG&Stamp=1`, lines.join('\n'))
  return answer.text
}

const itemOf = (page: Page, text: string) =>
  page.locator('main li').filter({ hasText: text }).first()

/** Adds the clock that has called, with a number that is somebody's. */
beforeAll(async () => {
  await callAsClock('cdata?SN=HXPUSH21&options=all')
  const { clocks } = await api()
  const clock = {
    ...{ label: 'Puerta norte', branch_office: 'Norte', uses_keys: false },
    ...{ from_day: dateDaysAgo(45), retired: false, expected_version: 0 },
  }
  const param = { serial: 'HXPUSH21' }
  await dataOf(clocks[':serial'].$put({ param, json: clock }))
  await push('HXPUSH21', [`00317\t${dateDaysAgo(2)} 08:00:00\t0\t1`])
  const json = { serial: 'HXPUSH21', number: '00317', employee_id: 'E-004' }
  await dataOf(clocks.waiting.$post({ json }))
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

  // The heading and the form are read apart: the form may know the new name later.
  const openAgain = async () => {
    await dialog.getByRole('button', { name: 'Volver' }).click()
    await press(itemOf(page, 'Serie HXPUSH21'), /^Cambiar/)
    return label.inputValue()
  }
  await expect.poll(openAgain).toBe('Entrada de la calle')
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

it.each(SCREENS)('is accessible on %s (%o)', async (_, viewport) => {
  await callAsClock('cdata?SN=OTRO0001')
  await push('HXPUSH21', [`77\t${dateDaysAgo(1)} 08:00:00\t0\t1`])
  const page = await open({ path: 'relojes', viewport })
  await page.getByRole('heading', { name: 'Checadas que esperan' }).waitFor()
  await expectAccessible(page, 'the page')
  await press(itemOf(page, 'número 77'), /^Decir de quién son/)
  await page.getByRole('dialog').waitFor()
  await expectAccessible(page, 'with a dialog')
  await page.keyboard.press('Escape')
  await press(itemOf(page, 'Serie HXPUSH21'), /^Rechazar sus checadas/)
  await page.getByRole('dialog', { name: /^Rechazar checadas de/ }).waitFor()
  await expectAccessible(page, 'with the rejection')
})
