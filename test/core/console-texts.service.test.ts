import { expect, it } from 'vitest'
import { textFaults } from '../../scripts/console-texts.ts'
import { readSources } from '../../scripts/imports.ts'

const faultsIn = (source: string, file = 'console/a.tsx') => textFaults(new Map([[file, source]]))

it('finds no page that reads a text of the service', () => {
  expect(textFaults(readSources())).toEqual([])
})

it.each([
  "const [, id] = /^El cierre (\\d+)/.exec(problems[name] ?? '') ?? []",
  'const [first] = row.detail.split(" ")',
  'const isOpen = /\\?$/.test(detail)',
  'for (const [, a] of detail.matchAll(PAIR)) use(a)',
  'const others = texts.filter((text) => !text.startsWith(UNUSED))',
  'if (error.message.includes(id)) skip()',
  "return detail?.replace(/^near:/, '')",
  'const time = error.errors.day?.[0]?.message.match(HOUR)',
  "refusal.includes(' ')",
  `return \`\${text} (\${detail.replace(/^near:/, NEAR)})\``,
])('finds what reads a text: %s', (source) => {
  expect(faultsIn(`\n${source}\n`)).toEqual([
    expect.stringMatching(/^console\/a\.tsx:2: `.+`: a page shows a text and does not read it/),
  ])
})

it.each([
  "if (problem === 'La contraseña no es correcta.') retry()",
  "if ('La contraseña no es correcta.' !== problem) retry()",
  "switch (told) {\n case 'Ya cambió esto.': retry()\n}",
  "names.filter((one) => !one.startsWith('Nadie más está en'))",
  "const WRONG = 'No es correcta.'\nif (problem === WRONG) retry()",
])('finds what compares a sentence: %s', (source) => {
  expect(faultsIn(source)).toEqual([
    expect.stringMatching(/^console\/a\.tsx:\d: `.+`: a page compares no sentence/),
  ])
})

it('finds a code that the service does not have', () => {
  const fault = 'console/a.tsx:1: the service has no code PAID_AFTR_END.'
  expect(faultsIn("if (error.code === 'PAID_AFTR_END') return")).toEqual([fault])
  for (const code of ['PAID_AFTER_END', 'INVALID_INPUT']) {
    expect(faultsIn(`if (error.code === '${code}') return`)).toEqual([])
  }
})

it.each([
  "const text = kind === 'entrada' ? 'Tu entrada' : 'Tu salida'",
  "if (phase === 'done' && mode !== 'one') return 'Ya se guardó todo.'",
  "source.startsWith('clock ') ? 'El reloj' : source",
  'const key = `checada $' + '{version}`\nif (name !== key) remove(name)',
  "const name = fileName.replace(/[^\\w-]+/g, '-')",
  'if (exceptions.includes(exception)) return <p class="problem">{problem}</p>',
  "// A detail.split(' ') is what this must not be: x === 'dos palabras'",
  "if (warning.code === 'BRANCH_UNUSED') return",
  "error.status === 409 && error.code === 'STATUS_MOVED'",
])('finds no fault in %s', (source) => {
  expect(faultsIn(source)).toEqual([])
})

it('looks only at the console', () => {
  expect(faultsIn('detail.split(" ")', 'src/logs/a.ts')).toEqual([])
})
