/**
 * The server between puts this script into each page, before the page's own script.
 * It collects what the page does wrong, and finds elements as a person does: by what they are and
 * what they say.
 */
{
  const problems = []
  const { error } = console
  console.error = (...args) => {
    problems.push(args.join(' '))
    error(...args)
  }
  addEventListener('error', ({ message }) => problems.push(message))
  addEventListener('unhandledrejection', ({ reason }) => problems.push(String(reason)))
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    problems.push(`${violatedDirective} forbids ${blockedURI}`),
  )

  let reading = 0
  const { fetch } = globalThis
  globalThis.fetch = (input, init) => {
    const answer = fetch(input, init)
    if ((init?.method ?? input.method ?? 'GET') !== 'GET') return answer
    reading++
    const end = () => setTimeout(() => reading--)
    answer.then((response) => response.clone().arrayBuffer()).then(end, end)
    return answer
  }
  /** Whether the page waits for something that it reads. Writes may hang in a test. */
  const isReading = () => reading > 0

  const SELECTORS = {
    button: 'button, summary, [role=button]',
    link: 'a[href]',
    heading: 'h1, h2, h3',
    field: 'input, select, textarea',
    dialog: 'dialog[open]',
    text: '*',
  }

  const clean = (text) => (text ?? '').replace(/\s+/g, ' ').trim()

  const isShown = (element) =>
    element.getClientRects().length > 0 && getComputedStyle(element).visibility === 'visible'

  const namesOf = (element, what) => {
    const own =
      element.getAttribute('aria-label') ??
      document.getElementById(element.getAttribute('aria-labelledby'))?.textContent
    if (own) return [own]
    if (what === 'field') return Array.from(element.labels ?? [], (label) => label.textContent)
    if (what === 'dialog') return [element.querySelector('h1, h2, h3')?.textContent]
    return [element.textContent]
  }

  /** Nobody reaches what stands behind a dialog, except that messages are read above it. */
  const places = () => {
    const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
    return dialog ? [dialog, ...document.querySelectorAll('.toast')] : [document.body]
  }

  /** The elements of a kind whose name is `name`, or matches it if it is a pattern's source. */
  const find = ({ what, name, isPattern }) => {
    const matches = (text) =>
      isPattern ? new RegExp(name, 'u').test(clean(text)) : clean(text) === name
    const named = places()
      .flatMap((place) => [place, ...place.querySelectorAll('*')])
      .filter((element) => element.matches(SELECTORS[what]) && isShown(element))
      .filter((element) => namesOf(element, what).some(matches))
    // Of a text, the smallest element that has all of it.
    return what === 'text'
      ? named.filter((element) => !named.some((one) => one !== element && element.contains(one)))
      : named
  }

  /** The middle of an element that is in view and covered by nothing. */
  const middleOf = (element) => {
    if (!element || element.disabled) return null
    element.scrollIntoView({ block: 'center', behavior: 'instant' })
    // A link may break its line: then the middle of its first part.
    const [{ left, top, width, height }] = element.getClientRects()
    const [x, y] = [left + width / 2, top + height / 2]
    const hit = document.elementFromPoint(x, y)
    const isHit = element.contains(hit) || hit?.closest('label')?.control === element
    return isHit ? { x, y } : null
  }

  /** Sets a field as the browser's own picker does. */
  const choose = (field, value) => {
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')
    set.call(field, value)
    for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, { bubbles: true }))
    return field.value === value
  }

  const describe = (element) =>
    clean(
      `${element.localName} ${namesOf(element, element.matches(SELECTORS.field) ? 'field' : 'text')[0]}`,
    )

  globalThis.test = { problems, isReading, find, middleOf, choose, describe }
}
