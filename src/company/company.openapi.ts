import * as z from 'zod'
import { messageOf } from '../core/errors.ts'
import { failure } from '../core/http/envelope.ts'
import {
  authorizedOperation,
  bodyComponent,
  component,
  Failure,
  invalidResponse,
  response,
  sharedResponse,
  successResponse,
} from '../core/operations.openapi.ts'
import { CompanyBody } from './company.schemas.ts'

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

const COMPANY = { name: 'Comercial del Centro, S.A. de C.V.', version: 2 }

export const companyPaths = {
  '/v2/company': {
    put: authorizedOperation({
      operationId: 'putCompany',
      tags: ['payroll'],
      summary: 'Cambiar el nombre de la empresa',
      description: 'Solo para PAYROLL_ROLES sin sucursal asignada.',
      requestBody: bodyComponent('CompanyBody', CompanyBody, {
        name: COMPANY.name,
        expected_version: 1,
      }),
      responses: {
        '200': successResponse('Guardada.', CompanyName, 'La empresa se guardó.', COMPANY),
        '409': response('La empresa cambió desde que se leyó.', CompanyConflict, {
          ...failure(messageOf('COMPANY_MOVED')),
          current: COMPANY,
        }),
        '422': invalidResponse({ name: ['El nombre debe ser texto.'] }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
}
