/** `npm run picture`: makes the pictures of the documents and of the console's help, with demo data. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { chromium } from 'playwright-core'
import { DEMO_ADMIN, DEMO_EMPLOYEE, DEMO_PASSWORD } from '../cli/demo/demo-data.ts'
import { buildConsole } from './build-console.ts'
import { withServer } from './test-server.ts'

/**
 * The pictures of the console's help: the name, the hash of the URL, and CSS selectors. The first is
 * of an element that appears when the page has loaded. A second one
 * appears after a click on the first.
 */
const HELP_PICTURES = [
  ['horas', '#/horas?from=2026-11-01&to=2026-11-15', '.work .act'],
  ['agregar', '#/horas?from=2026-11-01&to=2026-11-15', '.work .act', '.missing footer'],
  ['vista-previa', '#/cierres?before=2026-11-16', '.figures'],
  ['cierre', '#/cierres', '.closings h2', '.closings .acts'],
] as const
const CHROMIUM_PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

new Command('picture').description('make the pictures of the documents and of the help').parse()

const executablePath = process.env.CHROMIUM ?? CHROMIUM_PATHS.find((path) => existsSync(path))
if (!executablePath) throw new Error('No Chromium: install it, or set CHROMIUM to its path.')

await buildConsole()
await withServer(async (server) => {
  const origin = new URL(await server.ready).origin
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const signIn = async (path: string, email: string, width: number) => {
    const viewport = { width, height: 720 }
    const page = await browser.newPage({ viewport, locale: 'es-MX', colorScheme: 'light' })
    await page.goto(`${origin}${path}`)
    await page.getByLabel(/^(Correo electrónico|Número de empleado o correo)$/).fill(email)
    await page.getByLabel('Contraseña').fill(DEMO_PASSWORD)
    await page.getByRole('button', { name: 'Entrar', exact: true }).click()
    return page
  }
  const phone = await signIn('/mi/', DEMO_EMPLOYEE, 360)
  await phone.getByRole('button', { name: 'Entrada' }).click()
  await phone.getByText('Por revisar').first().waitFor()
  await phone.screenshot({ path: join('docs', 'mi.png') })
  const page = await signIn('/revision/', DEMO_ADMIN, 1280)
  await page.locator('main section').nth(2).waitFor()
  await page.screenshot({ path: join('docs', 'today.png') })
  await page.setViewportSize({ width: 960, height: 540 })
  for (const [name, address, shown, ...further] of HELP_PICTURES) {
    await page.goto(`${origin}/revision/${address}`)
    await page.locator(shown).first().waitFor()
    if (further.length > 0) await page.locator(shown).first().click()
    for (const selector of further) await page.locator(selector).last().scrollIntoViewIfNeeded()
    await page.getByText('Contando').waitFor({ state: 'hidden' })
    await page.screenshot({ path: join('console', 'help', 'pictures', `${name}.png`) })
  }
  await browser.close()
  console.log('The pictures are of today.')
})
