/**
 * Node runs this file with a method and a path. It sends the request to the service, whose database
 * has no rows, and prints the files of src that were evaluated for it.
 */
import { registerHooks } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const [method = '', path = ''] = process.argv.slice(2)
const loaded: string[] = []
registerHooks({
  load: (url, context, load) => {
    if (url.startsWith('file:')) loaded.push(relative('.', fileURLToPath(url)))
    return load(url, context)
  },
})
console.log = () => {}
console.error = () => {}

const statement = { bind: () => statement, raw: async () => [] }
const DB = { prepare: () => statement, batch: async () => [], withSession: () => DB }
const limit = { limit: async () => ({ success: true }) }
const env = { DB, TOKEN_SECRET: 'x'.repeat(40), UNKNOWN_BY_ADDRESS: limit, LOGIN_BY_ADDRESS: limit }

const { default: service } = await import('../../src/index.ts')
const body = method === 'POST' ? { body: '{"code":"A"}' } : {}
const request = new Request(`http://localhost${path}`, { method, ...body })
await service.fetch(request as never, env as never, {} as never)
process.stdout.write(JSON.stringify(loaded.filter((file) => file.startsWith('src/'))))
