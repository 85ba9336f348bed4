import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

interface RunningProcess {
  pid: number
  parent: number
  command: string
}

const readProc = (pid: string): RunningProcess[] => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    // The second field is the name in parentheses, which may contain blanks.
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? [] : [{ pid: Number(pid), parent: Number(parent), command }]
  } catch {
    // The process has ended in the meantime.
    return []
  }
}

const readPs = (which: string[]): RunningProcess[] => {
  const args = ['-o', 'pid=,ppid=,args=', ...which]
  const { stdout } = spawnSync('ps', args, { encoding: 'utf8' })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return pid ? [{ pid: Number(pid), parent: Number(parent), command }] : []
  })
}

/** Linux has /proc. It is read instead of running `ps`, which small images lack. */
const hasProc = existsSync('/proc/self/stat')

const readProcess = (pid: number): RunningProcess | undefined =>
  (hasProc ? readProc(String(pid)) : readPs(['-p', String(pid)]))[0]

const listProcesses = (): RunningProcess[] =>
  hasProc
    ? readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .flatMap(readProc)
    : readPs(['-A'])

/** Returns the ids of the children of a process, of their children, and so on. */
export const descendantsOf = (pid: number, all = listProcesses()): number[] =>
  all
    .filter(({ parent }) => parent === pid)
    .flatMap((child) => [child.pid, ...descendantsOf(child.pid, all)])

export const runningOf = (pids: readonly number[]): number[] => {
  const all = new Set(listProcesses().map(({ pid }) => pid))
  return pids.filter((pid) => all.has(pid))
}

/**
 * Returns the ids of the npm process that has started this process, and of the shells between the
 * two. The list is empty if npm has not started this process.
 */
export const readStarters = (): number[] => {
  const starters: number[] = []
  let next = readProcess(process.ppid)
  while (next && next.pid > 1) {
    starters.push(next.pid)
    if (/^npm\b|npm-cli/.test(next.command)) return starters
    next = readProcess(next.parent)
  }
  return []
}

export const killAll = (pids: Iterable<number>): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process has ended in the meantime.
    }
  }
}
