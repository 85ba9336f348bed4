import type { HoursDay, HoursException } from '../../sdk/api-types.ts'
import { repeatedLog } from './repeated-log.ts'

/** What to do about each exception. A day with several exceptions shows the first of this list. */
const SENTENCES: [HoursException, string][] = [
  ['posible_desfase', 'Las entradas y salidas parecen invertidas: falta una checada.'],
  ['entrada_repetida', 'Hay dos entradas seguidas: una sobra, o falta la salida de la primera.'],
  ['sin_salida', 'Falta la salida.'],
  ['sin_entrada', 'Falta la entrada.'],
  ['rechazada', 'Un rechazo cambió la jornada: revisa que sus horas estén bien.'],
  ['jornada_larga', 'La jornada pasa de 12 h: revisa si falta una salida.'],
  ['menos_de_60_s', 'La entrada y la salida están casi juntas: revisa si una sobra.'],
  ['sin_sincronizar', 'Falta información del reloj: espera a que llegue.'],
  ['pendientes', 'Tiene checadas por decidir.'],
  ['semana_sobre_limite', 'Su semana pasa el límite de la ley.'],
  ['sin_checadas', 'No tiene checadas.'],
]

/** One sentence about what to do with a day that somebody must look at. */
export const sentenceOf = (row: HoursDay): string => {
  const { exceptions, notices } = row
  const [name, text] = SENTENCES.find(([one]) => exceptions.includes(one)) ?? []
  if (name === 'sin_entrada' && repeatedLog(row)) {
    return 'Hay dos salidas seguidas: una sobra, o falta la entrada de la segunda.'
  }
  if (name === 'pendientes' && notices.includes('solicitada')) {
    return 'Pidió una checada: apruébala o recházala.'
  }
  return text ?? 'Es un día fuera de su relación de trabajo.'
}
