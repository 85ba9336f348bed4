import compat from '@mdn/browser-compat-data' with { type: 'json' }
import type { CompatStatement, Identifier, SimpleSupportStatement } from '@mdn/browser-compat-data'
import { OLDEST } from './browser-target.ts'

/**
 * Finds in built pages what the oldest supported browsers lack. The build lowers newer syntax, but
 * it adds no functions, styles or attributes. What a browser has is known from MDN's data by name, so
 * names of ours that newer browsers have, too, are exceptions.
 */

/** Names of fields and functions, ours and libraries', and words of options, that newer browsers have, too. */
const OURS = [
  '.config',
  '.endpoint',
  '.getSize',
  '.isError',
  '.login',
  '.notification',
  '.revoke',
  '.role',
  '.scrollMargin',
  '.serial',
  '.silent',
  '.sync',
  '.zip',
  'the attribute capture',
  'the attribute command',
]

/** What a page asks for before it uses it, by what it is for. */
const ASKED_FOR = [
  // Messages to phones.
  ...['Notification.permission', '.pushManager'],
  ...[
    '.getSubscription',
    '.unsubscribe',
    '.applicationServerKey',
    '.requestPermission',
    '.showNotification',
    '.subscribe',
  ],
  ...['the event notificationclick', 'the event push'],
  // Rows of long tables: the end of a scroll.
  'the event scrollend',
  // Trusted types.
  '.createPolicy',
  // Libraries: a stack of a failure.
  '.captureStackTrace',
]

/** What a browser ignores if it does not know it, and a page stands without. */
const IGNORED = [
  // A subscription that the browser ends: where it does not say so, the page sees it when it is opened.
  'the event pushsubscriptionchange',
  // Focus, a question before the page is left, and areas that nobody reaches while they are read.
  ...['the attribute autofocus', 'the event beforeunload', 'the attribute inert'],
  // Paper, and the layout of large texts.
  ...['@page', 'size', 'print-color-adjust', 'hyphens', '@container', 'container-type'],
  // Margins and widths that only look better.
  ...[':has', 'resize', 'scrollbar-width'],
  // Speed.
  ...['content-visibility', 'contain-intrinsic-size'],
]

const EXCEPTIONS = new Set([...OURS, ...ASKED_FOR, ...IGNORED])

/** The interfaces of pages. Others, as of graphics, have names that a page uses for other things. */
const INTERFACES =
  /^(?:HTML|Element$|Document|Node|Event|Window$|Abort|Request$|Response$|Headers$|URL|Blob$|File|Form|Storage|Cache|Client|ServiceWorker|Crypto|Subtle|Navigator$|Push|Notification$|Permissions$|Clipboard$|TrustedType|ResizeObserver|IntersectionObserver)/

const versionOf = ({ version_added }: SimpleSupportStatement): number =>
  typeof version_added === 'string' ? Number.parseFloat(version_added.replace('≤', '')) : Infinity

/** Whether an oldest browser lacks it. A browser that has it in part counts as one that has it. */
const isNew = ({ support }: CompatStatement): boolean =>
  Object.entries(OLDEST).some(([browser, oldest]) => {
    const statements = [support[browser as keyof typeof OLDEST] ?? []].flat()
    const whole = statements.filter(
      ({ flags, prefix, alternative_name }) => !flags && !prefix && !alternative_name,
    )
    return statements.length > 0 && !whole.some((each) => versionOf(each) <= oldest)
  })

const featuresOf = (tree: Identifier | undefined): [name: string, feature: Identifier][] =>
  Object.entries(tree ?? {}).filter(([name]) => name !== '__compat') as [string, Identifier][]

/**
 * Names that are new wherever there is one: `at` of a new interface is old, since arrays have it.
 * The name must be one of a page, too.
 */
class Names {
  readonly #old = new Set<string>()
  readonly #ofPages = new Set<string>()
  add(name: string, compat: CompatStatement | undefined, isOfPages = true): void {
    if (compat && !isNew(compat)) this.#old.add(name)
    if (compat && isOfPages) this.#ofPages.add(name)
  }
  isNew = (name: string): boolean => this.#ofPages.has(name) && !this.#old.has(name)
}

