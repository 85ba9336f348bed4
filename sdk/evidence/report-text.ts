import { contentOf, hasManyPeople, peopleOf } from './about-text.ts'
import { type Check, checksOf, personChecks } from './checks-text.ts'
import { type Findings, isAnchored, type Report, type Verdict, verdictOf } from './report.ts'
import { summaryOf, titleOf } from './summary-text.ts'
import { capitalized, dayText, labelOf, momentText, momentTextsIn, plural } from './words.ts'

/** The texts of a report. The terminal and the page show the same ones. */
export interface ReportText {
  verdict: Verdict
  title: string
  summary: string[]
  /** The kinds of findings that are not empty. */
  findings: {
    kind: 'faults' | 'uncompared' | 'unsealed' | 'warnings'
    title: string
    texts: string[]
  }[]
  /** The checks that were done and those that were not. Like `lists`, empty if nothing is proven. */
  checks: Check[]
  /** What is proven, item by item: the closings and, in a file of people, the logs. */
  lists: { title: string; texts: string[] }[]
  limits: string[]
  details: { term: string; text: string; isCode: boolean }[]
}

export const HEADINGS = {
  checks: 'Qué se comprobó',
  limits: 'Qué no se puede saber con esto',
  details: 'Datos para el acta',
}

const limitsOfPeople = ({ about }: Report): string[] => {
  if (!about) return []
  const leftOut =
    about.log_id === null
      ? 'lo último de una persona, los primeros o últimos eventos de sus checadas (también decisiones), la cancelación de un cierre, o un cierre que no firmó'
      : 'decisiones de la checada'
  return [
    `Si quien opera el servicio dejó fuera, con una entrega hecha a la medida, ${leftOut}. La evidencia completa lo demuestra.`,
    'Si a este archivo se le quitaron sellos: que un evento se antedató solo se ve con los de la evidencia completa.',
    ...(about.employee_ids.length > 1
      ? [
          'Si falta alguien: trae a quienes nombra, y las personas de la sucursal no están selladas.',
        ]
      : []),
  ]
}

/** What this file cannot prove. The most important point comes first. */
export const limitsOf = (report: Report): string[] => [
  ...(isAnchored(report)
    ? []
    : [
        'No se indicó ningún sello guardado aparte ni un sello de tiempo comprobado: si quien opera el servicio hubiera rehecho toda la evidencia con su propia llave, o la hubiera cortado, este archivo se vería igual.',
      ]),
  ...limitsOfPeople(report),
  'Lo que ocurrió antes de cada sello: entre un registro y su sello puede pasar hasta una hora.',
  'Si lo que se registró era cierto: una checada hecha por otra persona, o una que nunca se envió, no se nota aquí.',
]

/** Who added, confirmed or changed the clocks and other sources. */
const sourceTexts = ({ sources: { texts, count } }: Report): string[] => {
  const more = count - texts.length
  return [...texts.map(capitalized), ...(more > 0 ? [`Y ${plural(more, 'cambio')} más.`] : [])]
}

const listsOf = (report: Report, zone: string | undefined): ReportText['lists'] => {
  const { about, logStates, sealedClosings } = report
  const isOfMany = hasManyPeople(report)
  const logs = logStates.map((log) => {
    const { id, employee_id, kind, recorded_at, branch, status, isSealed } = log
    const proven = isSealed ? labelOf(status) : 'su último evento no está sellado'
    const whose = isOfMany ? `${employee_id}: ` : ''
    return `${whose}${labelOf(kind)} ${momentTextsIn(recorded_at, zone)}, ${branch} (checada ${id}): ${proven}.`
  })
  const closings = sealedClosings.map(({ id, before, lines, isCancelled }) => {
    const cancelled = isCancelled ? '; después se canceló' : ''
    return `Cierre ${id}, de días anteriores al ${dayText(before)}, con huella ${lines}${cancelled}.`
  })
  const lists = [
    { title: 'Las personas', texts: isOfMany ? (about?.employee_ids ?? []) : [] },
    {
      title: 'Qué se comprobó de cada persona',
      texts: isOfMany ? personChecks(report).map(({ text }) => text) : [],
    },
    { title: 'Las checadas, como las dejó su último evento', texts: logs },
    { title: 'Los cierres', texts: closings },
    { title: 'Los relojes y otros orígenes', texts: sourceTexts(report) },
  ]
  return lists.filter(({ texts }) => texts.length > 0)
}

const hoursNote = (zone: string): string =>
  `En UTC, como se sellaron: la evidencia no dice en qué zona está cada sucursal. «En este equipo» es la hora de ${zone}, que puede no ser la de la sucursal.`

const detailsOf = (report: Report, zone: string | undefined): ReportText['details'] => {
  const { about, origin, keys, until, closings } = report
  const contents = about ? `${peopleOf(about)}: ${contentOf(about)}` : 'Toda la evidencia'
  const detail = (term: string, text: string) => ({ term, text, isCode: false })
  const code = (term: string, text: string) => ({ term, text, isCode: true })
  return [
    detail('Contiene', closings > 0 ? `${contents}, con ${plural(closings, 'cierre')}` : contents),
    code('Evidencia', until ? origin : `${origin || 'no lo dice'} (sin probar)`),
    ...keys.map((key) => code('Llave', key)),
    detail(
      'Sellado hasta',
      until
        ? `el sello ${until.seal}, del ${momentText(until.at)}: ${plural(until.size, 'evento')} en la evidencia`
        : 'nada',
    ),
    ...(zone ? [detail('Horas', hoursNote(zone))] : []),
  ]
}

const finding = (
  kind: ReportText['findings'][number]['kind'],
  title: string,
  { texts, count: all }: Findings,
): ReportText['findings'] => {
  if (all === 0) return []
  const more = all > texts.length ? [`… y ${all - texts.length} más`] : []
  return [{ kind, title, texts: [...texts, ...more] }]
}

/** @param zone the time zone of the reader's computer, which is shown beside UTC */
export const textOfReport = (report: Report, { zone }: { zone?: string } = {}): ReportText => {
  const verdict = verdictOf(report)
  const isProven = verdict === 'sound' || verdict === 'partial'
  return {
    verdict,
    title: titleOf(report, verdict),
    summary: summaryOf(report, verdict),
    findings: [
      ...finding('faults', 'Fallas', report.faults),
      ...finding('uncompared', 'No se pudo comparar', report.uncompared),
      ...finding('unsealed', 'Eventos sin sellar', report.unsealed),
      ...finding('warnings', 'Advertencias', report.warnings),
    ],
    checks: isProven ? checksOf(report) : [],
    lists: isProven ? listsOf(report, zone) : [],
    limits: limitsOf(report),
    details: detailsOf(report, zone),
  }
}
