import { globSync, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const PREFIX = 'checada-scratch-'

/** The file in a scratch folder that lists the unfinished files outside of the folder. */
const UNFINISHED = 'unfinished.json'

/** The file in a scratch folder that is locked while the folder's command runs. */
const LOCK = 'lock.sqlite'

/** Whether a process has locked a database. A lock also ends if its process is killed. */
export const isLocked = (path: string): boolean => {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path)
    db.exec('BEGIN EXCLUSIVE')
    return false
  } catch (error) {
    return /locked/.test(String(error))
  } finally {
    db?.close()
  }
}

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/**
 * Ends the workerd processes of a killed command. Only Linux shows the environment of a process.
 */
const endWorkerdOf = (folder: string): void => {
  for (const path of globSync('/proc/[0-9]*/environ')) {
    if (!readText(path).split('\0').includes(`TMPDIR=${folder}`)) continue
    if (!readText(path.replace(/environ$/, 'cmdline')).includes('workerd')) continue
    process.kill(Number(path.split('/')[2]), 'SIGKILL')
  }
}

/** Deletes the files of killed commands, which contain personal data in clear text. */
const sweepScratch = (): void => {
  for (const folder of globSync(join(tmpdir(), `${PREFIX}*`))) {
    // Skips the folders of running commands. Also skips the folders of other users of the computer,
    // who could create a folder with this prefix.
    if (
      lstatSync(folder, { throwIfNoEntry: false })?.uid !== process.getuid?.() ||
      isLocked(join(folder, LOCK))
    )
      continue
    endWorkerdOf(folder)
    const unfinished: string[] = JSON.parse(readText(join(folder, UNFINISHED)) || '[]')
    for (const path of [...unfinished, folder]) rmSync(path, { recursive: true, force: true })
  }
}

/** Databases that stay open until this process ends, so that the folders stay locked. */
const locks: DatabaseSync[] = []

const leftovers = new Set<string>()

/** Deletes files or folders when this process ends or is interrupted. */
export const deleteAtExit = (...paths: string[]): void => {
  if (leftovers.size === 0) {
    process.on('exit', () => {
      for (const path of leftovers) rmSync(path, { recursive: true, force: true })
    })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => process.exit(128 + constants.signals[signal]))
    }
  }
  for (const path of paths) leftovers.add(path)
}

/**
 * Makes a temporary folder, which wrangler also uses for its temporary files. When this process
 * ends or is interrupted, the folder and the given unfinished files are deleted. If this process is
 * killed, the next command that calls this function deletes them.
 */
export const makeScratch = (...unfinished: string[]): string => {
  sweepScratch()
  const folder = mkdtempSync(join(tmpdir(), PREFIX))
  const lock = new DatabaseSync(join(folder, LOCK))
  lock.exec('BEGIN EXCLUSIVE')
  locks.push(lock)
  writeFileSync(join(folder, UNFINISHED), JSON.stringify(unfinished.map((path) => resolve(path))))
  process.env.TMPDIR = folder
  deleteAtExit(folder, ...unfinished)
  return folder
}
