/**
 * Writes `public/openapi.json` and the typed client's `sdk/api-types.ts` from the schemas; with
 * `--check`, fails where one of them differs.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { apiTypes } from '../sdk/openapi/api-types.ts'
import { document } from '../sdk/openapi/document.ts'
import { publish } from '../sdk/openapi/publish.ts'

const plain = JSON.parse(JSON.stringify(document))

const files = {
  'public/openapi.json': `${JSON.stringify(publish(plain), null, 2)}\n`,
  'sdk/api-types.ts': await apiTypes(plain),
}

for (const [file, text] of Object.entries(files)) {
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text)
  } else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${file} and the schemas differ: npm run openapi`)
    process.exitCode = 1
  }
}
