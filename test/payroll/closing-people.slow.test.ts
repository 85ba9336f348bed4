import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { anAdmin, anEmployee, paysFrom } from '../support/factories.ts'
import { payrollOf } from '../support/payroll.ts'

it('takes 5,000 people, and not one more', async () => {
  const payroll = payrollOf((await anAdmin()).token)
  await paysFrom('2026-11-01')
  const { employee_id } = await anEmployee()
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4999)
     INSERT INTO employees (employee_id, full_name, rfc, phone, cellphone, started_at,
       job_position, department, branch_office, profile_image, payroll_group, ended_at)
     SELECT 'P-' || i, full_name, rfc, phone, cellphone, started_at,
       job_position, department, branch_office, profile_image, payroll_group, ended_at
     FROM employees, n WHERE employee_id = ?`,
  )
    .bind(employee_id)
    .run()
  const preview = () => payroll.preview('before=2026-11-16')
  expect((await preview()).body.data).toMatchObject({ people: 5_000 })
  await anEmployee()
  expect((await preview()).body.errors).toEqual({
    payroll_group: ['Un cierre toma 5000 personas como máximo: cierra por grupo.'],
  })
})
