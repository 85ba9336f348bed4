import { hasManyPeople } from './about-text.ts'
import type { OwnClosing, ProvenClosing, Report } from './report.ts'
import { capitalized, durationText, listed, momentText, plural } from './words.ts'

/** A check that was done, or one that was not. */
export interface Check {
  isDone: boolean
  text: string
}

const done = (text: string): Check => ({ isDone: true, text })
const notDone = (text: string): Check => ({ isDone: false, text })

const ownClosingText = (closing: OwnClosing): string => {
  const { id, employee_id, before, isCancelled, paid_seconds, deducted_seconds } = closing
  const deducted = deducted_seconds > 0 ? `; a deducir, ${durationText(deducted_seconds)}` : ''
  const cancelled = isCancelled
    ? ' Después se canceló: nadie cobró con él.'
    : ' Ningún evento sellado de este archivo lo cancela.'
  return `Los renglones de ${employee_id} en el cierre ${id}, de días anteriores al ${before}, son los que se sellaron: paga ${durationText(paid_seconds)}${deducted}.${cancelled}`
}

/** A sentence about the check of the pointers. Empty if nothing was checked. */
const chainChecks = ({ kind, chain }: Report): Check[] => {
  const { people, compared } = chain
  if (compared === 0) return []
  if (kind === 'whole') return [done('Cada evento sellado nombra al anterior de la misma persona.')]
  return people.flatMap(({ employee_id, first, last, absentAfter }) => [
    done(
      `Del evento ${first} al ${last} no falta ninguno de ${employee_id}: cada uno nombra al anterior.`,
    ),
    ...(absentAfter === undefined
      ? []
      : [
          notDone(
            `Después del evento ${last}, ${employee_id} tiene más eventos de checadas, al menos hasta el ${absentAfter}, que no trae.`,
          ),
        ]),
  ])
}

/** What was checked of each person: the pointers, the lines of closings, agreements and signatures. */
export const personChecks = (report: Report): Check[] => {
  const { statements, ownClosings } = report
  const more = statements.count - statements.texts.length
  const proven = [
    ...ownClosings.map(ownClosingText),
    ...statements.texts.map(capitalized),
    ...(more > 0 ? [`Y ${plural(more, 'acuerdo o firma', 'acuerdos o firmas')} más.`] : []),
  ]
  return [...chainChecks(report), ...proven.map(done)]
}

/** Which closings have no lines in a file of people, and whose lines the others lack. */
const missingLines = ({ about, sealedClosings }: Report): Check[] => {
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
  ].map(notDone)
}

/** What every proven file was checked for. */
const eventChecks = ({ kind, seals }: Report): Check[] => [
  done(
    kind === 'whole'
      ? `Los eventos sellados están completos, en orden y como se sellaron, en ${plural(seals, 'sello')}.`
      : `Los eventos sellados que trae son como se sellaron, en ${plural(seals, 'sello')} de una misma evidencia.`,
  ),
  done(
    kind === 'whole'
      ? 'Ningún evento tiene fecha anterior a un sello que ya lo habría incluido.'
      : 'Ningún evento tiene fecha anterior a un sello de este archivo que ya lo habría incluido.',
  ),
  done('Cada decisión parte del estado en que quedó la checada, y sus datos no cambiaron.'),
]

const closingChecks = ({ kind, sealedClosings }: Report): Check[] => {
  if (sealedClosings.length === 0) return []
  if (kind === 'whole') {
    return [done('Cada cierre se hizo una vez, y los cancelados se cancelaron una vez.')]
  }
  const cancelled = sealedClosings.filter(({ isCancelled }) => isCancelled).length
  const cancellations =
    cancelled === 0
      ? 'ninguna cancelación sellada'
      : plural(cancelled, 'cancelación sellada', 'cancelaciones selladas')
  const closings = plural(sealedClosings.length, 'cierre sellado', 'cierres sellados')
  return [done(`Trae ${closings} y ${cancellations}.`)]
}

/** Whether the seals agree with what the reader has from elsewhere: the key and kept seals. */
const trustChecks = ({ areKeysAgreed, kept }: Report): Check[] => {
  const agreed =
    kept.length === 1
      ? `Coincide con el sello guardado de ${plural(kept[0] ?? 0, 'evento')}.`
      : `Coincide con los sellos guardados de ${listed(kept)} eventos.`
  return [
    areKeysAgreed
      ? done('Los sellos se firmaron con la llave que usted indicó.')
      : notDone('No se indicó la llave pactada.'),
    kept.length > 0 ? done(agreed) : notDone('No se indicó ningún sello guardado.'),
  ]
}

const comparedChecks = ({ comparedClosings }: Report): Check[] =>
  comparedClosings.flatMap(({ id, name, unsealed, isCancelled }) => {
    const cancelled = isCancelled ? ', que después se canceló' : ''
    return [
      done(`Los renglones de ${name} son los que selló el cierre ${id}${cancelled}.`),
      ...(unsealed.length > 0 ? [notDone(`${name}, no sellado: ${unsealed.join(', ')}.`)] : []),
    ]
  })

const stampChecks = ({ stamps }: Report): Check[] => {
  if (stamps.length === 0) return [notDone('No trae sellos de tiempo de una autoridad.')]
  return stamps.map(({ time, size, isChecked }) => {
    const what = `sello de tiempo del ${momentText(time)}, sobre ${plural(size, 'evento')}`
    return isChecked
      ? done(`Se comprobó el ${what}.`)
      : notDone(`Trae un ${what}; la firma de su autoridad se comprueba con openssl.`)
  })
}

const withheldChecks = ({ withheld }: Report): Check[] => {
  if (withheld === 0) return []
  const comments = plural(
    withheld,
    'comentario no viene en el archivo, o se borró',
    'comentarios no vienen en el archivo, o se borraron',
  )
  return [notDone(`${comments}; lo demás se verifica igual.`)]
}

export const checksOf = (report: Report): Check[] => [
  ...eventChecks(report),
  ...closingChecks(report),
  ...trustChecks(report),
  ...comparedChecks(report),
  ...missingLines(report),
  // Fifty people have thousands of them, so they are a list.
  ...(hasManyPeople(report) ? [] : personChecks(report)),
  ...stampChecks(report),
  ...withheldChecks(report),
]
