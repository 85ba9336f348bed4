import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { copyProject } from '../support/project-copy.ts'

/** Tests the example of CONTRIBUTING.md on a copy of the project. */

const files = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
const copy = copyProject(files.stdout.trim().split('\n'))
afterAll(copy.remove)

const run = (command: string) => {
  const [name = '', ...args] = command.split(' ')
  return copy.run(name, args, { NO_COLOR: '1' })
}

const blocksOf = (language: string) =>
  [...readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, of]) => of === language)
    .map(([, , text = '']) => text)

/** Applies a code block that begins with `// new file PATH` or `// in PATH, before|after: LINE`. */
const applyBlock = (block: string): void => {
  const [heading = '', ...lines] = block.split('\n')
  const text = lines.join('\n')
  const [, newFile] = /^\/\/ new file (\S+)$/.exec(heading) ?? []
  if (newFile) {
    mkdirSync(dirname(copy.path(newFile)), { recursive: true })
    copy.write(newFile, text)
    return
  }
  const [, path = '', place, anchor] = /^\/\/ in (\S+), (before|after): (.+)$/.exec(heading) ?? []
  expect(path, heading).not.toBe('')
  const target = copy.read(path).split('\n')
  const index = target.findIndex((line) => line.trim() === anchor)
  expect(index, heading).toBeGreaterThanOrEqual(0)
  target.splice(place === 'after' ? index + 1 : index, 0, text.replace(/\n$/, ''))
  copy.write(path, target.join('\n'))
}

beforeAll(() => {
  // Biome needs a repository to find the files that Git ignores.
  run('git init --quiet')
  for (const block of [...blocksOf('ts'), ...blocksOf('tsx')]) applyBlock(block)
})

it('the example passes the checks that it names', () => {
  const commands = ['npx biome ci --error-on-warnings', 'npm run openapi', 'npx tsc']
  for (const command of [...commands, 'npx tsc --project console', 'npm run check:imports']) {
    const { status, out } = run(command)
    expect(status, out).toBe(0)
  }
  const [lines = ''] = blocksOf('sh').filter((text) => text.includes('scope-leaks'))
  const test = lines.split('\n').find((line) => line.startsWith('npx vitest')) ?? ''
  const { status, out } = run(
    `${test} test/every-endpoint/round-trips.test.ts test/every-endpoint/query-plans.test.ts`,
  )
  expect(out).toContain('test/people/departments.test.ts')
  expect(status, out).toBe(0)
})

it('the example fails a test if its statement reads all branches', () => {
  const path = 'src/people/departments.queries.ts'
  const scoped = `db.batch((scope) => ({
    rows: selectDepartments({ branch_office, scope }),
  }))`
  const text = copy.read(path)
  expect(text).toContain(scoped)
  const leaking = `db.batchOfAllBranches({
    rows: selectDepartments({ branch_office, scope: null }),
  })`
  copy.write(path, text.replace(scoped, leaking))
  const { status, out } = run(
    'npx vitest run --project workerd test/every-endpoint/scope-leaks.test.ts -t /departments',
  )
  expect(status, out).toBe(1)
  expect(out).toMatch(/FAIL.*GET \/v2\/incidents\/departments by admin/)
})
