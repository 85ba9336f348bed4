import { expectedVersion, nameText, strictObject } from '../core/values/fields.schemas.ts'

const NAME_MAX = 200

export const CompanyBody = strictObject(
  { name: nameText('El nombre', NAME_MAX), expected_version: expectedVersion },
  'La empresa debe ser un objeto.',
)
