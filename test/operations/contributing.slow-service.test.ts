import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

/** The example of CONTRIBUTING.md, applied to a copy of the project. */

const copy = mkdtempSync(join(tmpdir(), 'checada-contributing-'))
const inCopy = (path: string) => join(copy, path)

const run = (command: string) => {
  const [name = '', ...args] = command.split(' ')
  const env = { ...process.env, NO_COLOR: '1' }
  const { status, stdout, stderr } = spawnSync(name, args, { cwd: copy, env, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

const blocksOf = (language: string) =>
  [...readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, of]) => of === language)
    .map(([, , text = '']) => text)

/** Applies a block, which begins with `// new file PATH` or `// in PATH, before|after: LINE`. */
const applyBlock = (block: string): void => {
  const [heading = '', ...lines] = block.split('\n')
  const text = lines.join('\n')
  const [, newFile] = /^\/\/ new file (\S+)$/.exec(heading) ?? []
  if (newFile) {
    mkdirSync(dirname(inCopy(newFile)), { recursive: true })
    writeFileSync(inCopy(newFile), text)
    return
  }
  const [, path = '', place, anchor] = /^\/\/ in (\S+), (before|after): (.+)$/.exec(heading) ?? []
  const target = readFileSync(inCopy(path), 'utf8').split('\n')
  const index = target.findIndex((line) => line.trim() === anchor)
  expect(index, heading).toBeGreaterThanOrEqual(0)
  target.splice(place === 'after' ? index + 1 : index, 0, text.replace(/\n$/, ''))
  writeFileSync(inCopy(path), target.join('\n'))
}

beforeAll(() => {
  const files = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  for (const file of files.stdout.trim().split('\n')) cpSync(file, inCopy(file))
  symlinkSync(resolve('node_modules'), inCopy('node_modules'))
  // Biome finds what Git ignores by the repository.
  spawnSync('git', ['init', '--quiet'], { cwd: copy })
  for (const block of blocksOf('ts')) applyBlock(block)
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

it('passes its own checks as it is written', () => {
  expect(run('npx biome ci --error-on-warnings')).toMatchObject({ status: 0 })
  expect(run('npm run openapi')).toMatchObject({ status: 0 })
  expect(run('npx tsc')).toMatchObject({ status: 0 })
  const [commands = ''] = blocksOf('sh').filter((text) => text.includes('scope-leaks'))
  const test = commands.split('\n').find((line) => line.startsWith('npx vitest')) ?? ''
  const { status, output } = run(
    `${test} test/every-endpoint/round-trips.test.ts test/every-endpoint/query-plans.test.ts`,
  )
  expect(output).toContain('test/people/departments.test.ts')
  expect(status, output).toBe(0)
})

it('is refused if its statement reads all branches', () => {
  const path = inCopy('src/people/departments.queries.ts')
  const scoped = 'db.batch((scope) => [selectDepartments({ branch_office, scope })])'
  const text = readFileSync(path, 'utf8')
  expect(text).toContain(scoped)
  const leaking = 'db.batchOfAllBranches(selectDepartments({ branch_office, scope: null }))'
  writeFileSync(path, text.replace(scoped, leaking))
  const { status, output } = run(
    'npx vitest run --project workerd test/every-endpoint/scope-leaks.test.ts',
  )
  expect(status).toBe(1)
  expect(output).toMatch(/FAIL.*GET \/v2\/incidents\/departments by admin/)
})
