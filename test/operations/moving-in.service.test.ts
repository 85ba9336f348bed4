import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, expect, it } from 'vitest'
import { migrateLocal } from '../../cli/core/local-database.ts'
import { localFile } from '../../cli/core/opening-check.ts'
import { failedWith, runInProcess } from '../support/command.ts'
import { runCommand } from '../support/server.ts'
import { useTemporaryFolder } from '../support/temporary-folder.ts'

const { folder, write } = useTemporaryFolder()
const state = join(folder, 'state')

beforeAll(async () => {
  await migrateLocal(state)
  await runInProcess('demo', ['--persist-to', state])
})

const recipe = (args: string[], input: string) =>
  runCommand(process.execPath, ['docs/moving-in.mjs', ...args], { input })

/** Imports an export by its recipe, and returns the stored logs. */
const movedIn = async (args: string[], input: string) => {
  const { status, out, err } = await recipe(args, input)
  expect([status, err]).toEqual([0, ''])
  const imported = await runInProcess('import', [write('logs.json', out), '--persist-to', state])
  expect(imported).toMatchObject({ status: 0, err: '' })
  const { logs } = JSON.parse(out)
  const db = new DatabaseSync(localFile(state), { readOnly: true })
  const stored = db.prepare(`SELECT employee_id, kind, recorded_at FROM attendance_logs
    WHERE source = ? ORDER BY employee_id, kind, recorded_at`)
  try {
    return stored.all(logs[0].source).map((row) => Object.values(row))
  } finally {
    db.close()
  }
}

// The headings of a list's export in Odoo 18, which writes times in the zone of who exports.
const ODOO = `"ID","Employee","Employee/Badge ID","Check In","Check Out"
"__export__.hr_attendance_17_5e2c","Mitchell Admin","041","2025-11-03 08:58:03","2025-11-03 18:02:11"
"__export__.hr_attendance_18_77aa","Abigail Peterson","042","2025-11-03 09:01:40",""
`
const FRAPPE = `"ID","Employee","Employee Name","Log Type","Time","Location / Device ID"
"EMP-CKIN-11-2025-000001","E-001","Ana Torres","IN","2025-11-04 08:58:03","Puerta"
"EMP-CKIN-11-2025-000002","E-001","Ana Torres","OUT","2025-11-04 18:02:11.250000","Puerta"
"EMP-CKIN-11-2025-000003","E-002","Luis Mendoza","","2025-11-04 09:00:00",""
`
const KIMAI = JSON.stringify([
  {
    ...{ id: 91, user: { id: 3, username: 'ana', accountNumber: 'E-001' }, duration: 32648 },
    ...{ begin: '2025-11-05T08:58:00-0600', end: '2025-11-05T18:02:00-0600', activity: 2 },
  },
  {
    ...{ id: 92, user: { id: 4, username: 'E-002', accountNumber: null }, duration: 0 },
    ...{ begin: '2025-11-05T09:00:00-0600', end: null, activity: 2 },
  },
])
const CLOCKIFY = `"Project","Client","Description","Task","User","Email","Start Date","Start Time","End Date","End Time","Duration (h)"
"Tienda","","","","Ana","ana@demo.mx","2025-11-06","01:26:00 PM","2025-11-06","02:43:00 PM","01:17:00"
"Tienda","","","","Ana","ana@demo.mx","2025-11-06","15:00:00","2025-11-07","12:05:00 AM","09:05:00"
`

it('moves the attendance of Odoo in', async () => {
  const people = write('people.csv', '041,E-001\n042,E-002\n')
  expect(await movedIn(['odoo', 'America/Mexico_City', people], ODOO)).toEqual([
    ['E-001', 'entrada', '2025-11-03T14:58:03.000Z'],
    ['E-001', 'salida', '2025-11-04T00:02:11.000Z'],
    ['E-002', 'entrada', '2025-11-03T15:01:40.000Z'],
  ])
})

it('moves the rows of Odoo’s database in, whose times are UTC', async () => {
  const rows = `id,employee_id/barcode,check_in,check_out\n21,E-003,2025-11-10 14:58:03,2025-11-11 00:02:11\n`
  expect((await movedIn(['odoo', 'UTC'], rows)).slice(-2)).toEqual([
    ['E-003', 'entrada', '2025-11-10T14:58:03.000Z'],
    ['E-003', 'salida', '2025-11-11T00:02:11.000Z'],
  ])
})

it('moves the check-ins of Frappe in, each of its own kind', async () => {
  expect(await movedIn(['frappe', 'America/Tijuana'], FRAPPE)).toEqual([
    ['E-001', 'entrada', '2025-11-04T16:58:03.000Z'],
    ['E-001', 'salida', '2025-11-05T02:02:11.000Z'],
    ['E-002', 'checada', '2025-11-04T17:00:00.000Z'],
  ])
})

it('moves the timesheets of Kimai in, whose times have their offset', async () => {
  expect(await movedIn(['kimai', 'UTC'], KIMAI)).toEqual([
    ['E-001', 'entrada', '2025-11-05T14:58:00.000Z'],
    ['E-001', 'salida', '2025-11-06T00:02:00.000Z'],
    ['E-002', 'entrada', '2025-11-05T15:00:00.000Z'],
  ])
})

it('moves the detailed report of Clockify in, by 12 or 24 hours', async () => {
  const people = write('correos.csv', 'ana@demo.mx,E-001\n')
  expect(await movedIn(['clockify', 'America/Mexico_City', people], CLOCKIFY)).toEqual([
    ['E-001', 'entrada', '2025-11-06T19:26:00.000Z'],
    ['E-001', 'entrada', '2025-11-06T21:00:00.000Z'],
    ['E-001', 'salida', '2025-11-06T20:43:00.000Z'],
    ['E-001', 'salida', '2025-11-07T06:05:00.000Z'],
  ])
})

it.each([
  // Nobody can say whether 01/07 is in January or July.
  [
    'a date with slashes',
    ['clockify', 'UTC'],
    CLOCKIFY.replace('2025-11-06', '01/07/2025'),
    'row 1: 01/07/2025 01:26:00 PM is no time such as 2026-11-02 08:58:03.',
  ],
  [
    'an hour that was skipped',
    ['frappe', 'America/Tijuana'],
    FRAPPE.replace('2025-11-04 08:58:03', '2025-03-09 02:30:00'),
    'row 1: there is no 2025-03-09T02:30:00 in America/Tijuana.',
  ],
  [
    'a kind of its own',
    ['frappe', 'UTC'],
    FRAPPE.replace('"IN"', '"BREAK"'),
    'row 1: its kind is unknown.',
  ],
  [
    'a person whom nobody named',
    ['odoo', 'UTC', write('uno.csv', '041,E-001\n')],
    ODOO,
    'row 2: no id, or nobody for 042.',
  ],
  [
    'a system without a recipe',
    ['excel', 'UTC'],
    '',
    'SYSTEM is one of odoo, frappe, kimai, clockify.',
  ],
])('refuses %s, and writes nothing', async (_, args, input, error) => {
  expect(await recipe(args, input)).toEqual(failedWith(`${error}\n`))
})
