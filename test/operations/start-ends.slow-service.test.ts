import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { descendantsOf, killAll, runningOf } from '../../scripts/processes.ts'

const state = mkdtempSync(join(tmpdir(), 'checada-test-start-'))
let parent: ChildProcess
let descendants: number[] = []
afterEach(() => {
  killAll([...descendants, ...descendantsOf(Number(parent.pid)), Number(parent.pid)])
  rmSync(state, { recursive: true, force: true })
})

const START = ['start', '--', '--port', '0', '--inspector-port', '0', '--persist-to', state]

/** Starts a command that runs npm start. Resolves with the service's origin. */
const start = (command: string, args: string[]) =>
  new Promise<string>((resolve, reject) => {
    parent = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    const collect = (chunk: Buffer) => {
      printed += chunk
      const [, origin] = /Checada is running at (http:\/\/[^/]+)/.exec(printed) ?? []
      if (origin) resolve(origin)
    }
    parent.stdout?.on('data', collect)
    parent.stderr?.on('data', collect)
    parent.on('exit', () => reject(new Error(printed)))
  })

/** An end takes seconds, and more on a busy machine. Only an end that never comes should fail. */
const UNTIL_ENDED = { timeout: 300_000, interval: 250 }

const listens = (origin: string) =>
  fetch(`${origin}/health`).then(
    () => true,
    () => false,
  )

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const
it.each(SIGNALS)('npm start ends with all it started when npm gets %s', async (signal) => {
  const origin = await start('npm', START)
  descendants = descendantsOf(Number(parent.pid))
  expect(descendants.length).toBeGreaterThan(2)
  expect(await listens(origin)).toBe(true)

  parent.kill(signal)

  const left = async () => [runningOf(descendants), await listens(origin)]
  await expect.poll(left, UNTIL_ENDED).toEqual([[], false])
})

it('leaves nothing on the port when npm and its script are killed at once', async () => {
  const origin = await start('npm', START)
  descendants = descendantsOf(Number(parent.pid))

  killAll([Number(parent.pid), ...descendants.slice(0, 1)])

  const left = async () => [runningOf(descendants), await listens(origin)]
  await expect.poll(left, UNTIL_ENDED).toEqual([[], false])
})

it('npm start goes on when the script that ran it has ended', async () => {
  // A shell cannot be used here: it ends only after npm.
  const program = `require('node:child_process').spawn('npm', ${JSON.stringify(START)}, {stdio: 'inherit'})`
  const origin = await start(process.execPath, ['-e', program])
  descendants = descendantsOf(Number(parent.pid))
  const ended = once(parent, 'exit')

  parent.kill('SIGTERM')
  await ended

  // The service checks each second whether the npm that started it still runs.
  for (let i = 0; i < 12; i++) {
    await sleep(250)
    expect(await listens(origin)).toBe(true)
  }
})
