import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { importsOf, readSources } from '../../scripts/imports.ts'
import type { OpenApiDocument } from '../../sdk/openapi/api-types.ts'
import { document } from '../../sdk/openapi/document.ts'
import { ERRORS } from '../../src/core/errors.ts'
import { SettingsFields } from '../../src/core/http/settings.ts'

/** Returns the part of the project that a file belongs to, as the diagram names it. */
const partOf = (file: string): string => {
  const [folder = '', subfolder = ''] = file.split('/')
  if (folder === 'src') return subfolder.endsWith('.ts') ? 'app' : subfolder
  if (folder !== 'sdk') return folder
  return { openapi: 'document', evidence: 'verifier' }[subfolder] ?? 'client'
}

const NOT_DRAWN = new Set(['core', 'session', 'bench', 'docs', 'test'])

/** The imports between the parts, as arrows. */
const readArrows = (): string[] => {
  const sources = readSources()
  const arrows = [...sources].flatMap(([file, text]) =>
    importsOf(file, text)
      .filter((path) => sources.has(path))
      .map((path) => [partOf(file), partOf(path)] as const)
      .filter(([from, to]) => from !== to && !NOT_DRAWN.has(from) && !NOT_DRAWN.has(to))
      .map(([from, to]) => `${from} → ${to}`),
  )
  return [...new Set(arrows)].sort()
}

const arrowsOf = (document: string): string[] => {
  const diagram = /```mermaid\n(.*?)```/s.exec(document)?.[1] ?? ''
  return [...diagram.matchAll(/^ *(\w+)(?:\[".*?"\])? --> (.*)$/gm)].flatMap(([, from, to = '']) =>
    to.split(' & ').map((part) => `${from} → ${part}`),
  )
}

it('docs/architecture.md draws what the code imports', () => {
  expect(arrowsOf(readFileSync('docs/architecture.md', 'utf8')).sort()).toEqual(readArrows())
})

it('test/support/README.md names each of its files', () => {
  const index = readFileSync('test/support/README.md', 'utf8')
  const names = globSync('test/support/*.ts').map((path) => path.slice('test/support/'.length))
  expect(names.filter((name) => !index.includes(`\`${name}\``))).toEqual([])
})

/** The methods that a path of an OpenAPI document may have. */
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

type Operation = NonNullable<OpenApiDocument['paths'][string]['get']>

/** The endpoints of the document, such as `GET /auth/me`, with what it says about each. */
const operations = Object.entries(document.paths).flatMap(([path, item]) => {
  const byMethod: Partial<Record<(typeof METHODS)[number], Operation>> = item
  return METHODS.flatMap((method) => {
    const operation = byMethod[method]
    return operation ? [{ endpoint: `${method.toUpperCase()} ${path}`, operation }] : []
  })
})

const PAGES = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/**/*.md')]

const rowsOf = (page: string): string[] =>
  readFileSync(page, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))

it('docs/settings.md has a row for every setting', () => {
  const rows = rowsOf('docs/settings.md').map((row) => /`(\w+)`/.exec(row)?.[1])
  expect(rows.toSorted()).toEqual(Object.keys(SettingsFields.shape).toSorted())
})

it('the document has each error under its own status', () => {
  const codes = Object.values(ERRORS).filter(({ message }) => typeof message === 'string')
  const statusesOf = (message: unknown) =>
    codes.filter((error) => error.message === message).map(({ status }) => String(status))
  const wrong: string[] = []
  const shared = document.components?.responses ?? {}
  for (const { endpoint, operation } of operations) {
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      const name = ('$ref' in response ? response.$ref : '').split('/').at(-1) ?? ''
      const text = JSON.stringify(shared[name] ?? response)
      for (const [, message] of text.matchAll(/"message":"([^"]+)"/g)) {
        const statuses = statusesOf(message)
        if (statuses.length > 0 && !statuses.includes(status)) {
          wrong.push(`${endpoint} ${status}: ${message}`)
        }
      }
    }
  }
  expect(wrong).toEqual([])
})

it('closes every code block of the documents, so that the text after it is shown as text', () => {
  const unclosed = PAGES.filter(
    (path) => (readFileSync(path, 'utf8').match(/^ *```/gm) ?? []).length % 2 !== 0,
  )
  expect(unclosed).toEqual([])
})

/** The anchors of a page: its headings as GitHub writes them into addresses. */
const anchorsOf = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\d\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

it('every link of a page leads to a file, and to a heading of it', () => {
  const broken = PAGES.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, path = '', anchor]) => {
        const target = path === '' ? page : join(dirname(page), path)
        if (!existsSync(target)) return true
        return anchor !== undefined && !anchorsOf(target).includes(anchor)
      })
      .map(([link]) => `${page}: ${link}`),
  )
  expect(broken).toEqual([])
})

/** The paths that the shell blocks of a page write to, from the root of the checkout. */
const writtenBy = (page: string): string[] => {
  const blocks = readFileSync(page, 'utf8').matchAll(/^```(?:sh|console)\n(.*?)^```/gms)
  return [...blocks].flatMap(([, block = '']) => {
    let folder = ''
    return block.split('\n').flatMap((line) => {
      folder = /^\$? ?cd (\S+)/.exec(line)?.[1] ?? folder
      const paths = line.matchAll(/(?: > |--persist-to |--out |audit -- export )([\w./-]+)/g)
      return [...paths].map(([, path = '']) => join(folder, path))
    })
  })
}

it('writes nothing into the checkout that git would commit, since it has personal data', () => {
  const written = [...new Set(PAGES.flatMap(writtenBy))].filter((path) => !path.startsWith('/'))
  expect(written).toContain('private/export.json')
  const isIgnored = (path: string) =>
    [path, `${path}/x`].some((one) => spawnSync('git', ['check-ignore', '-q', one]).status === 0)
  expect(written.filter((path) => !isIgnored(path))).toEqual([])
})
