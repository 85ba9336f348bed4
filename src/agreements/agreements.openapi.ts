import * as z from 'zod'
import { messageOf } from '../core/errors.ts'
import {
  anyFailure,
  authenticatedOperation,
  authorizedOperation,
  bodyComponent,
  component,
  failureResponse,
  idField,
  integer,
  invalidResponse,
  invalidWithExamples,
  noEmployee,
  pageSizeParameter,
  pathParameters,
  queryParameters,
  sharedResponse,
  successResponse,
} from '../core/operations.openapi.ts'
import {
  AcceptBody,
  AgreementBody,
  AgreementPath,
  AgreementPeopleQuery,
  PaperBody,
  VoidPaperBody,
} from './agreements.schemas.ts'

const sha256 = z.string().meta({
  description: 'SHA-256 de `title`, `valid_from` y `text` en UTF-8, unidos por saltos de línea.',
})
const how = z.enum(['app', 'paper'])

const text = {
  id: idField,
  title: z.string(),
  text: z.string(),
  sha256,
  valid_from: z.iso.date().meta({ description: 'El primer día en que vale.' }),
}

const PublishedAgreement = component('PublishedAgreement', { id: idField, sha256 })

const Agreements = component('AgreementList', {
  agreements: z.array(component('Agreement', { ...text, created_at: z.iso.datetime() })),
})

const CurrentAgreement = component('CurrentAgreement', {
  ...text,
  accepted_at: z.iso.datetime().nullable().meta({ description: 'Cuándo acordó quien pregunta.' }),
})

const Acceptance = component('Acceptance', { accepted_at: z.iso.datetime(), sha256, how })

const AgreementPeople = component('AgreementPeople', {
  people: z.array(
    component('AgreementPerson', {
      employee_id: z.string(),
      full_name: z.string(),
      branch_office: z.string(),
      agreed_at: z.iso.datetime().nullable(),
      how: how.nullable(),
      has_user: z.boolean().meta({ description: 'Si puede entrar a la app y acordar ahí.' }),
    }),
  ),
  agreed: z.int().meta({ description: 'Cuántas personas acordaron, en todas las páginas.' }),
  missing: z.int(),
  next_cursor: z.string().nullable(),
})

const SHA256 = '0b6f3b1e5b3c6a0f5f4d8f1f2f6b1d0a9c7e5d3b2a190817263544536271809f'
const FILE = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const TEXT = {
  title: 'Registro electrónico de la jornada',
  text: 'El trabajador y la empresa acuerdan…',
  valid_from: '2027-01-01',
}
const ACCEPTED_AT = '2027-01-04T15:02:11.000Z'
const PERSON = { employee_id: 'E-002', full_name: 'Luis Mendoza Peña', branch_office: 'Norte' }
const FIELDS = { id: 1, ...TEXT, sha256: SHA256 }

const path = pathParameters(AgreementPath, {
  id: { description: 'El número del acuerdo.', schema: integer(1) },
})

const forbiddenPaper = anyFailure('Sin permiso, o es el propio registro.', [
  'FORBIDDEN',
  'OWN_EMPLOYEE',
])

const unknown = failureResponse('No existe.', 'AGREEMENT_NOT_FOUND')

