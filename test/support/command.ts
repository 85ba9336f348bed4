import { Console } from 'node:console'
import { Readable, Writable } from 'node:stream'
import type { Command } from 'commander'
import { runCli } from '../../cli/core/run-cli.ts'
import { scripts } from '../../package.json' with { type: 'json' }

export type ScriptName = keyof typeof scripts

/** The file of an operators' command, such as `cli/users/user.ts` for `npm run user`. */
export const scriptOf = (command: ScriptName): string =>
  scripts[command].split(' ').at(-1) as string

/** A stream that keeps the text that is written to it. */
const collector = () => {
  const chunks: Buffer[] = []
  const write = (chunk: Buffer, _: string, done: () => void) => {
    chunks.push(chunk)
    done()
  }
  return { stream: new Writable({ write }), text: () => Buffer.concat(chunks).toString() }
}

/** Replaces properties of an object, and returns a function that puts them back. */
const replace = (target: object, properties: Record<string, unknown>) => {
  const originals = Object.getOwnPropertyDescriptors(target) as Record<string, PropertyDescriptor>
  for (const [name, value] of Object.entries(properties)) {
    Object.defineProperty(target, name, { value, configurable: true })
  }
  return () => {
    for (const name of Object.keys(properties)) {
      Object.defineProperty(target, name, originals[name] ?? { value: undefined })
    }
  }
}

/**
 * Runs an operators' command in this process, because starting Node and wrangler takes seconds.
 * Only one command can run at a time. `test/operations/commands.slow-service.test.ts` starts each
 * command once in a process of its own.
 */
export const runInProcess = async (
  command: ScriptName,
  args: string[],
  input: string | Uint8Array = '',
  env: Record<string, string> = {},
) => {
  const script = scriptOf(command)
  const { program }: { program: Command } = await import(/* @vite-ignore */ `../../${script}`)
  const [out, err] = [collector(), collector()]
  const restores = [
    replace(process, {
      argv: [process.execPath, script, ...args],
      env: { ...process.env, ...env },
      stdin: Readable.from([Buffer.from(input)]),
      stdout: out.stream,
      stderr: err.stream,
    }),
    replace(globalThis, { console: new Console(out.stream, err.stream) }),
  ]
  try {
    await runCli(program)
    return { status: Number(process.exitCode ?? 0), out: out.text(), err: err.text() }
  } finally {
    for (const restore of restores) restore()
    process.exitCode = undefined
  }
}

export const succeededWith = (out: string) => ({ status: 0, out, err: '' })

export const failedWith = (err: string, status = 1) => ({ status, out: '', err })
