import * as z from 'zod/mini'
import { requiredText } from '../core/values/fields.schemas.ts'
import { query } from '../core/values/query-fields.schemas.ts'
import { codePoints } from '../core/values/text.ts'

const SEARCH_MAX = 100

export const EmployeeQuery = query({
  q: requiredText('La búsqueda').check(
    z.refine((value) => codePoints(value) <= SEARCH_MAX, {
      error: `La búsqueda no puede tener más de ${SEARCH_MAX} caracteres.`,
    }),
    z.meta({ maxLength: SEARCH_MAX }),
  ),
})
