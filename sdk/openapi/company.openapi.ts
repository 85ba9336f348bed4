import * as z from 'zod'
import { CompanyBody } from '../../src/company/company.schemas.ts'
import { component, Failure, operations } from './operations.ts'

/** The company's name and its version. */
export const companyFields = {
  name: z
    .string()
    .meta({ description: 'El nombre de la empresa, que llevan tarjetas y carpetas.' }),
  version: z.int().meta({ description: 'Se envía de vuelta como `expected_version`.' }),
}

const CompanyName = component('CompanyName', companyFields)

const CompanyConflict = component(
  'CompanyConflict',
  { ...Failure.shape, current: CompanyName.optional() },
  'La empresa cambió (`current`).',
)

export const companyOperations = operations('payroll', {
  'PUT /v2/company': {
    id: 'putCompany',
    summary: 'Cambiar el nombre de la empresa',
    description: 'Solo para PAYROLL_ROLES sin sucursal asignada.',
    body: ['CompanyBody', CompanyBody],
    data: CompanyName,
    bodies: { 409: CompanyConflict },
    limited: true,
  },
})
