/** Exceptions and notices of hours in the words of payroll (docs/payroll.md). */

export const EXCEPTIONS: Record<string, string> = {
  sin_salida: 'Omisión de salida',
  sin_entrada: 'Omisión de entrada',
  entrada_repetida: 'Dos entradas sin salida',
  menos_de_60_s: 'Entrada y salida casi juntas',
  jornada_larga: 'Jornada mayor de 12 h',
  pendientes: 'Checadas sin decidir',
  rechazada: 'Par perdido por un rechazo',
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

export const hours = (worked: number | null): string =>
  worked === null ? '–' : `${worked.toFixed(2)} h`
