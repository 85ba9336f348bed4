import { DEMO_ADMIN, DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import { runInProcess, type ScriptName } from './command.ts'
import { createApiClient } from './console-api.ts'
import { useService } from './server.ts'

/**
 * Runs a service with demo data for all tests of a file. Returns functions that run commands as an
 * operator and send requests as a user.
 */
export const useOperator = () => {
  const service = useService(['--var', 'INTAKE_ROLES:reloj'])
  return {
    service,
    /** The text with which commands name the service's database. */
    place: `in the local database of ${service.state}`,
    run: (command: ScriptName, args: string[], input = '') =>
      runInProcess(command, [...args, '--persist-to', service.state], input),
    /** Signs in the demo's administrator. */
    admin: () => createApiClient(service.api, DEMO_ADMIN, DEMO_PASSWORD),
    login: async (email: string, password: string) => {
      const res = await fetch(`${service.api}/auth/login`, {
        method: 'POST',
        body: JSON.stringify({ email, password }),
      })
      const body = (await res.json()) as { data: { token: string } | null }
      return { status: res.status, token: body.data?.token ?? '' }
    },
    me: async (token: string) => {
      const headers = { Authorization: `Bearer ${token}` }
      return (await fetch(`${service.api}/auth/me`, { headers })).status
    },
  }
}
