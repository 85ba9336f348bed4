import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'

/** Runs npm with the arguments that an operator types. Standard input is no terminal. */
const npm = (line: string, env = {}) => {
  const { status, stdout, stderr } = spawnSync('npm', line.split(' '), {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  return { status, out: stdout, err: stderr }
}

describe('a flag before --, which npm keeps for itself', () => {
  it.each([
    ['run import no.json --dry-run', 'npm run import -- no.json --dry-run'],
    ['run user deactivate a@b.mx --yes', 'npm run user -- deactivate a@b.mx --yes'],
    ['run user password a@b.mx --installation x', 'npm run user -- … --installation <name>'],
    [
      'run user password a --installation=x -- --yes',
      'npm run user -- password a --yes --installation x',
    ],
    ['run user -- deactivate a@b.mx --installation x', undefined],
    ['run audit export x.gz --no-comments', 'npm run audit -- export x.gz --no-comments'],
    ['run restore x.gz --persist-to /no', 'npm run restore -- … --persist-to <folder>'],
    // The name of another command, such as `list`, may be an argument.
    ['run config set list --tipo=x', 'npm run config -- set list --tipo x'],
    ['run sync since --url x --source y', 'npm run sync -- … --url <origin> --source <name>'],
    ['run deploy --all', 'npm run deploy -- --all'],
    ['run deploy:setup --dry-run', 'npm run deploy:setup -- --dry-run'],
    ['start --persist-to /no', 'npm start -- … --persist-to <folder>'],
  ])('%s', (line, right) => {
    const { status, err } = npm(`${line}`)
    if (right === undefined) {
      expect([status, err]).toEqual([1, expect.not.stringContaining('npm took')])
      return
    }
    expect(err).toContain(
      `npm took a flag for itself, so nothing was done. Flags follow --:\n  ${right}\n`,
    )
    expect(status).toBe(2)
  })

  it('is not confused with an npm setting that is off, or with a flag of an outer script', () => {
    const off = { npm_config_dry_run: '', NPM_CONFIG_YES: 'false' }
    expect(npm('run import -- no.json', off)).toMatchObject({
      status: 1,
      err: expect.stringContaining('There is no readable file at no.json.\n'),
    })
    const above = { npm_lifecycle_script: 'vitest run', npm_config_dry_run: 'true' }
    const { status, stderr } = spawnSync(process.execPath, ['cli/import/import.ts', 'no.json'], {
      encoding: 'utf8',
      env: { ...process.env, ...above },
    })
    expect([status, stderr]).toEqual([1, 'There is no readable file at no.json.\n'])
  })
})
