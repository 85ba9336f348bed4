// node docs/moving-in.mjs SYSTEM ZONE [PEOPLE.csv] < EXPORT > private/logs.json
// SYSTEM is a name of RECIPES, ZONE that of the export's times. PEOPLE.csv has two columns without a
// heading: how the export calls a person, and the employee_id here. Without it, both are the same.
// It has the same columns as docs/migrating.md. A row that it cannot read ends it; nothing is guessed.
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import { timeZone } from '../src/core/values/time-zone.ts'

const KINDS = { IN: 'entrada', OUT: 'salida', '': 'checada' }

/** Each returns a row's person, its own id, and its punches as [kind, local time or moment]. */
const RECIPES = {
  odoo: (row) => ({
    person: row['Employee/Badge ID'] ?? row['employee_id/barcode'],
    id: row.ID ?? row['External ID'] ?? row.id,
    punches: [
      ['entrada', row['Check In'] ?? row.check_in],
      ['salida', row['Check Out'] ?? row.check_out],
    ],
  }),
  frappe: (row) => ({
    person: row.Employee ?? row.employee,
    id: row.ID ?? row.name,
    punches: [[KINDS[row['Log Type'] ?? row.log_type], row.Time ?? row.time]],
  }),
  kimai: ({ user, id, begin, end }) => ({
    person: user.accountNumber ?? user.username ?? String(user),
    id: String(id),
    punches: [
      ['entrada', begin],
      ['salida', end],
    ],
  }),
  clockify: (row) => ({
    person: row.Email,
    id: `${row.Email} ${row['Start Date']} ${row['Start Time']}`,
    punches: [
      ['entrada', `${row['Start Date']} ${row['Start Time']}`],
      ['salida', `${row['End Date']} ${row['End Time']}`],
    ],
  }),
}

const TIME =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d?)(:\d\d)(:\d\d)?(?:\.\d+)?(?: ([AP])M)?([+-]\d\d:?\d\d|Z)?$/

/** Ends with a sentence. */
const fail = (message) => {
  console.error(message)
  process.exit(1)
}

const [system, zone, peopleFile] = process.argv.slice(2)
const recipe = RECIPES[system]
if (!recipe || !zone) fail(`SYSTEM is one of ${Object.keys(RECIPES).join(', ')}.`)

const momentOf = (value, place) => {
  const [, day, hour, minute, second = ':00', half, offset] = TIME.exec(value) ?? []
  if (!day) fail(`${place}: ${value} is no time such as 2026-11-02 08:58:03.`)
  const hours = half ? (Number(hour) % 12) + (half === 'P' ? 12 : 0) : hour
  const local = `${day}T${String(hours).padStart(2, '0')}${minute}${second}`
  if (offset) return `${local}${offset}`
  const [instant] = timeZone(zone).instantsOf(local)
  if (!instant) fail(`${place}: there is no ${local} in ${zone}.`)
  return instant.toISOString()
}

const csv = { bom: true, skip_empty_lines: true, relax_column_count: false }
const people = peopleFile && new Map(parse(readFileSync(peopleFile, 'utf8'), csv))
const input = await text(process.stdin)
const rows = /^\uFEFF?\s*\[/.test(input)
  ? JSON.parse(input.replace(/^\uFEFF/, ''))
  : parse(input, { ...csv, columns: true })

const logs = rows.flatMap((row, index) => {
  const place = `row ${index + 1}`
  const { person, id, punches } = recipe(row)
  const employee_id = people ? people.get(person) : person
  if (!id || !employee_id) fail(`${place}: no id, or nobody for ${person}.`)
  return punches.flatMap(([kind, value]) => {
    if (!kind) fail(`${place}: its kind is unknown.`)
    // Who has not left yet has no end.
    if (!value?.trim()) return []
    const recorded_at = momentOf(value, place)
    return { source: system, source_id: `${id} ${kind}`, employee_id, kind, recorded_at }
  })
})
console.log(JSON.stringify({ logs }, null, 1))
