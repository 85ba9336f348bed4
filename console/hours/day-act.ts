import type { HoursDay } from '../../sdk/api-types.ts'
import { extraLog, isExtraFirst, type NamedPunch, wrongKey } from './extra-log.ts'
import { type MissingEnd, missingEnds } from './missing-log.ts'

/** What the user of the row may do. */
export interface Abilities {
  decide: boolean
  /** Whether they may change the longest shift of a person. */
  close: boolean
  keep_people: boolean
}

export type ExtraLog = NonNullable<ReturnType<typeof extraLog>>

/** An act for a day, with what its button says. */
export type DayAct = { label: string } & (
  | { name: 'long_shift' | 'dates' | 'approve' | 'review' }
  | { name: 'reject'; extra: ExtraLog }
  | { name: 'change_kind'; punch: NamedPunch }
  | { name: 'add'; ends: MissingEnd[] }
)

/** The longest shift of who works guards of 24 h: an hour before and one after them. */
export const GUARD_HOURS = 26

export const isInverted = ({ exceptions }: HoursDay): boolean =>
  exceptions.includes('posible_desfase')

/** Whether somebody still has to decide a punch of the day. */
export const isPending = ({ spans, exceptions }: HoursDay): boolean =>
  exceptions.includes('pendientes') || spans.some(({ pending }) => pending)

const isOffPayroll = ({ notices }: HoursDay): boolean => notices.includes('fuera_de_relacion')

const rejectAct = (extra: ExtraLog): DayAct => {
  const { punch } = extra
  const what = punch ? `la ${punch.kind} de las ${punch.at.slice(11, 16)}` : 'la que sobra'
  return { name: 'reject', label: `Rechazar ${what}`, extra }
}

const changeKindAct = (punch: NamedPunch): DayAct => {
  const kind = punch.kind === 'entrada' ? 'salida' : 'entrada'
  const label = `Cambiar la ${punch.kind} de las ${punch.at.slice(11, 16)} a ${kind}…`
  return { name: 'change_kind', label, punch }
}

const addAct = (ends: MissingEnd[]): DayAct => {
  const kinds = new Set(ends.map(({ kind }) => kind))
  const what = kinds.size === 1 ? [...kinds][0] : 'checada'
  return { name: 'add', label: `Agregar la ${what} que falta`, ends }
}

const reviewLabel = (row: HoursDay): string => {
  if (isPending(row)) return 'Aprobar y marcar como revisada…'
  return isInverted(row) ? 'Está bien así…' : 'Revisada'
}

/** The acts for a day that somebody must look at. The first is the row's own, the others follow. */
export const actsOf = (row: HoursDay, may: Abilities): DayAct[] => {
  const ends = missingEnds(row)
  const extra = may.decide ? extraLog(row) : undefined
  const wrong = may.decide && !extra ? wrongKey(row) : undefined
  // A day that waits for a decision would pay nothing, and leave this list.
  const mayReview = !isPending(row) || (may.decide && row.exceptions.length > 1)
  const acts: (DayAct | false | undefined)[] = [
    row.maybe_long_shift &&
      may.close && { name: 'long_shift', label: `Sí: su jornada es de hasta ${GUARD_HOURS} h…` },
    isOffPayroll(row) && may.keep_people && { name: 'dates', label: 'Corregir sus fechas…' },
    isExtraFirst(row) && extra && rejectAct(extra),
    wrong && changeKindAct(wrong),
    ends.length > 0 && addAct(ends),
    !isExtraFirst(row) && extra && rejectAct(extra),
    row.exceptions.includes('pendientes') &&
      may.decide && { name: 'approve', label: 'Aprobar lo pendiente' },
    mayReview && { name: 'review', label: reviewLabel(row) },
  ]
  return acts.filter((act) => !!act)
}
