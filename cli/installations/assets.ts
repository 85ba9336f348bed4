import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { assetsFolderOf, filesFolderOf } from '../core/installation-file.ts'

const PUBLIC = 'public'
const FILES = 'files'
const DEMO_FILES = join(PUBLIC, FILES)

/** Copies the static assets, with the installation's files in place of the demo's. */
export const copyAssets = (installation: string): void => {
  const folder = assetsFolderOf(installation)
  rmSync(folder, { recursive: true, force: true })
  cpSync(PUBLIC, folder, { recursive: true, filter: (path) => path !== DEMO_FILES })
  const own = filesFolderOf(installation)
  if (existsSync(own)) cpSync(own, join(folder, FILES), { recursive: true })
}
