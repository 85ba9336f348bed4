/**
 * Fails if the files of the deployed Worker are larger than `GZIP_MAX` together, or if they lack a
 * file of src. Only type declarations and the files that describe the API (*.openapi.ts) may be
 * missing.
 */
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildWorker } from './build-worker.ts'

/** The limit of docs/decisions.md, 13, in bytes. Raise it for a feature that needs more. */
const GZIP_MAX = 192_000

const { files, sources } = await buildWorker()
const size = gzipSync(files.map(({ code }) => code).join('')).length
const loaded = new Set(sources)
const unused = globSync('src/**/*.ts').filter(
  (path) => !/\.(d|openapi)\.ts$/.test(path) && !loaded.has(resolve(path)),
)

console.log(`The bundle is ${(size / 1000).toFixed(1)} KB gzipped, of ${GZIP_MAX / 1000} at most.`)
for (const path of unused) console.error(`${path} is not part of the Worker.`)
if (size > GZIP_MAX || unused.length > 0) process.exitCode = 1
