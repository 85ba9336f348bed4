import type { LogRow } from '../../sdk/api-types.ts'
import { countedLogs } from '../ui/text.ts'

/** Says how many of these logs came from another address than their clock's. Empty if none did. */
export const otherNetworkText = (logs: readonly Pick<LogRow, 'other_network'>[]): string => {
  const count = logs.filter((log) => log.other_network).length
  if (count === 0) return ''
  if (logs.length === 1) return 'Llegó desde otra dirección que la de su reloj: ¿ya la revisaste?'
  return count === 1
    ? `1 de ${countedLogs(logs.length)} llegó desde otra dirección que la de su reloj: ¿ya la revisaste?`
    : `${count} de ${countedLogs(logs.length)} llegaron desde otra dirección que la de su reloj: ¿ya las revisaste?`
}
