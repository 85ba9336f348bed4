import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { descendantsOf, killAll, runningOf } from '../../scripts/processes.ts'

const folder = mkdtempSync(join(tmpdir(), 'checada-test-start-'))
const started: number[] = []
afterAll(() => {
  killAll(started)
  rmSync(folder, { recursive: true, force: true })
})

const START = ['start', '--', '--port', '0', '--inspector-port', '0', '--persist-to']

/** Starts a command that runs npm start with its own state. Resolves once the service runs. */
const start = async (commandOf: (args: string[]) => string[]) => {
  const [command = '', ...args] = commandOf([...START, mkdtempSync(join(folder, 'state-'))])
  const parent = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const pid = Number(parent.pid)
  const origin = await new Promise<string>((resolve, reject) => {
    let printed = ''
    const collect = (chunk: Buffer) => {
      printed += chunk
      const [, found] = /Checada is running at (http:\/\/[^/]+)/.exec(printed) ?? []
      if (found) resolve(found)
    }
    parent.stdout.on('data', collect)
    parent.stderr.on('data', collect)
    parent.on('exit', () => reject(new Error(printed)))
  }).finally(() => started.push(...descendantsOf(pid), pid))
  const listens = () =>
    fetch(`${origin}/health`).then(
      () => true,
      () => false,
    )
  return { parent, descendants: descendantsOf(pid), listens }
}

/** An end takes seconds, and more on a busy machine. Only an end that never comes should fail. */
const UNTIL_ENDED = { timeout: 300_000, interval: 250 }

it.each([
  ['SIGTERM', 'npm'],
  ['SIGINT', 'npm'],
  ['SIGHUP', 'npm'],
  ['SIGKILL', 'npm'],
  ['SIGKILL', 'npm and its script at once'],
] as const)('npm start ends with all it started after %s of %s', async (signal, whose) => {
  const { parent, descendants, listens } = await start((args) => ['npm', ...args])
  expect(descendants.length).toBeGreaterThan(2)
  expect(await listens()).toBe(true)

  if (whose === 'npm') parent.kill(signal)
  else killAll([Number(parent.pid), ...descendants.slice(0, 1)])

  const left = async () => [runningOf(descendants), await listens()]
  await expect.poll(left, UNTIL_ENDED).toEqual([[], false])
})

it('npm start goes on when the script that ran it has ended', async () => {
  // A shell cannot be used here: it ends only after npm.
  const program = (args: string[]) =>
    `require('node:child_process').spawn('npm', ${JSON.stringify(args)}, {stdio: 'inherit'})`
  const { parent, listens } = await start((args) => [process.execPath, '-e', program(args)])
  const ended = once(parent, 'exit')

  parent.kill('SIGTERM')
  await ended

  // The service checks each second whether the npm that started it still runs.
  for (let i = 0; i < 12; i++) {
    await sleep(250)
    expect(await listens()).toBe(true)
  }
})
