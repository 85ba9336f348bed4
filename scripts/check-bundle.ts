/** Fails where the bundle to deploy is too large: a request may wait for the Worker's start. */
import { gzipSync } from 'node:zlib'
import { bundle } from '../cli/wrangler.ts'

const GZIP_MAX = 80_000

const size = gzipSync(bundle('dist')).length
const told = `The bundle is ${(size / 1000).toFixed(1)} KB gzipped, of ${GZIP_MAX / 1000} at most.`
if (size > GZIP_MAX) {
  console.error(told)
  process.exit(1)
}
console.log(told)
