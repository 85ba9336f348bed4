/** Builds the review console into public/revision, where it is served beside the Worker. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const SOURCE = 'console'
const OUT = join('public', 'revision')
const STATIC = ['index.html', 'icon.svg']

/** The page is opened on phones, so the compressed size of each file is limited. */
const GZIP_MAX = { 'console.js': 40_000, 'styles.css': 8_000 }

/** Does not touch an unchanged file, since a running service may be serving it. */
const writeIfChanged = (path: string, contents: Uint8Array): void => {
  try {
    if (readFileSync(path).equals(contents)) return
  } catch {
    // The file does not exist yet.
  }
  writeFileSync(path, contents)
}

/** @returns the compressed size of each file, in bytes */
export const buildConsole = async (): Promise<Map<string, number>> => {
  const { outputFiles } = await build({
    entryPoints: { console: join(SOURCE, 'main.tsx'), styles: join(SOURCE, 'styles.css') },
    outdir: OUT,
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    tsconfig: join(SOURCE, 'tsconfig.json'),
    logLevel: 'warning',
  })
  const built = outputFiles.map(({ path, contents }) => ({ name: basename(path), contents }))
  const copied = STATIC.map((name) => ({ name, contents: readFileSync(join(SOURCE, name)) }))
  mkdirSync(OUT, { recursive: true })
  const files = [...built, ...copied]
  for (const { name, contents } of files) writeIfChanged(join(OUT, name), contents)
  return new Map(files.map(({ name, contents }) => [name, gzipSync(contents).length]))
}

if (import.meta.main) {
  const sizes = await buildConsole()
  for (const [name, max] of Object.entries(GZIP_MAX)) {
    const size = sizes.get(name) ?? Infinity
    console.log(`${name} is ${(size / 1000).toFixed(1)} KB gzipped, of ${max / 1000} at most.`)
    if (size > max) process.exitCode = 1
  }
}
