import type { HoursDay, HoursException } from '../../sdk/api-types.ts'
import { extraLog, wrongKey } from './extra-log.ts'

/** What to do about each exception. A day with several exceptions shows the first of these. */
const SENTENCES: Record<HoursException, string> = {
  posible_desfase: 'Las entradas y salidas parecen invertidas: sobra o falta una checada.',
  entrada_repetida: 'Hay dos entradas seguidas: una sobra, o falta la salida de la primera.',
  sin_salida: 'Falta la salida.',
  sin_entrada: 'Falta la entrada.',
  rechazada: 'Un rechazo cambió la jornada: revisa que sus horas estén bien.',
  jornada_larga: 'La jornada pasa de 12 h: revisa si falta una salida.',
  menos_de_60_s: 'La entrada y la salida están casi juntas: revisa si una sobra.',
  sin_sincronizar: 'Falta información del reloj: espera a que llegue.',
  pendientes: 'Tiene checadas por decidir.',
  semana_sobre_limite: 'Su semana pasa el límite de la ley.',
  sin_checadas: 'No tiene checadas.',
}

const OFF_PAYROLL =
  'Checó antes de su primer día o después del último: corrige sus fechas, o rechaza lo que no es suyo.'

const GUARD = '¿Hace guardias de 24 h? Hay una sola checada por día, siempre a la misma hora.'

/** What the facts of the day say better than its exceptions. Undefined if they do not. */
const sentenceOfFacts = (row: HoursDay, name: HoursException | undefined): string | undefined => {
  const { notices, exceptions } = row
  const isDeduced = notices.includes('tipo_deducido')
  const extra = extraLog(row)
  if (extra && isDeduced) {
    return extra.punch
      ? 'Sobra o falta una checada: dos están a menos de una hora.'
      : 'Sobra o falta una checada de un día anterior, que cambia este.'
  }
  if (extra && name === 'sin_entrada') {
    return 'Hay dos salidas seguidas: una sobra, o falta la entrada de la segunda.'
  }
  if (extra && name === 'sin_salida') return 'Falta la salida, o sobra la última entrada.'
  if (wrongKey(row)) {
    return exceptions.includes('entrada_repetida')
      ? 'Hay dos entradas y ninguna salida: quizá la segunda era la salida.'
      : 'Hay dos salidas y ninguna entrada: quizá la primera era la entrada.'
  }
  if (isDeduced && (name === 'sin_salida' || name === 'sin_entrada')) {
    return 'Falta una checada: la entrada o la salida.'
  }
}

/** One sentence about what to do with a day that somebody must look at. */
export const sentenceOf = (row: HoursDay): string => {
  const { exceptions, notices } = row
  const name = (Object.keys(SENTENCES) as HoursException[]).find((one) => exceptions.includes(one))
  if (notices.includes('fuera_de_relacion')) return OFF_PAYROLL
  if (row.maybe_long_shift) return GUARD
  const facts = sentenceOfFacts(row, name)
  if (facts) return facts
  if (name === 'pendientes' && notices.includes('solicitada')) {
    return 'Pidió una checada: apruébala o recházala.'
  }
  return name
    ? SENTENCES[name]
    : 'Una checada llegó desde otra dirección que la de su reloj: revísala.'
}
