/**
 * Writes `public/openapi.json` and the typed client's `sdk/api-types.ts` from the schemas; with
 * `--check`, fails where one of them differs. Fails where an example is not what its schema says.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { apiTypes } from '../sdk/openapi/api-types.ts'
import { document } from '../sdk/openapi/document.ts'
import { exampleErrors } from '../sdk/openapi/examples.ts'
import { type Json, publish } from '../sdk/openapi/publish.ts'

const files = {
  'public/openapi.json': `${JSON.stringify(publish(document as unknown as Json), null, 2)}\n`,
  'sdk/api-types.ts': await apiTypes(document),
}

for (const [file, text] of Object.entries(files)) {
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text)
  } else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${file} and the schemas differ: npm run openapi`)
    process.exitCode = 1
  }
}

for (const error of exampleErrors(document)) {
  console.error(`A wrong example: ${error}`)
  process.exitCode = 1
}
