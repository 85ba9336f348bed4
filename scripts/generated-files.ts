import { readFileSync, writeFileSync } from 'node:fs'

/** Writes generated files. With `--check`, writes nothing and fails if a stored file differs. */
export const writeOrCheck = (files: Record<string, string>, source: string, command: string) => {
  for (const [file, text] of Object.entries(files)) {
    if (!process.argv.includes('--check')) {
      writeFileSync(file, text)
    } else if (readFileSync(file, 'utf8') !== text) {
      console.error(`${file} and ${source} differ: ${command}`)
      process.exitCode = 1
    }
  }
}
