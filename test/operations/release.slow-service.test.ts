import { appendFileSync, cpSync, readFileSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { breakingChanges } from '../../sdk/openapi/breaking.ts'
import { VERSION } from '../../src/core/values/version.ts'
import { CLOCK_FLAGS } from '../support/clock/flags.ts'
import { copyProject } from '../support/project-copy.ts'

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

it('the version is the same in package.json, the lock file, the document and /health', () => {
  expect(readJson('package.json').version).toBe(VERSION)
  expect(readJson('package-lock.json').version).toBe(VERSION)
  expect(readJson('public/openapi.json').info.version).toBe(VERSION)
})

describe('npm run release', () => {
  let copy: ReturnType<typeof copyProject>

  const git = (...args: string[]) => copy.run('git', args).out.trim()
  const commit = () => git('commit', '--quiet', '--all', '--message', 'a change')
  const runScript = (script: string, ...args: string[]) =>
    copy.run(process.execPath, [...CLOCK_FLAGS, `scripts/${script}.ts`, ...args])
  const release = (...args: string[]) => runScript('release', ...args)
  const calls = () => copy.read('bin/calls')
  const changeDocument = (change: (document: ReturnType<typeof readJson>) => void) => {
    const document = readJson(copy.path('public/openapi.json'))
    change(document)
    copy.write('public/openapi.json', JSON.stringify(document))
    commit()
  }
  const later = '## [Unreleased]\n\n### Fixed\n\n- A thing.\n'
  const changelog = (text: string) => {
    copy.write('CHANGELOG.md', `# Changelog\n\n${text}`)
    commit()
  }

  // A copy of the project in a repository of its own. Only `npm version` is real. Other npm
  // commands are only recorded.
  beforeEach(() => {
    copy = copyProject([
      ...['cli', 'scripts', 'src', 'sdk/openapi', 'public/openapi.json'],
      ...['package.json', 'package-lock.json'],
    ])
    rmSync(copy.path('sdk/openapi/released'), { recursive: true })
    cpSync('sdk/openapi/released/.gitkeep', copy.path('sdk/openapi/released/.gitkeep'))
    copy.writeCommand(
      'npm',
      `#!/bin/sh
echo "npm $*" >> bin/calls
if [ "$1" = version ]; then PATH="\${PATH#*:}"; exec npm "$@"; fi
[ ! -e "bin/fails $*" ]
`,
    )
    copy.writeCommand('vitest', '#!/bin/sh\necho "vitest $* RELEASE=$RELEASE" >> bin/calls\n')
    copy.write('.gitignore', 'node_modules\nbin\n')
    copy.write('CHANGELOG.md', `# Changelog\n\n${later}`)
    git('init', '--quiet')
    git('config', 'user.name', 'Ana')
    git('config', 'user.email', 'ana@example.com')
    git('add', '--all')
    commit()
  })
  afterEach(() => copy.remove())

  it('checks, dates the changelog, keeps document and database, commits and tags', () => {
    expect(release('7.0.0')).toMatchObject({ status: 0 })
    const day = new Date().toISOString().slice(0, 10)
    expect(copy.read('CHANGELOG.md')).toBe(
      `# Changelog\n\n## [Unreleased]\n\n## [7.0.0] - ${day}\n\n### Fixed\n\n- A thing.\n`,
    )
    expect(readJson(copy.path('package.json')).version).toBe('7.0.0')
    expect(readJson(copy.path('package-lock.json')).version).toBe('7.0.0')
    expect(copy.read('src/core/values/version.ts')).toContain("VERSION = '7.0.0'")
    expect(readJson(copy.path('sdk/openapi/released/7.0.0.json')).openapi).toBe('3.1.1')
    expect(calls().split('\n')).toEqual([
      'npm run verify',
      'npm version 7.0.0 --no-git-tag-version --allow-same-version',
      'npm run openapi',
      'vitest run --project workerd test/core/upgrades.test.ts test/sdk/openapi.test.ts RELEASE=7.0.0',
      '',
    ])
    expect(git('status', '--porcelain')).toBe('')
    expect(git('log', '-1', '--format=%s')).toBe('chore(release): 7.0.0')
    expect(git('describe')).toBe('v7.0.0')
  })

  it('only checks on a dry run', () => {
    expect(release('7.0.0', '--dry-run')).toEqual({ status: 0, out: '7.0.0 could be released.\n' })
    expect(calls()).toBe('')
    expect(git('tag')).toBe('')
  })

  it('rejects what is no version', () => {
    for (const version of ['7', '7.0', 'v7.0.0', '7.0.0-beta.1', '07.0.0', 'latest']) {
      const out = `Not released: ${version} is no version, such as 1.2.3.\n`
      expect(release(version)).toEqual({ status: 1, out })
    }
  })

  it('rejects an uncommitted change, and a changelog without changes', () => {
    appendFileSync(copy.path('package.json'), '\n')
    expect(release('7.0.0').out).toContain('the working tree has changes')
    changelog('## [Unreleased]\n\n## [6.0.0] - 2026-01-01\n\n- Old.\n')
    expect(release('7.0.0').out).toContain('nothing stands under [Unreleased]')
    expect(calls()).toBe('')
  })

  it('writes nothing if a check fails', () => {
    copy.write('bin/fails run verify', '')
    const out = 'Not released: npm run verify failed.\n'
    expect(release('7.0.0')).toEqual({ status: 1, out })
    expect(git('status', '--porcelain')).toBe('')
  })

  it('leaves a state that one command undoes if a later step fails', () => {
    copy.writeCommand('vitest', '#!/bin/sh\nexit 1\n')
    expect(release('7.0.0').out).toContain('Not released: vitest run')
    expect(git('tag')).toBe('')
    git('add', '--all')
    git('reset', '--hard', '--quiet')
    expect(git('status', '--porcelain')).toBe('')
    expect(release('7.0.0', '--dry-run')).toMatchObject({ status: 0 })
  })

  it('rejects a draft, an older version, and a tag that is taken', () => {
    expect(release('7.0.0-dev').out).toContain('7.0.0-dev is no version')
    expect(release('1.9.9').out).toContain(`1.9.9 does not come after ${VERSION}`)
    git('tag', 'v7.0.0')
    expect(release('7.0.0').out).toContain('there is a tag v7.0.0 already')
    expect(calls()).toBe('')
  })

  it('asks for a higher version, and for a major one if callers break', () => {
    release('7.0.0')
    changelog(later)
    expect(release('7.0.0').out).toContain('7.0.0 does not come after 7.0.0')
    expect(release('6.9.9').out).toContain('6.9.9 does not come after 7.0.0')

    changeDocument(({ paths }) => delete paths['/auth/login'])
    for (const version of ['7.0.1', '7.1.0']) {
      expect(release(version).out).toBe(
        `Not released: ${version} would break callers of 7.0.0.\nremove: paths › /auth/login › post\n`,
      )
    }
    expect(release('8.0.0', '--dry-run')).toMatchObject({ status: 0 })
  })

  it('has a check that finds what breaks callers since the last release', () => {
    const check = () => runScript('check-breaking')
    expect(check().out).toContain('there is none yet')
    release('7.0.0')
    expect(check()).toEqual({ status: 0, out: 'Nothing breaks callers of 7.0.0.\n' })
    changeDocument(({ paths }) => delete paths['/auth/login'].post.responses['403'])
    expect(check()).toEqual({
      status: 1,
      out: expect.stringContaining('remove: paths › /auth/login › post › responses › 403'),
    })
  })
})

describe('a change of the document', () => {
  const properties = {
    id: { type: 'integer' },
    comment: { type: ['string', 'null'] },
    status: { enum: ['pending', 'approved'] },
    done: { const: true },
    active: {
      anyOf: [
        { type: 'number', const: 0 },
        { type: 'number', const: 1 },
      ],
    },
  }
  const log = { type: 'object', properties, required: ['id'] }
  const body = { kind: { type: 'string', maxLength: 20 }, note: { type: 'string' } }
  const before = {
    openapi: '3.1.1',
    info: { title: 'T', version: '1.0.0' },
    paths: {
      '/logs': {
        get: {
          operationId: 'logs',
          parameters: [
            { name: 'status', in: 'query', schema: { enum: ['pending', 'approved'] } },
            { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } },
          ],
          responses: {
            200: {
              description: 'Logs.',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Log' } } },
            },
            404: { description: 'None.' },
          },
        },
        post: {
          operationId: 'addLog',
          requestBody: {
            content: {
              'application/json': {
                schema: { type: 'object', properties: body, required: ['kind'] },
              },
            },
          },
          responses: { 200: { description: 'Added.' } },
        },
      },
    },
    components: { schemas: { Log: log } },
  }
  /** The document, and the parts of it that most changes touch. */
  // biome-ignore lint/suspicious/noExplicitAny: changes reach into the document
  const partsOf = (document: any) => {
    const { paths, info, components } = document
    const { get, post } = paths['/logs']
    const body = post.requestBody.content['application/json'].schema
    const [status, limit] = get.parameters
    const { schemas } = components
    return { paths, info, schemas, log: schemas.Log, get, body, status, limit }
  }
  type Change = [name: string, change: (parts: ReturnType<typeof partsOf>) => void]
  const changed = (change: Change[1]) => {
    const after = structuredClone(before)
    change(partsOf(after))
    return breakingChanges(before, after)
  }

  it.each<Change>([
    ['a removed path', ({ paths }) => delete paths['/logs']],
    ['a removed operation', ({ paths }) => delete paths['/logs'].post],
    ['a renamed client function', ({ get }) => (get.operationId = 'list')],
    ['a removed response', ({ get }) => delete get.responses['404']],
    ['a removed field of a response', ({ log }) => delete log.properties.id],
    ['a field that may be missing', ({ log }) => (log.required = [])],
    ['a field with a different type', ({ log }) => (log.properties.id.type = 'string')],
    ['a field that may be null', ({ log }) => (log.properties.id.type = ['integer', 'null'])],
    ['a field that accepts any value', ({ log }) => (log.properties.status = { type: 'string' })],
    ['an additional value in a response', ({ log }) => log.properties.status.enum.push('paid')],
    ['a different constant', ({ log }) => (log.properties.done.const = false)],
    ['an additional constant', ({ log }) => log.properties.active.anyOf.push({ const: 2 })],
    [
      'an enum with another value than the constants',
      ({ log }) => (log.properties.active = { type: 'integer', enum: [0, 1, 2] }),
    ],
    ['a required token', ({ get }) => (get.security = [{ bearer: [] }])],
    ['a removed parameter', ({ get }) => get.parameters.pop()],
    ['a parameter that becomes required', ({ limit }) => (limit.required = true)],
    ['a removed value of a parameter', ({ status }) => status.schema.enum.pop()],
    ['a lower maximum', ({ limit }) => (limit.schema.maximum = 50)],
    ['a required field in a body', ({ body }) => body.required.push('note')],
    ['a removed field of a body', ({ body }) => delete body.properties.note],
    ['a lower maximum length', ({ body }) => (body.properties.kind.maxLength = 10)],
  ])('breaks callers: %s', (_name, change) => {
    expect(changed(change)).not.toEqual([])
  })

  it.each<Change>([
    ['a path', ({ paths }) => (paths['/sources'] = paths['/logs'])],
    ['a response', ({ get }) => (get.responses['429'] = { description: 'Many.' })],
    [
      'a field of a response',
      ({ log }) => {
        log.properties.label = { type: 'string' }
        log.required.push('label')
      },
    ],
    ['a field that is no longer null', ({ log }) => (log.properties.comment.type = 'string')],
    ['a removed value in a response', ({ log }) => log.properties.status.enum.pop()],
    [
      'an enum of the same constants',
      ({ log }) => (log.properties.active = { type: 'integer', enum: [0, 1], format: 'int64' }),
    ],
    [
      'a renamed component',
      ({ get, schemas }) => {
        schemas.StoredLog = schemas.Log
        delete schemas.Log
        const { schema } = get.responses[200].content['application/json']
        schema.$ref = '#/components/schemas/StoredLog'
      },
    ],
    ['a parameter', ({ get }) => get.parameters.push({ name: 'q', in: 'query', schema: {} })],
    ['a value that is accepted', ({ status }) => status.schema.enum.push('x')],
    ['a field of a body', ({ body }) => (body.properties.more = { type: 'string' })],
    ['a higher maximum', ({ limit }) => (limit.schema.maximum = 500)],
    ['a different title', ({ info }) => (info.title = 'Other')],
    ['a different text', ({ get }) => (get.responses['404'].description = 'Nothing.')],
  ])('breaks nobody: %s', (_name, change) => {
    expect(changed(change)).toEqual([])
  })
})
