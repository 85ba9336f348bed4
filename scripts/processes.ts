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
    // It has ended meanwhile.
    return []
  }
}

/** The processes of this machine; of Linux without `ps`, which slim images lack. */
const listProcesses = (): RunningProcess[] => {
  if (existsSync('/proc/self/stat')) {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(readProc)
  }
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return pid ? [{ pid: Number(pid), parent: Number(parent), command }] : []
  })
}

/** The processes that a process has started, and those that they have started. */
export const descendantsOf = (pid: number, all = listProcesses()): number[] =>
  all
    .filter(({ parent }) => parent === pid)
    .flatMap((child) => [child.pid, ...descendantsOf(child.pid, all)])

/** Which of these processes have not ended. */
export const runningOf = (pids: readonly number[]): number[] => {
  const all = new Set(listProcesses().map(({ pid }) => pid))
  return pids.filter((pid) => all.has(pid))
}

/** What has started this process, up to npm's own parent: the nearest first. */
export const startersOf = (pid: number): number[] => {
  const all = new Map(listProcesses().map((running) => [running.pid, running]))
  const starters: RunningProcess[] = []
  for (let next = all.get(all.get(pid)?.parent ?? 0); next && next.pid > 1; ) {
    starters.push(next)
    next = all.get(next.parent)
  }
  const npm = starters.findIndex(({ command }) => /^npm\b|npm-cli/.test(command))
  return starters.slice(0, npm + 2).map((starter) => starter.pid)
}

export const killAll = (pids: Iterable<number>): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  }
}
