import { globSync, readFileSync } from 'node:fs'

/**
 * The milliseconds of CPU time that workerd, the child of this process, has taken. What else the
 * computer does changes it little. Only Linux reports it: elsewhere, this is the time that passed.
 */
export const cpuTime = (): number => {
  if (process.platform !== 'linux') return performance.now()
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
  const threads = children
    .trim()
    .split(' ')
    .flatMap((pid) => globSync(`/proc/${pid}/task/*/schedstat`))
  const spent = threads.map((file) => Number(readFileSync(file, 'utf8').split(' ')[0]))
  return spent.reduce((sum, one) => sum + one, 0) / 1e6
}