const members = new Names()
const statics = new Names()
const interfaces = new Names()
const events = new Names()
for (const [name, feature] of [
  ...featuresOf(compat.javascript?.builtins as Identifier),
  ...featuresOf(compat.api as unknown as Identifier),
]) {
  const isOfPages = INTERFACES.test(name) || compat.javascript?.builtins?.[name] !== undefined
  interfaces.add(name, feature.__compat, isOfPages)
  for (const [member, { __compat }] of featuresOf(feature)) {
    const own = member.replace(/_(?:static|event)$/, '')
    if (member.endsWith('_event')) events.add(own, __compat, isOfPages)
    else members.add(own, __compat, isOfPages && own === member)
    statics.add(`${name}.${own}`, __compat)
  }
}

const attributes = new Names()
for (const element of [
  compat.html?.global_attributes as Identifier,
  ...featuresOf(compat.html?.elements as Identifier).map(([, each]) => each),
]) {
  for (const [name, { __compat }] of featuresOf(element)) attributes.add(name, __compat)
}

const newIn = function* (code: string): Generator<string> {
  for (const [, name = ''] of code.matchAll(/(?<![\d)])\.([A-Za-z]\w*)/g)) {
    if (members.isNew(name)) yield `.${name}`
  }
  for (const [found, name = ''] of code.matchAll(/(?<![\w$.])[A-Z]\w*\.(\w+)/g)) {
    if (statics.isNew(found) && !members.isNew(name)) yield found
  }
  for (const [, name = ''] of code.matchAll(/\bnew ([A-Z]\w*)/g)) {
    if (interfaces.isNew(name)) yield `new ${name}`
  }
  for (const [, name = ''] of code.matchAll(/addEventListener\(["'`](\w+)/g)) {
    if (events.isNew(name)) yield `the event ${name}`
  }
  for (const [, name = ''] of code.matchAll(/[{,]["']?([a-z]\w*)["']?:/g)) {
    if (attributes.isNew(name)) yield `the attribute ${name}`
  }
  if (/\(\?<[=!]/.test(code)) yield 'a lookbehind'
}

const css = compat.css as unknown as Record<string, Identifier>
const cssFunctions = new Names()
const addFunctions = (tree: Identifier | undefined): void => {
  for (const [name, feature] of featuresOf(tree)) {
    cssFunctions.add(name, feature.__compat)
    addFunctions(feature)
  }
}
addFunctions(css.types)

const isNewFeature = (feature: Identifier | undefined): boolean =>
  feature?.__compat !== undefined && isNew(feature.__compat)

const newInStyles = function* (styles: string): Generator<string> {
  for (const [, name = ''] of styles.matchAll(/@([a-z-]+)/g)) {
    if (isNewFeature(css['at-rules']?.[name] as Identifier)) yield `@${name}`
  }
  for (const [, selector = ''] of styles.matchAll(/([^{};]+)\{/g)) {
    if (selector.startsWith('@')) continue
    for (const [, name = ''] of selector.matchAll(/::?([a-z-]+)/g)) {
      if (isNewFeature(css.selectors?.[name] as Identifier)) yield `:${name}`
    }
  }
  for (const [, property = '', value = ''] of styles.matchAll(/[{;]([a-z-]+):([^;{}]+)(?=[;}])/g)) {
    if (isNewFeature(css.properties?.[property] as Identifier)) yield property
    for (const [, name = ''] of value.matchAll(/([a-z][a-z-]*)\(/g)) {
      if (cssFunctions.isNew(name)) yield `${name}()`
    }
  }
}

/** Returns a sentence for each thing that an oldest browser lacks, by the names of built files. */
export const supportFaults = (files: Iterable<{ name: string; text: string }>): string[] => {
  const found = new Map<string, string>()
  for (const { name, text } of files) {
    const names = name.endsWith('.css') ? newInStyles(text) : newIn(text)
    for (const each of names) found.set(each, name)
  }
  const faults = [...found]
    .filter(([each]) => !EXCEPTIONS.has(each))
    .map(([each, name]) => `${name}: ${each}: not in Safari 15.4, Chrome 100 or Firefox 140.`)
  const unused = [...EXCEPTIONS].filter((each) => !found.has(each))
  return [...faults, ...unused.map((each) => `${each} is in no built file: it needs no exception.`)]
}
