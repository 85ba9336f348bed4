import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContext, Locator, Page, Request } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import { DEMO_ADMIN, DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import { useBrowser } from './browser.ts'
import { shiftDate } from './clock/shift-date.ts'
import { type ApiClient, createApiClient } from './console-api.ts'
import { useService } from './server.ts'

export { OTHER_ADMIN } from './console-api.ts'

export const LAPTOP = { width: 1280, height: 800 }
export const PHONE = { width: 390, height: 844 }
/** The narrowest screen on which the pages must not need horizontal scrolling. */
export const NARROW = { width: 320, height: 640 }

/** The screens of the accessibility tests. Each test checks both color schemes. */
export const SCREENS = [
  ['a laptop', LAPTOP],
  ['a narrow phone', NARROW],
] as const

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Chromium's console message about a failed request. Some tests cause such failures on purpose. */
const FAILED_REQUEST = /^Failed to load resource/

interface PageOptions {
  viewport?: { width: number; height: number }
  colorScheme?: 'light' | 'dark'
  email?: string
  /** Opens `/mi/`, the page of employees, instead of the console. */
  at?: 'mi'
  /** The part of the page's URL after `#/`. */
  path?: string
  signedIn?: boolean
  /** The zone of the phone or computer. Without it, it is the zone of this computer. */
  timezoneId?: string
}

export const signInAs = async (page: Page, email: string, password: string) => {
  await page.getByLabel(/^(Correo electrónico|Número de empleado o correo)$/).fill(email)
  await page.getByLabel('Contraseña').fill(password)
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
}

/** The requests of a page that are under way, and the number of all that it has sent. */
const requestsOf = new WeakMap<Page, { open: Set<Request>; sent: number }>()

const countRequests = (page: Page) => {
  const counted = { open: new Set<Request>(), sent: 0 }
  requestsOf.set(page, counted)
  page.on('request', (request) => {
    counted.sent++
    counted.open.add(request)
  })
  page.on('requestfinished', (request) => counted.open.delete(request))
  page.on('requestfailed', (request) => counted.open.delete(request))
  // Nobody says how the requests of a page end that is left.
  page.on('domcontentloaded', () => counted.open.clear())
}

/** Lets a page draw, and run its effects and its timers without a delay. */
const DRAWN = `new Promise((done) => {
  const next = (run) => requestAnimationFrame(() => setTimeout(run))
  next(() => next(done))
})`

/**
 * Waits until a page has read and drawn everything: it has no request under way, and sends no other
 * one after it is drawn. Playwright's `networkidle` is about the load of a page alone.
 */
export const waitForRest = async (page: Page) => {
  const counted = requestsOf.get(page) ?? { open: new Set<Request>(), sent: 0 }
  await expect
    .poll(async () => {
      const { sent } = counted
      await page.evaluate(DRAWN)
      return [...[...counted.open].map((request) => request.url()), counted.sent - sent]
    })
    .toEqual([0])
}

/**
 * Runs the service with the review console and a browser. A test fails if its page violates the
 * content security policy, reports an error, or sends a request to a different origin.
 */
export const useConsole = (flags: string[] = []) => {
  const hasRoles = flags.some((flag) => flag.startsWith('INTAKE_ROLES:'))
  const service = useService([...(hasRoles ? [] : ['--var', 'INTAKE_ROLES:admin']), ...flags])
  const newContext = useBrowser()
  let contexts: BrowserContext[] = []
  let problems: string[] = []

  afterEach(async () => {
    await Promise.all(contexts.map((context) => context.close()))
    const found = problems
    contexts = []
    problems = []
    expect(found).toEqual([])
  })

  const origin = () => new URL(service.api).origin

  const watch = (page: Page) => {
    countRequests(page)
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== origin()) problems.push(`request to ${request.url()}`)
    })
    page.on('console', (message) => {
      if (message.type() === 'error' && !FAILED_REQUEST.test(message.text()))
        problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(error.message))
  }

  const signIn = (page: Page, email = DEMO_ADMIN) => signInAs(page, email, DEMO_PASSWORD)

  /** Opens a page in a new browser context, and signs in unless `signedIn` is false. */
  const open = async (options: PageOptions = {}): Promise<Page> => {
    const { viewport = LAPTOP, colorScheme = 'light', email, signedIn = true } = options
    const { at = 'revision', timezoneId } = options
    const { path = at === 'mi' ? '' : 'checadas' } = options
    // Without a window, Chromium does not see the click that allows a page to copy.
    const permissions = ['clipboard-write']
    const look = { viewport, colorScheme, locale: 'es-MX', permissions }
    const context = await newContext({ ...look, ...(timezoneId && { timezoneId }) })
    contexts.push(context)
    await context.addInitScript(shiftDate, Number(process.env.CLOCK_SHIFT_MS))
    const page = await context.newPage()
    watch(page)
    await page.goto(`${origin()}/${at}/#/${path}`)
    if (signedIn) {
      await signIn(page, email)
      await page.getByRole('navigation', { name: 'Secciones' }).waitFor()
    }
    return page
  }

  return {
    service,
    open,
    openTab: async (page: Page): Promise<Page> => {
      const tab = await page.context().newPage()
      watch(tab)
      await tab.goto(page.url())
      return tab
    },
    signIn,
    api: (email = DEMO_ADMIN): Promise<ApiClient> =>
      createApiClient(service.api, email, DEMO_PASSWORD),
    /** Returns the problems so far and clears them, for a test that causes one on purpose. */
    takeProblems: () => problems.splice(0),
    /** Waits for the problem that a test causes on purpose, and takes it. */
    takeProblem: async (text: RegExp) => {
      await expect.poll(() => problems.join()).toMatch(text)
      problems = problems.filter((problem) => !text.test(problem))
    },
  }
}

