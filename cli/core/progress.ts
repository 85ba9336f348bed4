import { progress } from '@clack/prompts'

/** Shows a progress bar on a terminal. Elsewhere it shows nothing, so that logs stay readable. */
export const showProgress = (title: string) => {
  let bar: ReturnType<typeof progress> | undefined
  let shown = 0
  return {
    update: (done: number, total: number): void => {
      if (!process.stdout.isTTY) return
      if (!bar) {
        bar = progress({ max: total })
        bar.start(title)
      }
      bar.advance(done - shown, `${title}: ${done} of ${total}`)
      shown = done
    },
    stop: (): void => bar?.stop(`${title}: done`),
  }
}
