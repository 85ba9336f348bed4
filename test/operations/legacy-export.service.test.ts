import { chmodSync } from 'node:fs'
import { expect, it } from 'vitest'
import { failedWith } from '../support/command.ts'
import { runCommand } from '../support/server.ts'
import { useTemporaryFolder } from '../support/temporary-folder.ts'

const { folder, write } = useTemporaryFolder()

// Stands for MySQL. LOST is what it answers if it cannot convert moments.
const MYSQL = `#!/bin/sh
case "$*" in
  *'WHERE recorded_at IS NULL'*) printf '%s' "$LOST" ;;
  *'FROM checada_logs'*) echo '{"log_id": 1, "recorded_at": null}' ;;
esac
`
chmodSync(write('mysql', MYSQL), 0o755)

const runExport = (lost: string) =>
  runCommand('sh', ['docs/legacy-export.sh'], {
    env: { LOST: lost, PATH: `${folder}:${process.env.PATH}` },
  })

it('exports nothing if MySQL cannot convert the moments of logs', async () => {
  const lost = '2 logs have no moment'
  expect(await runExport(lost)).toEqual(failedWith(`${lost}\n`))
  const { status, out, err } = await runExport('')
  expect([status, err]).toEqual([0, ''])
  expect(JSON.parse(out)).toMatchObject({ employees: [], logs: [{ log_id: 1 }] })
})
