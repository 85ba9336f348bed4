import { expect, it } from 'vitest'
import { DEMO_ADMIN, DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import { createSealKey } from '../../cli/evidence/seal-key.ts'
import { runInProcess } from '../support/command.ts'
import { createApiClient } from '../support/console-api.ts'
import { useService } from '../support/server.ts'
import { signInToService } from '../support/service-evidence.ts'
import { useTemporaryFolder } from '../support/temporary-folder.ts'

const { write } = useTemporaryFolder()

const { signerKey, verifierKey } = createSealKey('prueba')
const service = useService(['--var', 'INTAKE_ROLES:reloj', '--var', `SEAL_KEY:${signerKey}`])

const MACHINE = 'reloj@demo.mx'
/** Someone without logs in the demo, so no sent log has the employee and second of a stored log. */
const EMPLOYEE = 'E-013'
const CALLS = 30
const ITEMS = 100
const NOW = Date.now()

interface Result {
  log_id: number
  result: string
}

interface Change {
  id: number
  event: string
  log_id: number
  source: string
  source_id: string
  to_status: string
}

/** The body of a call: 100 logs of one person, each in a different second. */
const callOf = (round: number, call: number) => {
  const start = NOW - (round + 1) * 86_400_000
  return {
    source: `reloj-${round}`,
    logs: Array.from({ length: ITEMS }, (_, i) => ({
      source_id: `${call}-${i}`,
      employee_id: EMPLOYEE,
      kind: 'checada',
      recorded_at: new Date(start + (call * ITEMS + i) * 1_000).toISOString(),
    })),
  }
}

const post = async <T>(path: string, token: string, body: unknown): Promise<T> => {
  const headers = { Authorization: `Bearer ${token}` }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const res = await fetch(`${service.api}${path}`, init)
  const text = await res.text()
  if (res.status !== 200) throw new Error(`${res.status}: ${text}`)
  return JSON.parse(text).data
}

/** Runs tasks, `atOnce` at a time. A task that fails ends its worker. */
const runConcurrently = async (atOnce: number, tasks: (() => Promise<void>)[]): Promise<void> => {
  const queue = [...tasks]
  const worker = async () => {
    for (let task = queue.shift(); task; task = queue.shift()) await task()
  }
  await Promise.allSettled(Array.from({ length: atOnce }, worker))
}

/** Every checkpoint that the service has returned. Later evidence must be consistent with each. */
const checkpoints: string[] = []

it.each([1, 12])(
  'stores only whole calls, in one consistent record, when it is killed after %i responses',
  async (round) => {
    const ana = await createApiClient(service.api, DEMO_ADMIN, DEMO_PASSWORD)
    const machine = await ana.machineToken(MACHINE)
    const admin = await signInToService(service)
    const answered = new Map<number, Result[]>()
    const decided: { log_id: number; status: string }[] = []

    let killed: Promise<void> | undefined
    const killOnce = () => {
      if (answered.size >= round) killed ??= service.kill()
    }
    const send = (call: number) => async () => {
      answered.set(call, await post<Result[]>('/v2/incidents/logs', machine, callOf(round, call)))
      killOnce()
    }
    const decide = (i: number) => async () => {
      const [log_id, status] = [1 + (i % 5), i % 2 ? 'approved' : 'rejected']
      const data = JSON.parse(await admin.decide(log_id, status, `Ronda ${round}, ${i}.`)).data
      if (data) decided.push({ log_id, status })
    }
    const seal = async () => {
      checkpoints.push(await admin.checkpoint())
    }
    const numbers = Array.from({ length: CALLS }, (_, i) => i)
    await Promise.all([
      runConcurrently(4, numbers.map(send)),
      runConcurrently(1, numbers.map(decide)),
      runConcurrently(2, Array(CALLS).fill(seal)),
    ])
    expect(answered.size).toBeLessThan(CALLS)
    await killed
    await service.start()

    const again = await signInToService(service)
    const changes = await again.changes<Change>()
    const recorded = changes.filter(
      ({ event, source }) => event === 'recorded' && source === `reloj-${round}`,
    )
    const byCall = Map.groupBy(recorded, ({ source_id }) => Number(source_id.split('-')[0]))
    // Each call is stored whole or not at all, and every answered call is stored.
    for (const [call, events] of byCall) expect(events, `call ${call}`).toHaveLength(ITEMS)
    const ids = new Set(recorded.map(({ log_id }) => log_id))
    expect(ids.size).toBe(recorded.length)
    for (const [call, results] of answered) {
      expect(byCall.get(call)?.map(({ log_id }) => log_id)).toEqual(
        results.map(({ log_id }) => log_id),
      )
    }
    expect(byCall.size).toBeLessThan(CALLS)
    // Every decision that was answered is stored, even if others were still running.
    const decisions = changes.filter(({ event }) => event === 'decided')
    for (const decision of decided) {
      expect(decisions).toContainEqual(
        expect.objectContaining({ log_id: decision.log_id, to_status: decision.status }),
      )
    }
    expect(decisions.length).toBeGreaterThanOrEqual(decided.length)

    // The evidence is consistent with every checkpoint that the service has returned.
    checkpoints.push(await again.checkpoint())
    const file = write(`${round}.ndjson`, await again.evidence())
    const paths = checkpoints.map((text, i) => write(`${round}-${i}.txt`, text))
    const kept = paths.flatMap((path) => ['--checkpoint', path])
    const verified = await runInProcess('audit', ['verify', file, '--key', verifierKey, ...kept])
    expect(verified.out).toMatch(/^Íntegro\n/)
    expect([verified.status, verified.err]).toEqual([0, ''])

    // After everything is sent again, each log is stored once.
    const results: Result[] = []
    for (let call = 0; call < CALLS; call++) {
      results.push(...(await post<Result[]>('/v2/incidents/logs', machine, callOf(round, call))))
    }
    expect(results.filter(({ result }) => result === 'known')).toHaveLength(recorded.length)
    expect(results.filter(({ result }) => result === 'created')).toHaveLength(
      CALLS * ITEMS - recorded.length,
    )
    expect(new Set(results.map(({ log_id }) => log_id)).size).toBe(CALLS * ITEMS)
  },
)
