import { expect, it } from 'vitest'
import { document } from '../sdk/openapi/document.ts'
import { exampleErrors } from '../sdk/openapi/examples.ts'

/** The document with another text in place of one of its own. */
const documentWith = (from: string, to: string): typeof document => {
  const text = JSON.stringify(document)
  expect(text).toContain(from)
  return JSON.parse(text.replace(from, to))
}

it('has examples that conform to their schemas', () => {
  expect(exampleErrors(document)).toEqual([])
})

it.each([
  ['a response lacks a field', '"seals":true,', '', 'seals'],
  [
    'a request has a wrong value',
    '"log_id":1,"status":"approved","comment"',
    '"log_id":0,"status":"approved","comment"',
    'log_id',
  ],
  [
    'a row of a file lacks a field',
    String.raw`\"paid_before_seconds\":0,`,
    '',
    'paid_before_seconds',
  ],
  ['a body has no example', '"example":{"code":"DEMO-2026"}', '"title":"x"', 'no example'],
])('finds it where %s', (_, from, to, error) => {
  expect(exampleErrors(documentWith(from, to)).join()).toContain(error)
})
