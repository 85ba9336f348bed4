import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { saveScreenshot, useBrowser } from '../support/browser.ts'
import { runAxe } from '../support/console.ts'
import { useService } from '../support/server.ts'

const service = useService()
const newContext = useBrowser()

const { paths } = JSON.parse(readFileSync('public/openapi.json', 'utf8'))
const operations = Object.values<object>(paths).flatMap(Object.keys).length

/** Flaws of Swagger UI: a second main landmark, links inside buttons, and a list without a name. */
const MARKUP_OF_SWAGGER_UI = [
  'landmark-main-is-top-level',
  'landmark-no-duplicate-main',
  'landmark-unique',
  'nested-interactive',
  'select-name',
]

/** Opens the reference page. Records its errors and its requests to other origins. */
const openReference = async (width: number, height: number) => {
  const page = await (await newContext({ viewport: { width, height } })).newPage()
  const { origin } = new URL(service.api)
  const foreignRequests: string[] = []
  const errors: string[] = []
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin) {
      foreignRequests.push(request.url())
    }
  })
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(`${origin}/docs`)
  expect(new URL(page.url()).pathname).toBe('/docs/')
  await page.waitForSelector('.opblock')
  return { page, foreignRequests, errors }
}

type Reference = Awaited<ReturnType<typeof openReference>>

/** Opens an operation, sends its request with the body (if any), and reads the response. */
const execute = async (page: Page, tag: string, operation: string, body?: unknown) => {
  const block = page.locator(`#operations-${tag}-${operation}`)
  await block.locator('.opblock-summary').click()
  if (body !== undefined) await block.locator('textarea').fill(JSON.stringify(body))
  await block.locator('.execute').click()
  const response = block.locator('.live-responses-table')
  await response.waitFor()
  return {
    status: (
      await response.locator('.response .response-col_status').first().textContent()
    )?.trim(),
    text: await response.locator('.highlight-code, .microlight').first().textContent(),
  }
}

/** Expects that the page fits its width, caused no error, and sent no request to another origin. */
const expectSound = async ({ page, foreignRequests, errors }: Reference) => {
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  expect(overflow).toBeLessThanOrEqual(0)
  expect(foreignRequests).toEqual([])
  expect(errors).toEqual([])
  await page.context().close()
}

it.each([
  ['a phone', 390, 844],
  ['a desktop', 1280, 900],
])('lists all operations on %s', async (device, width, height) => {
  const reference = await openReference(width, height)
  const { page } = reference
  expect(await page.title()).toBe('Checada · API')
  await expect.poll(() => page.locator('.opblock').count()).toBe(operations)
  await saveScreenshot(page, `${device}-closed`)
  // Only flaws in the markup of Swagger UI remain, which styles cannot fix.
  const rules = (await runAxe(page)).map((violation) => violation.split(':')[0])
  expect(new Set(rules)).toEqual(new Set(MARKUP_OF_SWAGGER_UI))
  await expectSound(reference)
})

it('signs in once, validates a code and approves a log', async () => {
  const reference = await openReference(390, 844)
  const { page } = reference
  // The examples in the page work with the demo data.
  const login = await execute(page, 'auth', 'login')
  expect(login.status).toContain('200')
  expect(login.text).toContain('"token_type": "Bearer"')

  const code = await execute(page, 'clients', 'validateCode')
  expect(code.status).toContain('200')
  expect(code.text).toContain(new URL(service.api).origin)

  const change = { log_id: 1, status: 'approved', comment: 'Visto en la página.' }
  const approved = await execute(page, 'incidents', 'changeLogStatus', change)
  expect(approved.status).toContain('200')
  expect(approved.text).toContain('"status": "approved"')
  await saveScreenshot(page, 'approved')

  // After a reload, the tab is still signed in, and the operation in the page's URL is open.
  await expect.poll(() => page.url()).toContain('#/incidents/changeLogStatus')
  await page.reload()
  const reopened = page.locator('#operations-incidents-changeLogStatus.is-open')
  await reopened.locator('.execute').waitFor()
  await expect.poll(async () => (await reopened.boundingBox())?.height).toBeLessThan(2 * 844)
  await expect.poll(() => page.locator('.auth-wrapper .locked').count()).toBe(1)
  const headings = page.getByRole('heading', { level: 3, name: 'Aprobar, rechazar o reabrir' })
  await expect.poll(() => headings.count()).toBe(1)

  expect(await page.locator('.execute').first().textContent()).toBe('Ejecutar')
  await expectSound(reference)
})
