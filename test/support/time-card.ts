import { timeZone } from '../../src/core/values/time-zone.ts'
import type { HoursLog } from '../../src/payroll/hours/hours-log.ts'
import { aLog, anEmployee } from './factories.ts'

const KINDS = { E: 'entrada', S: 'salida', C: 'checada' } as const
const STATUSES = { '': 'approved', '?': 'pending', x: 'rejected' } as const

/**
 * Reads punches in a short notation, such as `02 E08:00 S17:00:30? 03 E07:59x`. A day is followed
 * by its punches: the kind, the local time and the status (`?` is pending, `x` is rejected). The
 * default offset is the offset of Mexico City.
 */
export const readCard = (text: string, { offset = '-06:00', month = '2026-11' } = {}) => {
  let day = ''
  return text.split(' ').flatMap((word) => {
    if (/^\d\d$/.test(word)) {
      day = word
      return []
    }
    const [, kind, time, status] = /^([ESC])(\d\d:\d\d(?::\d\d)?)([?x]?)$/.exec(word) ?? []
    if (!kind || !time) throw new Error(`${word} is not a punch.`)
    const local = `${month}-${day}T${time.length === 5 ? `${time}:00` : time}${offset}`
    return [
      {
        kind: KINDS[kind as keyof typeof KINDS],
        status: STATUSES[status as keyof typeof STATUSES],
        recorded_at: new Date(local).toISOString(),
      },
    ]
  })
}

/** The logs of a card, approved unless marked. Their ids count from 1. */
export const hoursLogsOf = (text: string): HoursLog[] =>
  readCard(text).map(({ kind, status, recorded_at }, index) => ({
    log_id: index + 1,
    kind,
    status,
    second: Date.parse(recorded_at) / 1000,
    department: 'Ventas',
    branch_office: 'Norte',
    recorded_at,
    local: timeZone('America/Mexico_City').localTime(new Date(recorded_at)),
    isManual: false,
    isRequest: false,
    isOtherNetwork: false,
    request_comment: null,
    isLate: false,
  }))

/** Stores the punches of a card as logs of an employee, and returns their ids. */
export const punch = async (
  employee_id: string,
  text: string,
  row: Parameters<typeof aLog>[0] = {},
): Promise<number[]> => {
  const ids = []
  for (const log of readCard(text)) {
    const arrival = { created_at: log.recorded_at, updated_at: log.recorded_at }
    ids.push((await aLog({ employee_id, ...arrival, ...log, ...row })).id)
  }
  return ids
}

export const aPerson = async (card: string, row: Parameters<typeof anEmployee>[0] = {}) => {
  const person = await anEmployee(row)
  return { ...person, ids: await punch(person.employee_id, card) }
}
