import type { OwnDay } from '../../sdk/api-types.ts'

/**
 * What a worker should do about each exception. A day says only the first that it has. A text that
 * ends with a colon is followed by how the worker gets a correction.
 */
const SENTENCES: [OwnDay['exceptions'][number], string][] = [
  ['rechazada', 'Se rechazó una checada: abajo dice por qué. Si falta otra:'],
  ['posible_desfase', 'Tus entradas y salidas parecen invertidas, porque sobra o falta una:'],
  ['entrada_repetida', 'Hay dos entradas seguidas. Si saliste en medio:'],
  ['sin_salida', 'Falta tu salida. Si saliste:'],
  ['sin_entrada', 'Falta tu entrada. Si entraste:'],
  ['jornada_larga', 'Tu jornada pasa de 12 h. Si no fue así:'],
  ['menos_de_60_s', 'Tu entrada y tu salida están casi juntas. Si falta otra:'],
  ['sin_sincronizar', 'Falta información del reloj: espera a que llegue.'],
  ['pendientes', 'Alguien tiene que revisar tus checadas.'],
  ['semana_sobre_limite', 'Esa semana pasa el límite de la ley.'],
]

/** One sentence that says what to do about a day. Empty if there is nothing to do. */
export const sentenceOf = ({ exceptions }: OwnDay, mayRequest: boolean): string => {
  const [, text = ''] = SENTENCES.find(([name]) => exceptions.includes(name)) ?? []
  if (!text.endsWith(':')) return text
  const correction = mayRequest ? 'pide la corrección' : 'avisa a quien lleva tu nómina'
  return `${text.slice(0, -1)}${text.includes('. ') ? ',' : ':'} ${correction}.`
}
