/** `npm run build:sdk`: packs the client, a small module with types, into a tarball. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

const OUT = 'dist/sdk'

const { name, version, license, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))

rmSync(OUT, { recursive: true, force: true })
mkdirSync(OUT, { recursive: true })
writeFileSync(
  `${OUT}/api-client.js`,
  stripTypeScriptTypes(readFileSync('sdk/api-client.ts', 'utf8')),
)
execFileSync('tsc', ['--project', 'sdk/tsconfig.json'], { stdio: 'inherit' })
const exports = { './client': { types: './api-client.d.ts', default: './api-client.js' } }
const manifest = {
  name,
  version,
  license,
  type: 'module',
  exports,
  dependencies: { hono: `^${dependencies.hono}` },
}
writeFileSync(`${OUT}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`)
execFileSync('npm', ['pack', `./${OUT}`, '--pack-destination', 'dist'], { stdio: 'inherit' })
