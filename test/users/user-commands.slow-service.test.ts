import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { DEMO_ADMIN, DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import { failedWith, runInProcess, type ScriptName, succeededWith } from '../support/command.ts'
import { useOperator } from '../support/operator.ts'
import { signInToService } from '../support/service-evidence.ts'

const { service, place, run, login, me, admin } = useOperator()

/** The other administrator of the demo data. */
const MARIA = 'maria.hernandez@demo.mx'

describe('npm run user', () => {
  const EMAIL = 'Begoña.Ñuño@empresa.mx'

  it('adds, sets a password and deactivates, effective at once', async () => {
    const added = await run(
      'user',
      ['add', EMAIL, '--first-name', 'Begoña', '--last-name', 'Ñuño', '--role', 'admin'],
      'una clave larga\n',
    )
    expect(added).toEqual(succeededWith(`Added ${EMAIL} ${place}.\n`))
    const first = await login(EMAIL, 'una clave larga')
    expect(await me(first.token)).toBe(200)

    expect(
      (await run('user', ['password', EMAIL.toUpperCase(), '--yes'], 'otra clave larga')).status,
    ).toBe(0)
    expect(await me(first.token)).toBe(401)
    expect((await login(EMAIL, 'una clave larga')).status).toBe(401)

    const second = await login(EMAIL, 'otra clave larga')
    expect((await run('user', ['deactivate', EMAIL, '--yes'])).status).toBe(0)
    expect(await me(second.token)).toBe(401)
    expect((await login(EMAIL, 'otra clave larga')).status).toBe(403)
  })

  it.each([
    [
      'an invalid address',
      ['add', 'begoña', '--first-name', 'B', '--last-name', 'Ñ', '--role', 'admin'],
      'That is not an e-mail address.',
    ],
    [
      'a user twice',
      ['add', DEMO_ADMIN.toUpperCase(), '--first-name', 'A', '--last-name', 'T', '--role', 'admin'],
      'That user exists already.',
    ],
    ['an unknown user', ['deactivate', 'nadie@empresa.mx'], 'No user has that address.'],
  ])('rejects %s', async (_, args, message) => {
    expect(await run('user', args, 'una clave larga')).toEqual(failedWith(`${message}\n`))
  })

  it('refuses what the API refuses', async () => {
    const refusal = async (args: string[], input = '') => (await run('user', args, input)).err
    const named = ['add', 'otro@demo.mx', '--first-name', 'Reloj', '--last-name', 'Otro']
    expect(await refusal([...named, '--role', 'relój'], 'una clave larga')).toMatch(
      /^No setting names that role/,
    )
    const ana = await admin()
    await ana.changeUser(MARIA, { scope_branches: ['Norte'] })
    expect(await refusal(['deactivate', DEMO_ADMIN, '--yes'])).toMatch(
      /^Nobody else who has a password administers all/,
    )
    await ana.changeUser(MARIA, { scope_branches: null })
    expect(await refusal(['password', 'reloj@demo.mx', '--yes'], 'una clave larga')).toMatch(
      /^A machine has no password/,
    )
    expect(await refusal(['password', DEMO_ADMIN, '--yes'], 'contraseña123')).toBe(
      'That password is one of the most used: choose another.\n',
    )
  })

  it('records each change as one of an operator', async () => {
    const admin = await signInToService(service)
    const { data } = JSON.parse(await admin.get('/v2/people/changes?subject=user&limit=500'))
    const fields = new Set(
      data.changes.flatMap((one: { changes: { field: string }[] }) =>
        one.changes.map(({ field }) => field),
      ),
    )
    for (const field of ['email', 'password_set', 'active']) expect(fields).toContain(field)
  })

  it('rejects a short password, and changes nothing', async () => {
    const rejected = await run('user', ['password', DEMO_ADMIN, '--yes'], 'siete77')
    expect(rejected.status).toBe(1)
    expect(rejected.err).toBe('The password must have 8 to 1024 characters.\n')
    expect((await login(DEMO_ADMIN, DEMO_PASSWORD)).status).toBe(200)
  })

  it('rejects a password that is not in UTF-8, since nobody could type it', async () => {
    const rejected = await run('user', ['password', DEMO_ADMIN, '--yes'], 'contrase\uFFFDa larga\n')
    expect(rejected.err).toBe('The password contains an invalid character.\n')
    expect((await login(DEMO_ADMIN, DEMO_PASSWORD)).status).toBe(200)
  })

  it.each([
    'otra clave larga\notra clave larga\n',
    'otra clave larga\r\n\r\n',
    '\notra clave larga',
  ])('rejects two lines on standard input, and changes nothing: %j', async (lines) => {
    const failed = failedWith('The password must be a single line of standard input.\n')
    expect(await run('user', ['password', DEMO_ADMIN, '--yes'], lines)).toEqual(failed)
    const names = ['--first-name', 'Dos', '--last-name', 'Líneas']
    const add = ['add', 'dos@demo.mx', ...names, '--role', 'admin']
    expect(await run('user', add, lines)).toEqual(failed)
    expect((await run('user', ['list'])).out).not.toContain('dos@demo.mx')
    expect((await login(DEMO_ADMIN, DEMO_PASSWORD)).status).toBe(200)
  })
})

describe('a command that ends tokens or erases', () => {
  const commands: [ScriptName, string[], string][] = [
    ['user', ['deactivate', DEMO_ADMIN], `Deactivate ${DEMO_ADMIN} and end every token`],
    ['user', ['password', DEMO_ADMIN], `Change the password of ${DEMO_ADMIN} and end every token`],
    [
      'import',
      ['cli/demo/demo.json', '--reset-passwords'],
      "Give stored users the file's passwords and end their tokens",
    ],
  ]
  it.each(commands)(
    'does nothing without a terminal or --yes: %s %j',
    async (command, args, question) => {
      const { token } = await login(DEMO_ADMIN, DEMO_PASSWORD)
      expect(await run(command, args, 'otra clave larga')).toEqual(
        failedWith(`${question} ${place}? Nothing was changed: --yes does it.\n`),
      )
      expect(await me(token)).toBe(200)
    },
  )

  it.each([
    ['n', 200],
    ['y', 401],
  ])('asks on a terminal: %s', async (answer, status) => {
    const { token } = await login(MARIA, DEMO_PASSWORD)
    const line = `stty cols 200; ${process.execPath} cli/users/user.ts deactivate ${MARIA} --persist-to ${service.state}`
    const terminal = spawn('script', ['-qec', line, '/dev/null'], { stdio: 'pipe' })
    let shown = ''
    terminal.stdout.on('data', (chunk) => {
      shown += chunk
    })
    const closed = once(terminal, 'close')
    await expect.poll(() => shown).toContain(`Deactivate ${MARIA} and end every token`)
    terminal.stdin.write(answer)
    await closed
    expect(await me(token)).toBe(status)
  })
})

it('does not work on a remote database without the name of its installation', async () => {
  const unknown = await runInProcess('user', ['deactivate', DEMO_ADMIN, '--installation', 'norte'])
  expect(unknown).toEqual(
    failedWith('There is no installation norte. There are: production, staging.\n'),
  )
  for (const flag of ['--remote', '--installation', '--installation=production']) {
    const { status, err } = await run('user', ['deactivate', DEMO_ADMIN, flag])
    expect([status, err]).toEqual([1, expect.stringMatching(/^error: /)])
  }
})
