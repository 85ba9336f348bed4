import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tab } from './tab.ts'

/** On a busy computer, a page may take minutes. Only what never comes should fail. */
const PATIENCE_MS = 180_000

const POLL_MS = 50

type What = 'button' | 'link' | 'heading' | 'field' | 'dialog' | 'text'
/** A text is the whole name. */
type Name = string | RegExp

/** An expression in the page: the elements that `page.js` finds. */
const found = (what: What, name: Name): string =>
  `test.find(${JSON.stringify(
    name instanceof RegExp ? { what, name: name.source, isPattern: true } : { what, name },
  )})`

/** What a person does with a page, in the same words for each browser. */
export const screenOf = (tab: Tab) => {
  const until = async <T>(what: string, read: () => Promise<T | null | undefined>): Promise<T> => {
    const end = performance.now() + PATIENCE_MS
    for (;;) {
      const value = await read()
      if (value !== null && value !== undefined) return value
      if (performance.now() > end) {
        throw new Error(`${what} did not come. The page says:\n${await text()}`)
      }
      await sleep(POLL_MS)
    }
  }
  const text = () => tab.evaluate<string>('document.body.innerText')
  const count = (what: What, name: Name) => tab.evaluate<number>(`${found(what, name)}.length`)
  const see = async (what: What, name: Name) =>
    void (await until(`${what} ${name}`, async () => (await count(what, name)) || null))
  /** Waits until the page has read all that it asked for, which may move what it shows. */
  const rest = async () =>
    void (await until('the end of reading', async () =>
      (await tab.evaluate<boolean>('test.isReading()')) ? null : true,
    ))
  const click = async (what: What, name: Name) => {
    await see(what, name)
    await rest()
    // A text that comes above it would move it away from where the click goes.
    let before: string | undefined
    const { x, y } = await until(`${what} ${name} to click`, async () => {
      const middle = `test.middleOf(${found(what, name)}[0])`
      const point = await tab.evaluate<{ x: number; y: number } | null>(middle)
      const isStill = JSON.stringify(point) === before
      before = JSON.stringify(point)
      return isStill ? point : null
    })
    await tab.click(x, y)
  }
  return {
    tab,
    text,
    count,
    see,
    rest,
    click,
    evaluate: tab.evaluate,
    open: tab.open,
    press: tab.press,
    type: tab.type,
    /** Waits until the page no longer has it. */
    gone: async (what: What, name: Name) =>
      void (await until(`the end of ${what} ${name}`, async () =>
        (await count(what, name)) === 0 ? true : null,
      )),
    /** Types a text into a field in place of what it has. */
    fill: async (label: Name, value: string) => {
      await click('field', label)
      await tab.evaluate(`${found('field', label)}[0].select?.()`)
      await tab.type(value)
    },
    /** Chooses a day, an hour or an option of a list. */
    choose: async (label: Name, value: string) => {
      await see('field', label)
      const isSet = await tab.evaluate(
        `test.choose(${found('field', label)}[0], ${JSON.stringify(value)})`,
      )
      if (!isSet) throw new Error(`The field ${label} does not take ${value}.`)
    },
    valueOf: (label: Name) => tab.evaluate<string>(`${found('field', label)}[0]?.value`),
    /** The element that has the focus, such as `button Guardar`. */
    focused: () => tab.evaluate<string>('test.describe(document.activeElement)'),
    go: (path: string) => tab.evaluate(`void (location.hash = '#/${path}')`),
    reload: async () => {
      await tab.evaluate('test.isLeft = true')
      await tab.evaluate('void setTimeout(() => location.reload())')
      // Between the two pages, a driver may fail.
      const isNew = `document.readyState === 'complete' && !test.isLeft`
      await until('the page', async () => (await tab.evaluate(isNew).catch(() => false)) || null)
    },
    /** The pixels by which the page or its dialog is wider than what is seen of it. */
    tooWide: async () => {
      await rest()
      return tab.evaluate<number>(`Math.max(
        ...[document.documentElement, ...document.querySelectorAll('dialog[open]')].map(
          ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
        ),
      )`)
    },
    /** What the page did wrong since it was opened. */
    problems: () => tab.evaluate<string[]>('globalThis.test?.problems ?? []'),
    /** Saves a screenshot for review into the folder that SCREENSHOTS names, if it is set. */
    save: async (name: string) => {
      const folder = process.env.SCREENSHOTS
      if (folder) writeFileSync(join(folder, `${name}.png`), await tab.screenshot())
    },
  }
}

export type Screen = ReturnType<typeof screenOf>
