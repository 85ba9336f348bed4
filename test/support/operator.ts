import { runInProcess } from './command.ts'
import { useService } from './server.ts'

/** A running service with demo data, and what an operator and a user of it do, for all tests of a file. */
export const useOperator = () => {
  const service = useService(['--var', 'INTAKE_ROLES:reloj'])
  return {
    service,
    /** How commands name its database. */
    place: `in the local database of ${service.state}`,
    /** An operators' command on its database. */
    run: (command: string, args: string[], input = '') =>
      runInProcess(command, [...args, '--persist-to', service.state], input),
    login: async (email: string, password: string) => {
      const res = await fetch(`${service.api}/auth/login`, {
        method: 'POST',
        body: JSON.stringify({ email, password }),
      })
      const body = (await res.json()) as { data: { token: string } | null }
      return { status: res.status, token: body.data?.token ?? '' }
    },
    /** The status of GET /auth/me. */
    me: async (token: string) => {
      const headers = { Authorization: `Bearer ${token}` }
      return (await fetch(`${service.api}/auth/me`, { headers })).status
    },
  }
}
