/**
 * Fails unless the migrations contain the whole schema. `drizzle-kit generate` can print an error,
 * write nothing and exit 0: only its own "No schema changes" counts.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const copy = mkdtempSync(join(tmpdir(), 'checada-schema-'))
cpSync('drizzle', copy, { recursive: true })
const { stdout, stderr } = spawnSync(
  'drizzle-kit',
  [
    'generate',
    '--dialect',
    'sqlite',
    '--schema',
    'src/core/db/schema.ts',
    '--out',
    relative('.', copy),
  ],
  { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
)
rmSync(copy, { recursive: true })

if (!stdout.includes('No schema changes')) {
  console.error(`${stdout}${stderr}\nThe schema and drizzle/ differ: npm run db:generate`)
  process.exit(1)
}
console.log('The migrations contain the whole schema.')
