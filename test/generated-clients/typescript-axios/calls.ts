// The six calls of the contract, good and bad, with openapi-generator's client for axios.
import axios from 'axios'
import { AuthApi, ClientsApi, Configuration, HealthApi, IncidentsApi, LogStatus } from './client'

const basePath = process.argv[2] ?? ''

const expect = (holds: boolean, what: unknown): void => {
  if (!holds) throw new Error(`${what}`)
}

const refused = async (status: number, call: Promise<unknown>) => {
  const error = await call.catch((thrown: unknown) => thrown)
  if (!axios.isAxiosError(error)) throw new Error(`Not refused with ${status}`)
  expect(error.response?.status === status, error.message)
  return error.response?.data
}

const main = async () => {
  const anonymous = new Configuration({ basePath })
  const [auth, clients] = [new AuthApi(anonymous), new ClientsApi(anonymous)]
  const email = 'ana.torres@demo.mx'
  const { user, token } = (await auth.login({ email, password: 'checada-demo' })).data.data
  expect(user.active === 1, 'active')
  await refused(401, auth.login({ email, password: 'otra' }))

  const signedIn = new Configuration({ basePath, accessToken: token })
  expect((await new AuthApi(signedIn).me()).data.data.employee?.full_name !== '', 'me')
  await refused(401, auth.me())

  expect((await clients.modulesEnabled()).data.data[0]?.enabled_app === true, 'modules')
  const { url_base } = (await clients.validateCode({ code: 'DEMO-2026' })).data.data
  expect(`${url_base}/api` === basePath, url_base)
  await refused(404, clients.validateCode({ code: 'DEMO-0000' }))
  expect((await clients.config('logo')).data.data.tipo === 'archivo', 'config')
  await refused(404, clients.config('nada'))

  const incidents = new IncidentsApi(signedIn)
  const { logs } = (await incidents.listLogs()).data.data
  const change = { log_id: logs[0]?.log_id ?? 0, status: LogStatus.Approved, comment: 'Bien.' }
  const changed = await incidents.changeLogStatus(change)
  expect(changed.data.data.status === 'approved', 'change')
  const unknown = await refused(422, incidents.changeLogStatus({ ...change, log_id: 999_999_999 }))
  expect('log_id' in unknown.errors, unknown)
  expect((await new HealthApi(anonymous).health()).data.success, 'health')
  console.log('openapi-generator’s client for axios works.')
}

main()
