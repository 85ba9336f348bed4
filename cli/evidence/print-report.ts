import { HEADINGS, type ReportText } from '../../sdk/evidence/report-text.ts'
import { printable } from '../core/printable.ts'

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length > 0 ? ['', title, ...lines.map((line) => `  ${line}`)] : []

const list = (texts: readonly string[]): string[] => texts.map((text) => `- ${text}`)

/** Returns the lines of a report. Texts of the file never control the terminal. */
export const formatReport = (report: ReportText): string => {
  const checks = report.checks.map(({ isDone, text }) => `${isDone ? '✓' : '–'} ${text}`)
  const details = report.details.map(({ term, text }) => `${term}: ${text}`)
  return [
    report.title,
    ...report.summary,
    ...report.findings.flatMap(({ title, texts }) => section(title, list(texts))),
    ...section(HEADINGS.checks, checks),
    ...report.lists.flatMap(({ title, texts }) => section(title, list(texts))),
    ...section(HEADINGS.limits, list(report.limits)),
    ...section(HEADINGS.details, details),
  ]
    .map(printable)
    .join('\n')
}
