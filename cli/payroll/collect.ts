/** `npm run closing -- collect LIST FILE`: writes one payroll file for several installations. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { Command } from 'commander'
import { hashOfLines, readClosingLines } from '../../sdk/evidence/closing-lines.ts'
import { fileFormats } from '../../src/core/http/export-file.ts'
import { closingFile, PERSON_COLUMNS } from '../../src/payroll/closing-rows.http.ts'
import type { PersonLines } from '../../src/payroll/closing-rows.ts'
import { totalsOf } from '../../src/payroll/totals.ts'
import { requireNoFile, writeNewFile } from '../core/new-file.ts'
import { collectValues } from '../core/option-parsers.ts'
import { CliError, messageOf } from '../core/run-cli.ts'
import { openLines } from '../evidence/open-file.ts'
import { daysPaidTwice, type PaidPerson } from './paid-twice.ts'

const HELP = `
LIST has a line for each expected closing, such as "norte 12". In its folder are, for each
installation, norte.json (the response of GET /api/v2/incidents/closings?limit=100), and for each
closing norte-12.ndjson (that of /api/v2/incidents/closings/12/lines?format=ndjson).`

const PROBLEMS_MAX = 50

const SUMS = [
  'days',
  'period_seconds',
  'added_seconds',
  'deducted_seconds',
  'held_seconds',
] as const

/** A closing in the response of an installation. */
interface Closing extends Record<(typeof SUMS)[number] | 'id', number> {
  hash: string
  cancelled: object | null
}

/** The format of the written file. `opening` and `from_day` cannot be computed from the lines. */
const { head, line } = fileFormats({
  columns: [
    ...['installation', 'closing_id', 'closing_hash'],
    ...PERSON_COLUMNS.filter((name) => name !== 'opening' && name !== 'from_day'),
  ],
  decimals: { total_hours: 2 },
}).csv

/** Reads the expected closings. `name` is the name of a closing's file without `.ndjson`. */
const readList = (path: string) => {
  const texts = readFileSync(path, 'utf8').trim().split('\n')
  return texts.map((text) => {
    const [, installation, id] = /^([a-z][a-z0-9-]*) +([1-9]\d{0,14})\s*$/.exec(text) ?? []
    if (!installation) throw new CliError(`${path}: not an installation and a closing: ${text}`)
    return { installation, id: Number(id), name: `${installation}-${id}` }
  })
}

const readClosing = (path: string, id: number): Closing => {
  const { data } = JSON.parse(readFileSync(path, 'utf8')) as { data?: { closings?: Closing[] } }
  const closing = data?.closings?.find((one) => one.id === id)
  if (!closing) throw new CliError(`${path} has no such closing.`)
  if (closing.cancelled) throw new CliError('it is cancelled.')
  return closing
}

/**
 * Reads the people of a closing, each with the department and branch of the newest day. Fails
 * unless the lines have the hash and the sums of the closing.
 */
const readPeople = async (path: string, closing: Closing): Promise<PersonLines[]> => {
  if (!existsSync(path)) throw new CliError(`${path} is missing.`)
  const linesByEmployee = await readClosingLines({ name: path, lines: openLines(path) })
  if (hashOfLines(linesByEmployee) !== closing.hash) {
    throw new CliError(`${path} was changed, or is not whole: its hash is another.`)
  }
  const people = [...linesByEmployee.values()].map((person) => {
    const lines = person.lines.toSorted((a, b) => (a.day < b.day ? -1 : 1))
    return { ...lines.at(-1), lines } as unknown as PersonLines
  })
  const totals = totalsOf(people.flatMap(({ lines }) => lines))
  const wrong = SUMS.find((sum) => totals[sum] !== closing[sum])
  if (!wrong) return people
  throw new CliError(`${wrong} is ${closing[wrong]}, but ${totals[wrong]} by its lines.`)
}

/** Reads the closings of a list and the rows of their people, and finds what is wrong. */
const readAll = async (list: string) => {
  const fileOf = (name: string) => join(dirname(list), name)
  const expected = readList(list)
  const files = expected.map(({ name }) => `${name}.ndjson`)
  const problems = readdirSync(dirname(list))
    .filter((file) => /-\d+\.ndjson$/.test(file) && !files.includes(file))
    .map((file) => `${fileOf(file)} is not in the list.`)
  const closings: (Closing & { closing: string })[] = []
  const paid: PaidPerson[] = []
  const chunks = [head]
  const read = async ({ installation, id, name }: (typeof expected)[number]) => {
    const closing = readClosing(fileOf(`${installation}.json`), id)
    const people = await readPeople(fileOf(`${name}.ndjson`), closing)
    const same = people.length > 0 && closings.find(({ hash }) => hash === closing.hash)
    if (same) throw new CliError(`it is the same closing as ${same.closing}.`)
    closings.push({ closing: name, ...closing })
    for (const { employee_id, rfc, lines } of people) {
      const days = lines.filter((line) => line.worked_seconds).map(({ day }) => day)
      paid.push({ installation, closing: name, employee_id, rfc, days })
    }
    const own = { installation, closing_id: id, closing_hash: closing.hash }
    const { pages } = closingFile(Readable.from([people]), 'employee')
    for await (const rows of pages) chunks.push(...rows.map((row) => line({ ...own, ...row })))
  }
  for (const one of expected) {
    await read(one).catch((error) => problems.push(`${one.name}: ${messageOf(error)}`))
  }
  return { closings, paid, problems, chunks }
}

export const collectCommand = new Command('collect')
  .description('write what to pay, a row a person, of downloaded closings of installations')
  .argument('<list>', 'the expected closings')
  .argument('<file>', 'a new file')
  .option(
    '--allow <employee>',
    'whose days two installations may pay; repeatable',
    collectValues,
    [],
  )
  .addHelpText('after', HELP)
  .action(async (list, path, { allow }) => {
    requireNoFile(path)
    const all = await readAll(list)
    const problems = [...all.problems, ...daysPaidTwice(all.paid, allow)]
    if (problems.length > 0) {
      const shown = problems.slice(0, PROBLEMS_MAX).join('\n')
      throw new CliError(`${shown}\nNothing was written. Problems: ${problems.length}.`)
    }
    await writeNewFile(path, Readable.from(all.chunks))
    console.table(all.closings, ['closing', 'before', 'people', ...SUMS])
    console.log(`Wrote ${all.paid.length} people of ${all.closings.length} closings to ${path}.`)
  })