/** What axe-core finds on a page once it shows everything: rule, element and summary. */
export const runAxe = async (page: Page, options: object = {}): Promise<string[]> => {
  await waitForRest(page)
  await page.evaluate(AXE)
  // Without resultTypes, axe also collects what passed, which takes as long again.
  const violationsOnly = JSON.stringify({ ...options, resultTypes: ['violations'] })
  const { violations } = (await page.evaluate(`axe.run(${violationsOnly})`)) as {
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[]
  }
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

/** The accessibility violations in both color schemes. Only contrast depends on the scheme. */
export const axeViolations = async (page: Page): Promise<string[]> => {
  const light = await runAxe(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await runAxe(page, { runOnly: ['color-contrast'] })
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light, ...dark.map((text) => `dark: ${text}`)]
}

/**
 * Expects that axe-core finds nothing, and that the page has no horizontal scroll bar, even with a
 * wide font.
 */
export const expectAccessible = async (page: Page, name = '') => {
  expect([name, await axeViolations(page)]).toEqual([name, []])
  await page.evaluate("document.documentElement.style.fontFamily = 'DejaVu Sans, Verdana'")
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  expect([name, overflow]).toEqual([name, 0])
}

/** Shows another view of the console in the same page, which has left the one before by then. */
export const go = (page: Page, path: string) =>
  page.evaluate(`new Promise((done) => {
    const before = location.hash
    // The page's own listener comes first.
    addEventListener('hashchange', () => done(), { once: true })
    location.hash = '#/${path}'
    if (location.hash === before) done()
  })`)

/** Opens the acts behind «Más» of a day's row, or of the page. */
export const openMore = (place: Page | Locator) =>
  place.getByText('Más', { exact: true }).first().click()

export const press = (place: Page | Locator, name: string | RegExp) =>
  place.getByRole('button', { name, exact: true }).click()

/** Collects the page's requests whose URL contains a text. Each one is `METHOD URL`. */
export const collectRequests = (page: Page, text = '/api/'): string[] => {
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.url().includes(text)) requests.push(`${request.method()} ${request.url()}`)
  })
  return requests
}

/**
 * Holds back the effects of the page's components, as on a slow machine, from when the page has an
 * element on. The returned function runs them.
 */
export const holdEffects = async (page: Page, selector: string) => {
  await page.evaluate(`{
    const frame = requestAnimationFrame
    const held = []
    window.requestAnimationFrame = (callback) =>
      document.querySelector('${selector}') ? held.push(callback) : frame(callback)
    window.runHeldEffects = () => {
      window.requestAnimationFrame = frame
      for (const callback of held) callback(0)
      // Preact runs them in a timer.
      return new Promise((done) => setTimeout(done))
    }
  }`)
  return () => page.evaluate('runHeldEffects()')
}

export const download = async (page: Page, button: Locator) => {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()])
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
}

/** Collects the texts of the page's dialogs. Dismisses them, so that the page is not left. */
export const stayWhenAsked = (page: Page): string[] => {
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.message())
    void dialog.dismiss()
  })
  return asked
}

export const rows = (page: Page) =>
  page.locator('main li').filter({ has: page.getByRole('checkbox') })

export const rowOf = (page: Page, log_id: number) => page.locator(`[data-log="${log_id}"]`)

/** The id of the log whose row has the focus, or 0 if none has it. */
export const focusedLog = (page: Page): Promise<number> =>
  page.evaluate("Number(document.activeElement?.closest('[data-log]')?.dataset.log ?? 0)")

export const lastMessage = (page: Page) => page.locator('.toast [role=status]')

export const waitForMessage = (page: Page, text: string | RegExp) =>
  lastMessage(page).getByText(text).waitFor()
