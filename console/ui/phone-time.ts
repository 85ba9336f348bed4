/**
 * A moment by the clock of the phone or computer that shows the page: `2026-11-09T08:03:27`. It is
 * for moments of the device itself, and for pages that nobody has signed in to.
 */
export const phoneTime = (moment: string): string => {
  const date = new Date(moment)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day}T${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`
}

/** Today on the device. */
export const phoneDay = (): string => phoneTime(new Date().toISOString()).slice(0, 10)
