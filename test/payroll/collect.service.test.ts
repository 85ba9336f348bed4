import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  hashesInOrder,
  hashOfClosing,
  hashOfPerson,
  SEALED_LINE_FIELDS,
} from '../../src/payroll/line-hashes.ts'
import { failedWith, runInProcess } from '../support/command.ts'
import { useTemporaryFolder } from '../support/temporary-folder.ts'

/** Tests `closing -- collect` with files like those of two installations. */

const temporary = useTemporaryFolder()

const lineOf = (employee_id: string, day: string, hours: number | null, rfc = '') => ({
  ...Object.fromEntries(SEALED_LINE_FIELDS.map((name) => [name, ''])),
  ...{ employee_id, rfc, full_name: `Persona ${employee_id}`, payroll_group: 'semanal' },
  ...{ day: `2026-11-${day}`, of_period: 1, pairs: 1, held_seconds: 0 },
  ...{ department: 'Ventas', branch_office: `Sucursal ${day}` },
  worked_seconds: hours && hours * 3600,
  difference_seconds: (hours ?? 0) * 3600,
})

type Line = ReturnType<typeof lineOf>

const closingOf = (id: number, lines: readonly Line[]) => {
  const people = Map.groupBy(lines, ({ employee_id }) => employee_id)
  const hashes = new Map([...people].map(([who, own]) => [who, hashOfPerson(own)]))
  const sums = { days: lines.length, added_seconds: 0, deducted_seconds: 0, held_seconds: 0 }
  const period_seconds = lines.reduce((sum, line) => sum + line.difference_seconds, 0)
  const hash = hashOfClosing(hashesInOrder(hashes))
  const whom = { before: '2026-11-16', people: people.size, cancelled: null as object | null }
  return { id, hash, ...whom, ...sums, period_seconds }
}

