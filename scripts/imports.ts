import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

/**
 * The rules for imports between the nouns of src, between their layers, between the folders of the
 * console, and between the top folders.
 */

/** A noun may import from the lines above it. Nouns on one line may not import each other. */
const NOUNS = [
  ['core'],
  ['session'],
  ['clients', 'company', 'people'],
  ['users'],
  ['push'],
  ['logs'],
  ['intake', 'agreements'],
  ['clocks'],
  ['payroll'],
  ['evidence'],
  ['health'],
]

/** The same of the rooms of a noun. A file beside them may import from all rooms. */
const ROOMS: Record<string, readonly string[][]> = {
  core: [['values'], ['tables'], ['db'], ['http']],
  clocks: [['punches'], ['adms']],
  payroll: [['hours'], ['rules'], ['closings', 'clock-corrections'], ['card']],
  evidence: [['seal'], ['file']],
}

/** The same of the folders of the console. Each is one thing that people do. */
const CONSOLE_FOLDERS = [
  ['session'],
  ['ui'],
  ['account'],
  ['review', 'mi'],
  ['hours'],
  ['people'],
  ['users'],
  ['clocks'],
  ['closings'],
  ['agreements', 'company', 'inspection', 'help'],
  ['today'],
]

/**
 * The suffix of a file's name is its layer. `core/http/` is in the layer http, and `core/db/` and
 * `core/tables/` in the layer queries.
 */
type Layer = 'app' | 'routes' | 'schemas' | 'http' | 'rules' | 'queries' | 'values'

/** The other layers that each layer may import. */
const LOWER: Record<Layer, readonly Layer[]> = {
  app: ['routes', 'http', 'rules', 'queries', 'values'],
  routes: ['schemas', 'http', 'rules', 'queries', 'values'],
  schemas: ['rules', 'values'],
  http: ['rules', 'queries', 'values'],
  rules: ['queries', 'values'],
  queries: ['values'],
  values: [],
}

/** The packages and the files of lower layers that a layer may not import. */
const FORBIDDEN: Partial<Record<Layer, RegExp>> = {
  routes: /^(drizzle-orm|hono\/validator|@hono\/)|core\/(db\/(text-)?query\.ts$|tables\/)/,
  schemas: /^(hono|@hono|drizzle-orm)(\/(?!utils\/)|$)/,
  http: /^drizzle-orm|core\/tables\//,
  rules: /^(hono|@hono|drizzle-orm)(\/|$)|core\/tables\//,
  queries: /^(hono|@hono|zod)(\/|$)/,
}

/** The files outside of its own folder that each folder may import. */
const FOLDERS: Record<string, RegExp> = {
  src: /^src\//,
  console:
    /^(sdk\/api-(client|types)|src\/(core\/values\/csv|payroll\/hours\/(rest-days|spanish-columns)))\.ts$/,
  sdk: /^src\/(?!.*\.(routes|queries)\.ts$)/,
  docs: /^sdk\/api-client\.ts$/,
  cli: /^(src|sdk)\//,
  scripts: /^(src|sdk|cli)\//,
  test: /^(src|sdk|docs|cli|scripts|console|installations)\//,
  bench: /^(src|sdk|cli|scripts|test)\//,
}

/** The text of each file by its path. */
type Sources = ReadonlyMap<string, string>

export const readSources = (): Sources =>
  new Map(
    globSync(`{${Object.keys(FOLDERS).join()}}/**/*.{ts,tsx}`, {
      exclude: (path) => /node_modules|\.d\.ts$/.test(path),
    }).map((file) => [file, readFileSync(file, 'utf8')]),
  )

