/**
 * `npm run check:clients`: generates clients from the OpenAPI document, compiles them, and calls a
 * running service with them: the packed typed client, and those of scripts/generated-clients.ts.
 * Generators and what clients need come from npm, PyPI, Maven and the Go proxy. Afterwards it writes
 * the hash of what it has checked. With `--changed`, it does nothing if the hash is still the same.
 */
import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { CLIENTS, checkClient, missingPrograms } from './generated-clients.ts'
import { withServer } from './test-server.ts'

/** The document, the client, this check, and the files that it copies. */
const CHECKED = [
  'public/openapi.json',
  'sdk/api-*.ts',
  'scripts/{build-sdk,check-clients,generated-clients}.ts',
  'test/generated-clients/*/*',
]
const HASH_FILE = 'test/generated-clients/checked.sha256'

/** The document's version is left out, since a release changes nothing else of it. */
const hashOfChecked = (): string => {
  const hash = createHash('sha256')
  for (const path of globSync(CHECKED).sort()) {
    hash.update(`${path}\n`).update(readFileSync(path, 'utf8').replace(/"version": "[^"]*"/, ''))
  }
  return `${hash.digest('hex')}\n`
}

const { values } = parseArgs({
  options: {
    changed: { type: 'boolean' },
    only: { type: 'string' },
    'leave-out-clients-without-their-programs': { type: 'boolean' },
  },
})

if (values.changed && readFileSync(HASH_FILE, 'utf8') === hashOfChecked()) {
  console.log('Neither the document nor the clients have changed since they were checked.')
  process.exit()
}

const chosen = CLIENTS.filter(({ name }) => name.includes(values.only ?? ''))
const missing = chosen.flatMap((client) => {
  const programs = missingPrograms(client)
  return programs.length > 0 ? [{ client, programs }] : []
})
for (const { client, programs } of missing) {
  console.error(`${client.name} needs ${programs.join(' and ')}, which this machine does not have.`)
}
if (missing.length > 0 && !values['leave-out-clients-without-their-programs']) {
  console.error('Install it, or pass --leave-out-clients-without-their-programs.')
  process.exit(1)
}
const clients = chosen.filter((client) => !missing.some((one) => one.client === client))

await withServer(async (server, folder) => {
  const base = await server.ready
  for (const client of clients) {
    const start = performance.now()
    const done = checkClient(client, { folder, base })
    const seconds = Math.round((performance.now() - start) / 1000)
    console.log(`${client.name}: ${done} (${seconds} s)`)
  }
})
console.log(`${clients.length} of ${CLIENTS.length} clients were checked.`)
if (clients.length === CLIENTS.length && !values.changed) writeFileSync(HASH_FILE, hashOfChecked())
