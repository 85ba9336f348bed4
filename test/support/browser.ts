import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'

/** The headless shell has no window of its own, and so takes a third of the processor time. */
const CHROMIUM = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

export const CHROMIUM_ARGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']

export const chromiumPath = (): string => {
  const path = process.env.CHROMIUM ?? CHROMIUM.find((each) => existsSync(each))
  if (!path) {
    throw new Error('No Chromium: apt-get install chromium-headless-shell, or set CHROMIUM.')
  }
  return path
}

/** On a busy computer, a page may take minutes. Only what never comes should fail. */
const PATIENCE_MS = 300_000

/** Runs a browser for the tests of the file. Returns what opens a context of pages in it. */
export const useBrowser = () => {
  let browser: Browser | undefined
  beforeAll(async () => {
    const options = { executablePath: chromiumPath(), args: CHROMIUM_ARGS, timeout: PATIENCE_MS }
    browser = await chromium.launch(options)
  })
  afterAll(() => browser?.close())
  return async (options: BrowserContextOptions = {}): Promise<BrowserContext> => {
    if (!browser) throw new Error('The browser runs only while tests do.')
    const context = await browser.newContext(options)
    context.setDefaultTimeout(PATIENCE_MS)
    return context
  }
}

/**
 * Saves a screenshot for review into the folder that SCREENSHOTS names. Does nothing if SCREENSHOTS
 * is not set.
 */
export const saveScreenshot = async (page: Page, name: string) => {
  const folder = process.env.SCREENSHOTS
  const path = join(folder ?? '', `${name.replaceAll(' ', '-')}.png`)
  if (folder) await page.screenshot({ path, fullPage: true })
}
