/** Fails where the bundle that would be deployed is too large: a phone waits for a Worker's start. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const GZIP_MAX = 80_000

execFileSync('wrangler', ['deploy', '--dry-run', '--outdir', 'dist', '--env='], {
  stdio: ['ignore', 'ignore', 'inherit'],
})
const size = gzipSync(readFileSync('dist/index.js')).length
const told = `The bundle is ${(size / 1000).toFixed(1)} KB gzipped, of ${GZIP_MAX / 1000} at most.`
if (size > GZIP_MAX) {
  console.error(told)
  process.exit(1)
}
console.log(told)
