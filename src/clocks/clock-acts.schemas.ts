import * as z from 'zod/mini'
import { typedNetwork } from '../core/values/address.ts'
import {
  dayField,
  optional,
  requiredComment,
  requiredText,
  strictObject,
  yesOrNo,
} from '../core/values/fields.schemas.ts'

export const ClockAddressBody = strictObject(
  {
    address: z.pipe(
      requiredText('La dirección').check(
        z.refine((text) => typedNetwork(text) !== undefined, {
          error: 'La dirección debe ser de IPv4 o de IPv6.',
        }),
      ),
      z.transform((text: string) => typedNetwork(text) ?? ''),
    ),
  },
  'La dirección debe ser un objeto.',
)

export const ClockRejectionBody = strictObject(
  {
    from: dayField('El primer día'),
    to: dayField('El último día'),
    elsewhere: optional(yesOrNo('Solo de otra dirección')),
    comment: requiredComment,
  },
  'El rechazo debe ser un objeto.',
)
