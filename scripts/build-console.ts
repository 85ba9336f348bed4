/** Builds the review console into public/revision, where it is served beside the Worker. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Metafile } from 'esbuild'

const SOURCE = 'console'
const OUT = join('public', 'revision')
const PICTURES = join(SOURCE, 'pictures')

/** The page is opened on phones, so what its first view loads is limited, compressed, in bytes. */
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

/** An entry file, and every file that it imports as it starts. */
const filesAtStart = ({ outputs }: Metafile, path: string): string[] => {
  const paths = new Set([path])
  for (const each of paths) {
    for (const { path, kind } of outputs[each]?.imports ?? []) {
      if (kind === 'import-statement') paths.add(path)
    }
  }
  return [...paths].map((each) => basename(each))
}

/** @returns the compressed size, in bytes, of each entry file with what it imports as it starts */
export const buildConsole = async (): Promise<Map<string, number>> => {
  const { outputFiles, metafile } = await build({
    entryPoints: { console: join(SOURCE, 'main.tsx'), styles: join(SOURCE, 'styles.css') },
    outdir: OUT,
    write: false,
    bundle: true,
    splitting: true,
    chunkNames: 'part-[hash]',
    metafile: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    tsconfig: join(SOURCE, 'tsconfig.json'),
    logLevel: 'warning',
  })
  const built = outputFiles.map(({ path, contents }) => ({ name: basename(path), contents }))
  // The browser asks for the shared part at once, not after it has read console.js.
  const parts = filesAtStart(metafile, `${OUT}/console.js`).slice(1)
  const preloads = parts.map((name) => `<link rel="modulepreload" href="${name}" />`).join('')
  const page = readFileSync(join(SOURCE, 'index.html'), 'utf8').replace(
    '</head>',
    `${preloads}</head>`,
  )
  mkdirSync(OUT, { recursive: true })
  const files = [
    ...built,
    { name: 'index.html', contents: Buffer.from(page) },
    { name: 'icon.svg', contents: readFileSync(join(SOURCE, 'icon.svg')) },
    ...readdirSync(PICTURES).map((name) => ({
      name,
      contents: readFileSync(join(PICTURES, name)),
    })),
  ]
  for (const { name, contents } of files) writeIfChanged(join(OUT, name), contents)
  for (const name of readdirSync(OUT)) {
    if (!files.some((file) => file.name === name)) rmSync(join(OUT, name))
  }
  const gzipped = new Map(files.map(({ name, contents }) => [name, gzipSync(contents).length]))
  const sizeAtStart = (name: string) =>
    filesAtStart(metafile, `${OUT}/${name}`).reduce(
      (sum, each) => sum + (gzipped.get(each) ?? 0),
      0,
    )
  return new Map(Object.keys(GZIP_MAX).map((name) => [name, sizeAtStart(name)]))
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
}
