import { progress } from '@clack/prompts'

const BAR_MAX = 40
/** The columns of the sign before the bar, of the blank after it, and of the dots at the end. */
const OTHER_COLUMNS = 7

/** Returns the length of the bar. A line that wraps is not replaced, but shown again below. */
const barFor = (text: string): number => {
  const free = process.stdout.columns - text.length - OTHER_COLUMNS
  return Math.max(1, Math.min(BAR_MAX, free))
}

/** Shows a progress bar on a terminal. Elsewhere it shows nothing, so that logs stay readable. */
export const showProgress = (title: string) => {
  let bar: ReturnType<typeof progress> | undefined
  let shown = 0
  return {
    update: (done: number, total: number): void => {
      if (!process.stdout.isTTY) return
      if (!bar) {
        bar = progress({ max: total, size: barFor(`${title}: ${total} of ${total}`) })
        bar.start(title)
      }
      bar.advance(done - shown, `${title}: ${done} of ${total}`)
      shown = done
    },
    stop: (): void => bar?.stop(`${title}: done`),
  }
}
