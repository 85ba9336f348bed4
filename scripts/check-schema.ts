/**
 * Fails unless the database that the migrations build is the one that the schema declares, and
 * drizzle-kit's snapshots say the same. `drizzle-kit` can print an error, write nothing and exit 0:
 * only its own words and statements count.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { compareSchemas } from './compare-schemas.ts'

const SCHEMA = ['--dialect', 'sqlite', '--schema', 'src/core/db/schema.ts']

const fail = (text: string): never => {
  console.error(`${text}\nThe schema and drizzle/ differ: npm run db:generate`)
  process.exit(1)
}

const runKit = (args: string[]) => {
  const { stdout, stderr } = spawnSync('drizzle-kit', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { stdout, printed: `${stdout}${stderr}` }
}

const copy = mkdtempSync(join(tmpdir(), 'checada-schema-'))
cpSync('drizzle', copy, { recursive: true })
const generated = runKit(['generate', ...SCHEMA, '--out', relative('.', copy)])
rmSync(copy, { recursive: true })
if (!generated.stdout.includes('No schema changes')) fail(generated.printed)

const exported = runKit(['export', ...SCHEMA])
if (!exported.stdout.includes('CREATE TABLE')) fail(exported.printed)
const migrations = globSync('drizzle/*.sql')
  .sort()
  .flatMap((file) => readFileSync(file, 'utf8').split('--> statement-breakpoint'))
const differences = compareSchemas(migrations, [exported.stdout])
if (differences.length > 0) fail(differences.join('\n'))
console.log('The migrations build the whole schema.')
