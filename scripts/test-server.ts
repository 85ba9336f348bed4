import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

export interface Server {
  api: string
  /** All that it has printed so far. */
  output(): string
  stop(): Promise<void>
}

/** Starts the service as `npm start` does, on a free port, with its state in a folder of its own. */
export const startServer = async (stateFolder: string, flags: string[] = []): Promise<Server> => {
  const port = await freePort()
  const args = ['scripts/start.ts', '--port', `${port}`, '--inspector-port', '0']
  const child: ChildProcess = spawn(
    process.execPath,
    [...args, '--persist-to', stateFolder, ...flags],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let printed = ''
  child.stdout?.on('data', (chunk) => {
    printed += chunk
  })
  child.stderr?.on('data', (chunk) => {
    printed += chunk
  })

  const stop = async () => {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }

  for (let tries = 0; tries < 550; tries++) {
    if (child.exitCode !== null) break
    if (printed.includes('Ready on')) {
      return { api: `http://127.0.0.1:${port}/api`, output: () => printed, stop }
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await stop()
  throw new Error(`The service did not start:\n${printed}`)
}
