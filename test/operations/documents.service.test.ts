import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { dirname, normalize } from 'node:path'
import { expect, it } from 'vitest'
import { document } from '../../sdk/openapi/document.ts'

const PARTS =
  /^(?:src\/(routes|schemas|http|domain|db|shared)|sdk\/(openapi|evidence)|(console|cli|scripts))\//

/** The diagram's name for what a file belongs to. */
const partOf = (file: string): string =>
  PARTS.exec(file)?.slice(1).find(Boolean) ?? (file.startsWith('sdk/') ? 'client' : 'app')

const IMPORT = /(?:from|import\(?)\s*'(\.[^']+)'/g

const importsOf = async (): Promise<Set<string>> => {
  const found = new Set<string>()
  for await (const file of glob('{src,sdk,console,cli,scripts}/**/*.{ts,tsx}')) {
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const [from, to] = [partOf(file), partOf(normalize(`${dirname(file)}/${path}`))]
      if (from !== to) found.add(`${from} → ${to}`)
    }
  }
  return found
}

const arrowsOf = (document: string): string[] => {
  const diagram = /```mermaid\n(.*?)```/s.exec(document)?.[1] ?? ''
  return [...diagram.matchAll(/^ *(\w+)(?:\[".*?"\])? --> (.*)$/gm)].flatMap(([, from, to = '']) =>
    to.split(' & ').map((part) => `${from} → ${part}`),
  )
}

it('docs/architecture.md draws what the code imports', async () => {
  const imports = [...(await importsOf())]
  expect(imports.filter((line) => line.startsWith('shared'))).toEqual([])
  const drawn = imports.filter((line) => !line.endsWith('shared'))
  expect(arrowsOf(readFileSync('docs/architecture.md', 'utf8')).sort()).toEqual(drawn.sort())
})

it('docs/api.md names every endpoint of the document once', () => {
  const rows = readFileSync('docs/api.md', 'utf8').matchAll(/^\| `(GET|POST) ([^`?[ ]+)/gm)
  const endpoints = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    (['get', 'post'] as const).flatMap((method) => {
      const operation = item?.[method]
      return operation ? [`${method.toUpperCase()} ${path}`] : []
    }),
  )
  expect([...rows].map(([, method, path]) => `${method} ${path}`).sort()).toEqual(endpoints.sort())
})
