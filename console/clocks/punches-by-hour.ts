/** The number of punches in each hour, from that of the first to that of the last. */
export const punchesByHour = (localTimes: readonly string[]): { hour: number; count: number }[] => {
  const hours = localTimes.map((local) => Number(local.slice(11, 13)))
  const first = Math.min(...hours)
  return Array.from({ length: Math.max(0, Math.max(...hours) - first + 1) }, (_, i) => ({
    hour: first + i,
    count: hours.filter((hour) => hour === first + i).length,
  }))
}
