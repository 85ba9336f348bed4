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

export const CHROMIUM_ARGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']

export const chromiumPath = (): string => {
  const path = process.env.CHROMIUM ?? CHROMIUM.find((each) => existsSync(each))
  if (!path) {
    throw new Error('No Chromium: apt-get install chromium-headless-shell, or set CHROMIUM.')
  }
  return path
}

export const useBrowser = (): (() => Browser) => {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_ARGS })
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
