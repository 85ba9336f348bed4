import { describe, expect, it } from 'vitest'
import { expectSuccess, get } from '../support/api.ts'
import { anEmployee, aUser } from '../support/factories.ts'

describe('GET /auth/me', () => {
  it('returns the user and the employee profile with exactly the contract’s fields', async () => {
    const { payroll_group, ended_at, paid_from, version, ...employee } = await anEmployee()
    const user = await aUser({ email: 'ana@empresa.mx', employee_id: employee.employee_id })

    const res = await get('/auth/me', { token: user.token })

    expectSuccess(res, 'Usuario autenticado.', {
      user: {
        id: user.id,
        email: 'ana@empresa.mx',
        first_name: 'Ana',
        last_name: 'Torres',
        mother_last_name: 'Rivas',
        role: 'employee',
        active: 1,
        external: 0,
        type_user: 'interno',
        status_user: 'activo',
      },
      employee,
    })
    expect(Object.keys(res.body.data.employee)).toEqual([
      ...['employee_id', 'full_name', 'rfc', 'phone', 'cellphone', 'started_at'],
      ...['job_position', 'department', 'branch_office', 'profile_image'],
    ])
  })

  it('returns no employee for a user without one', async () => {
    const { token } = await aUser()
    const res = await get('/auth/me', { token })
    expect(res.status).toBe(200)
    expect(res.body.data.employee).toBeNull()
  })
})
