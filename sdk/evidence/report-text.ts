import {
  type Findings,
  isAnchored,
  type OwnClosing,
  type ProvenClosing,
  type Report,
  type Verdict,
  verdictOf,
} from './report.ts'
import {
  capitalized,
  dayText,
  durationText,
  labelOf,
  listed,
  momentText,
  momentTextsIn,
  plural,
} from './words.ts'

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
  checks: { isDone: boolean; text: string }[]
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

const titleOf = (report: Report, verdict: Verdict): string => {
  const { uncompared, unsealed, until } = report
  const rest = uncompared.count > 0 ? '; no todo se pudo comparar' : ''
  if (verdict === 'faulty') return 'Con fallas'
  if (verdict === 'unsealed') return 'Sin sellos: nada de esto está probado'
  if (verdict === 'sound') return `Íntegro${rest}`
  return `Íntegro hasta el sello ${until?.seal}; ${plural(unsealed.count, 'evento')} sin sellar${rest}`
}

const countText = (events: number, logs: number): string =>
  `${plural(events, 'evento')} de ${plural(logs, 'checada')}`

/**
 * A sentence about the logs of other days. The file has these logs as proof that no event is
 * missing.
 */
const otherLogsOf = ({ otherLogs }: Report): string[] =>
  otherLogs === 0
    ? []
    : [
        `Entre ellos trae eventos de ${plural(otherLogs, 'checada')} de otros días, para que se vea que no falta ninguno.`,
      ]

/** How many events there are, and how many of them the seals prove. */
const provenOf = (report: Report, verdict: Verdict): string => {
  const { faults, events, logs, sealedEvents, sealedLogs, seals, unsealed } = report
  if (verdict === 'faulty') {
    const found = `se ${faults.count === 1 ? 'encontró' : 'encontraron'} ${plural(faults.count, 'falla')}`
    return `${found} en ${countText(events, logs)}. Abajo se dice en qué.`
  }
  if (verdict === 'unsealed') {
    return `${countText(events, logs)}, sin un solo sello: cualquiera pudo cambiarlos, quitarlos o inventarlos.`
  }
  const sealed =
    sealedEvents === 0
      ? 'ningún evento sellado.'
      : `${countText(sealedEvents, sealedLogs)}, tal como se ${sealedEvents === 1 ? 'selló' : 'sellaron'}, en ${plural(seals, 'sello')}.`
  if (verdict === 'sound') return sealed
  return unsealed.count === 1
    ? `${sealed} 1 evento más viene sin sellar: de lo que dice no hay prueba, y abajo se nombra.`
    : `${sealed} ${plural(unsealed.count, 'evento')} más vienen sin sellar: de lo que dicen no hay prueba, y abajo se nombran.`
}

type About = NonNullable<Report['about']>

const hasManyPeople = ({ about }: Report): boolean => (about?.employee_ids.length ?? 0) > 1

/** The people of a file: `Empleado E-1`, or `50 empleados, de E-1 a E-88`. */
const peopleOf = ({ employee_ids }: About): string => {
  const [first, last] = [employee_ids[0], employee_ids.at(-1)]
  return employee_ids.length === 1
    ? `Empleado ${first}`
    : `${plural(employee_ids.length, 'empleado')}, de ${first} a ${last}`
}

/** The period or the only log of a file of people. */
const contentOf = ({ log_id, from, before }: About): string => {
  if (log_id !== null) return `solo la checada ${log_id}`
  return `sus checadas del ${momentText(from)} hasta antes del ${momentText(before)}`
}

/** A sentence that says what a file of people is about, and until when it is complete. */
const completeUntil = ({ about, shown }: Report, verdict: Verdict): string[] => {
  if (!about || !shown || verdict !== 'sound') return []
  const until = `${momentText(shown.at)} (evento ${shown.id})`
  return [
    `Trae ${contentOf(about)}. Completo hasta el ${until}; de lo posterior, y de otras checadas, no dice nada.`,
  ]
}

