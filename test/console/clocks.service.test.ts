// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { dataOf } from '../../sdk/api-client.ts'
import { requestAsClock } from '../support/clock-requests.ts'
import { dateDaysAgo, OTHER_ADMIN } from '../support/console-api.ts'
import {
  choose,
  fill,
  go,
  type Place,
  partAt,
  partOf,
  press,
  usePages,
  waitForMessage,
  waitForNone,
} from '../support/dom-page.ts'

/** The page of the clocks: new ones, what waits, and acts on one. The tests follow one clock. */

const { open, service, api } = usePages()

const callAsClock = (path: string, body?: string) =>
  requestAsClock(`${new URL(service.api).origin}/iclock/${path}`, body)

const push = async (serial: string, lines: string[]) => {
  const answer = await callAsClock(`cdata?SN=${serial}&table=ATTLOG&Stamp=1`, lines.join('\n'))
  return answer.text
}

const itemOf = (text: string) => partAt('main li', text)

const ENDING = 'Los últimos 4 caracteres de su serie'
const NAME = 'Cómo le dicen las personas (opcional)'

const choosePerson = async (dialog: Place, name: string) => {
  await fill(dialog, 'Persona', name)
  await press(dialog, new RegExp(name), 'option')
  await press(dialog, 'Es de esta persona')
}

const dismiss = async (page: Place, item: string, reason: string) => {
  await press(await itemOf(item), /^Descartar/)
  const dialog = await partOf(page, 'dialog', 'Descartar 1 checada')
  await fill(dialog, 'Motivo', reason)
  await press(dialog, 'Descartar')
  await waitForMessage('Se descartó 1 checada.')
}

it('adds a clock within a minute of being plugged in, by what its sticker says', async () => {
  expect((await callAsClock('cdata?SN=HXPUSH21&options=all')).status).toBe(403)
  const page = await open('hoy')
  await press(page, '1 reloj nuevo', 'link')
  await press(await itemOf('HXPU····'), /^Agregar/)
  const dialog = await partOf(page, 'dialog', 'Agregar un reloj')
  await fill(dialog, NAME, 'Puerta norte')
  await choose(dialog, 'Sucursal', 'Norte')
  await fill(dialog, ENDING, 'SH99')
  await press(dialog, 'Agregar')
  await dialog.findByText('Ningún reloj con ese número de serie ha llamado.')
  await fill(dialog, ENDING, 'sh21')
  await choose(dialog, 'Sucursal', '')
  await press(dialog, 'Agregar')
  await dialog.findByText('Elige la sucursal.')
  await choose(dialog, 'Sucursal', 'Norte')
  await press(dialog, 'Agregar')
  await waitForMessage(/^El reloj se agregó/)
  await (await itemOf('Serie HXPUSH21')).findByText(/Todavía no ha llamado/)
  expect(page.queryAllByRole('heading', { name: 'Relojes nuevos' })).toEqual([])
  expect((await callAsClock('cdata?SN=HXPUSH21&options=all')).status).toBe(200)
})

it('asks whose a number is, and registers its punches', async () => {
  const day = dateDaysAgo(2)
  const lines = ['08:00:00', '17:00:00'].map((time) => `00317\t${day} ${time}\t0\t1`)
  expect(await push('HXPUSH21', [...lines, `5\t2000-01-01 00:00:00\t0\t1`])).toBe('OK: 3')
  const page = await open('hoy')
  await press(page, '3 checadas de relojes', 'link')
  const waiting = await itemOf('2 checadas del número 00317')
  await waiting.findByText(/¿De quién son\?/)
  await press(waiting, /^Decir de quién son/)
  const dialog = await partOf(page, 'dialog', '¿De quién es el número 00317?')
  await press(dialog, 'Es de esta persona')
  await dialog.findByText('Elige a la persona.')
  await choosePerson(dialog, 'Luis Mendoza')
  await waitForMessage('Se registraron 2 checadas.')
  // Whose a number is can be put right.
  await press(await itemOf('Serie HXPUSH21'), /^Números/)
  const numbers = await partOf(page, 'dialog', 'Números de Puerta norte')
  await press(await partAt('dialog li', '00317: Luis Mendoza Peña'), /^Es de otra persona/)
  const other = await partOf(page, 'dialog', '¿De quién es el número 00317?')
  await other.findByText(/Hasta hoy es de Luis Mendoza Peña\./)
  await choosePerson(other, 'Raúl Soto')
  await partAt('dialog li', '00317: Raúl Soto Vega')
  await press(numbers, 'Cerrar')
  // A time that cannot be is only dismissed, with the reason.
  const lost = await itemOf('1 checada del número 5')
  expect(lost.queryAllByRole('button', { name: /^Decir de quién son/ })).toEqual([])
  await dismiss(page, '1 checada del número 5', 'Se fue la luz.')
  await expect
    .poll(() => page.queryAllByRole('heading', { name: 'Checadas que esperan' }))
    .toEqual([])
})

