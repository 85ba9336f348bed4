import { closeSync, openSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { localFile } from '../../cli/core/opening-check.ts'
import { useService } from '../support/server.ts'
import { signInToService } from '../support/service-evidence.ts'

const service = useService()

it('/health is a 503 once a request has met a damaged page, which /health does not read', async () => {
  expect((await service.run('demo', ['--logs', '20000'])).status).toBe(0)
  const admin = await signInToService(service)
  const path = localFile(service.state)
  const database = new DatabaseSync(path)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  const select = `SELECT pgoffset FROM dbstat WHERE name LIKE 'attendance_logs_%' AND pagetype = 'leaf'`
  const pages = database
    .prepare(select)
    .all()
    .map(({ pgoffset }) => Number(pgoffset))
  database.close()
  const file = openSync(path, 'r+')
  for (const page of pages) writeSync(file, Buffer.alloc(4_096, 0xab), 0, 4_096, page)
  closeSync(file)

  const statusOfHealth = async () => (await fetch(new URL('/health', service.api))).status
  expect(await statusOfHealth()).toBe(200)
  await admin.get('/v2/incidents/export?format=ndjson').catch(() => undefined)
  await expect.poll(() => service.output()).toMatch(/SQLITE_CORRUPT/)
  expect(await statusOfHealth()).toBe(503)
})
