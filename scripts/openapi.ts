/** Writes `public/openapi.json` from the schemas; with `--check`, fails where it differs. */
import { readFileSync, writeFileSync } from 'node:fs'
import { document } from '../sdk/openapi/document.ts'

const FILE = 'public/openapi.json'
const text = `${JSON.stringify(document, null, 2)}\n`

if (!process.argv.includes('--check')) {
  writeFileSync(FILE, text)
} else if (readFileSync(FILE, 'utf8') !== text) {
  console.error(`${FILE} and the schemas differ: npm run openapi`)
  process.exit(1)
}
