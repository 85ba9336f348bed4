import {
  defaultRangeExtractor,
  observeWindowOffset,
  observeWindowRect,
  Virtualizer,
  windowScroll,
} from '@tanstack/virtual-core'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks'

interface Rows {
  count: number
  /** The height of each row. */
  height: number
  /** A row that stays in the page wherever it is scrolled, since it has the focus. */
  kept: number
  body: RefObject<HTMLElement>
}

/** Rows on either side of the window that are drawn before they are seen. */
const OVERSCAN = 6

/** Who jumps far gets the rows in a few frames, so that no frame takes long on a slow computer. */
const NEW_ROWS_OF_FRAME = 4

export interface DrawnRow {
  index: number
  /** The empty height before it. */
  before: number
}

/** Draws only the rows of a long table that are in the window, which scrolls them. */
export const useVirtualRows = ({ count, height, kept, body }: Rows) => {
  const [, redraw] = useReducer((times: number) => times + 1, 0)
  const [top, setTop] = useState(0)
  const known = useRef(new Set<number>())
  const [rows] = useState(
    () =>
      new Virtualizer<Window, HTMLElement>({
        count,
        estimateSize: () => height,
        getScrollElement: () => window,
        observeElementRect: observeWindowRect,
        observeElementOffset: observeWindowOffset,
        scrollToFn: windowScroll,
      }),
  )
  rows.setOptions({
    ...rows.options,
    count,
    estimateSize: () => height,
    initialRect: { width: innerWidth, height: innerHeight },
    overscan: OVERSCAN,
    scrollMargin: top,
    rangeExtractor: (range) => [
      ...(kept < range.startIndex - OVERSCAN ? [kept] : []),
      ...defaultRangeExtractor(range),
      ...(kept > range.endIndex + OVERSCAN && kept < count ? [kept] : []),
    ],
    onChange: () => redraw(undefined),
  })
  useEffect(() => rows._didMount(), [rows])
  useLayoutEffect(() => rows._willUpdate())
  useLayoutEffect(() => rows.measure(), [height])
  // What is above the rows may grow, as when the filters come. To ask on each scroll would lay out
  // the rows twice.
  useLayoutEffect(() => {
    const find = () =>
      setTop(Math.round((body.current?.getBoundingClientRect().top ?? 0) + scrollY))
    const size = new ResizeObserver(find)
    size.observe(document.body)
    find()
    return () => size.disconnect()
  }, [count, height])

  const wanted = rows.getVirtualItems()
  let left = known.current.size > 0 ? NEW_ROWS_OF_FRAME : Number.POSITIVE_INFINITY
  const items = wanted.filter(
    ({ index }) => known.current.has(index) || index === kept || left-- > 0,
  )
  useEffect(() => {
    known.current = new Set(items.map(({ index }) => index))
    if (items.length === wanted.length) return
    const frame = requestAnimationFrame(() => redraw(undefined))
    return () => cancelAnimationFrame(frame)
  })

  let end = top
  const drawn = items.map(({ index, start, end: itsEnd }): DrawnRow => {
    const before = start - end
    end = itsEnd
    return { index, before }
  })
  return { drawn, after: Math.max(0, top + rows.getTotalSize() - end) }
}
