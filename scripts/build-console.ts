/** Builds the review console into public/revision, where it is served beside the Worker. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const SOURCE = 'console'
const OUT = join('public', 'revision')
const STATIC = ['index.html', 'icon.svg']

/** All files together: people open the page on phones. */
const GZIP_MAX = 30_000

/** Leaves a file alone that is up to date: a running service may be serving it. */
const writeIfChanged = (path: string, contents: Uint8Array): void => {
  try {
    if (readFileSync(path).equals(contents)) return
  } catch {
    // There is no such file yet.
  }
  writeFileSync(path, contents)
}

/** Returns the size of what a first visit loads, in bytes, compressed. */
export const buildConsole = async (): Promise<number> => {
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
  const copied = STATIC.map((name) => ({ path: name, contents: readFileSync(join(SOURCE, name)) }))
  mkdirSync(OUT, { recursive: true })
  const files = [...outputFiles, ...copied]
  for (const { path, contents } of files) writeIfChanged(join(OUT, basename(path)), contents)
  return files.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0)
}

if (import.meta.main) {
  const size = await buildConsole()
  console.log(
    `The console is ${(size / 1000).toFixed(1)} KB gzipped, of ${GZIP_MAX / 1000} at most.`,
  )
  if (size > GZIP_MAX) process.exitCode = 1
}
