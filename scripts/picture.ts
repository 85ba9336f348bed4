/** `npm run picture`: makes the README's screenshot of the review console with demo data. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { DEMO_ADMIN, DEMO_PASSWORD } from '../cli/demo/demo-data.ts'
import { buildConsole } from './build-console.ts'
import { startServer } from './test-server.ts'

const PICTURE_FILE = join('docs', 'review-console.png')
const CHROMIUM_PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const executablePath = process.env.CHROMIUM ?? CHROMIUM_PATHS.find((path) => existsSync(path))
if (!executablePath) throw new Error('No Chromium: install it, or set CHROMIUM to its path.')

await buildConsole()
const state = mkdtempSync(join(tmpdir(), 'checada-picture-'))
const server = startServer(state)
try {
  const origin = new URL(await server.ready).origin
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const page = await browser.newPage({
    viewport: { width: 1280, height: 720 },
    locale: 'es-MX',
    colorScheme: 'light',
  })
  await page.goto(`${origin}/revision/`)
  await page.getByLabel('Correo electrónico').fill(DEMO_ADMIN)
  await page.getByLabel('Contraseña').fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await page.locator('.log').nth(5).waitFor()
  await page.locator('.notes').first().waitFor()
  await page.screenshot({ path: PICTURE_FILE })
  await browser.close()
  console.log(`${PICTURE_FILE} is of today.`)
} finally {
  await server.stop()
  rmSync(state, { recursive: true, force: true })
}
