import { type Findings, isAnchored, isSound, limitsOf, type Report } from '../report.ts'
import { card, element, list } from './dom.ts'

const number = new Intl.NumberFormat('es-MX')
const plural = (count: number, one: string, many: string): string =>
  `${number.format(count)} ${count === 1 ? one : many}`

/** A moment as the file has it; the file does not say in which zone the work was done. */
const moment = (text: string): string =>
  `${new Date(text).toLocaleString('es-MX', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} (UTC)`

const verdict = (report: Report): HTMLElement => {
  const { faults, events, logs } = report
  const what = `${plural(events, 'evento', 'eventos')} de ${plural(logs, 'checada', 'checadas')}`
  if (!isSound(report)) {
    return card(
      'verdict bad',
      'No está íntegro',
      element(
        'p',
        '',
        `Se encontraron ${plural(faults.count, 'falla', 'fallas')} en ${what}. Abajo se dice cuáles, y de qué checada son.`,
      ),
    )
  }
  const trust = isAnchored(report)
    ? 'Coincide además con lo que se guardó fuera de la empresa.'
    : 'Falta compararlo con algo guardado fuera de la empresa: vea qué no se puede saber.'
  return card(
    'verdict good',
    'Está íntegro',
    element('p', '', `${what}, tal como se sellaron. ${trust}`),
  )
}

const findings = (className: string, title: string, { list: found, count }: Findings) => {
  if (count === 0) return []
  const texts = found.map(({ text }) => text)
  const more = count > found.length ? [`… y ${number.format(count - found.length)} más.`] : []
  return [card(className, title, list('', [...texts, ...more]))]
}

/** What was compared, and what could not be for lack of something to compare with. */
const checks = (report: Report): HTMLElement => {
  const { kept, stamps, compared, areKeysGiven, seals, withheld } = report
  const all: [done: boolean, text: string][] = [
    [
      true,
      `Los eventos están completos, en orden y como se sellaron, en ${plural(seals, 'sello', 'sellos')}.`,
    ],
    [true, 'Ningún evento tiene fecha anterior a un sello que ya lo habría incluido.'],
    [true, 'Cada decisión parte del estado en que quedó la checada, y sus datos no cambiaron.'],
    [
      areKeysGiven,
      areKeysGiven
        ? 'Los sellos se firmaron con la llave pactada.'
        : 'No se indicó la llave pactada.',
    ],
    [
      kept.length > 0,
      kept.length > 0
        ? `Coincide con los sellos guardados de ${kept.map((size) => number.format(size)).join(', ')} eventos.`
        : 'No se indicó ningún sello guardado.',
    ],
    [
      compared > 0,
      compared > 0
        ? `${plural(compared, 'fila de nómina coincide', 'filas de nómina coinciden')} con su última decisión.`
        : 'No se comparó con la nómina.',
    ],
    [
      false,
      stamps.length > 0
        ? `Trae ${plural(stamps.length, 'sello de tiempo', 'sellos de tiempo')}, el primero del ${moment(stamps[0]?.time ?? '')}; la firma de su autoridad se comprueba con openssl.`
        : 'No trae sellos de tiempo de una autoridad.',
    ],
    ...(withheld > 0
      ? [
          [
            false,
            `${plural(withheld, 'comentario no viene', 'comentarios no vienen')} en el archivo, o se borraron; lo demás se verifica igual.`,
          ] as [boolean, string],
        ]
      : []),
  ]
  const items = all.map(([done, text]) =>
    element('li', done ? '' : 'no', element('span', '', text)),
  )
  return card('', 'Qué se comprobó', element('ul', 'checks', ...items))
}

const details = (report: Report, file: { name: string; sha256: string }): HTMLElement => {
  const { origin, keys, employee_id, sealed_at, size } = report
  const rows: [string, string, string][] = [
    ['Archivo', '', file.name],
    ['SHA-256 del archivo', 'code', file.sha256],
    ['Contiene', '', employee_id === undefined ? 'Todo el registro' : `Al empleado ${employee_id}`],
    ['Registro', 'code', origin],
    ...keys.map((key): [string, string, string] => ['Llave', 'code', key]),
    [
      'Sellado hasta',
      '',
      sealed_at ? `${moment(sealed_at)}: ${plural(size, 'evento', 'eventos')}` : 'nada todavía',
    ],
  ]
  const terms = rows.flatMap(([term, className, text]) => [
    element('dt', '', term),
    element('dd', className, text),
  ])
  return card('', 'Datos para el acta', element('dl', '', ...terms))
}

/** The report as a person reads it. */
export const reportElements = (report: Report, file: { name: string; sha256: string }) => {
  const print = element('button', '', 'Imprimir este resultado')
  print.type = 'button'
  print.addEventListener('click', () => window.print())
  return [
    verdict(report),
    ...findings('bad', 'Qué no está bien', report.faults),
    ...findings('warn', 'Tome en cuenta', report.warnings),
    ...(isSound(report) ? [checks(report)] : []),
    card('', 'Qué no se puede saber con esto', list('', limitsOf(report))),
    details(report, file),
    print,
  ]
}

export const unreadableElement = (message: string): HTMLElement =>
  card('verdict bad', 'No se puede leer', element('p', '', message))
