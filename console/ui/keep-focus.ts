/** What had the focus, the newest first, each with the elements around it. */
let recent: HTMLElement[][] = []

const KEPT = 10

const FOCUSABLE = 'a[href], button:enabled, input:enabled, select:enabled, summary, [tabindex]'

const isClosedDialog = (one: HTMLElement): boolean =>
  one instanceof HTMLDialogElement && !one.isConnected

/** What gets the focus beside an element that is gone or hidden. Nothing if the whole page is gone. */
const heirOf = (around: HTMLElement[]): HTMLElement | null | undefined => {
  const place = around.find((one) => one.isConnected)
  if (!place?.closest('main')) return undefined
  return place.matches('[tabindex]') ? place : place.querySelector<HTMLElement>(FOCUSABLE)
}

const restore = (): void => {
  for (const [element, ...around] of recent) {
    if (document.activeElement !== document.body) return
    element?.focus()
    // It is busy. The focus comes back to it afterwards.
    if (element?.isConnected && element.matches(':disabled')) return
    // After a dialog the focus goes back to where it was before.
    if (document.activeElement === document.body && !around.some(isClosedDialog)) {
      heirOf(around)?.focus()
    }
  }
}

/**
 * Gives the focus back after an act has disabled or removed what had it: to the same element as soon
 * as it can have it, or to what is nearest to its place. A click elsewhere and a change of the
 * address end this.
 */
export const keepFocus = (): void => {
  const forget = () => {
    recent = []
  }
  addEventListener('pointerdown', forget, { capture: true })
  addEventListener('hashchange', forget)
  addEventListener('focusin', ({ target }) => {
    const chain: HTMLElement[] = []
    for (let one = target as HTMLElement | null; one; one = one.parentElement) chain.push(one)
    recent = [chain, ...recent].slice(0, KEPT)
  })
  new MutationObserver(restore).observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ['disabled', 'inert'],
  })
}
