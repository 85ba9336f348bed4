import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DEMO_ADMIN, DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import { useBrowser } from '../support/browser.ts'
import { useService } from '../support/server.ts'

const service = useService(['--var', 'ALLOWED_ORIGINS:*'])
const newContext = useBrowser()
const app = createServer((_, response) => response.end('<!doctype html><title>App</title>'))

beforeAll(async () => {
  app.listen(0, '127.0.0.1')
  await once(app, 'listening')
})
afterAll(() => new Promise((resolve) => app.close(resolve)))

it('lets a page of another origin sign in with custom headers, and read a 405', async () => {
  const page = await (await newContext()).newPage()
  await page.goto(`http://127.0.0.1:${(app.address() as AddressInfo).port}`)
  const request = (path: string, init: RequestInit) =>
    page.evaluate(
      async ([url, options]) => {
        const response = await fetch(url, options)
        const body = (await response.json()) as { message: string }
        return [response.status, body.message, response.headers.get('Allow')]
      },
      [`${service.api}${path}`, init] as const,
    )
  const headers = {
    'Content-Type': 'application/json',
    'X-Requested-With': 'XMLHttpRequest',
    'X-CSRF-TOKEN': 'x',
    'Cache-Control': 'no-cache',
  }
  const body = JSON.stringify({ email: DEMO_ADMIN, password: DEMO_PASSWORD })

  const signedIn = await request('/auth/login', { method: 'POST', headers, body })
  expect(signedIn).toEqual([200, 'Inicio de sesión correcto.', null])
  const wrongMethod = await request('/auth/login', { method: 'DELETE', headers })
  expect(wrongMethod).toEqual([405, 'El método no está permitido en esta ruta.', 'POST, OPTIONS'])
})