export const agreementPaths = {
  '/v2/agreements': {
    get: authorizedOperation({
      operationId: 'listAgreements',
      tags: ['agreements'],
      summary: 'Listar los textos, el más reciente primero',
      responses: {
        '200': successResponse('Los textos.', Agreements, 'Acuerdos.', {
          agreements: [{ ...FIELDS, created_at: ACCEPTED_AT }],
        }),
      },
    }),
    post: authorizedOperation({
      operationId: 'publishAgreement',
      tags: ['agreements'],
      summary: 'Publicar un texto',
      description: 'No se cambia ni se borra. Cuando vale, se pide a todos de nuevo.',
      requestBody: bodyComponent('AgreementBody', AgreementBody, TEXT),
      responses: {
        '200': successResponse('Publicado.', PublishedAgreement, 'El acuerdo se publicó.', {
          id: 1,
          sha256: SHA256,
        }),
        '409': failureResponse('Ya se publicó.', 'AGREEMENT_EXISTS'),
        '422': invalidResponse({ text: ['El texto no puede tener más de 20000 caracteres.'] }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/v2/agreements/current': {
    get: authenticatedOperation({
      operationId: 'readCurrentAgreement',
      tags: ['agreements'],
      summary: 'Leer el texto que vale hoy',
      responses: {
        '200': successResponse('El texto.', CurrentAgreement, 'Acuerdo vigente.', {
          ...FIELDS,
          accepted_at: null,
        }),
        '404': failureResponse('Ninguno vale hoy.', 'NO_AGREEMENT'),
      },
    }),
  },
  '/v2/agreements/{id}/accept': {
    post: authenticatedOperation({
      operationId: 'acceptAgreement',
      tags: ['agreements'],
      summary: 'Acordar un texto, con la propia contraseña',
      description: 'Repetido, responde lo de la primera vez.',
      parameters: path,
      requestBody: bodyComponent('AcceptBody', AcceptBody, {
        sha256: SHA256,
        password: 'una frase larga',
      }),
      responses: {
        '200': successResponse('Acordado.', Acceptance, 'El acuerdo quedó registrado.', {
          accepted_at: ACCEPTED_AT,
          sha256: SHA256,
          how: 'app',
        }),
        '403': noEmployee,
        '404': unknown,
        '409': anyFailure('La huella no es la del texto, o todavía no vale.', [
          'AGREEMENT_CHANGED',
          'AGREEMENT_NOT_YET',
        ]),
        '422': invalidResponse({ password: [messageOf('WRONG_PASSWORD')] }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/v2/agreements/{id}/paper': {
    post: authenticatedOperation({
      operationId: 'recordPaperAgreement',
      tags: ['agreements'],
      summary: 'Asentar que alguien firmó en papel',
      description: 'El escaneo se queda en la empresa; aquí solo su SHA-256.',
      parameters: path,
      requestBody: bodyComponent('PaperBody', PaperBody, {
        employee_id: 'E-002',
        signed_on: '2027-01-04',
        file_sha256: FILE,
      }),
      responses: {
        '200': successResponse('Asentado.', Acceptance, 'El acuerdo en papel quedó asentado.', {
          accepted_at: ACCEPTED_AT,
          sha256: SHA256,
          how: 'paper',
        }),
        '403': forbiddenPaper,
        '404': unknown,
        '409': failureResponse('Ya consta uno en papel.', 'PAPER_EXISTS'),
        '422': invalidWithExamples({
          PAPER_DAY: { signed_on: [messageOf('PAPER_DAY')] },
          UNKNOWN_EMPLOYEE: { employee_id: [messageOf('UNKNOWN_EMPLOYEE')] },
        }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/v2/agreements/{id}/paper/void': {
    post: authenticatedOperation({
      operationId: 'voidPaperAgreement',
      tags: ['agreements'],
      summary: 'Anular un acuerdo en papel que se asentó por error',
      parameters: path,
      requestBody: bodyComponent('VoidPaperBody', VoidPaperBody, {
        employee_id: 'E-002',
        comment: 'El papel es de otra persona.',
      }),
      responses: {
        '200': successResponse('Anulado.', z.null(), 'El acuerdo en papel se anuló.', null),
        '403': forbiddenPaper,
        '404': unknown,
        '409': failureResponse('No consta uno en papel.', 'PAPER_MISSING'),
        '422': invalidResponse({ employee_id: [messageOf('UNKNOWN_EMPLOYEE')] }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/v2/agreements/{id}/people': {
    get: authorizedOperation({
      operationId: 'listAgreementPeople',
      tags: ['agreements'],
      summary: 'Ver quién acordó y quién falta, por nombre',
      description: 'Solo quienes trabajan hoy.',
      parameters: [
        ...path,
        ...queryParameters(AgreementPeopleQuery, {
          agreed: { description: 'true: quienes acordaron; false: quienes faltan.' },
          branch_office: { description: 'Solo los de esta sucursal.' },
          limit: pageSizeParameter(500),
        }),
      ],
      responses: {
        '200': successResponse('Una página.', AgreementPeople, 'Quién acordó.', {
          people: [{ ...PERSON, agreed_at: ACCEPTED_AT, how: 'app', has_user: true }],
          agreed: 1,
          missing: 0,
          next_cursor: null,
        }),
        '404': unknown,
        '422': invalidResponse({ limit: ['El límite debe ser un número entero de 1 a 500.'] }),
      },
    }),
  },
}
