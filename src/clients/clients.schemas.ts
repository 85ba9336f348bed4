import * as z from 'zod/mini'
import { requiredText, text } from '../core/fields.schemas.ts'

export const EntryCodeBody = z.object({ code: requiredText('El código') })

export const ConfigPath = z.object({
  config: text('El nombre de la configuración').check(z.meta({ example: 'logo' })),
})
