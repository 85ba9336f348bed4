import { HEADINGS, type ReportText } from '../../sdk/evidence/report-text.ts'

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length > 0 ? ['', title, ...lines.map((line) => `  ${line}`)] : []

/** The report as a person reads it on a terminal. */
export const printedReport = (text: ReportText): string =>
  [
    text.title,
    ...text.summary,
    ...text.findings.flatMap(({ title, texts }) =>
      section(
        title,
        texts.map((each) => `- ${each}`),
      ),
    ),
    ...section(
      HEADINGS.checks,
      text.checks.map(({ isDone, text: check }) => `${isDone ? '✓' : '–'} ${check}`),
    ),
    ...section(
      HEADINGS.limits,
      text.limits.map((limit) => `- ${limit}`),
    ),
    ...section(
      HEADINGS.details,
      text.details.map((detail) => `${detail.term}: ${detail.text}`),
    ),
  ].join('\n')
