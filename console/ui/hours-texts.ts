import type { HoursDay, HoursException } from '../../sdk/api-types.ts'

/* The texts for exceptions and notices, in the terms of docs/payroll.md. */

export const EXCEPTIONS: Record<string, string> = {
  sin_salida: 'Omisión de salida',
  sin_entrada: 'Omisión de entrada',
  entrada_repetida: 'Dos entradas sin salida',
  menos_de_60_s: 'Entrada y salida casi juntas',
  jornada_larga: 'Jornada mayor de 12 h',
  pendientes: 'Checadas sin decidir',
  rechazada: 'Un rechazo cambió la jornada',
  posible_desfase: 'Sobra o falta una checada: entradas y salidas invertidas',
  semana_sobre_limite: 'Semana sobre el límite',
  sin_checadas: 'Sin checadas en el periodo',
  sin_sincronizar: 'Falta información del reloj',
} satisfies Record<HoursException, string>

export const NOTICES: Record<string, string> = {
  rechazada: 'con una checada rechazada',
  manual: 'con una checada agregada a mano',
  solicitada: 'con una checada solicitada por la persona',
  tipo_deducido: 'el reloj no indicó entrada o salida',
  repetida: 'checada repetida',
  extemporanea: 'llegó después del cierre',
  fuera_de_relacion: 'fuera de sus días de trabajo',
  otra_red: 'llegó desde otra dirección que la de su reloj',
} satisfies Record<HoursDay['notices'][number], string>

/** What is said of a person who is at work. @param since the local time of the entrada */
export const workingText = (since: string): string => `En turno desde ${since.slice(11, 16)}`
