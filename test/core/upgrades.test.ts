import { applyD1Migrations, reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { forgetDatabase } from '../../src/core/db/d1.ts'
import { VERSION } from '../../src/core/values/version.ts'
import { call, get, post } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { callAsClock, line, pushPunches } from '../support/clocks.ts'
import { type ReleasedDatabase, resetDatabase } from '../support/database.ts'
import { dumpDatabase, readColumns, readSchema, restoreDump } from '../support/dump.ts'
import { faultsOf } from '../support/evidence.ts'
import { allRows, anEmployee, tokenFor } from '../support/factories.ts'
import { fillService, readService } from '../support/filled-service.ts'
import { parseLines } from '../support/lines.ts'
import { createdIn, keptRow } from '../support/migrations.ts'

const ADMIN = { id: 1, token_version: 0 }

beforeEach(() => stopClock('2026-11-22T18:00:00.000Z'))

const evidenceFaults = async (token: string) =>
  faultsOf((await get('/v2/audit/evidence', { token })).text)

/** Newer triggers on older tables. They accept everything that the older code writes. */
const NEW_TRIGGERS: string[] = []

describe('the filled database', () => {
  it('has rows in every table', async () => {
    await fillService()
    for (const [table, rows] of Object.entries(await allRows())) expect(rows, table).not.toEqual([])
  })

  it.runIf(env.RELEASE === VERSION)('is saved for the tests of later versions', async () => {
    const token = await fillService()
    const released: Omit<ReleasedDatabase, 'version'> = {
      migrations: env.MIGRATIONS.map(({ name }) => name),
      responses: await readService(token),
      faults: await evidenceFaults(token),
      statements: await dumpDatabase(),
    }
    await expect(`${JSON.stringify(released, null, 1)}\n`).toMatchFileSnapshot(
      `../released-databases/${VERSION}.json`,
    )
  })
})

describe.each(env.RELEASED)('the database of $version', (released) => {
  const later = env.MIGRATIONS.filter(({ name }) => !released.migrations.includes(name))

  beforeEach(async () => {
    forgetDatabase(env.DB)
    await reset()
    await restoreDump(released.statements)
  })

  it('keeps every row and foreign key when it is migrated step by step', async () => {
    for (const migration of later) {
      const before = await allRows()
      await applyD1Migrations(env.DB, [migration])
      const after = await allRows()
      for (const [table, rows] of Object.entries(before)) {
        if (!createdIn(env.MIGRATIONS, 'TABLE').includes(table)) continue
        const kept = rows.map((row) => keptRow(row, migration, table))
        expect(after[table], `${table} after ${migration.name}`).toEqual(kept)
      }
      const { results } = await env.DB.prepare('PRAGMA foreign_key_check').all()
      expect(results, migration.name).toEqual([])
    }
  })

  it('has the schema of a new database after the migrations, with triggers and indexes', async () => {
    const byName = async () =>
      Object.fromEntries((await readSchema()).map(({ name, sql }) => [name, sql]))
    await applyD1Migrations(env.DB, later)
    const upgraded = await byName()
    await resetDatabase()
    expect(upgraded).toEqual(await byName())
  })

  // This holds until the next major version, as docs/upgrading.md promises.
  const isSameMajor = released.version.split('.')[0] === VERSION.split('.')[0]
  it.runIf(isSameMajor)('keeps what the older code reads, and needs no new columns', async () => {
    const before = await readColumns()
    await applyD1Migrations(env.DB, later)
    const after = await readColumns()
    type Column = (typeof after)[number]
    const nameOf = ({ table, column }: Column) => `${table}.${column}`
    const knownNames = before.map(nameOf)
    expect(after.map(nameOf)).toEqual(expect.arrayContaining(knownNames))
    const added = after.filter((column) => !knownNames.includes(nameOf(column)))
    // The older code does not write to new tables, so their columns may be required.
    const tables = new Set(before.map(({ table }) => table))
    const required = added.filter(({ table, isRequired }) => tables.has(table) && isRequired)
    expect(required.map(nameOf)).toEqual([])
  })

  it.runIf(isSameMajor)('accepts everything that the older code writes', async () => {
    const before = await readSchema()
    await applyD1Migrations(env.DB, later)
    const known = new Set(before.map(({ name }) => name))
    const added = (await readSchema()).filter(
      ({ name, tbl_name, sql }) =>
        !known.has(name) && known.has(tbl_name) && /^CREATE (TRIGGER|UNIQUE)/.test(sql),
    )
    expect(added.map(({ name }) => name).sort()).toEqual(NEW_TRIGGERS)
  })

  it('responds as before after the migrations, and its evidence verifies as before', async () => {
    await applyD1Migrations(env.DB, later)
    const token = await tokenFor(ADMIN)
    expect(await readService(token)).toMatchObject(released.responses)
    expect(await evidenceFaults(token)).toEqual(released.faults)
  })

  it('has whole evidence with acts on a clock, before and after a flood in its name', async () => {
    await applyD1Migrations(env.DB, later)
    const token = await tokenFor(ADMIN)
    const CLOCK = '/v2/incidents/clocks/A9'
    const own = { address: '203.0.113.7' }
    const place = { label: null, branch_office: 'Centro', uses_keys: true, from_day: '2026-11-01' }
    const body = { ...place, retired: false, expected_version: 0, has_not_called: true }
    expect((await call('PUT', CLOCK, { token, body })).status).toBe(200)
    await anEmployee({ employee_id: 'E-flood', branch_office: 'Centro' })
    await callAsClock('/iclock/getrequest?SN=A9', own)
    expect((await post(`${CLOCK}/address`, own, { token })).status).toBe(200)
    await pushPunches('A9', [line('E-flood', '2026-11-20 08:00:00')], own)
    const before = (await get('/v2/audit/evidence', { token })).text
    expect(await faultsOf(before)).toEqual(released.faults)

    const flood = Array.from({ length: 300 }, (_, i) =>
      line('E-flood', `2026-11-${10 + (i % 10)} 09:${10 + Math.floor(i / 10)}:00`),
    )
    for (const i of [1, 2, 3]) await pushPunches('A9', flood, { address: `198.51.100.${i}` })
    const period = { from: '2026-11-01', to: '2026-11-22', comment: 'No las envió el reloj.' }
    const rejected = await post(`${CLOCK}/reject`, { ...period, elsewhere: true }, { token })
    expect(rejected.body.data).toEqual({ rejected: 300, left: 0 })
    const after = (await get('/v2/audit/evidence', { token })).text
    expect(await faultsOf(after)).toEqual(released.faults)
    // Nothing of what was handed out before has changed.
    const sealed = (text: string) => parseLines(text).flatMap(({ entry }) => entry ?? [])
    expect(sealed(after).slice(0, sealed(before).length)).toEqual(sealed(before))
  })
})
