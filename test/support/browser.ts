import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'

/** The headless shell has no window of its own, and so takes a third of the processor time. */
const CHROMIUM = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

export const useBrowser = (): (() => Browser) => {
  let browser: Browser | undefined
  beforeAll(async () => {
    const executablePath = process.env.CHROMIUM ?? CHROMIUM.find((path) => existsSync(path))
    if (!executablePath) throw new Error('No Chromium: install it, or set CHROMIUM to its path.')
    browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    })
  })
  afterAll(() => browser?.close())
  return () => {
    if (!browser) throw new Error('The browser runs only while tests do.')
    return browser
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
