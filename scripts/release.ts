/**
 * `npm run release -- X.Y.Z`: verifies, writes the version and the changelog, stores the API
 * document and a filled database for later tests, commits, and tags.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { Command } from 'commander'
import semver from 'semver'
import { CliError, runCli } from '../cli/core/run-cli.ts'
import { VERSION } from '../src/core/values/version.ts'
import { findBreakingChanges, newestRelease, RELEASED_FOLDER } from './released.ts'

const run = (command: string, args: string[], env = {}): void => {
  const { status } = spawnSync(command, args, { env: { ...process.env, ...env }, stdio: 'inherit' })
  if (status !== 0) throw new CliError(`Not released: ${command} ${args.join(' ')} failed.`)
}

const read = (command: string, args: string[]): string =>
  execFileSync(command, args, { encoding: 'utf8' })

const UNRELEASED = '## [Unreleased]\n'

/** Puts the unreleased entries of the changelog under a heading with the version and the date. */
const dated = (changelog: string, version: string, day: string): string => {
  const [before, after] = changelog.split(UNRELEASED)
  const entries = after?.split('\n## [')[0]?.trim()
  if (!entries) {
    throw new CliError('Not released: nothing stands under [Unreleased] in CHANGELOG.md.')
  }
  return `${before}${UNRELEASED}\n## [${version}] - ${day}\n${after}`
}

const requireNext = (version: string): void => {
  if (semver.valid(version) !== version || semver.prerelease(version)) {
    throw new CliError(`Not released: ${version} is no version, such as 1.2.3.`)
  }
  const newest = newestRelease() ?? VERSION
  if (!semver.gt(version, newest)) {
    throw new CliError(`Not released: ${version} does not come after ${newest}.`)
  }
  if (read('git', ['tag', '--list', `v${version}`]) !== '') {
    throw new CliError(`Not released: there is a tag v${version} already.`)
  }
  const changes = findBreakingChanges(version)
  if (changes.length === 0) return
  throw new CliError(
    `Not released: ${version} would break callers of ${newest}.\n${changes.join('\n')}`,
  )
}

const program = new Command('release')
  .description('check, date the changelog, keep the document and a filled database, commit and tag')
  .argument('<version>', 'the version, by Semantic Versioning')
  .option('--dry-run', 'check the version, the changelog and the tree only')
  .action((version: string, { dryRun }) => {
    requireNext(version)
    const day = new Date().toISOString().slice(0, 10)
    const changelog = dated(readFileSync('CHANGELOG.md', 'utf8'), version, day)
    if (read('git', ['status', '--porcelain']) !== '') {
      throw new CliError('Not released: the working tree has changes that are not committed.')
    }
    if (dryRun) return console.log(`${version} could be released.`)

    run('npm', ['run', 'verify'])
    run('npm', ['version', version, '--no-git-tag-version', '--allow-same-version'])
    const file = 'src/core/values/version.ts'
    writeFileSync(file, readFileSync(file, 'utf8').replace(/'.*'/, `'${version}'`))
    writeFileSync('CHANGELOG.md', changelog)
    run('npm', ['run', 'openapi'])
    copyFileSync('public/openapi.json', `${RELEASED_FOLDER}/${version}.json`)
    const tests = ['test/core/upgrades.test.ts', 'test/sdk/openapi.test.ts']
    run('vitest', ['run', '--project', 'workerd', ...tests], { RELEASE: version })
    run('git', ['add', '--all'])
    run('git', ['commit', '--message', `chore(release): ${version}`])
    run('git', ['tag', '--annotate', `v${version}`, '--message', version])
    console.log(`Released ${version}. Push it: git push --follow-tags`)
  })

await runCli(program)
