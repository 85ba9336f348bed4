import type { Verdict } from '../report.ts'
import { HEADINGS, type ReportText } from '../report-text.ts'
import { card, element, list } from './dom.ts'

const VERDICT_CLASSES: Record<Verdict, string> = {
  sound: 'good',
  partial: 'warn',
  unsealed: 'warn',
  faulty: 'bad',
}
const FINDING_CLASSES = { faults: 'bad', uncompared: 'warn', unsealed: 'warn', warnings: 'warn' }

const checks = (all: ReportText['checks']): HTMLElement =>
  element(
    'ul',
    'checks',
    ...all.map(({ isDone, text }) => element('li', isDone ? '' : 'no', element('span', '', text))),
  )

const details = (all: ReportText['details']): HTMLElement =>
  element(
    'dl',
    '',
    ...all.flatMap(({ term, text, isCode }) => [
      element('dt', '', term),
      element('dd', isCode ? 'code' : '', text),
    ]),
  )

/** A long list, closed until somebody opens it. */
const folded = ({ title, texts }: ReportText['lists'][number]): HTMLElement => {
  const details = element('details', '', element('summary', '', `${title} (${texts.length})`))
  details.append(list('', texts))
  return element('section', 'card', details)
}

export const reportElements = (report: ReportText, file: { name: string; sha256: string }) => {
  const { verdict, title, summary, findings, limits } = report
  const isUncompared = verdict === 'sound' && findings.some(({ kind }) => kind === 'uncompared')
  const paragraphs = summary.map((text) => element('p', '', text))
  return [
    card(`verdict ${isUncompared ? 'warn' : VERDICT_CLASSES[verdict]}`, title, ...paragraphs),
    ...findings.map(({ kind, ...found }) =>
      card(FINDING_CLASSES[kind], found.title, list('', found.texts)),
    ),
    ...(report.checks.length > 0 ? [card('', HEADINGS.checks, checks(report.checks))] : []),
    ...report.lists.map(folded),
    card('', HEADINGS.limits, list('', limits)),
    card(
      '',
      HEADINGS.details,
      details([
        { term: 'Archivo', text: file.name, isCode: false },
        { term: 'SHA-256 del archivo', text: file.sha256, isCode: true },
        ...report.details,
      ]),
    ),
  ]
}

export const printButton = (): HTMLElement => {
  const print = element('button', '', 'Imprimir este resultado')
  print.type = 'button'
  print.addEventListener('click', () => window.print())
  return print
}

export const UNREADABLE = 'No se puede leer'

export const unreadableElement = (message: string): HTMLElement =>
  card('verdict bad', UNREADABLE, element('p', '', message))
