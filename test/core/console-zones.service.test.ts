import { expect, it } from 'vitest'
import { zoneFaults } from '../../scripts/console-zones.ts'
import { readSources } from '../../scripts/imports.ts'

const faultsIn = (source: string, file = 'console/a.tsx') => zoneFaults(new Map([[file, source]]))

it('finds no page that computes a zone', () => {
  expect(zoneFaults(readSources())).toEqual([])
})

it.each([
  "format.format(day, { timeZone: zone, day: 'numeric' })",
  "new Foo('es-MX', { timeZone, ...options })",
  'const zone = Intl.DateTimeFormat().resolvedOptions().timeZone',
  'const minutes = new Date().getTimezoneOffset()',
  "new Intl.DateTimeFormat('es-MX', { timeZone: 'UTC' })",
  "moment.toLocaleDateString('es-MX')",
  'const hour = new Date(moment).getHours()',
  "const day = write(moment, 'en-CA')",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a program
  'const moment = new Date(`${day}T${time}-06:00`)',
  'const { utc_offsets } = zone',
])('finds what computes a zone: %s', (source) => {
  expect(faultsIn(`\n${source}\n`)[0]).toMatch(/^console\/a\.tsx:2: `.+`: .+\.$/)
})

it('lets one file write days, and one show the clock of the device', () => {
  expect(faultsIn("new Intl.DateTimeFormat('es-MX', {})", 'console/ui/time.ts')).toEqual([])
  expect(faultsIn('moment.getHours()', 'console/ui/phone-time.ts')).toEqual([])
  expect(faultsIn('moment.getHours()', 'console/ui/time.ts')).toHaveLength(1)
})
