/** Builds the review console into public/revision and the worker's page into public/mi. */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { TARGET } from './browser-target.ts'

const SOURCE = 'console'
const OUT = join('public', 'revision')
const OWN_OUT = join('public', 'mi')
const PICTURES = join(SOURCE, 'help', 'pictures')
const OWN_SOURCE = join(SOURCE, 'mi')

/** The maximum number of compressed bytes that a page may load as it starts, often on a phone. */
const GZIP_MAX = { 'console.js': 60_000, 'styles.css': 8_000, 'mi.js': 24_000, 'mi.css': 8_000 }

export interface File {
  name: string
  contents: Uint8Array
}

const OPTIONS = {
  write: false,
  bundle: true,
  minify: true,
  format: 'esm',
  target: TARGET,
  charset: 'utf8',
  tsconfig: join(SOURCE, 'tsconfig.json'),
  logLevel: 'warning',
} satisfies BuildOptions

/** Writes a file only if it changes, since a running service may be serving it. */
const writeIfChanged = (path: string, contents: Uint8Array): void => {
  try {
    if (readFileSync(path).equals(contents)) return
  } catch {
    // The file does not exist yet.
  }
  writeFileSync(path, contents)
}

/** Writes files to a folder, and deletes all other files in the folder. */
const writeFiles = (folder: string, files: File[]): void => {
  mkdirSync(folder, { recursive: true })
  for (const { name, contents } of files) writeIfChanged(join(folder, name), contents)
  for (const name of readdirSync(folder)) {
    // Two services that start at the same time may delete the same file.
    if (!files.some((file) => file.name === name)) rmSync(join(folder, name), { force: true })
  }
}

const readFrom = (folder: string, name: string): File => ({
  name,
  contents: readFileSync(join(folder, name)),
})

/** Returns the names of an entry file and of all files that are imported as the page starts. */
const filesAtStart = ({ outputs }: Metafile, path: string): string[] => {
  const paths = new Set([path])
  for (const each of paths) {
    for (const { path, kind } of outputs[each]?.imports ?? []) {
      if (kind === 'import-statement') paths.add(path)
    }
  }
  return [...paths].map((each) => basename(each))
}

interface Page {
  source: string
  /** The name of the page's script. */
  name: 'console' | 'mi'
  out: string
  pictures: File[]
}

/**
 * Builds a page. Returns its files and two compressed sizes. The first one is the size of the
 * scripts that are loaded as the page starts, and the second one is the size of the styles.
 */
const buildPage = async ({ source, name, out, pictures }: Page) => {
  const { outputFiles, metafile } = await build({
    ...OPTIONS,
    entryPoints: { [name]: join(source, 'main.tsx') },
    outdir: out,
    splitting: true,
    chunkNames: 'part-[hash]',
    metafile: true,
  })
  // The styles of the entry are those of all parts of the page, in one file.
  const built = outputFiles
    .map(({ path, contents }) => ({ name: basename(path), contents }))
    .filter((file) => !/^part-.*\.css$/.test(file.name))
    .map((file) => (file.name === `${name}.css` ? { ...file, name: 'styles.css' } : file))
  const atStart = filesAtStart(metafile, `${out}/${name}.js`)
  // With these links, the browser loads the shared parts without waiting for the script.
  const parts = atStart.slice(1)
  const preloads = parts.map((part) => `<link rel="modulepreload" href="${part}" />`).join('')
  const page = readFileSync(join(source, 'index.html'), 'utf8').replace(
    '</head>',
    `${preloads}</head>`,
  )
  const files = [
    ...built,
    { name: 'index.html', contents: Buffer.from(page) },
    readFrom(SOURCE, 'icon.svg'),
    ...pictures,
  ]
  const sizeOf = (names: string[]): number =>
    built
      .filter((file) => names.includes(file.name))
      .reduce((sum, { contents }) => sum + gzipSync(contents).length, 0)
  const styles = name === 'mi' ? 'mi.css' : 'styles.css'
  const sizes = [
    [`${name}.js`, sizeOf(atStart)],
    [styles, sizeOf(['styles.css'])],
  ] as const
  return { files, sizes }
}

const hashOf = (contents: string | Uint8Array): string =>
  createHash('sha256').update(contents).digest('hex')

/** Builds the files of the worker's page, without its service worker. */
export const buildOwnPage = () =>
  buildPage({
    source: OWN_SOURCE,
    name: 'mi',
    out: OWN_OUT,
    pictures: ['icon.png', 'manifest.webmanifest'].map((name) => readFrom(OWN_SOURCE, name)),
  })

/**
 * Builds a service worker that contains the hashes of the files. If a file changes, the service
 * worker changes too, and browsers replace it.
 */
export const buildServiceWorker = async (files: File[]): Promise<File> => {
  const hashes = Object.fromEntries(
    files.map(({ name, contents }) => [name === 'index.html' ? './' : name, hashOf(contents)]),
  )
  const { outputFiles } = await build({
    ...OPTIONS,
    entryPoints: [join(OWN_SOURCE, 'service-worker.ts')],
    format: 'iife',
    define: {
      FILES: JSON.stringify(hashes),
      VERSION: JSON.stringify(hashOf(JSON.stringify(hashes)).slice(0, 16)),
    },
  })
  return { name: 'service-worker.js', contents: outputFiles[0]?.contents ?? new Uint8Array() }
}

/** Builds both pages. Returns their compressed sizes in bytes, by the names of `GZIP_MAX`. */
export const buildConsole = async (): Promise<Map<string, number>> => {
  const pictures = readdirSync(PICTURES).map((name) => readFrom(PICTURES, name))
  const review = await buildPage({ source: SOURCE, name: 'console', out: OUT, pictures })
  writeFiles(OUT, review.files)
  const own = await buildOwnPage()
  writeFiles(OWN_OUT, [...own.files, await buildServiceWorker(own.files)])
  return new Map([...review.sizes, ...own.sizes])
}

if (import.meta.main) {
  const sizes = await buildConsole()
  for (const [name, max] of Object.entries(GZIP_MAX)) {
    const size = sizes.get(name) ?? Infinity
    console.log(
      `${name} with its imports is ${(size / 1000).toFixed(1)} KB gzipped, of ${max / 1000} at most.`,
    )
    if (size > max) process.exitCode = 1
  }
  // It reads MDN's data, which takes longer than the build.
  const { supportFaults } = await import('./browser-support.ts')
  const faults = supportFaults(
    [OUT, OWN_OUT].flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => /\.(?:js|css)$/.test(name))
        .map((name) => ({
          name: `${folder}/${name}`,
          text: readFileSync(join(folder, name), 'utf8'),
        })),
    ),
  )
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
}