/** Returns the imports of a file. Each is the path of a project's file or the name of a package. */
export const importsOf = (file: string, text: string): string[] =>
  [...text.matchAll(/\bfrom '([^'\n]+)'|^import '([^'\n]+)'|\bimport\('([^'\n]+)'\)/gm)]
    .map(([, ...paths]) => paths.find(Boolean) ?? '')
    .map((path) => (path.startsWith('.') ? posix.join(posix.dirname(file), path) : path))

/** The noun of a file in src, or the folder of a file in the console. */
const nounOf = (file: string): string | undefined => /^(?:src|console)\/([\w-]+)\//.exec(file)?.[1]

/** The noun of a file in src and its room, where the noun has rooms. */
const roomOf = (file: string): (string | undefined)[] =>
  /^src\/([\w-]+)\/(?:([\w-]+)\/)?/.exec(file)?.slice(1) ?? []

const rankOf = (ranks: readonly string[][], noun: string | undefined): number =>
  ranks.findIndex((nouns) => nouns.includes(noun ?? ''))

/** A fault unless the import goes to the same noun or downwards. A file of no noun imports all. */
const upwardFault = (ranks: readonly string[][], file: string, path: string) => {
  const [from, to] = [nounOf(file), nounOf(path)]
  if (from === to || from === undefined) return undefined
  if (rankOf(ranks, from) === -1) return `${from} is not in the list of scripts/imports.ts`
  const isDownwards = to !== undefined && rankOf(ranks, to) < rankOf(ranks, from)
  return isDownwards ? undefined : `${from} may not import ${to ?? 'the app'}`
}

/** The errors of a noun, which core/errors.ts puts into one list: the only imports upwards. */
const NOUN_ERRORS = /^src\/(?!core\/)[\w-]+\/errors\.ts$/

/** A fault if the import goes to a room of the same noun that does not lie below. */
const roomFault = (file: string, path: string) => {
  const [noun, room] = roomOf(file)
  const [ofNoun, other] = roomOf(path)
  const ranks = ROOMS[noun ?? '']
  if (!ranks || noun !== ofNoun || room === other || !room || !other) return undefined
  return rankOf(ranks, other) < rankOf(ranks, room)
    ? undefined
    : `${noun}/${room} may not import ${noun}/${other}`
}

/**
 * Returns a function that finds the layer of a file in src. A file that belongs to no noun is in
 * the layer app. Any other file without a suffix is in the layer values if it imports only values,
 * or in the layer rules if not.
 */
const layersOf = (sources: Sources): ((file: string) => Layer) => {
  const layers = new Map<string, Layer>()
  const layerOf = (file: string): Layer => {
    const known = layers.get(file)
    if (known) return known
    const [, suffix] = /\.(routes|schemas|http|queries)\.ts$/.exec(file) ?? []
    const [, folder] = /^src\/core\/(http|db|tables)\//.exec(file) ?? []
    const named = (suffix ?? { http: 'http', db: 'queries', tables: 'queries' }[folder ?? '']) as
      | Layer
      | undefined
    layers.set(file, named ?? 'values')
    const isRule = () =>
      importsOf(file, sources.get(file) ?? '').some(
        (path) => path.startsWith('src/') && layerOf(path) !== 'values',
      )
    const layer = named ?? (nounOf(file) ? (isRule() ? 'rules' : 'values') : 'app')
    layers.set(file, layer)
    return layer
  }
  return layerOf
}

/** Returns a sentence for each import that breaks a rule. */
export const importFaults = (sources: Sources): string[] => {
  const layerOf = layersOf(sources)
  const faultOf = (file: string, path: string): string | undefined => {
    const [folder = ''] = file.split('/')
    const isOfProject = sources.has(path)
    if (isOfProject && !path.startsWith(`${folder}/`) && !FOLDERS[folder]?.test(path)) {
      return `${folder}/ may not import ${path.split('/')[0]}/`
    }
    if (folder === 'console' && path.startsWith('console/'))
      return upwardFault(CONSOLE_FOLDERS, file, path)
    if (folder !== 'src') return undefined
    if (NOUN_ERRORS.test(file) && path !== 'src/core/values/error-entry.ts') {
      return 'errors may import only how they are written'
    }
    if (file === 'src/core/errors.ts' && NOUN_ERRORS.test(path)) return undefined
    const layer = layerOf(file)
    if (FORBIDDEN[layer]?.test(path)) return `${layer} may not import ${path}`
    if (!isOfProject) return undefined
    if (path === 'src/core/errors.ts' && file.endsWith('.queries.ts')) {
      return 'a statement raises its error'
    }
    if (layer !== layerOf(path) && !LOWER[layer].includes(layerOf(path))) {
      return `${layer} may not import ${layerOf(path)}`
    }
    return upwardFault(NOUNS, file, path) ?? roomFault(file, path)
  }
  return [...sources].flatMap(([file, text]) =>
    importsOf(file, text).flatMap((path) => {
      const fault = faultOf(file, path)
      return fault ? [`${file} imports ${path}: ${fault}.`] : []
    }),
  )
}
