import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, it } from 'vitest'
import { DEMO_ADMIN, DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import { createClient, dataOf } from '../../sdk/api-client.ts'
import { dateDaysAgo } from '../support/console-api.ts'
import { useService } from '../support/server.ts'
import { useTemporaryFolder } from '../support/temporary-folder.ts'

/** Tests the protocol with a client that nobody of this project wrote. */

const SIMULATOR = 'django-fingerprint-attendance==0.1.0'

const { folder } = useTemporaryFolder()

/** Installs the simulator. False if this computer has no Python or no package registry. */
const install = (): boolean =>
  spawnSync('python3', [
    ...['-m', 'pip', 'install', '--quiet', '--no-deps', '--disable-pip-version-check'],
    ...['--target', folder, SIMULATOR],
  ]).status === 0

const service = useService()
const isInstalled = install()
if (!isInstalled) console.warn(`SKIPPED: no clock was simulated, for ${SIMULATOR} cannot be had.`)

describe.skipIf(!isInstalled)('a clock', () => {
  const children: ReturnType<typeof spawn>[] = []
  afterAll(() => {
    for (const child of children) child.kill()
  })

  const simulate = (args: string[]) => {
    const { origin } = new URL(service.api)
    const child = spawn('python3', ['test/clocks/clock-simulator.py', origin, ...args], {
      env: { ...process.env, PYTHONPATH: folder },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    children.push(child)
    const answers = createInterface({ input: child.stdout })
    return async (act: string) => {
      child.stdin.write(`${act}\n`)
      const [line] = await once(answers, 'line')
      return JSON.parse(line)
    }
  }

  const signIn = async () => {
    let token: string | undefined
    const client = createClient(new URL(service.api).origin, { token: () => token })
    const json = { email: DEMO_ADMIN, password: DEMO_PASSWORD }
    token = (await dataOf(client.auth.login.$post({ json }))).token
    return client.v2.incidents
  }

  it.each(['legacy', 'push2', 'biodata'])(
    'of the firmware %s is refused, added, punches, is unplugged, plugged in and named',
    async (firmware) => {
      const [serial, number] = [`SIM-${firmware.toUpperCase()}`, `9${firmware.length}`]
      const day = dateDaysAgo(2)
      const act = simulate([serial, firmware, number, `${day}T08:00:00`])
      const { clocks } = await signIn()
      expect(await act('connect')).toBe('handshake failed: 403 ERROR')
      const { unknown } = await dataOf(clocks.$get())
      expect(unknown.map((clock) => clock.serial)).toContain(`${serial.slice(0, -4)}····`)

      const json = {
        ...{ label: firmware, branch_office: 'Centro', uses_keys: true, from_day: day },
        ...{ retired: false, expected_version: 0 },
      }
      await dataOf(clocks[':serial'].$put({ param: { serial }, json }))
      expect(await act('connect')).toMatchObject({ ATTLOGStamp: 'None', Realtime: '1' })
      expect(await act('punch')).toEqual({ commands: [], uploaded: 1 })
      expect(await act('unplug')).toEqual({ kept: 100 })
      expect(await act('plug')).toEqual({ answers: ['OK: 100'], kept: 0 })
      expect(await act('connect')).toMatchObject({ ATTLOGStamp: '101' })

      const { waiting } = await dataOf(clocks.$get())
      expect(waiting.find((one) => one.serial === serial)).toMatchObject({ number, count: 101 })
      const naming = { serial, number, employee_id: 'E-003' }
      const named = await dataOf(clocks.waiting.$post({ json: { ...naming } }))
      // The three clocks have punches of the same person at the same seconds.
      expect(named.taken).toBe(firmware === 'legacy' ? 101 : 0)
      expect((await dataOf(clocks.$get())).waiting.filter((one) => one.serial === serial)).toEqual(
        [],
      )
    },
  )
})
