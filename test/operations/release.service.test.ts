import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { breakingChanges } from '../../sdk/openapi/breaking.ts'
import { VERSION } from '../../src/core/version.ts'

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

it('is one version in package.json, the lock file, the document and /health', () => {
  expect(readJson('package.json').version).toBe(VERSION)
  expect(readJson('package-lock.json').version).toBe(VERSION)
  expect(readJson('public/openapi.json').info.version).toBe(VERSION)
})

describe('npm run release', () => {
  let folder: string

  const path = (name: string) => join(folder, name)
  const git = (...args: string[]) => {
    const { stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
    return stdout.trim()
  }
  const commit = () => git('commit', '--quiet', '--all', '--message', 'a change')
  const release = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['scripts/release.ts', ...args],
      {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, PATH: `${path('bin')}:${process.env.PATH}` },
      },
    )
    return { status, out: stdout + stderr }
  }
  const calls = () => readFileSync(path('bin/calls'), 'utf8')
  const changeDocument = (change: (document: ReturnType<typeof readJson>) => void) => {
    const document = readJson(path('public/openapi.json'))
    change(document)
    writeFileSync(path('public/openapi.json'), JSON.stringify(document))
    commit()
  }
  const later = '## [Unreleased]\n\n### Fixed\n\n- A thing.\n'
  const changelog = (text: string) => {
    writeFileSync(path('CHANGELOG.md'), `# Changelog\n\n${text}`)
    commit()
  }

  // A copy of the project with a repository of its own. Of npm, `version` alone is real.
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'checada-release-'))
    for (const part of ['cli', 'scripts', 'src', 'sdk/openapi', 'public/openapi.json']) {
      cpSync(part, path(part), { recursive: true })
    }
    for (const part of ['package.json', 'package-lock.json']) cpSync(part, path(part))
    rmSync(path('sdk/openapi/released'), { recursive: true })
    cpSync('sdk/openapi/released/.gitkeep', path('sdk/openapi/released/.gitkeep'))
    symlinkSync(resolve('node_modules'), path('node_modules'))
    const fake = (name: string, text: string) => {
      writeFileSync(path(`bin/${name}`), `#!/bin/sh\n${text}`)
      chmodSync(path(`bin/${name}`), 0o755)
    }
    cpSync('sdk/openapi/released/.gitkeep', path('bin/calls'))
    fake(
      'npm',
      `echo "npm $*" >> bin/calls
if [ "$1" = version ]; then PATH="\${PATH#*:}"; exec npm "$@"; fi
[ ! -e "bin/fails $*" ]
`,
    )
    fake('vitest', 'echo "vitest $* RELEASE=$RELEASE" >> bin/calls\n')
    writeFileSync(path('.gitignore'), 'node_modules\nbin\n')
    writeFileSync(path('CHANGELOG.md'), `# Changelog\n\n${later}`)
    git('init', '--quiet')
    git('config', 'user.name', 'Ana')
    git('config', 'user.email', 'ana@example.com')
    git('add', '--all')
    commit()
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('checks, dates the changelog, keeps document and database, commits and tags', () => {
    expect(release('7.0.0')).toMatchObject({ status: 0 })
    const day = new Date().toISOString().slice(0, 10)
    expect(readFileSync(path('CHANGELOG.md'), 'utf8')).toBe(
      `# Changelog\n\n## [Unreleased]\n\n## [7.0.0] - ${day}\n\n### Fixed\n\n- A thing.\n`,
    )
    expect(readJson(path('package.json')).version).toBe('7.0.0')
    expect(readJson(path('package-lock.json')).version).toBe('7.0.0')
    expect(readFileSync(path('src/core/version.ts'), 'utf8')).toContain("VERSION = '7.0.0'")
    expect(readJson(path('sdk/openapi/released/7.0.0.json')).openapi).toBe('3.1.1')
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

  it.each(['7', '7.0', 'v7.0.0', '7.0.0-beta.1', '07.0.0', 'latest'])('rejects %s', (version) => {
    expect(release(version)).toEqual({
      status: 1,
      out: `Not released: ${version} is no version, such as 1.2.3.\n`,
    })
  })

  it('rejects an uncommitted change, and a changelog that says nothing', () => {
    appendFileSync(path('package.json'), '\n')
    expect(release('7.0.0').out).toContain('the working tree has changes')
    changelog('## [Unreleased]\n\n## [6.0.0] - 2026-01-01\n\n- Old.\n')
    expect(release('7.0.0').out).toContain('nothing stands under [Unreleased]')
    expect(calls()).toBe('')
  })

  it('writes nothing where a check fails', () => {
    writeFileSync(path('bin/fails run verify'), '')
    expect(release('7.0.0')).toEqual({
      status: 1,
      out: 'Not released: npm run verify failed.\n',
    })
    expect(git('status', '--porcelain')).toBe('')
  })

  it('leaves what one command undoes where a later step fails', () => {
    writeFileSync(path('bin/vitest'), '#!/bin/sh\nexit 1\n')
    expect(release('7.0.0').out).toContain('Not released: vitest run')
    expect(git('tag')).toBe('')
    git('add', '--all')
    git('reset', '--hard', '--quiet')
    expect(git('status', '--porcelain')).toBe('')
    expect(release('7.0.0', '--dry-run')).toMatchObject({ status: 0 })
  })

  it('rejects the version that is there, an older one, and a tag that is taken', () => {
    expect(release(VERSION).out).toContain(`${VERSION} does not come after ${VERSION}`)
    git('tag', 'v7.0.0')
    expect(release('7.0.0').out).toContain('there is a tag v7.0.0 already')
    expect(calls()).toBe('')
  })

  it('asks for a higher version, and a major one where callers break', () => {
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

  it('is also found by the check of each commit', () => {
    const check = () => {
      const args = ['scripts/check-breaking.ts']
      const { status, stdout, stderr } = spawnSync(process.execPath, args, {
        cwd: folder,
        encoding: 'utf8',
      })
      return { status, out: stdout + stderr }
    }
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
  }
  const log = { type: 'object', properties, required: ['id'] }
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
                schema: {
                  type: 'object',
                  properties: {
                    kind: { type: 'string', maxLength: 20 },
                    note: { type: 'string' },
                  },
                  required: ['kind'],
                },
              },
            },
          },
          responses: { 200: { description: 'Added.' } },
        },
      },
    },
    components: { schemas: { Log: log } },
  }
  // biome-ignore lint/suspicious/noExplicitAny: changes reach into the document
  const changed = (change: (document: any) => void) => {
    const after = structuredClone(before)
    change(after)
    return breakingChanges(before, after)
  }
  // biome-ignore lint/suspicious/noExplicitAny: as above
  type Change = [name: string, change: (document: any) => void]
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const bodyOf = (document: any) =>
    document.paths['/logs'].post.requestBody.content['application/json'].schema

  it.each<Change>([
    ['a path less', ({ paths }) => delete paths['/logs']],
    ['an operation less', ({ paths }) => delete paths['/logs'].post],
    ['a function of clients renamed', ({ paths }) => (paths['/logs'].get.operationId = 'list')],
    ['a response less', ({ paths }) => delete paths['/logs'].get.responses['404']],
    ['a field of a response less', ({ components }) => delete components.schemas.Log.properties.id],
    ['a field that may be missing', ({ components }) => (components.schemas.Log.required = [])],
    [
      'a field of another type',
      ({ components }) => (components.schemas.Log.properties.id.type = 'string'),
    ],
    [
      'a field that may be null',
      ({ components }) => (components.schemas.Log.properties.id.type = ['integer', 'null']),
    ],
    [
      'a field of any value of its kind',
      ({ components }) => (components.schemas.Log.properties.status = { type: 'string' }),
    ],
    [
      'a value more in a response',
      ({ components }) => components.schemas.Log.properties.status.enum.push('paid'),
    ],
    [
      'another constant',
      ({ components }) => (components.schemas.Log.properties.done.const = false),
    ],
    ['a token required', ({ paths }) => (paths['/logs'].get.security = [{ bearer: [] }])],
    ['a parameter less', ({ paths }) => paths['/logs'].get.parameters.pop()],
    ['a parameter required', ({ paths }) => (paths['/logs'].get.parameters[1].required = true)],
    ['a value less', ({ paths }) => paths['/logs'].get.parameters[0].schema.enum.pop()],
    ['a lower maximum', ({ paths }) => (paths['/logs'].get.parameters[1].schema.maximum = 50)],
    ['a field of a body required', (document) => bodyOf(document).required.push('note')],
    ['a field of a body less', (document) => delete bodyOf(document).properties.note],
    ['a shorter text', (document) => (bodyOf(document).properties.kind.maxLength = 10)],
  ])('breaks callers: %s', (_name, change) => {
    expect(changed(change)).not.toEqual([])
  })

  it.each<Change>([
    ['a path', ({ paths }) => (paths['/sources'] = paths['/logs'])],
    ['a response', ({ paths }) => (paths['/logs'].get.responses['429'] = { description: 'Many.' })],
    [
      'a field of a response',
      ({ components }) => {
        components.schemas.Log.properties.label = { type: 'string' }
        components.schemas.Log.required.push('label')
      },
    ],
    [
      'a field that is no longer null',
      ({ components }) => (components.schemas.Log.properties.comment.type = 'string'),
    ],
    [
      'a value less in a response',
      ({ components }) => components.schemas.Log.properties.status.enum.pop(),
    ],
    [
      'a parameter',
      ({ paths }) => paths['/logs'].get.parameters.push({ name: 'q', in: 'query', schema: {} }),
    ],
    [
      'a value that is accepted',
      ({ paths }) => paths['/logs'].get.parameters[0].schema.enum.push('x'),
    ],
    ['a field of a body', (document) => (bodyOf(document).properties.more = { type: 'string' })],
    ['a higher maximum', ({ paths }) => (paths['/logs'].get.parameters[1].schema.maximum = 500)],
    [
      'another text',
      ({ info, paths }) => {
        info.title = 'Other'
        paths['/logs'].get.responses['404'].description = 'Nothing.'
      },
    ],
  ])('breaks nobody: %s', (_name, change) => {
    expect(changed(change)).toEqual([])
  })
})
