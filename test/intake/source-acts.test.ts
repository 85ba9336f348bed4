import { beforeEach, expect, it } from 'vitest'
import { type CallOptions, call } from '../support/api.ts'
import { anAdmin, aProblem } from '../support/factories.ts'

const SOURCES = '/v2/incidents/sources'

let options: CallOptions
beforeEach(async () => {
  options = { token: (await anAdmin()).token }
})

const put = (source: string, body: object) =>
  call('PUT', `${SOURCES}/${encodeURIComponent(source)}`, { ...options, body })

const sourcesOf = async (query = ''): Promise<{ source: string; problems: { id: number }[] }[]> =>
  (await call('GET', `${SOURCES}${query}`, options)).body.data

const dismiss = (source: string, id: number, reason: string) => {
  const path = `${SOURCES}/${source}/problems/${id}/dismiss`
  return call('POST', path, { ...options, body: { reason } })
}

it('labels a source, retires it and takes it back', async () => {
  await aProblem({ source: 'reloj norte' })
  const { body } = await put('Reloj Norte', { label: 'Nave norte', retired: true })
  expect(body.data).toEqual({
    source: 'reloj norte',
    label: 'Nave norte',
    complete_until: null,
    last_seen_at: '2026-11-02T14:00:00.000Z',
    retired: true,
  })
  expect(await sourcesOf()).toEqual([])
  expect(await sourcesOf('?retired=true')).toMatchObject([{ source: 'reloj norte' }])
  const back = await put('reloj norte', { label: null, retired: false })
  expect(back.body.data).toMatchObject({ label: null, retired: false })
  expect(await sourcesOf()).toMatchObject([{ source: 'reloj norte' }])
})

it('dismisses an open problem, once', async () => {
  const { id } = await aProblem({ source: 'reloj' })
  await aProblem({ source: 'otro' })
  expect((await dismiss('otro', id, 'Ya no trabaja aquí.')).status).toBe(404)
  expect((await dismiss('reloj', id, ' ')).status).toBe(422)
  expect((await dismiss('reloj', id, 'Ya no trabaja aquí.')).status).toBe(200)
  expect((await sourcesOf()).find(({ source }) => source === 'reloj')?.problems).toEqual([])
  expect((await dismiss('reloj', id, 'Otra vez.')).status).toBe(404)
})

it('rejects unknown sources and invalid labels', async () => {
  await aProblem({ source: 'reloj' })
  expect((await put('nadie', { label: null, retired: true })).status).toBe(404)
  for (const body of [{ retired: true }, { label: ' ', retired: true }, { label: null }]) {
    expect((await put('reloj', body)).status).toBe(422)
  }
})
