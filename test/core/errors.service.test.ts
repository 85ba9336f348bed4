import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { ERRORS } from '../../src/core/errors.ts'

it('has each code of a noun once', async () => {
  const files = globSync('src/!(core)/errors.ts')
  const nouns: object[] = await Promise.all(files.map((file) => import(resolve(file))))
  const codes = nouns.flatMap((noun) =>
    Object.values(noun).flatMap((errors) => Object.keys(errors)),
  )
  expect(codes.length).toBeGreaterThan(80)
  expect(codes.filter((code, i) => codes.indexOf(code) !== i)).toEqual([])
  expect(codes.filter((code) => !(code in ERRORS))).toEqual([])
})
