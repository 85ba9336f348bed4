/**
 * The thirty irregularities that happen in a company, and what to do. The page "Treinta
 * irregularidades" shows them, and a test has each happen on the service.
 */

export interface Irregularity {
  title: string
  /** What the row of the day says, or that of the number or clock on the page "Relojes". */
  says: string
  /** The row's first act. */
  act: string
  /** The clicks and fields until the day is right, from its row on. Undefined if not measured. */
  clicks?: number
  fields?: number
  /** What the day becomes. */
  becomes: string
  /** The person's hours of these days, once they are right. */
  hours: number
  /**
   * The punches, as the tests write them: `02 E08:00 S17:00` is an entrada and a salida on the 2nd, C
   * is a punch of a clock without keys. Several cards are ways in which the same happens.
   */
  cards?: string[]
  /** The day of the row. */
  day?: string
  /** What is typed as the missing punch. */
  typed?: string
}

/** What the row of a day says that waits for nothing but its approval. */
export const NOTHING = 'Nada: el día no está por aclarar.'
const APPROVE = 'Aprobar los días sin excepción'
const NOTHING_TO_DO = { says: NOTHING, act: APPROVE, clicks: 2, fields: 0 }

const TWO_ENTRADAS = 'Hay dos entradas seguidas: una sobra, o falta la salida de la primera.'
const EXTRA = 'Sobra o falta una checada: dos están a menos de una hora.'
const OFF_PAYROLL =
  'Checó antes de su primer día o después del último: corrige sus fechas, o rechaza lo que no es suyo.'
const OTHER_BRANCH = 'Ese número es de alguien de otra sucursal: ¿de quién son aquí?'

const REJECT = { clicks: 2, fields: 1 }
const ADD = { clicks: 2, fields: 2 }
const ONE_OR_CLOCK = {
  act: 'Agregar otra checada…, o «Corregir la hora» en «Relojes» si son varias',
}
const NAME = { act: 'Decir de quién son', clicks: 3, fields: 1 }
const DATES = { says: OFF_PAYROLL, act: 'Corregir sus fechas…', clicks: 2, fields: 1 }

