import type { LogKind, LogStatus } from '../../sdk/api-types.ts'

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('es-MX')} ${count === 1 ? one : many}`

/** A text without accents, in lower case and with plain apostrophes, as the service compares it. */
export const withoutAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[’‘ʼ`´]/g, "'")
    .toLowerCase()

export const countedLogs = (count: number): string => counted(count, 'checada')

export const KINDS: Record<LogKind, string> = {
  entrada: 'Entrada',
  salida: 'Salida',
  checada: 'Checada',
}

export const STATUSES: Record<LogStatus, string> = {
  pending: 'Por revisar',
  approved: 'Aprobada',
  rejected: 'Rechazada',
}

/** The names of the lists of logs. */
export const LISTS: Record<LogStatus | 'all', string> = {
  pending: 'Por revisar',
  approved: 'Aprobadas',
  rejected: 'Rechazadas',
  all: 'Todas',
}

/** The texts of the act that sets a status: the button, and the result for one or several logs. */
export const ACTS: Record<LogStatus, { act: string; done: string; doneMany: string }> = {
  pending: { act: 'Reabrir', done: 'Reabierta', doneMany: 'Reabiertas' },
  approved: { act: 'Aprobar', done: 'Aprobada', doneMany: 'Aprobadas' },
  rejected: { act: 'Rechazar', done: 'Rechazada', doneMany: 'Rechazadas' },
}

export const sourceName = (source: string): string => {
  if (source === '') return 'Importada'
  if (source.startsWith('manual:')) return 'Agregada a mano'
  if (source.startsWith('request:')) return 'Solicitada'
  if (source.startsWith('clock ')) return `Reloj ${source.slice('clock '.length).toUpperCase()}`
  return source.startsWith('app:') ? 'App de la persona' : source
}

export const groupName = (group: string | null): string =>
  group === null ? 'Todos' : group === '' ? 'Grupo General' : `Grupo ${group}`

export const OWN_LOG_MESSAGE = 'Esta checada la decide otra persona: es tuya o tú la agregaste.'

export const OFFLINE_MESSAGE = 'Sin conexión. No se ha guardado; inténtalo cuando vuelva la señal.'

/** Says that a closing has paid a log, and who may still decide it. */
export const lockedText = (isDecidable: boolean): string =>
  isDecidable
    ? 'Ya se pagó. Si la cambias, di por qué: el próximo cierre paga o descuenta la diferencia.'
    : 'Ya se pagó. Solo la cambia quien decide y también paga.'

/** The domain of the addresses of people without one. */
const NO_ADDRESS = '@sin-correo.invalid'

/**
 * The address with which somebody signs in by an employee number, as the service reads it:
 * `E%20001@sin-correo.invalid`. An address stays as it is.
 */
export const signInAddress = (name: string): string =>
  name.includes('@')
    ? name.trim()
    : // `encodeURIComponent` refuses half a pair of UTF-16.
      `${encodeURIComponent(name.trim().replace(/[\uD800-\uDFFF]/gu, '-'))}${NO_ADDRESS}`

/** The number with which somebody without an address signs in. Undefined for a real address. */
export const signInNumber = (email: string): string | undefined => {
  if (!email.endsWith(NO_ADDRESS)) return undefined
  const sent = email.slice(0, -NO_ADDRESS.length)
  try {
    return decodeURIComponent(sent).toUpperCase()
  } catch {
    return sent.toUpperCase()
  }
}

/** The usual names of roles, in the words of people. Another role has the name of the settings. */
const ROLE_WORDS: Record<string, string> = {
  admin: 'Administración',
  auditor: 'Auditoría',
  employee: 'Personal',
  nomina: 'Nómina',
  reloj: 'Reloj',
  rh: 'Recursos humanos',
  supervisor: 'Supervisión',
}

export const roleWord = (role: string): string => ROLE_WORDS[role] ?? role
