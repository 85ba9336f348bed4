import type { HoursException, OwnDay } from '../../sdk/api-types.ts'

interface Sentence {
  text: string
  /** Whether the sentence goes on with how the worker gets a correction. */
  asks?: true
}

/** A day has no 'sin_checadas': that is of a period. */
type Exception = Exclude<HoursException, 'sin_checadas'>

/** What a worker should do about each exception. A day says only the first that it has. */
const SENTENCES: Record<Exception, Sentence> = {
  rechazada: { text: 'Se rechazó una checada: abajo dice por qué. Si falta otra,', asks: true },
  posible_desfase: {
    text: 'Tus entradas y salidas parecen invertidas, porque sobra o falta una:',
    asks: true,
  },
  entrada_repetida: { text: 'Hay dos entradas seguidas. Si saliste en medio,', asks: true },
  sin_salida: { text: 'Falta tu salida. Si saliste,', asks: true },
  sin_entrada: { text: 'Falta tu entrada. Si entraste,', asks: true },
  jornada_larga: { text: 'Tu jornada pasa de 12 h. Si no fue así,', asks: true },
  menos_de_60_s: { text: 'Tu entrada y tu salida están casi juntas. Si falta otra,', asks: true },
  sin_sincronizar: { text: 'Falta información del reloj: espera a que llegue.' },
  pendientes: { text: 'Alguien tiene que revisar tus checadas.' },
  semana_sobre_limite: { text: 'Esa semana pasa el límite de la ley.' },
}

type Kind = 'entrada' | 'salida'

/** What a request is about: what is missing on a day, or the log whose hour is wrong. */
export interface RequestAbout {
  dia: string
  tipo?: Kind
  /** The hour of the wrong log: `08:58`. */
  hora?: string
}

/** A salida is missing more often, and it may be of the next day. */
const missingOf = ({ day, spans }: OwnDay): RequestAbout => {
  const open = spans.find(({ to }) => to === null) ?? spans.find(({ from }) => from === null)
  if (!open) return { dia: day }
  return { dia: open.shift_day ?? day, tipo: open.to === null ? 'salida' : 'entrada' }
}

interface DaySentence {
  text: string
  /** What the worker may request. The sentence goes on with a link to the form. */
  request?: RequestAbout
}

/** One sentence that says what to do about a day. Empty if there is nothing to do. */
export const sentenceOf = (day: OwnDay, mayRequest: boolean): DaySentence => {
  const name = (Object.keys(SENTENCES) as Exception[]).find((one) => day.exceptions.includes(one))
  const { text, asks }: Sentence = name ? SENTENCES[name] : { text: '' }
  if (!asks) return { text }
  return mayRequest
    ? { text, request: missingOf(day) }
    : { text: `${text} avisa a quien lleva tu nómina.` }
}