it('takes the punches of a number typed wrong, and leaves the number nobody’s', async () => {
  const typo = (time: string) => push('HXPUSH21', [`3171\t${dateDaysAgo(1)} ${time}\t0\t1`])
  await typo('08:00:00')
  const page = await open('relojes')
  const ask = async () => {
    await press(await itemOf('1 checada del número 3171'), /^Decir de quién son/)
    return partOf(page, 'dialog', '¿De quién es el número 3171?')
  }
  const dialog = await ask()
  // Somebody who punches at this clock is proposed.
  await press(dialog, /checa en este reloj/, 'radio')
  await press(dialog, /^Solo estas checadas/, 'radio')
  await press(dialog, 'Es de esta persona')
  await waitForMessage('Se registró 1 checada.')
  await typo('17:00:00')
  go('hoy')
  await page.findByRole('heading', { name: /^Hoy/ })
  go('relojes')
  await press(await ask(), 'Agregar persona', 'link')
  await page.findByRole('heading', { name: 'Agregar persona' })
  expect((await page.findByLabelText('Número')).value).toBe('3171')
  go('relojes')
  await dismiss(page, '1 checada del número 3171', 'Una prueba.')
})

it('is confirmed by somebody else than who added it', async () => {
  await open('relojes')
  const own = await itemOf('Serie HXPUSH21')
  await own.findByText(/^Lo agregó /)
  expect(own.queryAllByRole('button', { name: /^Confirmar/ })).toEqual([])
  const page = await open('relojes', OTHER_ADMIN)
  await press(await itemOf('Serie HXPUSH21'), /^Confirmar/)
  await press(await partOf(page, 'dialog'), 'Confirmar')
  await waitForMessage(/quedó confirmado/)
  await partAt('main li', /Serie HXPUSH21.* Lo confirmó /s)
})

/** The file of a USB stick: 48 punches a day on 30 days. */
const sendFile = async () => {
  const time = (i: number) =>
    `${dateDaysAgo(3 + Math.floor(i / 48))} ${String(Math.floor((i % 48) / 2)).padStart(2, '0')}:${i % 2 ? '30' : '00'}:00`
  const lines = Array.from({ length: 48 * 30 }, (_, i) => `00317\t${time(i)}\t1\t0\t1\t0`)
  const { clocks } = await api()
  const file = { param: { serial: 'HXPUSH21' }, json: { text: lines.join('\r\n') } }
  return dataOf(clocks[':serial'].file.$post(file as never))
}

it('mends a clock that was wrong as one decision, and undoes it', async () => {
  await sendFile()
  const day = dateDaysAgo(3)
  const page = await open('relojes')
  await press(await itemOf('Serie HXPUSH21'), /^Corregir la hora/)
  const dialog = await partOf(page, 'dialog', 'Corregir la hora de Puerta norte')
  await fill(dialog, 'Desde, según el reloj', `${day}T08:00`)
  await fill(dialog, 'Hasta, según el reloj', `${day}T12:30`)
  await fill(dialog, /^Cuántos minutos/, '60')
  await fill(dialog, 'Motivo', 'Se fue la luz.')
  await press(dialog, 'Ver cómo quedaría')
  await press(dialog, 'Corregir 10 checadas')
  await waitForMessage('Se corrigieron 10 checadas: quedan por aprobar.')
  await press(await itemOf('Serie HXPUSH21'), /^Corregir la hora/)
  const list = await partOf(page, 'dialog', 'Correcciones de Puerta norte')
  await list.findByText(/10 checadas del .*, 1 h más tarde/)
  await press(list, 'Deshacer')
  const undoing = await partOf(page, 'dialog', 'Deshacer la corrección')
  await fill(undoing, 'Motivo', 'Estaba bien.')
  await press(undoing, 'Deshacer')
  await list.findByText(/Deshecha/)
})

it('rejects what a clock has sent in a period, with one reason', async () => {
  const page = await open('relojes')
  await press(await itemOf('Serie HXPUSH21'), /^Rechazar sus checadas/)
  const dialog = await partOf(page, 'dialog', /^Rechazar checadas de/)
  await fill(dialog, 'Del', dateDaysAgo(10))
  await fill(dialog, 'al', dateDaysAgo(9))
  await press(dialog, 'Solo las que llegaron de otra dirección que la suya', 'checkbox')
  await press(dialog, 'Rechazar')
  await dialog.findByText(/Escribe el motivo/)
  await fill(dialog, 'Motivo', 'El archivo era de otro reloj.')
  await press(dialog, 'Rechazar')
  await waitForMessage('Se rechazaron 96 checadas.')
})

it('changes a clock, retires it, and uses it again', async () => {
  const page = await open('relojes')
  await press(await itemOf('Serie HXPUSH21'), /^Cambiar/)
  const dialog = await partOf(page, 'dialog', 'Reloj HXPUSH21')
  await fill(dialog, NAME, 'Patio')
  await press(dialog, 'Guardar')
  await waitForMessage('El reloj se guardó.')
  await press(await itemOf('Patio'), /^Retirar/)
  await press(await partOf(page, 'dialog', 'Retirar Patio'), 'Retirar')
  await waitForMessage('Patio se retiró.')
  expect((await callAsClock('getrequest?SN=HXPUSH21')).status).toBe(403)
  await waitForNone('main li', 'Patio')
  await press(page, 'Ver los retirados', 'checkbox')
  await press(await itemOf('Patio'), /^Volver a usar/)
  await press(await partOf(page, 'dialog'), 'Volver a usar')
  await waitForMessage('Patio se usa otra vez.')
})
