/** Builds `checada/client`: one small module, and the types of the API. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

const OUT = 'dist/sdk'

mkdirSync(OUT, { recursive: true })
writeFileSync(
  `${OUT}/api-client.js`,
  stripTypeScriptTypes(readFileSync('sdk/api-client.ts', 'utf8')),
)
const { status } = spawnSync('tsc', ['--project', 'sdk/tsconfig.json'], {
  stdio: 'inherit',
})
process.exitCode = status ?? 1
