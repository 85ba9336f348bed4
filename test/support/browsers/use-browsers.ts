import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { DEMO_ADMIN, DEMO_PASSWORD } from '../../../cli/demo/demo-data.ts'
import { type ApiClient, createApiClient } from '../console-api.ts'
import { useService } from '../server.ts'
import { useBetween } from './between.ts'
import { launchPuppeteer } from './puppeteer.ts'
import { type Screen, screenOf } from './screen.ts'
import type { RunningBrowser, Size } from './tab.ts'
import { launchWebKit } from './webkit.ts'

/** The browsers that are supported, each as Debian has it. */
const LAUNCH = {
  Chromium: (zone: string) => launchPuppeteer('chrome', zone),
  Firefox: (zone: string) => launchPuppeteer('firefox', zone),
  WebKitGTK: launchWebKit,
}

export type BrowserName = keyof typeof LAUNCH

export const PHONE: Size = { width: 320, height: 640 }
export const LAPTOP: Size = { width: 1366, height: 768 }

/**
 * Runs the same story in each browser, with one service.
 * @param zone the zone of the phone or computer
 */
export const inEachBrowser = (
  flags: string[],
  zone: string,
  story: (context: {
    name: BrowserName
    open: (path: string, size: Size) => Promise<Screen>
    between: ReturnType<typeof useBetween>
    service: ReturnType<typeof useService>
    api: (email?: string) => Promise<ApiClient>
  }) => void,
) => {
  const service = useService(['--var', 'INTAKE_ROLES:admin', ...flags])
  const between = useBetween(() => service.api)
  const api = (email = DEMO_ADMIN) => createApiClient(service.api, email, DEMO_PASSWORD)

  describe.each(Object.keys(LAUNCH) as BrowserName[])('%s', (name) => {
    let browser: RunningBrowser | undefined
    let screens: Screen[] = []
    beforeAll(async () => {
      browser = await LAUNCH[name](zone)
    })
    afterEach(async () => {
      between.clear()
      const found = (await Promise.all(screens.map((screen) => screen.problems()))).flat()
      await Promise.all(screens.map(({ tab }) => tab.close()))
      screens = []
      expect(found).toEqual([])
    })
    afterAll(() => browser?.close())
    const open = async (path: string, size: Size): Promise<Screen> => {
      if (!browser) throw new Error('The browser runs only while tests do.')
      const screen = screenOf(await browser.newTab(size))
      screens.push(screen)
      await screen.open(`${between.origin()}/${path}`)
      return screen
    }
    story({ name, open, between, service, api })
  })
}
