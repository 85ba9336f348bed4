/**
 * Runs on `npm install`. Copies Swagger UI beside the reference page, which loads nothing from
 * other origins. Also builds the review console and the worker's page.
 */
import { copyFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { buildConsole } from './build-console.ts'

const source = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
  copyFileSync(join(source, file), join('public', 'docs', file))
}
await buildConsole()
