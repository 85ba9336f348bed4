import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TestServer {
  /** Resolves with the API's URL once the service responds. Rejects if the service ends first. */
  ready: Promise<string>
  /** Returns everything that the service has printed so far. */
  output(): string
  /** Ends the service with all of its processes. */
  stop(): Promise<void>
  /** Ends the service at once (SIGKILL), to simulate a crash. */
  kill(): Promise<void>
}

/** How long a service may take to end before it is killed. */
const STOP_MS = 10_000

const running = new Set<ChildProcess>()

/** Kills a server and its children, which are in one process group. */
const killGroup = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has already ended.
  }
}

process.on('exit', () => {
  for (const child of running) killGroup(child)
})

/**
 * Starts the service as `npm start` does, on a free port, with its state in a given folder.
 * @param script the script that starts it, if it is not the one of `npm start`
 */
export const startServer = (
  stateFolder: string,
  flags: string[] = [],
  script = 'scripts/start.ts',
): TestServer => {
  const own = ['--ip', '127.0.0.1', '--port', '0', '--inspector-port', '0']
  const args = [script, ...own, '--persist-to', stateFolder, ...flags]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  running.add(child)
  const exited = once(child, 'exit')
  let printed = ''

  const ready = new Promise<string>((resolve, reject) => {
    const collect = (chunk: Buffer) => {
      printed += chunk
      const [, api] = /Checada is running at (\S+)/.exec(printed) ?? []
      if (api) resolve(api)
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    exited.then(() => reject(new Error(`The service did not start:\n${printed}`)), reject)
  })
  // A server may be stopped before it is ready. An unhandled rejection would end this process.
  ready.catch(() => {})

  const kill = async () => {
    killGroup(child)
    await exited
    running.delete(child)
  }
  const stop = async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => killGroup(child), STOP_MS)
    await exited
    clearTimeout(timer)
    await kill()
  }
  return { ready, output: () => printed, stop, kill }
}

/** Calls `run` with a new service and its temporary folder, and removes both afterwards. */
export const withServer = async (
  run: (server: TestServer, folder: string) => Promise<void>,
  flags: string[] = [],
): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'checada-'))
  const server = startServer(join(folder, 'state'), flags)
  try {
    await run(server, folder)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
