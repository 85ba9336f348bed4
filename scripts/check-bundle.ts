/**
 * Fails if the Worker's bundle is larger than `GZIP_MAX`, or if it lacks a file of src. Only type
 * declarations and the files that describe the API (*.openapi.ts) may be missing.
 */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { bundle } from '../cli/core/wrangler.ts'

/** The limit of docs/decisions.md, 13, in bytes. Raise it for a feature that needs more. */
const GZIP_MAX = 192_000
const METAFILE = join('dist', 'bundle-meta.json')

const size = gzipSync(bundle('dist', { metafile: METAFILE })).length
const { inputs }: { inputs: Record<string, unknown> } = JSON.parse(readFileSync(METAFILE, 'utf8'))
const loaded = new Set(Object.keys(inputs).map((path) => resolve(path)))
const unused = globSync('src/**/*.ts').filter(
  (path) => !/\.(d|openapi)\.ts$/.test(path) && !loaded.has(resolve(path)),
)

console.log(`The bundle is ${(size / 1000).toFixed(1)} KB gzipped, of ${GZIP_MAX / 1000} at most.`)
for (const path of unused) console.error(`${path} is not part of the Worker.`)
if (size > GZIP_MAX || unused.length > 0) process.exitCode = 1
