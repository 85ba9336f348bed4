// The six calls of the contract, good and bad, with the client of @hey-api/openapi-ts.
import * as api from './client'
import { client } from './client/client.gen'

const baseUrl = process.argv[2] ?? ''

const expect = (holds: boolean, what: unknown): void => {
  if (!holds) throw new Error(JSON.stringify(what))
}

const refused = async <E>(status: number, call: Promise<{ response?: Response; error?: E }>) => {
  const { response, error } = await call
  expect(response?.status === status && error !== undefined, { status, error })
  return error
}

const main = async () => {
  client.setConfig({ baseUrl })
  const email = 'ana.torres@demo.mx'
  const login = await api.login({ body: { email, password: 'checada-demo' }, throwOnError: true })
  const { user, token } = login.data.data
  expect(user.active === 1, user)
  await refused(401, api.login({ body: { email, password: 'otra' } }))
  await refused(401, api.me())

  client.setConfig({ baseUrl, auth: token })
  const me = await api.me({ throwOnError: true })
  expect(me.data.data.employee?.full_name !== '', me.data)
  const modules = await api.modulesEnabled({ throwOnError: true })
  expect(modules.data.data[0]?.enabled_app === true, modules.data)
  const found = await api.validateCode({ body: { code: 'DEMO-2026' }, throwOnError: true })
  expect(`${found.data.data.url_base}/api` === baseUrl, found.data)
  await refused(404, api.validateCode({ body: { code: 'DEMO-0000' } }))
  const entry = await api.config({ path: { config: 'logo' }, throwOnError: true })
  expect(entry.data.data.tipo === 'archivo', entry.data)
  await refused(404, api.config({ path: { config: 'nada' } }))

  const page = await api.listLogs({ query: { limit: 2 }, throwOnError: true })
  const log_id = page.data.data.logs[0]?.log_id ?? 0
  const body = { log_id, status: 'approved', comment: 'Bien.' } as const
  const changed = await api.changeLogStatus({ body, throwOnError: true })
  expect(changed.data.data.status === 'approved', changed.data)
  const unknown = api.changeLogStatus({ body: { ...body, log_id: 999_999_999 } })
  const error = await refused(422, unknown)
  expect(error !== undefined && 'errors' in error && 'log_id' in error.errors, error)
  expect((await api.health({ throwOnError: true })).data.success, 'health')
  console.log('The client of @hey-api/openapi-ts works.')
}

main()
