/**
 * Writes `public/openapi.json` and the typed client's `sdk/api-types.ts` from the schemas. With
 * `--check`, writes nothing and fails if one of the stored files is different. Always fails if an
 * example does not match its schema.
 */
import { apiTypes } from '../sdk/openapi/api-types.ts'
import { document } from '../sdk/openapi/document.ts'
import { exampleErrors } from '../sdk/openapi/examples.ts'
import { toPublished } from '../sdk/openapi/publish.ts'
import { writeOrCheck } from './generated-files.ts'

const files = {
  'public/openapi.json': `${JSON.stringify(toPublished(document), null, 2)}\n`,
  'sdk/api-types.ts': await apiTypes(document),
}

writeOrCheck(files, 'the schemas', 'npm run openapi')

for (const error of exampleErrors(document)) {
  console.error(`A wrong example: ${error}`)
  process.exitCode = 1
}
