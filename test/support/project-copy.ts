import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** Copies parts of the project into a temporary folder, with its node_modules. */
export const copyProject = (parts: readonly string[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'checada-copy-'))
  const path = (...names: string[]) => join(folder, ...names)
  for (const part of parts) cpSync(part, path(part), { recursive: true })
  symlinkSync(resolve('node_modules'), path('node_modules'))
  mkdirSync(path('bin'))
  return {
    path,
    read: (file: string) => (existsSync(path(file)) ? readFileSync(path(file), 'utf8') : ''),
    write: (file: string, content: string) => writeFileSync(path(file), content),
    /** Writes a command that replaces the real one. */
    writeCommand: (name: string, script: string) =>
      writeFileSync(path('bin', name), script, { mode: 0o755 }),
    /** Runs a command in the copy. There the written commands replace the real ones. */
    run: (command: string, args: readonly string[], env = {}) => {
      const { status, stdout, stderr } = spawnSync(command, args, {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, PATH: `${path('bin')}:${process.env.PATH}`, ...env },
      })
      return { status, out: stdout + stderr }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
