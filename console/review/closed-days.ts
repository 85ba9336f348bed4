import type { LogRow } from '../../sdk/api-types.ts'

type Decided = Pick<LogRow, 'local_at' | 'closed' | 'locked'> & {
  employee: Pick<LogRow['employee'], 'employee_id'>
}

const daysOf = (logs: readonly Decided[]): number =>
  new Set(logs.map(({ employee, local_at }) => `${employee.employee_id} ${local_at.slice(0, 10)}`))
    .size

/**
 * Says how many days of these logs were closed before, and what becomes of a decision about them. The
 * dialog says it of paid logs itself. Empty if there are none.
 */
export const closedDaysText = (logs: readonly Decided[]): string => {
  const [all, closed] = [daysOf(logs), daysOf(logs.filter((log) => log.closed && !log.locked))]
  if (closed === 0) return ''
  if (all === 1) return 'Este día ya se cerró: el próximo cierre lo paga o descuenta.'
  if (closed === all) {
    return `Estos ${all} días ya se cerraron: el próximo cierre los paga o descuenta.`
  }
  return closed === 1
    ? '1 de estos días ya se cerró: el próximo cierre lo paga o descuenta.'
    : `${closed} de estos días ya se cerraron: el próximo cierre los paga o descuenta.`
}
