/** SVG paths on a 16 by 16 grid. */
const PATHS = {
  check: 'M3 8.5l3.2 3.2L13 5',
  cross: 'M4 4l8 8M12 4l-8 8',
  undo: 'M6 3L2.5 6.5L6 10M3 6.5h6.5a3.5 3.5 0 0 1 0 7H7',
  plus: 'M8 3v10M3 8h10',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9M10.4 10.4L14 14',
  back: 'M9.5 3L4.5 8l5 5',
  next: 'M6.5 3l5 5l-5 5',
  unfold: 'M3.5 6l4.5 4.5L12.5 6',
  fold: 'M3.5 10l4.5-4.5l4.5 4.5',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  in: 'M2.5 8h8M7.5 4.5L11 8l-3.5 3.5M13.5 3v10',
  out: 'M2.5 3v10M5.5 8h8M10.5 4.5L14 8l-3.5 3.5',
  down: 'M8 2.5v8M4.5 7L8 10.5L11.5 7M3 13.5h10',
  dot: 'M8 4.5a3.5 3.5 0 1 1 0 7a3.5 3.5 0 0 1 0-7',
  alert: 'M8 2.5L14.5 13.5h-13zM8 6.5v3.2M8 11.6v.2',
  print: 'M4.5 6V2.5h7V6M4.5 11.5h-2v-5h11v5h-2M4.5 9.5h7v4h-7z',
  clock: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M8 5v3.2l2.2 1.6',
} as const

export type IconName = keyof typeof PATHS

const LINES = {
  fill: 'none',
  stroke: 'currentColor',
  'stroke-width': 1.75,
  'stroke-linecap': 'round',
  'stroke-linejoin': 'round',
} as const

/** An icon. Screen readers skip it, since the text beside it has the same meaning. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false" {...LINES}>
    <path d={PATHS[name]} />
  </svg>
)
