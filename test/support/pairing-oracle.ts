/**
 * A second implementation of the rules for pairs and held days in docs/payroll.md. It shares no
 * code with the service. It is slow, but short enough to be checked by reading.
 */

export interface OracleLog {
  log_id: number
  kind: 'entrada' | 'salida' | 'checada'
  status: 'approved' | 'pending' | 'rejected'
  recorded_at: string
  time_zone: string
}

export interface OracleRules {
  /** The longest shift of an entrada on a local day, in seconds. */
  longest(day: string): number
  /** Whether the person has a longest shift of their own on a local day. */
  hasOwn?(day: string): boolean
  preview?: boolean
}

/** The oracle's result for a day, with the field names of an hours row and a closing line. */
export interface OracleDay {
  day: string
  first_in: string | null
  last_out: string | null
  pairs: number
  worked_seconds: number | null
  certain_seconds: number
  held_by: number | null
  detail: string
  exceptions: string[]
  notices: string[]
  log_ids: number[]
  spans: OracleSpan[]
}

export interface OracleSpan {
  from: string | null
  to: string | null
  from_log_id: number | null
  to_log_id: number | null
  pending: boolean
}

/** An entrada with its salida, or only one of them. */
interface Spell {
  entrada?: OracleLog | undefined
  salida?: OracleLog | undefined
  punches: OracleLog[][]
  isInterrupted?: boolean
}

const clocks = new Map<string, Intl.DateTimeFormat>()
const localOf = ({ recorded_at, time_zone: timeZone }: OracleLog): string => {
  const options = { dateStyle: 'short', timeStyle: 'medium', timeZone } as const
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', options)
  clocks.set(timeZone, clock)
  return clock.format(new Date(recorded_at))
}
const dayOf = (log: OracleLog): string => localOf(log).slice(0, 10)
const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10)
const secondOf = ({ recorded_at }: OracleLog): number => Math.floor(Date.parse(recorded_at) / 1000)
const between = (a: OracleLog, b: OracleLog): number => secondOf(b) - secondOf(a)

/**
 * Splits a list into groups. An element that does not belong to the last group starts a new one.
 */
const cut = <T>(list: readonly T[], belongs: (group: T[], element: T) => boolean): T[][] => {
  const groups: T[][] = []
  for (const element of list) {
    const group = groups.at(-1)
    if (group && belongs(group, element)) group.push(element)
    else groups.push([element])
  }
  return groups
}

const saidKind = (punch: readonly OracleLog[]) =>
  punch.find(({ kind }) => kind !== 'checada')?.kind ?? 'checada'

/** Whether a log repeats a punch: at most five minutes later, and without a contradicting kind. */
const isSamePunch = (punch: OracleLog[], log: OracleLog): boolean =>
  between(punch.at(-1) as OracleLog, log) <= 300 &&
  new Set([saidKind(punch), log.kind, 'checada']).size < 3

const orderOf = (log: OracleLog): string =>
  [secondOf(log) + 1e11, 'sec'.indexOf(log.kind[0] as string), log.log_id + 1e11].join()

const read = (
  punches: readonly OracleLog[][],
  longest: OracleRules['longest'],
  isPaid: (log: OracleLog) => boolean,
): Spell[] => {
  const firstOf = (punch: OracleLog[]) => (punch.find(isPaid) ?? punch[0]) as OracleLog
  const lastOf = (punch: OracleLog[]) => (punch.findLast(isPaid) ?? punch.at(-1)) as OracleLog
  const spells: Spell[] = []
  for (let rest = punches; rest[0]; ) {
    const [punch, ...later]: readonly OracleLog[][] = rest
    if (saidKind(punch as OracleLog[]) === 'salida') {
      spells.push({ salida: lastOf(punch as OracleLog[]), punches: [punch as OracleLog[]] })
      rest = later
      continue
    }
    const entrada = firstOf(punch as OracleLog[])
    const isOpen = (log: OracleLog) => between(entrada, log) <= longest(dayOf(entrada))
    const barrier = later.findIndex((p) => saidKind(p) === 'entrada' || !isOpen(lastOf(p)))
    const exits = later.slice(0, barrier < 0 ? later.length : barrier)
    const end = exits.findIndex((p) => between(entrada, lastOf(p)) >= 60)
    const own = end < 0 ? exits : exits.slice(0, end + 1)
    const next = later[own.length]
    const isInterrupted =
      end < 0 && next !== undefined && saidKind(next) !== 'salida' && isOpen(firstOf(next))
    const salida = end < 0 ? undefined : lastOf(exits[end] as OracleLog[])
    spells.push({ entrada, salida, punches: [punch as OracleLog[], ...own], isInterrupted })
    rest = later.slice(own.length)
  }
  return spells
}

