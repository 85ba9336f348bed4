import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** How `npm run check:clients` generates, compiles and calls clients, by language. */

const DOCUMENT = resolve('public/openapi.json')
const CALLS = resolve('test/generated-clients')

const OPENAPI_GENERATOR = '7.25.0'
const HEY_API = '0.99.0'
const OAPI_CODEGEN = 'v2.8.2'
const OPENAPI_TYPESCRIPT = '7.13.0'
const OPENAPI_FETCH = '0.17.0'
const OPENAPI_PYTHON_CLIENT = '0.29.1'
const AXIOS = '1.21.1'
/** The oldest version that docs/app.md supports, the last 5.x, and a 7.x. */
const TYPESCRIPT_VERSIONS = ['5.7.3', '5.9.3', '7.0.2']
const TYPESCRIPT = 'typescript@5.9.3'
const NODE_TYPES = '@types/node@22.20.5'

/** Where a client is made, and the base of the running service's paths. */
interface Place {
  /** The client's own folder. It is empty. */
  folder: string
  /** What clients have in common, as the generator's archive. */
  shared: string
  base: string
}

/** A client that is checked. `check` returns what it did, as "compiled and called". */
interface GeneratedClient {
  name: string
  /** The programs that must be on this machine. */
  programs: string[]
  check(place: Place): string
}

const run = (
  command: string,
  args: string[],
  cwd: string,
  env: Record<string, string> = {},
): string => {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (status === 0) return `${stdout}${stderr}`
  const output = `${error ?? ''}${stdout}${stderr}`
  throw new Error(`${command} ${args.join(' ').slice(0, 200)} failed:\n${output.slice(-20_000)}`)
}

const filesOf = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name))

const writeJson = (file: string, content: object) => writeFileSync(file, JSON.stringify(content))

const npmInstall = (folder: string, ...packages: string[]) =>
  run('npm', ['install', '--save-dev', ...packages], folder)

// --- openapi-generator

/** Generates a client with openapi-generator's defaults, and the options that it asks for. */
const generate = ({ folder, shared }: Place, generator: string, ...options: string[]): void => {
  const jar = `openapi-generator-cli-${OPENAPI_GENERATOR}.jar`
  const artifact = `org.openapitools:openapi-generator-cli:${OPENAPI_GENERATOR}`
  if (!readdirSync(shared).includes(jar)) {
    const copy = [`-Dartifact=${artifact}`, `-DoutputDirectory=${shared}`]
    run('mvn', ['-q', '-B', 'dependency:copy', ...copy], shared)
  }
  const args = ['generate', '-i', DOCUMENT, '-g', generator, '-o', folder, ...options]
  run('java', ['-jar', join(shared, jar), ...args], shared)
}