export const IRREGULARITIES: Irregularity[] = [
  {
    title: 'Olvidó checar la salida',
    says: 'Falta la salida.',
    act: 'Agregar la salida que falta',
    ...ADD,
    becomes: 'De la entrada a la hora que escribiste.',
    hours: 9,
    cards: ['02 E08:00'],
    typed: 'salida 17:00',
  },
  {
    title: 'Olvidó checar la salida de una noche',
    says: 'Falta la salida.',
    act: 'Agregar la salida que falta',
    ...ADD,
    becomes: 'La noche completa: la hora de la mañana se pone sola en el día siguiente.',
    hours: 8,
    cards: ['02 E22:00'],
    typed: 'salida 06:00',
  },
  {
    title: 'Olvidó checar la entrada',
    says: 'Falta la entrada.',
    act: 'Agregar la entrada que falta',
    ...ADD,
    becomes: 'De la hora que escribiste a la salida.',
    hours: 9,
    cards: ['02 S17:00'],
    typed: 'entrada 08:00',
  },
  {
    title: 'Olvidó checar la entrada de una noche',
    says: 'Falta la entrada.',
    act: 'Agregar la entrada que falta',
    ...ADD,
    becomes: 'La noche completa, en el día en que empezó.',
    hours: 8,
    cards: ['03 S06:00'],
    day: '03',
    typed: 'entrada 22:00',
  },
  {
    title: 'Checó dos veces en 20 segundos',
    ...NOTHING_TO_DO,
    becomes: 'Las dos cuentan como una.',
    hours: 9,
    cards: ['02 E08:00 E08:00:20 S17:00', '02 C08:00 C08:00:20 C17:00'],
  },
  {
    title: 'Checó dos veces en 3 minutos',
    ...NOTHING_TO_DO,
    becomes: 'Las dos cuentan como una.',
    hours: 9,
    cards: ['02 E08:00 E08:03 S17:00', '02 C08:00 C08:03 C17:00'],
  },
  {
    title: 'Checó dos veces en 8 minutos, en un reloj con teclas',
    says: TWO_ENTRADAS,
    act: 'Rechazar la entrada de las 08:08',
    ...REJECT,
    becomes: 'Queda sin excepción.',
    hours: 9,
    cards: ['02 E08:00 E08:08 S17:00'],
  },
  {
    title: 'Checó dos veces en 50 minutos, en un reloj con teclas',
    says: TWO_ENTRADAS,
    act: 'Rechazar la entrada de las 08:50',
    ...REJECT,
    becomes: 'Queda sin excepción.',
    hours: 9,
    cards: ['02 E08:00 E08:50 S17:00'],
  },
  {
    title: 'Checó dos veces en 8 minutos, en un reloj sin teclas',
    says: EXTRA,
    act: 'Rechazar la checada de las 08:08',
    ...REJECT,
    becomes: 'Queda sin excepción, y los días siguientes también.',
    hours: 18,
    cards: ['02 C08:00 C08:08 C17:00 03 C08:00 C17:00'],
  },
  {
    title: 'Checó dos veces en 50 minutos, en un reloj sin teclas',
    says: EXTRA,
    act: 'Rechazar la checada de las 08:50',
    ...REJECT,
    becomes: 'Queda sin excepción, y los días siguientes también.',
    hours: 18,
    cards: ['02 C08:00 C08:50 C17:00 03 C08:00 C17:00'],
  },
  {
    title: 'Oprimió la tecla equivocada',
    says: 'Hay dos entradas y ninguna salida: quizá la segunda era la salida.',
    act: 'Cambiar la entrada de las 17:00 a salida…',
    ...REJECT,
    becomes: 'La misma hora, con su tecla, y aprobada.',
    hours: 9,
    cards: ['02 E08:00 E17:00'],
  },
  {
    title: 'Trabajó dos turnos el mismo día',
    ...NOTHING_TO_DO,
    becomes: 'La suma de los dos; lo de en medio no cuenta.',
    hours: 9,
    cards: ['02 E07:00 S12:00 E16:00 S20:00', '02 C07:00 C12:00 C16:00 C20:00'],
  },
  {
    title: 'Trabajó una noche que pasa de las doce',
    ...NOTHING_TO_DO,
    becomes: 'Toda la noche es del día en que entró.',
    hours: 8,
    cards: ['03 E22:00 04 S06:00', '03 C22:00 04 C06:00'],
    day: '03',
  },
  {
    title: 'Trabajó la noche del sábado al domingo',
    ...NOTHING_TO_DO,
    becomes: 'Toda la noche es del sábado, y de su semana.',
    hours: 8,
    cards: ['07 E22:00 08 S06:00'],
    day: '07',
  },
  {
    title: 'Trabajó la última noche de la quincena',
    ...NOTHING_TO_DO,
    becomes: 'Toda la noche se paga en la quincena en que entró.',
    hours: 8,
    cards: ['15 E22:00 16 S06:00'],
    day: '15',
  },
  {
    title: 'Hace guardias de 24 horas',
    says: '¿Hace guardias de 24 h? Hay una sola checada por día, siempre a la misma hora.',
    act: 'Sí: su jornada es de hasta 26 h…',
    clicks: 3,
    fields: 0,
    becomes: 'Cada guardia completa, en el día en que empezó.',
    hours: 48,
    cards: ['02 E08:00 03 S08:00 04 E08:00 05 S08:00', '02 C08:00 03 C08:00 04 C08:00 05 C08:00'],
  },
  {
    title: 'Trabajó un día en otra sucursal',
    says: OTHER_BRANCH,
    ...NAME,
    becomes: 'Sus checadas de allá, en su día.',
    hours: 9,
  },
  {
    title: 'El reloj iba 13 minutos atrasado',
    says: 'Va 13 min atrasado: ponlo en hora.',
    ...ONE_OR_CLOCK,
    becomes: 'La hora verdadera; la otra se rechaza.',
    hours: 9,
    cards: ['02 E07:47 S17:00'],
    typed: 'entrada 08:00',
  },
  {
    title: 'El reloj iba una hora adelantado',
    says: 'Va 1 h adelantado, como si fuera la hora de otra zona: revisa la de su sucursal y la del reloj.',
    ...ONE_OR_CLOCK,
    becomes: 'La hora verdadera; la otra se rechaza.',
    hours: 9,
    cards: ['02 E09:00 S17:00'],
    typed: 'entrada 08:00',
  },
  {
    title: 'Las checadas llegaron después del cierre',
    ...NOTHING_TO_DO,
    becomes: 'Se paga en el próximo cierre.',
    hours: 9,
    cards: ['02 E08:00 S17:00'],
  },
  {
    title: 'Entró a media quincena, y checó antes de su primer día',
    ...DATES,
    becomes: 'Queda sin excepción, y se paga desde su primer día verdadero.',
    hours: 9,
    cards: ['02 E08:00 S17:00'],
  },
  {
    title: 'Se fue, y checó después de su último día',
    ...DATES,
    becomes: 'Queda sin excepción, y se paga hasta su último día verdadero.',
    hours: 9,
    cards: ['02 E08:00 S17:00'],
  },
  {
    title: 'Se fue y volvió en la misma quincena',
    ...DATES,
    becomes: 'Con «Se paga desde» en el primero de esos días, también se pagan los de antes.',
    hours: 9,
    cards: ['02 E08:00 S17:00'],
  },
  {
    title: 'Cambió de sucursal a media quincena',
    ...NOTHING_TO_DO,
    becomes: 'Cada día es de la sucursal donde estaba; se paga todo junto.',
    hours: 18,
    cards: ['02 E08:00 S17:00 03 E08:00 S17:00'],
  },
  {
    title: 'Tecleó un número que no es de nadie',
    says: '¿De quién son?',
    ...NAME,
    becomes: 'La checada entra a su día.',
    hours: 9,
  },
  {
    title: 'Tecleó el número de alguien de otra sucursal',
    says: OTHER_BRANCH,
    ...NAME,
    becomes: 'La checada entra a su día, y no al de la otra persona.',
    hours: 9,
  },
  {
    title: 'Tecleó el número de un colega',
    says: 'Hay dos salidas seguidas: una sobra, o falta la entrada de la segunda.',
    act: 'Rechazar la salida de las 17:25',
    ...REJECT,
    becomes: 'El del colega queda sin excepción. En el de quien tecleó falta la salida: agrégala.',
    hours: 9,
    cards: ['02 E08:00 S17:00 S17:25'],
  },
  {
    title: 'Pidió una checada desde su teléfono',
    says: 'Pidió una checada: apruébala o recházala.',
    act: 'Aprobar lo pendiente',
    clicks: 2,
    fields: 0,
    becomes: 'El día completo, con lo que pidió.',
    hours: 9,
    cards: ['02 E08:00'],
  },
  {
    title: 'Objetó su tarjeta: falta una salida',
    says: 'Falta la salida.',
    act: 'Agregar la salida que falta',
    clicks: 3,
    fields: 2,
    becomes: 'El próximo cierre paga la diferencia. Después, responde su objeción.',
    hours: 9,
    cards: ['02 E08:00'],
    typed: 'salida 17:00',
  },
  {
    title: 'Se aprobó una checada equivocada',
    says: 'Nada: sus horas ya cuentan.',
    act: 'En «Más» del día, rechazar la checada',
    clicks: 3,
    fields: 1,
    becomes: 'Sin esa checada. Recién aprobada, basta «Deshacer».',
    hours: 9,
    cards: ['02 E08:00 S17:00 S17:04'],
  },
]