export const daysByOracle = (
  logs: readonly OracleLog[],
  { longest, hasOwn = () => false, preview = false }: OracleRules,
): OracleDay[] => {
  const isPaid = ({ status }: OracleLog) =>
    status === 'approved' || (preview && status === 'pending')
  const spellsOf = (some: readonly OracleLog[], paid = isPaid) =>
    read(cut(some, isSamePunch), longest, paid)
  /** Whether a log would be paid if no log had been rejected. */
  const isPaidOrRejected = (log: OracleLog) => log.status === 'rejected' || isPaid(log)
  const dayOfSpell = ({ entrada, salida }: Spell) => dayOf((entrada ?? salida) as OracleLog)
  const isWhole = ({ entrada, salida }: Spell) => Boolean(entrada && salida)
  const isCounted = ({ entrada, salida }: Spell) =>
    Boolean(entrada && salida && isPaid(entrada) && isPaid(salida))
  const lengthOf = ({ entrada, salida }: Spell) =>
    entrada && salida ? between(entrada, salida) : 0
  const sum = (spells: readonly Spell[]) => spells.reduce((total, s) => total + lengthOf(s), 0)

  const ordered = logs.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
  const stretches = cut(ordered, (stretch, log) => {
    const before = stretch.at(-1) as OracleLog
    // A shift that is open on this day may have begun one or two days before.
    const mayBegin = [0, 1, 2].map((days) => dayBefore(dayOf(before), days))
    return between(before, log) <= Math.max(...mayBegin.map(longest))
  }).map((stretch) => {
    const kept = stretch.filter(({ status }) => status !== 'rejected')
    return {
      stretch,
      kept,
      spells: spellsOf(kept),
      unrejected: spellsOf(stretch, isPaidOrRejected),
    }
  })

  const keptLogs = stretches.flatMap(({ kept }) => kept)

  return [...new Set(ordered.map(dayOf))].flatMap((day) => {
    const ofDay = (spells: readonly Spell[]) => spells.filter((spell) => dayOfSpell(spell) === day)
    const parts = stretches.map(({ stretch, kept, spells, unrejected }) => {
      const counted = ofDay(spells).filter(isCounted)
      const ends = [
        ...stretch.filter((log) => dayOf(log) === day),
        ...counted.map(({ salida }) => salida as OracleLog),
      ].map(secondOf)
      const holding = kept.filter(
        (log) => !isPaid(log) && secondOf(log) <= Math.max(...ends) + longest(day),
      )
      const without = spellsOf(kept.filter((log) => !holding.includes(log))).filter(isCounted)
      const stands = (pair: Spell) =>
        without.some(({ entrada, salida }) => entrada === pair.entrada && salida === pair.salida)
      return {
        spells: ofDay(spells),
        unrejected: ofDay(unrejected),
        holding,
        standing: sum(counted.filter(stands)),
      }
    })
    const spells = parts.flatMap((part) => part.spells)
    const unrejected = parts.flatMap((part) => part.unrejected)
    const logsOf = (some: readonly Spell[]) => some.flatMap(({ punches }) => punches.flat())
    const own = logsOf(spells)
    const rejected = logsOf(unrejected).filter(({ status }) => status === 'rejected')
    const isRejected = rejected.length > 0
    const heldBy = parts.flatMap(({ holding }) => holding)[0]?.log_id ?? null
    if (own.length === 0 && !isRejected && heldBy === null) return []
    const counted = spells.filter(isCounted)
    const isNear = (a?: OracleLog, b?: OracleLog) =>
      a !== undefined && b !== undefined && Math.abs(between(a, b)) <= 300
    const [pairs, pairsBefore] = [spells.filter(isWhole), unrejected.filter(isWhole)]
    /** The only rejected log is at most an hour from another, and the day is whole without it. */
    const wasTooMany =
      rejected.length === 1 &&
      keptLogs.some((log) => rejected.some((one) => Math.abs(between(log, one)) <= 3600)) &&
      spells.every((spell) => isWhole(spell) && !spell.isInterrupted)
    const isLost =
      isRejected &&
      !wasTooMany &&
      !(
        pairs.length === pairsBefore.length &&
        pairs.every(
          ({ entrada, salida }, i) =>
            isNear(entrada, pairsBefore[i]?.entrada) && isNear(salida, pairsBefore[i]?.salida),
        )
      )
    const minuteOf = (log: OracleLog | undefined) => {
      if (!log) return '?'
      const days = (Date.parse(dayOf(log)) - Date.parse(day)) / 86_400_000
      return `${localOf(log).slice(11, 16)}${days > 0 ? `+${days}` : ''}`
    }
    const isBrief = ({ entrada, salida, punches }: Spell) =>
      entrada !== undefined && punches.length > (salida ? 2 : 1)
    const exceptions = {
      sin_salida: spells.some(({ salida }) => !salida),
      sin_entrada: spells.some(({ entrada }) => !entrada),
      entrada_repetida: spells.some(({ isInterrupted }) => isInterrupted),
      menos_de_60_s: spells.some(isBrief),
      jornada_larga: !hasOwn(day) && spells.some((spell) => lengthOf(spell) > 12 * 3600),
      pendientes: own.some(({ status }) => status === 'pending'),
      rechazada: isLost,
    }
    const notices = {
      rechazada: isRejected && !isLost,
      tipo_deducido: own.some(({ kind }) => kind === 'checada'),
      repetida: spells.some(({ punches }) => punches.some((punch) => punch.length > 1)),
    }
    const namesOf = (marks: object) =>
      Object.entries(marks).flatMap(([name, holds]) => (holds ? [name] : []))
    const paidLocal = (log: OracleLog | undefined) => (log && isPaid(log) ? [localOf(log)] : [])
    const textOf = (spell: Spell) => {
      const text = `${minuteOf(spell.entrada)}–${minuteOf(spell.salida)}`
      return isWhole(spell) && !isCounted(spell) ? `(${text})` : text
    }
    return {
      day,
      first_in: spells.flatMap(({ entrada }) => paidLocal(entrada))[0] ?? null,
      last_out: spells.flatMap(({ salida }) => paidLocal(salida)).at(-1) ?? null,
      pairs: counted.length,
      worked_seconds: counted.length > 0 ? sum(counted) : null,
      certain_seconds: parts.reduce((total, { standing }) => total + standing, 0),
      held_by: heldBy,
      detail: spells.map(textOf).join(' '),
      exceptions: namesOf(exceptions),
      notices: namesOf(notices),
      log_ids: own.map(({ log_id }) => log_id),
      spans: stretches.flatMap(({ kept }) => ofDay(spellsOf(kept, () => true)).map(toSpan)),
    }
  })
}

const timeOf = (log: OracleLog | undefined) => (log ? localOf(log).replace(' ', 'T') : null)

const toSpan = ({ entrada, salida }: Spell): OracleSpan => ({
  from: timeOf(entrada),
  to: timeOf(salida),
  from_log_id: entrada?.log_id ?? null,
  to_log_id: salida?.log_id ?? null,
  pending: [entrada, salida].some((log) => log?.status === 'pending'),
})
