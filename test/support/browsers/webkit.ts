import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  browserEnvironment,
  type Key,
  missing,
  type RunningBrowser,
  type Size,
  type Tab,
} from './tab.ts'

/**
 * WebKitGTK by W3C WebDriver: MiniBrowser on a display without a screen. Safari's driver speaks the
 * same protocol, but runs on a Mac only.
 */

/** It comes with the library that the driver needs, in a folder of the machine's kind. */
const miniBrowser = (): string => {
  const [path] = globSync('/usr/lib/*/webkit2gtk-4.1/MiniBrowser')
  if (!path) throw missing('MiniBrowser', 'webkit2gtk-driver')
  return path
}

/** How WebDriver writes keys that are no characters. */
const KEYS: Record<Key, string> = {
  Enter: '\uE007',
  Escape: '\uE00C',
  Tab: '\uE004',
  Space: ' ',
  ArrowDown: '\uE015',
  ArrowUp: '\uE013',
}

/** Without it, the hidden toolbar makes each window wider than a phone. */
const GTK_STYLES = '* { min-width: 0; min-height: 0; padding: 0; margin: 0; border: 0; }'

const start = async (
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv,
): Promise<ChildProcess> => {
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  // It rejects if there is no such command.
  await once(child, 'spawn').catch(() => {
    throw missing(command, 'webkit2gtk-driver xvfb')
  })
  return child
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/** On a busy computer, a page may take minutes. Only what never comes should fail. */
const PATIENCE_MS = 300_000

/** Now and then the driver never answers a session's begin or end. The next ones wait longer. */
const BEGIN_MS = 60_000

type Send = <T>(method: string, path: string, body?: object, patience?: number) => Promise<T>

const sendTo =
  (driver: string): Send =>
  async (method, path, body, patience = PATIENCE_MS) => {
    const response = await fetch(`${driver}${path}`, {
      method,
      signal: AbortSignal.timeout(patience),
      ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
    })
    const { value } = (await response.json()) as { value: { message: string } }
    if (!response.ok) throw new Error(`WebKitWebDriver: ${path}: ${value.message}`)
    return value as never
  }

const untilReady = async (send: Send): Promise<void> => {
  const end = performance.now() + BEGIN_MS
  for (;;) {
    try {
      return await send('GET', '/status', undefined, BEGIN_MS)
    } catch (error) {
      if (performance.now() > end) throw error
      await sleep(50)
    }
  }
}

const tabOf = (send: Send, session: string): Tab => {
  const act = (actions: object) => send('POST', `${session}/actions`, { actions: [actions] })
  const press = (keys: string[]) =>
    act({
      type: 'key',
      id: 'keyboard',
      actions: keys.flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]),
    })
  return {
    open: async (url) => void (await send('POST', `${session}/url`, { url })),
    evaluate: (expression) =>
      send('POST', `${session}/execute/sync`, { script: `return (${expression})`, args: [] }),
    click: async (x, y) => {
      const [left, top] = [Math.round(x), Math.round(y)]
      await act({
        type: 'pointer',
        id: 'mouse',
        parameters: { pointerType: 'mouse' },
        actions: [
          { type: 'pointerMove', duration: 0, x: left, y: top },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      })
    },
    type: async (text) => void (await press([...text])),
    press: async (key) => void (await press([KEYS[key]])),
    screenshot: async () =>
      Buffer.from(await send<string>('GET', `${session}/screenshot`), 'base64'),
    close: async () => void (await send('DELETE', session, undefined, BEGIN_MS)),
  }
}

/** One driver has one session, so that each tab has a driver of its own. */
const startSession = async (env: NodeJS.ProcessEnv, { width, height }: Size, attempt = 1) => {
  const port = await freePort()
  const driver = await start('WebKitWebDriver', [`--port=${port}`], env)
  const send = sendTo(`http://127.0.0.1:${port}`)
  const args = ['--automation', '--full-screen']
  const capabilities = {
    alwaysMatch: { 'webkitgtk:browserOptions': { binary: miniBrowser(), args } },
  }
  const patience = BEGIN_MS * attempt
  try {
    await untilReady(send)
    const begun = await send<{ sessionId: string }>('POST', '/session', { capabilities }, patience)
    const session = `/session/${begun.sessionId}`
    await send('POST', `${session}/window/rect`, { width, height }, patience)
    return { driver, send, session }
  } catch (error) {
    driver.kill()
    if (attempt === 3) throw error
    return startSession(env, { width, height }, attempt + 1)
  }
}

const startTab = async (env: NodeJS.ProcessEnv, size: Size): Promise<Tab> => {
  const { driver, send, session } = await startSession(env, size)
  const tab = tabOf(send, session)
  return {
    ...tab,
    // The driver's end ends the session, also if it does not answer.
    close: async () => {
      await tab.close().catch(() => {})
      driver.kill()
    },
  }
}

export const launchWebKit = async (zone: string): Promise<RunningBrowser> => {
  const folder = mkdtempSync(join(tmpdir(), 'checada-webkit-'))
  mkdirSync(join(folder, 'gtk-3.0'))
  writeFileSync(join(folder, 'gtk-3.0', 'gtk.css'), GTK_STYLES)
  const screen = ['-screen', '0', '1600x1200x24', '-nolisten', 'tcp']
  const display = await start('Xvfb', ['-displayfd', '3', ...screen], browserEnvironment(zone))
  const [number] = await once(display.stdio[3] as NodeJS.EventEmitter, 'data')
  const env = {
    ...browserEnvironment(zone),
    DISPLAY: `:${String(number).trim()}`,
    GDK_BACKEND: 'x11',
    LIBGL_ALWAYS_SOFTWARE: '1',
    XDG_CONFIG_HOME: folder,
  }
  return {
    newTab: (size) => startTab(env, size),
    close: async () => {
      display.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
