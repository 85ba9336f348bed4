// @vitest-environment happy-dom
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { strFromU8, unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { dataOf } from '../../sdk/api-client.ts'
import { dateDaysAgo, OTHER_ADMIN } from '../support/console-api.ts'
import {
  answerWith,
  fill,
  go,
  type Place,
  partAt,
  partOf,
  press,
  refusal,
  savedFile,
  sentRequests,
  textsAt,
  unfold,
  usePages,
  waitForMessage,
} from '../support/dom-page.ts'

/** The texts of Acuerdo, and the folder for the inspection. */

const { open, api } = usePages(['--var', 'PAYROLL_ROLES:admin,auditor'])

const TEXT = {
  title: 'Registro electrónico de la jornada',
  text: 'El trabajador y la empresa acuerdan…\nSegundo párrafo.',
  valid_from: '2026-01-01',
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')

const publish = async (changes: Partial<typeof TEXT>) => {
  const { agreements } = await api(OTHER_ADMIN)
  const json = { ...TEXT, ...changes }
  return { ...json, ...(await dataOf(agreements.$post({ json }))) }
}

const counts = () => textsAt('main p').find((text) => /^Acordaron \d+; faltan \d+\.$/.test(text))

it('publishes a text only after it is confirmed, and keeps what was typed until then', async () => {
  const page = await open('acuerdo')
  await page.findByText(/^Todavía no hay un texto\./)
  await page.findByRole('link', { name: 'Publicar un texto' })
  go('acuerdo/nuevo')
  const draft = (await page.findByLabelText('Texto')).value.replace(/\s+/g, ' ')
  expect(readFileSync('docs/agreements.md', 'utf8').replace(/\s+(> )?/g, ' ')).toContain(draft)
  await press(page, 'Publicar')
  await page.findByText(/^Escribe la llave de tus sellos en lugar de «\[LLAVE\]»/)
  await fill(page, 'Texto', TEXT.text)
  await press(page, 'Publicar')
  await page.findByText('Escribe el título.')
  await page.findByText('Confirma que es el texto definitivo.')
  await page.findByText(/Una vez publicado no se cambia ni se borra\./)
  const reloaded = await open('acuerdo/nuevo')
  await expect.poll(async () => (await reloaded.findByLabelText('Texto')).value).toBe(TEXT.text)
  await fill(reloaded, 'Título', 'x'.repeat(201))
  await fill(reloaded, 'Primer día', TEXT.valid_from)
  await press(reloaded, /^Es el texto definitivo/, 'checkbox')
  await press(reloaded, 'Publicar')
  await reloaded.findByText(/no puede tener más de 200 caracteres/)
  await fill(reloaded, 'Título', TEXT.title)
  await press(reloaded, 'Publicar')
  await reloaded.findByRole('heading', { name: TEXT.title })
  await reloaded.findByText('Vigente')
  await partAt('.hash', sha256(`${TEXT.title}\n${TEXT.valid_from}\n${TEXT.text}`))
  await unfold(reloaded, /^Leer el texto/)
  await partAt('blockquote', 'Segundo párrafo.')
  await expect.poll(counts).toBe('Acordaron 0; faltan 13.')
})

it('shows future texts to a user who may only read, without a way to publish or record', async () => {
  const { title } = await publish({ title: 'Texto vigente' })
  const later = await publish({ title: 'Texto corregido', valid_from: '2999-01-01' })
  const page = await open('acuerdo', 'auditoria@despacho.mx')
  await page.findByRole('heading', { name: 'Otros textos' })
  await page.findByRole('heading', { name: title })
  await expect.poll(counts).toMatch(/^Acordaron/)
  expect((await partOf(page, 'main')).queryAllByRole('button')).toEqual([])
  expect(page.queryAllByRole('link', { name: /^Publicar/ })).toEqual([])
  const link = await page.findByRole('link', { name: 'Texto corregido' })
  expect(link.getAttribute('href')).toBe(`#/acuerdo/${later.id}`)
  go(`acuerdo/${later.id}`)
  await page.findByRole('heading', { name: 'Texto corregido' })
  await page.findByText('Todavía no vale')
  await expect.poll(counts).toBe('Acordaron 0; faltan 13.')
  go('acuerdo/nuevo')
  await page.findByRole('heading', { name: title })
})

/** Presses the button of the form. Returns the files of the saved ZIP. */
const prepare = async (page: Place) => {
  await press(page, 'Preparar la carpeta')
  const files = unzipSync(await savedFile())
  await waitForMessage(/^Se descargó inspeccion_/)
  const textOf = (name: string) => strFromU8(files[name] ?? new Uint8Array())
  for (const [, hash, name = ''] of textOf('LEEME.txt').matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm))
    expect([name, hash]).toEqual([name, sha256(Buffer.from(files[name] ?? []))])
  const rows: Record<string, string>[] = parse(textOf('registro.csv'), { columns: true, bom: true })
  return { names: Object.keys(files).sort(), textOf, rows }
}

it('refuses too long a period and a second evidence within a minute, and keeps the form', async () => {
  const path = `inspeccion?employee_id=E-001&from=${dateDaysAgo(366)}&to=${dateDaysAgo(0)}`
  const page = await open(path)
  await press(page, 'Preparar la carpeta')
  await page.findByText(/De una persona son 366 días como máximo\./)
  expect(sentRequests(/hours|export|evidence/)).toEqual([])

  await fill(page, 'Desde', dateDaysAgo(365))
  const restore = answerWith(/audit\/evidence\?/, () =>
    refusal(429, 'TOO_MANY_REQUESTS', 'Demasiadas peticiones.'),
  )
  await press(page, 'Preparar la carpeta')
  await page.findByText(/La evidencia se pide una vez por minuto\./)
  expect((await page.findByLabelText('Desde')).value).toBe(dateDaysAgo(365))
  restore()
  // The period has 366 days, like a leap year. Whole weeks would be more than 366 days, for which
  // hours cannot be read.
  const folder = await prepare(page)
  expect(folder.rows).toHaveLength(366)
  expect(folder.textOf('LEEME.txt')).toMatch(/^[0-9a-f]{64} {2}evidencia\.ndjson$/m)

  await press(page, /elegir a otra/)
  await page.findByLabelText('Persona')
  await press(page, 'Preparar la carpeta')
  await page.findByText(/De varias personas son 31 días como máximo\./)
  // A name that was typed but not chosen must not count as everybody.
  await fill(page, 'Desde', dateDaysAgo(3))
  await fill(page, 'Persona', 'Héctor')
  await press(page, 'Preparar la carpeta')
  await page.findByText('Elige a la persona de la lista, o borra su nombre.')
})

it('gives the newest checkpoint for a branch where nobody has checked in', async () => {
  const ana = await api()
  await ana.addEmployee('E-100', 'Nueva Persona')
  await ana.changeEmployee('E-100', { branch_office: 'Nueva', started_at: dateDaysAgo(90) })
  const period = `from=${dateDaysAgo(30)}&to=${dateDaysAgo(2)}`
  const folder = await prepare(await open(`inspeccion?branch_office=Nueva&${period}`))
  expect(folder.names).toContain('checkpoint.txt')
  expect(folder.rows.map(({ Número }) => Número)).toContain('E-100')
})

it('says that there is no evidence where nothing is sealed', async () => {
  answerWith(/incidents\/settings$/, async (send) => {
    const { data, ...rest } = (await (await send()).json()) as { data: object }
    return Response.json({ ...rest, data: { ...data, seals: false } })
  })
  const period = `from=${dateDaysAgo(30)}&to=${dateDaysAgo(2)}`
  const page = await open(`inspeccion?employee_id=E-001&${period}`)
  await page.findByText(/Este servicio no tiene llave de sellos/)
  const folder = await prepare(page)
  expect(folder.names).toEqual(['LEEME.txt', 'registro.csv', 'tarjetas.html'])
  expect(folder.textOf('LEEME.txt')).toContain('no hay evidencia que comprobar')
})
