import { type Findings, isSound, limitsOf, type Report } from '../../sdk/evidence/report.ts'

const listed = (title: string, { list, count }: Findings): string[] => {
  if (count === 0) return []
  const more = count > list.length ? [`  … y ${count - list.length} más`] : []
  return ['', title, ...list.map(({ text }) => `  - ${text}`), ...more]
}

/** `1 sello`, `2 sellos`. */
const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`

const about = ({ kind, employee_id, events, logs, seals, sealed_at }: Report): string => {
  const what = kind === 'whole' ? 'Registro completo' : `Empleado ${employee_id}`
  const until = sealed_at ? `, el último del ${sealed_at}` : ''
  return `${what}: ${count(events, 'evento')} de ${count(logs, 'checada')}, ${count(seals, 'sello')}${until}.`
}

/** The report as a person reads it on a terminal. */
export const reportText = (report: Report): string => {
  const { origin, keys, kept, stamps, compared, withheld, faults, warnings } = report
  const isKept = kept.map((size) => `Coincide con el sello guardado de ${size} eventos.`)
  const stamped = stamps
    .filter(({ isChecked }) => isChecked)
    .map(({ size, time }) => `Sello de tiempo comprobado del ${time}, sobre ${size} eventos.`)
  return [
    isSound(report) ? 'ÍNTEGRO' : `NO ES ÍNTEGRO: ${faults.count} fallas`,
    about(report),
    `Registro: ${origin}`,
    ...keys.map((key) => `Llave: ${key}`),
    ...isKept,
    ...stamped,
    ...(compared > 0 ? [`${compared} filas de nómina comparadas con su último evento.`] : []),
    ...(withheld > 0 ? [`${withheld} comentarios no vienen en el archivo, o se borraron.`] : []),
    ...listed('Fallas', faults),
    ...listed('Advertencias', warnings),
    '',
    'Lo que este archivo no puede demostrar',
    ...limitsOf(report).map((limit) => `  - ${limit}`),
  ].join('\n')
}
