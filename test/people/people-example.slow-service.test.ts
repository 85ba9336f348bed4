import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { useService } from '../support/server.ts'
import { signInToService } from '../support/service-evidence.ts'

const service = useService(['--var', 'PEOPLE_ROLES:rh'])

it('docs/nightly.mjs sends people, and prints who is new, changed or the same', async () => {
  const admin = await signInToService(service)
  const send = async (path: string, body: object) => JSON.parse(await admin.post(path, body)).data
  const names = { first_name: 'Nómina', last_name: 'Noche', mother_last_name: '' }
  const machine = { email: 'noche@demo.mx', ...names, role: 'rh', machine: true }
  const { user } = await send('/v2/people/users', machine)
  const { token } = await send(`/v2/people/users/${user.id}/token`, {})
  const texts = ['full_name', 'rfc', 'phone', 'cellphone', 'job_position', 'department']
  const person = {
    employee_id: 'N-1',
    ...Object.fromEntries(texts.map((field) => [field, ''])),
    started_at: '2026-01-05',
    branch_office: 'Norte',
    profile_image: '',
    payroll_group: '',
    ended_at: null,
  }
  const run = (people: object[]) => {
    const env = { ...process.env, API: service.api, TOKEN: token }
    const { stdout, stderr } = spawnSync(process.execPath, ['docs/nightly.mjs'], {
      input: JSON.stringify(people),
      env,
      encoding: 'utf8',
    })
    return stderr || stdout
  }
  expect(run([person])).toBe('N-1 new\n')
  const moved = { ...person, branch_office: 'Sur' }
  expect(run([moved, { ...person, employee_id: 'N-2' }])).toBe('N-1 changed\nN-2 new\n')
  expect(run([moved])).toBe('N-1 same\n')
})
