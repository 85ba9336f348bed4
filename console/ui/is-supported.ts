/**
 * Whether this browser has what the oldest supported ones have: Safari 15.4, Chrome 100 and Firefox
 * 140. Without it, the page keeps the sentence that it has in HTML.
 */
export const isSupported = (): boolean =>
  'hasOwn' in Object && 'findLast' in Array.prototype && 'HTMLDialogElement' in globalThis
