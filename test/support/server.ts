import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll } from 'vitest'
import { startServer, type TestServer } from '../../scripts/test-server.ts'
import { CLOCK_FLAGS } from './clock/flags.ts'
import { runInProcess, type ScriptName } from './command.ts'

/** A start may take minutes on a busy machine. Only a start that never ends should fail. */
const START_TIMEOUT = 600_000

export interface Service {
  /** `http://127.0.0.1:PORT/api` */
  api: string
  /** The folder of the service's local state. */
  readonly state: string
  output(): string
  stop(): Promise<void>
  /** Ends the service at once, as a crash does (SIGKILL). */
  kill(): Promise<void>
  /** Starts a stopped service again with the same state. */
  start(flags?: string[]): Promise<void>
  /** Runs an operators' command on the service's state: `run('user', ['list'])`. */
  run(command: ScriptName, args: string[]): ReturnType<typeof runInProcess>
}

/** Runs a service with demo data and its own state for all tests of the file. */
export const useService = (flags: string[] = []): Service => {
  const state = mkdtempSync(join(tmpdir(), 'checada-test-'))
  let server: TestServer | undefined
  const service: Service = {
    api: '',
    state,
    output: () => server?.output() ?? '',
    stop: async () => server?.stop(),
    kill: async () => server?.kill(),
    start: async (more = []) => {
      server = startServer(state, [...flags, ...more], 'test/support/clock/start.ts')
      service.api = await server.ready
    },
    run: (command, args) => runInProcess(command, [...args, '--persist-to', state]),
  }
  beforeAll(() => service.start(), START_TIMEOUT)
  // Stops the server even if it never became ready.
  afterAll(async () => {
    await service.stop()
    rmSync(state, { recursive: true, force: true })
  }, START_TIMEOUT)
  return service
}

/** Runs a command without blocking the connections of this process. */
export const runCommand = async (
  command: string,
  args: string[],
  { input = '', env = {}, cwd = '.' } = {},
) => {
  const options = { stdio: 'pipe', cwd, env: { ...process.env, ...env } } as const
  const child = spawn(command, args, options)
  // A command may end before it has read its input. Its exit status shows whether it failed.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('close', resolve)
    child.on('error', reject)
  })
  const [status, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  return { status, out, err }
}

/** Runs a script of the project in a process of its own, with the clock of the tests. */
export const runScript = (script: string, args: string[], input = '', env = {}) => {
  return runCommand(process.execPath, [...CLOCK_FLAGS, script, ...args], { input, env })
}
