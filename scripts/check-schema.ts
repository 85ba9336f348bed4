/**
 * Fails if the migrations, the declared schema and the snapshots of drizzle-kit differ. drizzle-kit
 * can fail with exit code 0, so only its output shows whether it succeeded.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { compareSchemas } from './compare-schemas.ts'
import { BY_HAND } from './schema-by-hand.ts'

const SCHEMA_FLAGS = ['--dialect', 'sqlite', '--schema', 'src/core/tables']

const fail = (text: string): never => {
  console.error(
    `${text}\nThe schema and drizzle/ differ: npm run db:generate, or scripts/schema-by-hand.ts for what is made by hand`,
  )
  process.exit(1)
}

const runKit = (expected: string, args: string[]): string => {
  const { stdout, stderr } = spawnSync('drizzle-kit', [...args, ...SCHEMA_FLAGS], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return stdout.includes(expected) ? stdout : fail(`${stdout}${stderr}`)
}

const copy = mkdtempSync(join(tmpdir(), 'checada-schema-'))
cpSync('drizzle', copy, { recursive: true })
process.on('exit', () => rmSync(copy, { recursive: true }))
runKit('No schema changes', ['generate', '--out', relative('.', copy)])

const declared = runKit('CREATE TABLE', ['export'])
const migrations = globSync('drizzle/*.sql')
  .sort()
  .flatMap((file) => readFileSync(file, 'utf8').split('--> statement-breakpoint'))
const differences = compareSchemas(migrations, [declared], BY_HAND)
if (differences.length > 0) fail(differences.join('\n'))
console.log('The migrations build the whole schema.')
