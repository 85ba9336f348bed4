import { existsSync } from 'node:fs'
import puppeteer, { type Page } from 'puppeteer-core'
import { CHROMIUM_ARGS, chromiumPath } from '../browser.ts'
import { browserEnvironment, missing, type RunningBrowser, type Tab } from './tab.ts'

/** Chromium by the DevTools protocol and Firefox by WebDriver BiDi, as puppeteer-core drives both. */

const FIREFOX = ['/usr/bin/firefox-esr', '/usr/bin/firefox']

const firefoxPath = (): string => {
  const path = process.env.FIREFOX ?? FIREFOX.find((each) => existsSync(each))
  if (!path) throw missing('Firefox', 'firefox-esr')
  return path
}

/** On a busy computer, a page may take minutes. Only what never comes should fail. */
const PATIENCE_MS = 300_000

const tabOf = (page: Page): Tab => ({
  open: async (url) => void (await page.goto(url, { timeout: PATIENCE_MS })),
  evaluate: async <T>(expression: string) => (await page.evaluate(expression)) as T,
  click: (x, y) => page.mouse.click(x, y),
  type: (text) => page.keyboard.type(text),
  press: (key) => page.keyboard.press(key),
  screenshot: () => page.screenshot(),
  print: () => page.pdf({ format: 'letter', timeout: PATIENCE_MS }),
  close: () => page.browserContext().close(),
})

export const launchPuppeteer = async (
  browser: 'chrome' | 'firefox',
  zone: string,
): Promise<RunningBrowser> => {
  const running = await puppeteer.launch({
    browser,
    ...(browser === 'chrome'
      ? { headless: 'shell', executablePath: chromiumPath(), args: CHROMIUM_ARGS }
      : { headless: true, executablePath: firefoxPath() }),
    env: browserEnvironment(zone),
    protocolTimeout: PATIENCE_MS,
    timeout: PATIENCE_MS,
  })
  return {
    newTab: async (size) => {
      const page = await (await running.createBrowserContext()).newPage()
      await page.setViewport(size)
      return tabOf(page)
    },
    close: () => running.close(),
  }
}
