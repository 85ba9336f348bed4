/**
 * `npm run check:clients`: installs the packed client in a new app, generates two more clients from
 * the OpenAPI document, type-checks all of them, and calls a running service with them. Installs
 * packages from the npm registry and from PyPI. Afterwards it writes the hash of what it has checked.
 * With `--changed`, it does nothing if the hash is still the same.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { withServer } from './test-server.ts'

/** The oldest version that docs/app.md supports, the last 5.x, and a 7.x. */
const TYPESCRIPT_VERSIONS = ['5.7.3', '5.9.3', '7.0.2']
const OPENAPI_TYPESCRIPT = '7.13.0'
const OPENAPI_FETCH = '0.17.0'
const OPENAPI_PYTHON_CLIENT = '0.29.1'

const run = (command: string, args: string[], cwd: string, path = ''): string => {
  const env = { ...process.env, PATH: `${path}:${process.env.PATH}` }
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  if (status === 0) return `${stdout}${stderr}`
  throw new Error(`${command} ${args.join(' ')} failed:\n${error ?? ''}${stdout}${stderr}`)
}

/** Returns npm's warnings, except those about unknown npm settings of this computer. */
const warningsOf = (output: string): string[] =>
  output.split('\n').filter((line) => /warn/i.test(line) && !/Unknown \w+ config/.test(line))

/** The folder of the new app. It is set once the service has started. */
let app = ''
const DOCUMENT_FILE = resolve('public/openapi.json')

const COMPILER_OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  target: 'es2022',
  module: 'nodenext',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: ['node'],
  noEmit: true,
  allowImportingTsExtensions: true,
}

const writeJson = (file: string, content: object) =>
  writeFileSync(join(app, file), JSON.stringify(content))

/** Copies test files into the app. The app type-checks only these files and the generated ones. */
const compileOnly = (files: string[], ...generated: string[]): void => {
  for (const file of files) copyFileSync(`test/generated-clients/${file}`, join(app, file))
  const include = [...files, ...generated]
  writeJson('tsconfig.json', { compilerOptions: COMPILER_OPTIONS, include })
}

const install = (...packages: string[]) => run('npm', ['install', '--save-dev', ...packages], app)

const callWith = (file: string, origin: string): void =>
  console.log(run('node', ['--disable-warning=ExperimentalWarning', file, origin], app).trim())

const checkTypeScript = (origin: string): void => {
  mkdirSync(app)
  writeJson('package.json', { name: 'app', type: 'module' })
  const [tarball = ''] = readdirSync('dist').filter((name) => name.endsWith('.tgz'))
  const warnings = warningsOf(run('npm', ['install', resolve('dist', tarball)], app))
  if (warnings.length > 0) {
    throw new Error(`The client installs with warnings:\n${warnings.join('\n')}`)
  }
  compileOnly(['app.ts'])
  for (const version of TYPESCRIPT_VERSIONS) {
    install(`typescript@${version}`, '@types/node@22.20.5')
    run('npx', ['tsc'], app)
    console.log(`The typed client compiles with TypeScript ${version}.`)
  }
  callWith('app.ts', origin)

  const generator = `openapi-typescript@${OPENAPI_TYPESCRIPT}`
  install(generator, `openapi-fetch@${OPENAPI_FETCH}`, 'typescript@5.9.3')
  run('npx', ['openapi-typescript', DOCUMENT_FILE, '--output', 'openapi.ts'], app)
  compileOnly(['same-types.ts', 'fetch.ts'], 'openapi.ts')
  run('npx', ['tsc'], app)
  console.log('The typed client and the OpenAPI document describe the same.')
  callWith('fetch.ts', origin)
}

const checkPython = (origin: string, folder: string): void => {
  const venv = join(folder, 'venv')
  const bin = (name: string) => join(venv, 'bin', name)
  run('python3', ['-m', 'venv', venv], folder)
  const packages = [
    `openapi-python-client==${OPENAPI_PYTHON_CLIENT}`,
    'mypy==2.4.1',
    'ruff==0.17.6',
  ]
  run(bin('pip'), ['install', '--quiet', ...packages], folder)
  const flags = ['--path', DOCUMENT_FILE, '--meta', 'none', '--output-path', 'checada_client']
  const generator = bin('openapi-python-client')
  const generated = run(generator, ['generate', ...flags], folder, join(venv, 'bin'))
  if (/warning/i.test(generated)) throw new Error(`The generator warns:\n${generated}`)
  cpSync('test/generated-clients/calls.py', join(folder, 'calls.py'))
  // Leaves out the generator's client.py, in which mypy finds errors with any document.
  const generatedCode = ['checada_client/api', 'checada_client/models']
  run(bin('mypy'), ['--follow-imports=silent', ...generatedCode], folder)
  console.log(run(bin('python'), ['calls.py', `${origin}/api`], folder).trim())
}

/** The document, the client, this check, and the files that it copies. */
const CHECKED = [
  'public/openapi.json',
  'sdk/api-*.ts',
  'scripts/{build-sdk,check-clients}.ts',
  'test/generated-clients/*.{ts,py}',
]
const HASH_FILE = 'test/generated-clients/checked.sha256'

const hashOfChecked = (): string => {
  const hash = createHash('sha256')
  for (const path of globSync(CHECKED).sort()) hash.update(`${path}\n`).update(readFileSync(path))
  return `${hash.digest('hex')}\n`
}

if (process.argv.includes('--changed') && readFileSync(HASH_FILE, 'utf8') === hashOfChecked()) {
  console.log('Neither the document nor the clients have changed since they were checked.')
  process.exit()
}

await withServer(async (server, folder) => {
  run('npm', ['run', 'build:sdk'], '.')
  const origin = (await server.ready).replace(/\/api$/, '')
  app = join(folder, 'app')
  checkTypeScript(origin)
  checkPython(origin, folder)
})
if (!process.argv.includes('--changed')) writeFileSync(HASH_FILE, hashOfChecked())
