import { expect, it } from 'vitest'
import type { OpenApiDocument } from '../../sdk/openapi/api-types.ts'
import { document } from '../../sdk/openapi/document.ts'
import { exampleErrors } from '../../sdk/openapi/examples.ts'
import { toPublished } from '../../sdk/openapi/publish.ts'
import { get } from '../support/api.ts'
import { anAdmin, anEmployee } from '../support/factories.ts'

const documentWith = (from: string, to: string): typeof document => {
  const text = JSON.stringify(document)
  expect(text.includes(from), `the document has ${from}`).toBe(true)
  return JSON.parse(text.replace(from, to))
}

it('has examples that conform to their schemas', () => {
  expect(exampleErrors(document)).toEqual([])
})

it('publishes one type for a list of integers, and for a text of two forms', () => {
  const { components } = toPublished(document) as unknown as OpenApiDocument
  const { UserBody, CorrectionBody } = components.schemas
  expect(UserBody?.properties?.active).toEqual({ type: 'integer', enum: [0, 1] })
  expect(CorrectionBody?.properties?.from).toEqual({ type: 'string' })
})

it('has no two names that are one in the Go package of a client', () => {
  const { components } = toPublished(document) as unknown as OpenApiDocument
  const names = Object.entries(components.schemas).flatMap(([name, schema]) => [
    name,
    `New${name}`,
    ...(schema['x-enum-varnames'] ?? schema.enum?.map((value) => `${value}`.toUpperCase()) ?? []),
  ])
  const twice = names.filter((name, index) => names.indexOf(name) < index)
  expect(twice).toEqual([])
})

it('has the same error texts for evidence as the service', async () => {
  const { token } = await anAdmin()
  await anEmployee({ employee_id: 'E-ana' })
  const { responses } = document.paths?.['/v2/audit/evidence']?.get ?? {}
  for (const [query, status, code] of [
    ['log_id=9999', 404, 'LOG_NOT_FOUND'],
    ['employee_id=nadie', 422, 'UNKNOWN_EMPLOYEE'],
    ['employee_id=E-ana&from=2025-01-01&to=2026-11-01', 422, 'PERIOD_TOO_LONG'],
  ] as const) {
    const { text } = await get(`/v2/audit/evidence?${query}`, { token })
    expect(JSON.stringify(responses?.[status]), query).toContain(`"${code}":{"value":${text}}`)
  }
})

const REST = ',"status":"approved","comment"'

it.each([
  ['a response lacks a field', '"seals":true,', '', 'seals'],
  ['a request has a wrong value', `"log_id":1${REST}`, `"log_id":0${REST}`, 'log_id'],
  ['a file’s row lacks a field', String.raw`\"paid_before_seconds\":0,`, '', 'paid_before_seconds'],
  ['a body has no example', '"example":{"code":"DEMO-2026"}', '"title":"x"', 'no example'],
])('finds an example’s error if %s', (_, from, to, error) => {
  expect(exampleErrors(documentWith(from, to)).join()).toContain(error)
})
