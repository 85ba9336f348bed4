/**
 * `npm run findings`: runs the scripts of findings/, one after another, and says of each whether it
 * still sees what it states. It installs public packages in temporary folders. With names, it runs
 * only these: `npm run findings -- sheetjs`. It ends with 1 if a finding has changed.
 */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { basename } from 'node:path'

const wanted = process.argv.slice(2)
const files = globSync('findings/*.sh')
  .filter((file) => wanted.length === 0 || wanted.some((name) => basename(file).startsWith(name)))
  .sort()
if (files.length === 0) throw new Error(`No finding begins with ${wanted.join(' or ')}.`)

let changed = 0
for (const file of files) {
  const { status, stdout, stderr } = spawnSync('bash', [file], { encoding: 'utf8' })
  console.log(`${status === 0 ? 'as stated' : 'CHANGED  '}  ${basename(file, '.sh')}`)
  if (status === 0) continue
  changed++
  console.log(`${stdout}${stderr}`)
}
if (changed > 0) process.exitCode = 1
