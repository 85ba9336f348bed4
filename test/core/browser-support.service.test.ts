import { expect, it } from 'vitest'
import { supportFaults } from '../../scripts/browser-support.ts'

/** What is found in one built file, without the exceptions that it does not need. */
const faultsIn = (text: string, name = 'public/mi/mi.js') =>
  supportFaults([{ name, text }]).filter((fault) => fault.startsWith(name))

it.each([
  ['const{promise:a}=Promise.withResolvers()', '.withResolvers'],
  ['b=a.toSorted(c)', '.toSorted'],
  ['b=Map.groupBy(a,c)', '.groupBy'],
  ['b=AbortSignal.timeout(5)', 'AbortSignal.timeout'],
  ['a.requestClose()', '.requestClose'],
  ['a.addEventListener("beforetoggle",b)', 'the event beforetoggle'],
  ['c("div",{popover:"auto"})', 'the attribute popover'],
  ['b=new RegExp("(?<=;)a")', 'a lookbehind'],
])('finds what an oldest browser lacks: %s', (text, found) => {
  expect(faultsIn(text)).toEqual([
    `public/mi/mi.js: ${found}: not in Safari 15.4, Chrome 100 or Firefox 140.`,
  ])
})

it.each([
  ['a{color:light-dark(#fff,#000)}', 'light-dark()'],
  ['textarea{field-sizing:content}', 'field-sizing'],
  ['a{b:c}@starting-style{a{b:d}}', '@starting-style'],
  ['a:open{color:red}', ':open'],
])('finds styles that an oldest browser lacks: %s', (text, found) => {
  expect(faultsIn(text, 'public/mi/styles.css')).toEqual([
    `public/mi/styles.css: ${found}: not in Safari 15.4, Chrome 100 or Firefox 140.`,
  ])
})

it('takes what every supported browser has', () => {
  const code =
    'a.at(-1);a.findLast(b);structuredClone(a);Object.hasOwn(a,b);new URL(a).searchParams.get(b)'
  expect(faultsIn(code)).toEqual([])
  expect(faultsIn('dialog::backdrop{inset:0;width:min(100%,2dvh)}', 'a.css')).toEqual([])
})

it('names an exception that no file needs', () => {
  expect(supportFaults([])).toContain(
    '.captureStackTrace is in no built file: it needs no exception.',
  )
})
