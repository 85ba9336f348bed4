import type { HoursDay } from '../../sdk/api-types.ts'
import { duration } from '../time.ts'

/* The texts for exceptions and notices, in the terms of docs/payroll.md. */

export const EXCEPTIONS: Record<string, string> = {
  sin_salida: 'Omisión de salida',
  sin_entrada: 'Omisión de entrada',
  entrada_repetida: 'Dos entradas sin salida',
  menos_de_60_s: 'Entrada y salida casi juntas',
  jornada_larga: 'Jornada mayor de 12 h',
  pendientes: 'Checadas sin decidir',
  rechazada: 'Un rechazo dejó la jornada sin par',
  posible_desfase: 'Entradas y salidas quizá volteadas',
  sin_checadas: 'Sin checadas en el periodo',
  sin_sincronizar: 'Falta información del reloj',
}

export const NOTICES: Record<string, string> = {
  rechazada: 'con una checada rechazada',
  manual: 'con una checada agregada a mano',
  tipo_deducido: 'tipo deducido',
  repetida: 'checada repetida',
  extemporanea: 'llegó después del cierre',
}

/** The kind of the missing log, by exception. */
export const MISSING: Record<string, 'entrada' | 'salida'> = {
  sin_salida: 'salida',
  entrada_repetida: 'salida',
  sin_entrada: 'entrada',
}

/** A text about what was paid for a day and what the next closing will pay or deduct. */
export const paidText = ({ paid_seconds, closing_id, worked_seconds }: HoursDay): string => {
  if (paid_seconds === null) return ''
  const paid = `pagado: ${duration(paid_seconds)}, cierre ${closing_id}`
  const unpaid = (worked_seconds ?? 0) - paid_seconds
  if (unpaid === 0) return paid
  const next = unpaid > 0 ? 'se pagará' : 'por descontar'
  return `${paid}; ${duration(Math.abs(unpaid))} ${next} en el próximo cierre`
}
