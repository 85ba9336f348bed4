import { expect, it } from 'vitest'
import { importFaults, readSources } from '../../scripts/imports.ts'

const QUERIES = ['src/logs/logs.queries.ts', "import { sql } from 'drizzle-orm'"] as const

/** The faults of a file that imports `path`, in a project that also has a file of queries. */
const faultsOf = (file: string, path: string, text = ''): string[] =>
  importFaults(
    new Map<string, string>([
      QUERIES,
      ...(path.startsWith('.') ? [[path.replaceAll('../', ''), text] as const] : []),
      [file, `import { a } from '${path}'`],
    ]),
  ).map((fault) => fault.replace(/^.*: /, ''))

it('finds no fault in the project', () => {
  expect(importFaults(readSources())).toEqual([])
})

it.each([
  ['src/core/a.ts', '../../src/logs/b.ts', 'core may not import logs.'],
  ['src/logs/a.routes.ts', '../../src/payroll/b.routes.ts', 'logs may not import payroll.'],
  ['src/people/a.ts', '../../src/clients/b.ts', 'people may not import clients.'],
  ['src/core/a.ts', '../../src/logs/errors.ts', 'core may not import logs.'],
  [
    'src/logs/errors.ts',
    '../../src/core/errors.ts',
    'errors may import only how they are written.',
  ],
  [
    'src/payroll/hours/a.ts',
    '../../../src/payroll/closings/b.ts',
    'payroll/hours may not import payroll/closings.',
  ],
  ['src/core/values/a.ts', '../../../src/core/db/b.ts', 'core/values may not import core/db.'],
  ['src/logs/a.ts', '../../src/app.ts', 'rules may not import app.'],
  ['src/logs/logs.queries.ts', '../../src/logs/b.http.ts', 'queries may not import http.'],
  ['src/logs/a.schemas.ts', '../../src/core/http/b.ts', 'schemas may not import http.'],
  ['src/logs/a.http.ts', '../../src/logs/b.schemas.ts', 'http may not import schemas.'],
  ['src/session/a.ts', '../../src/people/b.ts', 'session may not import people.'],
  ['src/logs/a.queries.ts', '../../src/core/errors.ts', 'a statement raises its error.'],
  ['sdk/a.openapi.ts', '../src/logs/b.queries.ts', 'sdk/ may not import src/.'],
  ['src/logs/a.ts', '../../sdk/b.ts', 'src/ may not import sdk/.'],
  ['console/a.ts', '../src/core/b.ts', 'console/ may not import src/.'],
  ['console/review/a.ts', '../../console/hours/b.ts', 'review may not import hours.'],
  ['console/mi/a.ts', '../../console/review/b.ts', 'mi may not import review.'],
  ['console/ui/a.ts', '../../console/b.ts', 'ui may not import the app.'],
  [
    'console/my-page/a.ts',
    '../../console/ui/b.ts',
    'my-page is not in the list of scripts/imports.ts.',
  ],
  [
    'src/new-noun/a.ts',
    '../../src/core/b.ts',
    'new-noun is not in the list of scripts/imports.ts.',
  ],
  ['test/a.ts', '../bench/b.ts', 'test/ may not import bench/.'],
  ['src/logs/a.routes.ts', 'drizzle-orm', 'routes may not import drizzle-orm.'],
  ['src/logs/a.routes.ts', '@hono/zod-validator', 'routes may not import @hono/zod-validator.'],
  ['src/logs/a.schemas.ts', 'hono', 'schemas may not import hono.'],
  ['src/logs/a.queries.ts', 'zod/mini', 'queries may not import zod/mini.'],
])('%s may not import %s', (file, path, fault) => {
  expect(faultsOf(file, path)).toEqual([fault])
})

it('treats a file without a suffix as rules if it imports queries', () => {
  const text = "import { a } from './logs.queries.ts'"
  const rules = 'src/logs/rules.ts'
  expect(importFaults(new Map([QUERIES, [rules, text]]))).toEqual([])
  expect(faultsOf('src/logs/b.queries.ts', '../../src/logs/rules.ts', text)).toEqual([
    'queries may not import rules.',
  ])
  expect(faultsOf('src/logs/b.queries.ts', '../../src/logs/rules.ts')).toEqual([])
})

it('reads dynamic imports, imports of a side effect and exports', () => {
  const fault = 'src/logs/a.ts imports src/app.ts: rules may not import app.'
  const texts = ["await import('../app.ts')", "import '../app.ts'", "export * from '../app.ts'"]
  for (const text of texts) {
    const sources = new Map(Object.entries({ 'src/app.ts': '', 'src/logs/a.ts': text }))
    expect(importFaults(sources)).toEqual([fault])
  }
})
