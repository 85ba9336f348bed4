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

/** What each exception means and what to do, by its name in the files. */
export const EXCEPTION_HELP: Record<HoursException, string> = {
  sin_salida:
    'Hay entrada, no hay salida, y ya pasó la jornada más larga. Agrega la salida. Si hace guardias de 24 h, pon su jornada más larga en «Empresa».',
  sin_entrada: 'Hay salida y no hay entrada. Agrega la entrada.',
  entrada_repetida:
    'Dos entradas seguidas con más de 5 minutos entre ellas. Rechaza la que sobra, agrega la salida que falta, o cambia la segunda a salida si se oprimió la tecla equivocada.',
  menos_de_60_s:
    'Una salida justo después de la entrada, que no se contó. Rechaza la que esté mal.',
  jornada_larga:
    'Una jornada de más de 12 horas, contada completa. Revisa si falta una checada en medio.',
  pendientes: 'Hay checadas sin decidir en ese día. Apruébalas o recházalas.',
  rechazada: 'Un rechazo quitó o alargó una jornada. Agrega la checada correcta si hace falta.',
  posible_desfase:
    'Un reloj que no distingue entrada de salida perdió o repitió una checada, y desde ahí todo va al revés. Rechaza la que sobra o agrega la que falta. Si el turno de verdad cambió, confirma las horas que se pagan.',
  semana_sobre_limite:
    'Con ese día, la semana de lunes a domingo pasó las horas que permite la ley. Sus horas no cambian: revisa quién las autorizó y márcalo como revisado.',
  sin_checadas:
    'La persona no tiene checadas en el periodo. Pregunta si faltó o si falla el reloj.',
  sin_sincronizar:
    'Un reloj todavía no envía todo lo de ese día. Espera, o avisa a quien cuida los relojes.',
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
