/** What a verification found. Texts are for people, in Spanish. */

export interface Finding {
  text: string
  /** The log that it is about. */
  log_id?: number
}

/** Findings of one kind that are kept with their text; all are counted. */
const KEPT = 200

/** Findings, of which only the first of many are kept. */
export class Findings {
  readonly list: Finding[] = []
  count = 0

  add(text: string, log_id?: number): void {
    this.count++
    if (this.list.length < KEPT) this.list.push(log_id === undefined ? { text } : { text, log_id })
  }
}

export interface TimeStamp {
  /** What the token states, UTC with milliseconds. */
  time: string
  /** How many events it covers. */
  size: number
  /** Whether its signature was checked, up to a trusted certificate. */
  isChecked: boolean
}

export interface Report {
  /** Everything, or the events of one person. */
  kind: 'whole' | 'person'
  employee_id: string | undefined
  origin: string
  /** The keys that were trusted. */
  keys: string[]
  /** Whether they were given, and not taken from the file. */
  areKeysGiven: boolean
  faults: Findings
  warnings: Findings
  events: number
  seals: number
  logs: number
  unsealed: number
  /** Comments whose text is not in the file. */
  withheld: number
  /** When the last seal was made, as the file states it. */
  sealed_at: string | undefined
  /** How many events are sealed. */
  size: number
  /** The sizes of the kept checkpoints that agree. */
  kept: number[]
  stamps: TimeStamp[]
  /** Rows of the payroll export that were compared. */
  compared: number
}

export const isSound = ({ faults }: Report): boolean => faults.count === 0

/** Whether anything outside the operator's hands holds what the file states. */
export const isAnchored = ({ kept, stamps }: Report): boolean =>
  kept.length > 0 || stamps.some(({ isChecked }) => isChecked)

/** What nobody can know from this file, in the order of its weight. */
export const limitsOf = (report: Report): string[] => [
  ...(isAnchored(report)
    ? []
    : [
        'No se indicó ningún sello guardado aparte ni un sello de tiempo comprobado: si quien opera el servicio hubiera rehecho todo el registro con su propia llave, o lo hubiera cortado, este archivo se vería igual.',
      ]),
  ...(report.kind === 'person'
    ? [
        'Que estén todas las checadas de la persona: este archivo demuestra las que trae. El archivo completo demuestra que no falta ninguna.',
      ]
    : []),
  'Lo que ocurrió antes de cada sello: entre un registro y su sello puede pasar hasta una hora.',
  'Si lo que se registró era cierto: una checada hecha por otra persona, o una que nunca se envió, no se nota aquí.',
]