let folder: string
const path = (name: string) => join(folder, name)
const write = (name: string, content: string) => writeFileSync(path(name), content)
const writeLines = (name: string, lines: readonly object[]) =>
  write(name, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
const writeClosings = (name: string, ...closings: object[]) =>
  write(name, JSON.stringify({ success: true, message: '', data: { closings } }))

/** Writes two downloads of an installation: its list of closings, and the lines of a closing. */
const download = (installation: string, id: number, lines: readonly Line[], changes = {}) => {
  const older = closingOf(1, [])
  writeClosings(`${installation}.json`, { ...closingOf(id, lines), ...changes }, older)
  writeLines(`${installation}-${id}.ndjson`, lines)
}

const run = (...args: string[]) =>
  runInProcess('closing', ['collect', path('lista.txt'), path('pago.csv'), ...args])

/** Runs `collect` on files that it must refuse as a whole. Returns the problems that it prints. */
const refused = async (...args: string[]): Promise<string[]> => {
  const { status, out, err } = await run(...args)
  expect([status, out, existsSync(path('pago.csv'))]).toEqual([1, '', false])
  const problems = err.trimEnd().split('\n')
  expect(problems.pop()).toBe(`Nothing was written. Problems: ${problems.length}.`)
  return problems.map((problem: string) => problem.replaceAll(`${folder}/`, ''))
}

const NORTE = [lineOf('E-1', '10', 8), lineOf('E-1', '09', 8), lineOf('E-2', '09', null)]
const SUR = [lineOf('E-3', '09', 7)]

beforeEach(() => {
  folder = mkdtempSync(join(temporary.folder, 'cierres-'))
  download('norte', 12, NORTE)
  download('sur', 7, SUR)
  write('lista.txt', 'norte 12\nsur 7\n')
})

describe('npm run closing -- collect', () => {
  it('writes what each person is paid, with the closing and its hash', async () => {
    const { status, out, err } = await run()
    expect([status, err]).toEqual([0, ''])
    expect(out).toMatch(/'norte-12'.+'2026-11-16'.+2.+57600.*\n.*'sur-7'.+25200/)
    expect(out).toContain(`Wrote 3 people of 2 closings to ${path('pago.csv')}.`)
    expect(statSync(path('pago.csv')).mode & 0o777).toBe(0o600)
    const [head, ...rows] = readFileSync(path('pago.csv'), 'utf8').trimEnd().split('\r\n')
    expect(head).toBe(
      '\ufeffinstallation,closing_id,closing_hash,employee_id,rfc,full_name,department,branch_office,payroll_group,ended_at,days,period_seconds,added_seconds,deducted_seconds,total_seconds,total_hours,held_seconds,days_with_exceptions,exceptions',
    )
    const [norte, sur] = [closingOf(12, NORTE).hash, closingOf(7, SUR).hash]
    const [e1, e2, e3] = ['E-1', 'E-2', 'E-3'].map((id) => `${id},,Persona ${id},Ventas`)
    expect(rows).toEqual([
      `norte,12,${norte},${e1},Sucursal 10,semanal,,2,57600,0,0,57600,16.00,0,0,`,
      `norte,12,${norte},${e2},Sucursal 09,semanal,,1,0,0,0,0,0.00,0,0,`,
      `sur,7,${sur},${e3},Sucursal 09,semanal,,1,25200,0,0,25200,7.00,0,0,`,
    ])
    expect(await run()).toEqual(failedWith(`There is a file at ${path('pago.csv')} already.\n`))
  })

  it('refuses all if anything was changed, left out or added, and names each', async () => {
    const [first, ...rest] = NORTE
    writeLines('norte-12.ndjson', [{ ...first, difference_seconds: 1 }, ...rest])
    writeLines('sur-8.ndjson', SUR)
    const changed = 'norte-12: norte-12.ndjson was changed, or is not whole: its hash is another.'
    expect(await refused()).toEqual(['sur-8.ndjson is not in the list.', changed])
    rmSync(path('sur-8.ndjson'))
    writeLines('norte-12.ndjson', rest)
    expect(await refused()).toEqual([changed])
    writeLines('norte-12.ndjson', [...NORTE, lineOf('E-9', '09', 8)])
    expect(await refused()).toEqual([changed])
  })

  it('refuses a closing that is cancelled, has other sums, is missing or is there twice', async () => {
    download('norte', 12, NORTE, { cancelled: { comment: 'Por error.' } })
    download('sur', 7, SUR, { period_seconds: 3600 })
    download('este', 3, NORTE)
    download('centro', 3, NORTE)
    write('lista.txt', 'norte 12\nsur 7\nsur 9\noeste 3\nsur 1\neste 3\ncentro 3\neste 3\n')
    expect(await refused()).toEqual([
      'norte-12: it is cancelled.',
      'sur-7: period_seconds is 3600, but 25200 by its lines.',
      'sur-9: sur.json has no such closing.',
      "oeste-3: 'oeste.json': no such file or directory (open, ENOENT).",
      'sur-1: sur-1.ndjson is missing.',
      'centro-3: it is the same closing as este-3.',
      'este-3: it is the same closing as este-3.',
    ])
  })

  it('refuses a list and files of another form', async () => {
    for (const line of ['', 'norte', 'norte 12 13', '../norte 12', 'norte 0']) {
      write('otra.txt', `${line}\n`)
      const problem = `${path('otra.txt')}: not an installation and a closing: ${line}\n`
      const args = ['collect', path('otra.txt'), path('pago.csv')]
      expect(await runInProcess('closing', args)).toEqual(failedWith(problem))
    }
    write('norte.json', '{"success":false}')
    write('sur-7.ndjson', 'employee_id,rfc\n')
    expect(await refused()).toEqual([
      'norte-12: norte.json has no such closing.',
      'sur-7: sur-7.ndjson no trae los renglones de un cierre (línea 1): descárguelo con format=ndjson y sin by.',
    ])
  })
})

describe('a person of two installations', () => {
  const OWN = 'PEGL900101AB1'
  const twice = (closing: string, who: string, days: string) =>
    `norte-12 pays E-1 and ${closing} pays ${who}, the same person, for ${days}.`

  it('may be paid by both for different days, and by one again for the same', async () => {
    download('sur', 7, [lineOf('E-1', '11', 8), lineOf('E-1', '10', null)])
    const correction = [{ ...lineOf('E-1', '09', 9), of_period: 0, difference_seconds: 3600 }]
    const sums = { days: 0, period_seconds: 0, added_seconds: 3600 }
    writeLines('norte-13.ndjson', correction)
    const later = { ...closingOf(13, correction), ...sums }
    writeClosings('norte.json', later, closingOf(12, NORTE))
    write('lista.txt', 'norte 12\nnorte 13\nsur 7\n')
    expect(await run()).toMatchObject({ status: 0, err: '' })
  })

  it('is not paid by both for one day, unless that is allowed', async () => {
    download('sur', 7, [lineOf('E-1', '09', 8), lineOf('E-1', '10', 1), lineOf('E-1', '11', 8)])
    expect(await refused()).toEqual([twice('sur-7', 'E-1', '2026-11-09, 2026-11-10')])
    expect((await run('--allow', 'E-1')).status).toBe(0)
  })

  it('is recognized by an RFC of their own, or else by the employee id', async () => {
    const all = (rfc: string) => NORTE.map((line) => ({ ...line, rfc }))
    download('norte', 12, all(OWN))
    download('sur', 7, [lineOf('S-1', '09', 8, OWN)])
    expect(await refused()).toEqual([twice('sur-7', 'S-1', '2026-11-09')])
    // The case of the letters makes no other person, whether the ids are equal or not.
    for (const id of ['S-1', 'E-1']) {
      download('sur', 7, [lineOf(id, '09', 8, OWN.toLowerCase())])
      expect(await refused()).toEqual([twice('sur-7', id, '2026-11-09')])
    }
    download('sur', 7, [lineOf('E-1', '09', 8, 'LOPA800101XY2')])
    expect((await run()).status).toBe(0)
    rmSync(path('pago.csv'))
    download('norte', 12, all('XAXX010101000'))
    download('sur', 7, [lineOf('S-1', '09', 8, 'XAXX010101000')])
    expect((await run()).status).toBe(0)
  })
})