const copyLibraries = (pom: string, folder: string): string => {
  const libraries = join(folder, 'libraries')
  const options = ['-DincludeScope=compile', `-DoutputDirectory=${libraries}`]
  run('mvn', ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', ...options], folder)
  return filesOf(libraries, '.jar').join(':')
}

const java = (place: Place): string => {
  const { folder, base } = place
  generate(place, 'java')
  const libraries = copyLibraries(join(folder, 'pom.xml'), folder)
  const sources = [
    ...filesOf(join(folder, 'src/main/java'), '.java'),
    join(CALLS, 'java/Calls.java'),
  ]
  run('javac', ['-encoding', 'UTF-8', '-cp', libraries, '-d', 'classes', ...sources], folder)
  run('java', ['-cp', `${libraries}:classes`, 'Calls', base], folder)
  return 'compiled and called'
}

const compileKotlin = (folder: string, libraries: string, sources: string[]) => {
  const plugin = libraries.split(':').find((jar) => jar.includes('serialization-compiler-plugin'))
  const options = ['-no-stdlib', '-no-reflect', '-nowarn', `-Xplugin=${plugin}`, '-d', 'classes']
  const compiler = ['-cp', libraries, 'org.jetbrains.kotlin.cli.jvm.K2JVMCompiler']
  run('java', [...compiler, ...options, '-cp', libraries, ...sources], folder)
}

const kotlin = (place: Place): string => {
  const { folder, base } = place
  generate(place, 'kotlin')
  const libraries = copyLibraries(join(CALLS, 'kotlin/pom.xml'), folder)
  compileKotlin(folder, libraries, ['src/main/kotlin', join(CALLS, 'kotlin/Calls.kt')])
  run('java', ['-cp', `${libraries}:classes`, 'CallsKt', base], folder)
  return 'compiled and called'
}

/** The generator asks for the option of dates itself. Gradle would compile it for phones too. */
const kotlinMultiplatform = (place: Place): string => {
  const { folder } = place
  const dates = ['--additional-properties', 'dateLibrary=kotlinx-datetime']
  generate(place, 'kotlin', '--library', 'multiplatform', ...dates)
  const libraries = copyLibraries(join(CALLS, 'kotlin/pom.xml'), folder)
  compileKotlin(folder, libraries, ['src/commonMain/kotlin'])
  return 'compiled for the JVM'
}

const go = (place: Place): string => {
  const { folder, base } = place
  generate(place, 'go')
  // Its tests need packages that the client does not.
  rmSync(join(folder, 'test'), { recursive: true })
  cpSync(join(CALLS, 'go'), join(folder, 'calls'), { recursive: true })
  run('go', ['mod', 'tidy'], folder)
  run('go', ['vet', './...'], folder)
  run('go', ['run', './calls', base], folder)
  return 'compiled and called'
}

const python = (place: Place): string => {
  const { folder, base } = place
  generate(place, 'python')
  const bin = pythonWith(folder, '--requirement', 'requirements.txt')
  copyFileSync(join(CALLS, 'python/calls.py'), join(folder, 'calls.py'))
  run(bin('python'), ['-m', 'compileall', '-q', 'openapi_client'], folder)
  run(bin('python'), ['calls.py', base], folder)
  return 'compiled and called'
}

const typescriptAxios = (place: Place): string => {
  const { folder, base } = place
  generate({ ...place, folder: join(folder, 'client') }, 'typescript-axios')
  npmInstall(folder, `axios@${AXIOS}`, TYPESCRIPT, NODE_TYPES)
  callCommonJs(folder, 'typescript-axios', base)
  return 'compiled and called'
}

const generatedOnly = (generator: string, ending: string) => (place: Place) => {
  generate(place, generator)
  const files = filesOf(place.folder, ending)
  if (files.length < 100) throw new Error(`${generator} has made ${files.length} files.`)
  return 'generated'
}

// --- other generators

/** Compiles the calls as CommonJS, because generated files import each other without an ending. */
const callCommonJs = (folder: string, name: string, base: string): void => {
  copyFileSync(join(CALLS, name, 'calls.ts'), join(folder, 'calls.ts'))
  const compilerOptions = {
    ...{ strict: true, target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], types: ['node'] },
    ...{ module: 'commonjs', outDir: 'out', skipLibCheck: true },
  }
  writeJson(join(folder, 'tsconfig.json'), { compilerOptions, include: ['calls.ts'] })
  run('npx', ['tsc'], folder)
  run('node', ['out/calls.js', base], folder)
}

const heyApi = ({ folder, base }: Place): string => {
  writeJson(join(folder, 'package.json'), { name: 'app' })
  npmInstall(folder, `@hey-api/openapi-ts@${HEY_API}`, TYPESCRIPT, NODE_TYPES)
  run('npx', ['openapi-ts', '--input', DOCUMENT, '--output', 'client'], folder)
  callCommonJs(folder, 'hey-api', base)
  return 'compiled and called'
}