const trustIn = (report: Report, verdict: Verdict): string[] => {
  if (verdict === 'faulty' || verdict === 'unsealed') return []
  return [
    isAnchored(report)
      ? 'Lo sellado coincide además con lo que se guardó fuera de la empresa.'
      : 'Falta compararlo con algo guardado fuera de la empresa: vea qué no se puede saber.',
  ]
}

const ownClosingText = (closing: OwnClosing): string => {
  const { id, employee_id, before, isCancelled, paid_seconds, deducted_seconds } = closing
  const deducted = deducted_seconds > 0 ? `; a deducir, ${durationText(deducted_seconds)}` : ''
  const cancelled = isCancelled
    ? ' Después se canceló: nadie cobró con él.'
    : ' Ningún evento sellado de este archivo lo cancela.'
  return `Los renglones de ${employee_id} en el cierre ${id}, de días anteriores al ${before}, son los que se sellaron: paga ${durationText(paid_seconds)}${deducted}.${cancelled}`
}

/** A sentence about the check of the pointers. Empty if nothing was checked. */
const chainChecks = ({ kind, chain }: Report): [isDone: boolean, text: string][] => {
  const { people, compared } = chain
  if (compared === 0) return []
  if (kind === 'whole')
    return [[true, 'Cada evento sellado nombra al anterior de la misma persona.']]
  return people.flatMap(({ employee_id, first, last, absentAfter }): [boolean, string][] => [
    [
      true,
      `Del evento ${first} al ${last} no falta ninguno de ${employee_id}: cada uno nombra al anterior.`,
    ],
    ...(absentAfter === undefined
      ? []
      : [
          [
            false,
            `Después del evento ${last}, ${employee_id} tiene más eventos de checadas, al menos hasta el ${absentAfter}, que no trae.`,
          ] as [boolean, string],
        ]),
  ])
}

/** What was checked of each person: the pointers, the lines of closings, agreements and signatures. */
const personChecks = (report: Report): [isDone: boolean, text: string][] => {
  const { statements, ownClosings } = report
  const more = statements.count - statements.texts.length
  const proven = [
    ...ownClosings.map(ownClosingText),
    ...statements.texts.map(capitalized),
    ...(more > 0 ? [`Y ${plural(more, 'acuerdo o firma', 'acuerdos o firmas')} más.`] : []),
  ]
  return [...chainChecks(report), ...proven.map((text): [boolean, string] => [true, text])]
}

/** Who added, confirmed or changed the clocks and other sources. */
const sourceTexts = ({ sources: { texts, count } }: Report): string[] => {
  const more = count - texts.length
  return [...texts.map(capitalized), ...(more > 0 ? [`Y ${plural(more, 'cambio')} más.`] : [])]
}

/** Which closings have no lines in a file of people, and whose lines the others lack. */
const missingLines = ({ about, sealedClosings }: Report): [isDone: boolean, text: string][] => {
  const people = about?.employee_ids.length ?? 0
  const isEmpty = ({ withoutLines }: ProvenClosing) => withoutLines.length === people
  const empty = about ? sealedClosings.filter(isEmpty) : []
  const others = sealedClosings.filter((one) => one.withoutLines.length > 0 && !isEmpty(one))
  return [
    ...(empty.length > 0
      ? [`No trae los renglones de estos cierres: ${listed(empty.map(({ id }) => id))}.`]
      : []),
    ...others.map(
      ({ id, withoutLines }) => `Del cierre ${id} no trae renglones de ${withoutLines.join(', ')}.`,
    ),
  ].map((text) => [false, text])
}

