import * as z from 'zod/mini'
import { requiredText, textField } from '../core/values/fields.schemas.ts'

export const EntryCodeBody = z.object({ code: requiredText('El código') })

export const ConfigPath = z.object({
  config: textField('El nombre de la configuración').check(z.meta({ example: 'logo' })),
})