const oapiCodegen = ({ folder, base }: Place): string => {
  copyFileSync(join(CALLS, 'oapi-codegen/main.go'), join(folder, 'main.go'))
  run('go', ['mod', 'init', 'app'], folder)
  const generator = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${OAPI_CODEGEN}`
  const options = ['-generate', 'types,client', '-package', 'main', '-o', 'client.gen.go']
  run('go', ['run', generator, ...options, DOCUMENT], folder)
  run('go', ['mod', 'tidy'], folder)
  run('go', ['vet', './...'], folder)
  run('go', ['run', '.', base], folder)
  return 'compiled and called'
}

const pythonWith = (folder: string, ...packages: string[]) => {
  const venv = join(folder, 'venv')
  run('python3', ['-m', 'venv', venv], folder)
  run(join(venv, 'bin/pip'), ['install', '--quiet', ...packages], folder)
  return (name: string) => join(venv, 'bin', name)
}

const openapiPythonClient = ({ folder, base }: Place): string => {
  const generator = `openapi-python-client==${OPENAPI_PYTHON_CLIENT}`
  const bin = pythonWith(folder, generator, 'mypy==2.4.1', 'ruff==0.17.6')
  const flags = ['--path', DOCUMENT, '--meta', 'none', '--output-path', 'checada_client']
  const PATH = `${join(folder, 'venv/bin')}:${process.env.PATH}`
  const generated = run(bin('openapi-python-client'), ['generate', ...flags], folder, { PATH })
  if (/warning/i.test(generated)) throw new Error(`The generator warns:\n${generated}`)
  copyFileSync(join(CALLS, 'openapi-python-client/calls.py'), join(folder, 'calls.py'))
  // Leaves out the generator's client.py, in which mypy finds errors with any document.
  const generatedCode = ['checada_client/api', 'checada_client/models']
  run(bin('mypy'), ['--follow-imports=silent', ...generatedCode], folder)
  run(bin('python'), ['calls.py', base], folder)
  return 'compiled and called'
}

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

/** Copies test files into the app. The app type-checks only these files and the generated ones. */
const compileOnly = (folder: string, name: string, files: string[], ...generated: string[]) => {
  for (const file of files) copyFileSync(join(CALLS, name, file), join(folder, file))
  const include = [...files, ...generated]
  writeJson(join(folder, 'tsconfig.json'), { compilerOptions: COMPILER_OPTIONS, include })
}

/** Returns npm's warnings, except those about unknown npm settings of this computer. */
const warningsOf = (output: string): string[] =>
  output.split('\n').filter((line) => /warn/i.test(line) && !/Unknown \w+ config/.test(line))

/** Installs the packed client in a new app. */
const installTypedClient = (folder: string): void => {
  run('npm', ['run', 'build:sdk'], resolve('.'))
  writeJson(join(folder, 'package.json'), { name: 'app', type: 'module' })
  const [tarball = ''] = readdirSync('dist').filter((name) => name.endsWith('.tgz'))
  const warnings = warningsOf(run('npm', ['install', resolve('dist', tarball)], folder))
  if (warnings.length > 0) {
    throw new Error(`The client installs with warnings:\n${warnings.join('\n')}`)
  }
}

const callTypeScript = (file: string, { folder, base }: Place) =>
  run('node', ['--disable-warning=ExperimentalWarning', file, new URL(base).origin], folder)

const typedClient = (place: Place): string => {
  const { folder } = place
  installTypedClient(folder)
  compileOnly(folder, 'typed-client', ['app.ts'])
  for (const version of TYPESCRIPT_VERSIONS) {
    npmInstall(folder, `typescript@${version}`, NODE_TYPES)
    run('npx', ['tsc'], folder)
  }
  callTypeScript('app.ts', place)
  return `compiled with TypeScript ${TYPESCRIPT_VERSIONS.join(', ')} and called`
}

const openapiTypescript = (place: Place): string => {
  const { folder } = place
  installTypedClient(folder)
  const fetch = [`openapi-typescript@${OPENAPI_TYPESCRIPT}`, `openapi-fetch@${OPENAPI_FETCH}`]
  npmInstall(folder, ...fetch, TYPESCRIPT, NODE_TYPES)
  run('npx', ['openapi-typescript', DOCUMENT, '--output', 'openapi.ts'], folder)
  compileOnly(folder, 'openapi-typescript', ['same-types.ts', 'fetch.ts'], 'openapi.ts')
  run('npx', ['tsc'], folder)
  callTypeScript('fetch.ts', place)
  return 'the same types as the typed client, and called'
}

const ofOpenApiGenerator = (
  generator: string,
  check: GeneratedClient['check'],
  programs: string[] = [],
): GeneratedClient => ({
  name: `openapi-generator ${OPENAPI_GENERATOR} ${generator}`,
  programs: ['java', 'mvn', ...programs],
  check,
})

/** All clients that are checked, a line each. */
export const CLIENTS: readonly GeneratedClient[] = [
  { name: 'the typed client', programs: [], check: typedClient },
  {
    name: `openapi-typescript ${OPENAPI_TYPESCRIPT}`,
    programs: [],
    check: openapiTypescript,
  },
  { name: `@hey-api/openapi-ts ${HEY_API}`, programs: [], check: heyApi },
  {
    name: `openapi-python-client ${OPENAPI_PYTHON_CLIENT}`,
    programs: ['python3'],
    check: openapiPythonClient,
  },
  { name: `oapi-codegen ${OAPI_CODEGEN}`, programs: ['go'], check: oapiCodegen },
  ofOpenApiGenerator('go', go, ['go']),
  ofOpenApiGenerator('python', python, ['python3']),
  ofOpenApiGenerator('typescript-axios', typescriptAxios),
  ofOpenApiGenerator('java', java, ['javac']),
  ofOpenApiGenerator('kotlin', kotlin),
  ofOpenApiGenerator('kotlin multiplatform', kotlinMultiplatform),
  ofOpenApiGenerator('swift6', generatedOnly('swift6', '.swift')),
  ofOpenApiGenerator('dart-dio', generatedOnly('dart-dio', '.dart')),
]

const isHere = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined

/** The programs that a client needs and this machine does not have. */
export const missingPrograms = ({ programs }: GeneratedClient): string[] =>
  programs.filter((program) => !isHere(program))

/** Makes and checks a client in a folder of its own. */
export const checkClient = (
  { name, check }: GeneratedClient,
  { folder, base }: { folder: string; base: string },
): string => {
  const shared = join(folder, 'shared')
  const own = join(folder, name.replace(/\W+/g, '-'))
  mkdirSync(shared, { recursive: true })
  mkdirSync(own)
  try {
    return check({ folder: own, shared, base })
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : error}`)
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}
