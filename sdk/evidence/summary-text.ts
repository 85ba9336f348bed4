import { contentOf, peopleOf } from './about-text.ts'
import { isAnchored, type Report, type Verdict } from './report.ts'
import { momentText, plural } from './words.ts'

export const titleOf = (report: Report, verdict: Verdict): string => {
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

/** The sentences at the top of a report. */
export const summaryOf = (report: Report, verdict: Verdict): string[] => [
  `${report.about ? peopleOf(report.about) : 'Evidencia completa'}: ${provenOf(report, verdict)}`,
  ...otherLogsOf(report),
  ...completeUntil(report, verdict),
  ...trustIn(report, verdict),
]