const checksOf = (report: Report): ReportText['checks'] => {
  const { kind, kept, stamps, areKeysAgreed, seals, withheld } = report
  const cancelled = report.sealedClosings.filter(({ isCancelled }) => isCancelled).length
  const cancellations =
    cancelled === 0
      ? 'ninguna cancelación sellada'
      : plural(cancelled, 'cancelación sellada', 'cancelaciones selladas')
  const checks: [isDone: boolean, text: string][] = [
    [
      true,
      kind === 'whole'
        ? `Los eventos sellados están completos, en orden y como se sellaron, en ${plural(seals, 'sello')}.`
        : `Los eventos sellados que trae son como se sellaron, en ${plural(seals, 'sello')} de una misma evidencia.`,
    ],
    [
      true,
      kind === 'whole'
        ? 'Ningún evento tiene fecha anterior a un sello que ya lo habría incluido.'
        : 'Ningún evento tiene fecha anterior a un sello de este archivo que ya lo habría incluido.',
    ],
    [true, 'Cada decisión parte del estado en que quedó la checada, y sus datos no cambiaron.'],
  ]
  if (report.sealedClosings.length > 0) {
    checks.push([
      true,
      kind === 'whole'
        ? 'Cada cierre se hizo una vez, y los cancelados se cancelaron una vez.'
        : `Trae ${plural(report.sealedClosings.length, 'cierre sellado', 'cierres sellados')} y ${cancellations}.`,
    ])
  }
  checks.push(
    areKeysAgreed
      ? [true, 'Los sellos se firmaron con la llave que usted indicó.']
      : [false, 'No se indicó la llave pactada.'],
    kept.length > 0
      ? [
          true,
          kept.length === 1
            ? `Coincide con el sello guardado de ${plural(kept[0] ?? 0, 'evento')}.`
            : `Coincide con los sellos guardados de ${listed(kept)} eventos.`,
        ]
      : [false, 'No se indicó ningún sello guardado.'],
  )
  for (const { id, name, unsealed, isCancelled } of report.comparedClosings) {
    const cancelled = isCancelled ? ', que después se canceló' : ''
    checks.push([true, `Los renglones de ${name} son los que selló el cierre ${id}${cancelled}.`])
    if (unsealed.length > 0) checks.push([false, `${name}, no sellado: ${unsealed.join(', ')}.`])
  }
  checks.push(...missingLines(report))
  // Fifty people have thousands of them, so they are a list.
  if (!hasManyPeople(report)) checks.push(...personChecks(report))
  if (stamps.length === 0) checks.push([false, 'No trae sellos de tiempo de una autoridad.'])
  for (const { time, size, isChecked } of stamps) {
    const what = `sello de tiempo del ${momentText(time)}, sobre ${plural(size, 'evento')}`
    checks.push([
      isChecked,
      isChecked
        ? `Se comprobó el ${what}.`
        : `Trae un ${what}; la firma de su autoridad se comprueba con openssl.`,
    ])
  }
  if (withheld > 0) {
    checks.push([
      false,
      `${plural(withheld, 'comentario no viene en el archivo, o se borró', 'comentarios no vienen en el archivo, o se borraron')}; lo demás se verifica igual.`,
    ])
  }
  return checks.map(([isDone, text]) => ({ isDone, text }))
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
      texts: isOfMany ? personChecks(report).map(([, text]) => text) : [],
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
  const details: [term: string, text: string, isCode?: boolean][] = [
    ['Contiene', closings > 0 ? `${contents}, con ${plural(closings, 'cierre')}` : contents],
    ['Evidencia', until ? origin : `${origin || 'no lo dice'} (sin probar)`, true],
    ...keys.map((key): [string, string, boolean] => ['Llave', key, true]),
    [
      'Sellado hasta',
      until
        ? `el sello ${until.seal}, del ${momentText(until.at)}: ${plural(until.size, 'evento')} en la evidencia`
        : 'nada',
    ],
    ...(zone ? [['Horas', hoursNote(zone)] satisfies [string, string]] : []),
  ]
  return details.map(([term, text, isCode = false]) => ({ term, text, isCode }))
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
  const { about } = report
  const what = about ? peopleOf(about) : 'Evidencia completa'
  return {
    verdict,
    title: titleOf(report, verdict),
    summary: [
      `${what}: ${provenOf(report, verdict)}`,
      ...otherLogsOf(report),
      ...completeUntil(report, verdict),
      ...trustIn(report, verdict),
    ],
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
