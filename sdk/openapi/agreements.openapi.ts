import * as z from 'zod'
import {
  AcceptBody,
  AgreementBody,
  AgreementPath,
  AgreementPeopleQuery,
  PaperBody,
  VoidPaperBody,
} from '../../src/agreements/agreements.schemas.ts'
import {
  component,
  idField,
  integer,
  operations,
  pageSizeParameter,
  pathParameters,
  queryParameters,
} from './operations.ts'

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

const path = pathParameters(AgreementPath, {
  id: { description: 'El número del acuerdo.', schema: integer(1) },
})

export const agreementOperations = operations('agreements', {
  'GET /v2/agreements': {
    id: 'listAgreements',
    summary: 'Listar los textos, el más reciente primero',
    data: Agreements,
  },
  'POST /v2/agreements': {
    id: 'publishAgreement',
    summary: 'Publicar un texto',
    description: 'No se cambia ni se borra. Cuando vale, se pide a todos de nuevo.',
    body: ['AgreementBody', AgreementBody],
    data: PublishedAgreement,
    limited: true,
  },
  'GET /v2/agreements/current': {
    id: 'readCurrentAgreement',
    caller: 'signedIn',
    summary: 'Leer el texto que vale hoy',
    data: CurrentAgreement,
  },
  'POST /v2/agreements/{id}/accept': {
    id: 'acceptAgreement',
    caller: 'signedIn',
    summary: 'Acordar un texto, con la propia contraseña',
    description: 'Repetido, responde lo de la primera vez.',
    parameters: path,
    body: ['AcceptBody', AcceptBody],
    data: Acceptance,
    limited: true,
  },
  'POST /v2/agreements/{id}/paper': {
    id: 'recordPaperAgreement',
    summary: 'Asentar que alguien firmó en papel',
    description: 'El escaneo se queda en la empresa; aquí solo su SHA-256.',
    parameters: path,
    body: ['PaperBody', PaperBody],
    data: Acceptance,
    limited: true,
  },
  'POST /v2/agreements/{id}/paper/void': {
    id: 'voidPaperAgreement',
    summary: 'Anular un acuerdo en papel que se asentó por error',
    parameters: path,
    body: ['VoidPaperBody', VoidPaperBody],
    limited: true,
  },
  'GET /v2/agreements/{id}/people': {
    id: 'listAgreementPeople',
    summary: 'Ver quién acordó y quién falta, por nombre',
    description: 'Solo quienes trabajan hoy.',
    parameters: [
      ...path,
      ...queryParameters(AgreementPeopleQuery, {
        agreed: 'true: quienes acordaron; false: quienes faltan.',
        branch_office: 'Solo los de esta sucursal.',
        limit: pageSizeParameter(500),
      }),
    ],
    data: AgreementPeople,
  },
})
