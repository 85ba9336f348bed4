import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { useCheckout } from '../support/checkout.ts'

const checkout = useCheckout()

const idOf = (digit: number) => '11111111-2222-3333-4444-555555555555'.replaceAll('5', `${digit}`)

const installation = (...args: string[]) =>
  checkout.runScript('cli/installations/installation.ts', args)
const deploy = (...args: string[]) => checkout.runScript('scripts/deploy.ts', args)
const fileOf = (name: string) => `installations/${name}.toml`

/** The names of the Workers that were deployed. */
const deployed = () =>
  Object.entries(checkout.account().workers).flatMap(([name, { vars }]) => (vars ? [name] : []))

const READY = { secrets: { TOKEN_SECRET: 'x', SEAL_KEY: 'y', VAPID_KEY: 'z' }, migrated: true }
const ALL_READY = { 'checada-a': READY, 'checada-b': READY, 'checada-c': READY }

const addThree = () => {
  rmSync(checkout.path('installations'), { recursive: true })
  mkdirSync(checkout.path('installations'))
  for (const [i, name] of ['a', 'b', 'c'].entries()) {
    const vars = name === 'b' ? '[vars]\nTOKEN_TTL_MINUTES = "90"\n' : ''
    checkout.write(
      fileOf(name),
      `name = "checada-${name}"\ndatabase_id = "${idOf(i)}"\nroutes = ["${name}.mx"]\n${vars}`,
    )
  }
  checkout.setAccount(ALL_READY)
}

describe('npm run installation -- add', () => {
  it('writes a file with the settings that differ, and prints the next step', () => {
    const { status, out } = installation(
      ...['add', 'norte', '--route', 'checada.norte.mx', '--route', 'norte.mx/*'],
      ...['--var', 'TOKEN_TTL_MINUTES=90', '--var', 'ADMIN_ROLES=a="b", c'],
    )
    expect([status, out]).toEqual([
      0,
      expect.stringContaining('npm run deploy:setup -- --installation norte'),
    ])
    expect(checkout.read(fileOf('norte'))).toBe(`name = "checada-norte"
database_id = ""
routes = [ "checada.norte.mx", "norte.mx/*" ]

[vars]
TOKEN_TTL_MINUTES = "90"
ADMIN_ROLES = "a=\\"b\\", c"
`)
    const setup = checkout.runScript('scripts/deploy-setup.ts', ['--installation', 'norte'])
    expect(setup.status).toBe(0)
    expect(checkout.account().workers['checada-norte']).toMatchObject({ migrated: true })
    expect(JSON.parse(checkout.read('.wrangler.norte.json')).routes).toEqual([
      { pattern: 'checada.norte.mx', custom_domain: true },
      'norte.mx/*',
    ])
  })

  it.each([
    [['../x'], '../x is not the name of an installation: it must be lower-case letters'],
    [['Norte'], 'Norte is not the name of an installation'],
    [['-'], '- is not the name of an installation'],
    [['norte-'], 'norte- is not the name of an installation'],
    [['n'.repeat(56)], 'at most 55 characters.'],
    [['staging'], 'There is an installation staging already: installations/staging.toml.'],
    [['local'], 'name is that of wrangler.toml, the local service.'],
    [['norte', '--var', 'TIMEZONE=UTC'], 'vars.TIMEZONE is unknown. Known: ADMIN_ROLES,'],
    [['norte', '--var', 'TOKEN_SECRET=x'], 'vars.TOKEN_SECRET is unknown.'],
    [['norte', '--var', 'TOKEN_TTL_MINUTES=x'], 'norte.toml: TOKEN_TTL_MINUTES must be'],
    [['norte', '--var', 'TOKEN_TTL_MINUTES'], 'Not NAME=VALUE.'],
    [
      [
        'norte',
        '--route',
        'n.mx',
        '--var',
        'LEGACY_ORIGIN=https://n.mx',
        '--var',
        'LEGACY_PATHS=/v1',
      ],
      'norte.toml: vars.LEGACY_ORIGIN is a route of the installation itself.',
    ],
    [['norte', '--route', 'https://norte.mx'], 'norte.toml: routes[0] must be a host, or host/*'],
    [['norte', '--database-id', 'DB'], 'norte.toml: database_id must be the id of a database'],
  ])('rejects %j, and writes nothing', (args, error) => {
    const before = checkout.read(fileOf('staging'))
    expect(installation('add', ...args)).toEqual({ status: 1, out: expect.stringContaining(error) })
    expect(existsSync(checkout.path(fileOf('norte')))).toBe(false)
    expect(checkout.read(fileOf('staging'))).toBe(before)
  })

  it('rejects a host that another installation has', () => {
    addThree()
    const rejected = 'installations/norte.toml: the route a.mx/* is that of installations/a.toml.'
    expect(installation('add', 'norte', '--route', 'a.mx/*').out).toContain(rejected)
    expect(existsSync(checkout.path(fileOf('norte')))).toBe(false)
    expect(installation('add', 'sur', '--route', 'xa.mx').status).toBe(0)
  })

  it('accepts the longest allowed name', () => {
    expect(installation('add', 'n'.repeat(55)).status).toBe(0)
  })
})

describe('deploy --all', () => {
  beforeEach(addThree)

  it('tests once, and deploys each with its own name, variables, database and limits', () => {
    const { status, out } = deploy('--all')
    expect([status, out]).toEqual([0, expect.stringContaining('  a: done\n  b: done\n  c: done\n')])
    expect(checkout.calls().match(/^npm test$/gm)).toHaveLength(1)

    const { workers } = checkout.account()
    expect(workers['checada-b']?.vars).toEqual({
      ...workers['checada-a']?.vars,
      TOKEN_AUDIENCE: 'checada-b',
      TOKEN_TTL_MINUTES: '90',
    })
    expect(workers['checada-c']?.vars?.TOKEN_TTL_MINUTES).toBe('')

    const [a, b] = ['a', 'b'].map((name) => JSON.parse(checkout.read(`.wrangler.${name}.json`)))
    expect(b.d1_databases).toEqual([
      { ...a.d1_databases[0], database_name: 'checada-b', database_id: idOf(1) },
    ])
    expect(b.routes).toEqual([{ pattern: 'b.mx', custom_domain: true }])
    const ids = [...a.ratelimits, ...b.ratelimits].map(({ namespace_id }) => namespace_id)
    expect(ids.length).toBeGreaterThan(0)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => !/^[1-9]\d{0,9}$/.test(id))).toEqual([])
  })

  it('deploys each with its own pictures and documents, and none of the demo’s', () => {
    mkdirSync(checkout.path('installations/b/files/config'), { recursive: true })
    checkout.write('installations/b/files/config/logo.png', 'b')
    checkout.write('public/new.txt', 'new')
    const served = (name: string, path: string) => {
      const { assets } = JSON.parse(checkout.read(`.wrangler.${name}.json`))
      return checkout.read(`${assets.directory}/${path}`)
    }
    expect(deploy('--all').status).toBe(0)
    expect([served('a', 'new.txt'), served('b', 'files/config/logo.png')]).toEqual(['new', 'b'])
    expect(served('a', 'files/config/logo.png')).toBe('')
    expect(served('b', 'files/empleados/ana-torres.png')).toBe('')

    rmSync(checkout.path('installations/b/files'), { recursive: true })
    expect(deploy('--installation', 'b').status).toBe(0)
    expect(served('b', 'files/config/logo.png')).toBe('')
  })

  it('stops at the first that fails, and shows the state of each', () => {
    checkout.setAccount({ ...ALL_READY, 'checada-b': { ...READY, rejects_deployment: true } })
    const { status, out } = deploy('--all')
    expect([status, out]).toEqual([
      1,
      expect.stringContaining('  a: done\n  b: failed\n  c: not begun\n'),
    ])
    expect(out).toContain('A route of the Worker is taken.')
    expect(checkout.account().workers['checada-a']?.vars).toBeDefined()
    expect(checkout.account().workers['checada-c']?.vars).toBeUndefined()
  })

  it('deploys nothing, and tests nothing, if one of them is not ready', () => {
    checkout.setAccount({ ...ALL_READY, 'checada-b': { ...READY, migrated: false } })
    const { status, out } = deploy('--all')
    expect(status).toBe(1)
    expect(out).toContain('Run npm run deploy:setup -- --installation b, which applies them.')
    expect(deployed()).toEqual([])
    expect(checkout.calls()).not.toContain('npm')
  })

  it.each([
    ['an unknown key', 'rutas = ["c.mx"]', 'c.toml: rutas is unknown. Known: name, database_name,'],
    ['a number', '[vars]\nTOKEN_TTL_MINUTES = 9', 'vars.TOKEN_TTL_MINUTES must be text in quotes'],
    ['a wrong value', '[vars]\nNOTIFY_URL = "x"', 'c.toml: NOTIFY_URL must be an https address'],
    ['no TOML', 'routes = [', 'c.toml: Invalid TOML document'],
  ])('deploys nothing if a file has %s', (_, line, error) => {
    checkout.write(fileOf('c'), `name = "checada-c"\ndatabase_id = "${idOf(2)}"\n${line}\n`)
    const runs = [
      deploy('--all'),
      deploy('--all', '--dry-run'),
      checkout.runScript('cli/backup/backup.ts', ['--all']),
    ]
    for (const { status, out } of runs) {
      expect([status, out]).toEqual([1, expect.stringContaining(error)])
      expect(out).not.toContain('not begun')
    }
    // The others are backed up all the same, where somebody is signed in.
    expect(checkout.calls()).toBe('wrangler whoami --json\n'.repeat(2))
  })

  it.each([
    ['name', { name: 'checada-b', id: idOf(2) }],
    ['database_id', { name: 'checada-c', id: idOf(1) }],
  ])('deploys nothing if two have the same %s', (key, { name, id }) => {
    checkout.write(fileOf('c'), `name = "${name}"\ndatabase_id = "${id}"\n`)
    expect(deploy('--all')).toEqual({
      status: 1,
      out: `installations/b.toml: ${key} is that of installations/c.toml.\n`,
    })
    expect(checkout.calls()).toBe('')
  })

  it('deploys nothing without a name, and lists the names', () => {
    expect(deploy()).toEqual({
      status: 1,
      out: 'Say which: --installation NAME. There are: a, b, c.\n',
    })
    expect(deploy('--installation', 'd')).toEqual({
      status: 1,
      out: 'There is no installation d. There are: a, b, c.\n',
    })
    expect(deploy('--all', '--installation', 'a').status).toBe(1)
    rmSync(checkout.path('installations'), { recursive: true })
    expect(deploy('--all').out).toBe('There is none yet: npm run installation -- add NAME.\n')
    expect(checkout.calls()).toBe('')
  })

  it('deploys one by its name, even if the file of another is wrong', () => {
    checkout.write(fileOf('c'), 'rutas')
    checkout.write(
      fileOf('b'),
      `name = "checada-b"\ndatabase_name = "b2"\ndatabase_id = "${idOf(1)}"`,
    )
    expect(deploy('--installation', 'b').status).toBe(0)
    const { d1_databases } = JSON.parse(checkout.read('.wrangler.b.json'))
    expect(d1_databases[0]).toMatchObject({ database_name: 'b2', database_id: idOf(1) })
    expect(deployed()).toEqual(['checada-b'])
  })
})

describe('npm run installation -- list', () => {
  beforeEach(addThree)

  /** Replaces the network. `a` is healthy, `b` is unreachable, and `c` reports an error. */
  const FAKE_FETCH = `globalThis.fetch = async (url) => {
    if (url === 'https://b.mx/health') throw new TypeError('fetch failed')
    if (url === 'https://c.mx/health') return new Response('', { status: 503 })
    if (url !== 'https://a.mx/health') throw new Error('unexpected: ' + url)
    return Response.json({ data: { version: '2.0.0', database_bytes: 12_340_000 } })
  }`

  const list = (network: string, ...args: string[]) => {
    checkout.write('fetch.mjs', network)
    const env = { NODE_OPTIONS: '--import ./fetch.mjs' }
    return checkout.runScript('cli/installations/installation.ts', ['list', ...args], env)
  }

  const listJson = (network: string) => {
    const { status, out } = list(network, '--json')
    return { status, rows: JSON.parse(out) }
  }

  it('shows a line for each, even if it cannot be reached', () => {
    const age = new Date(Date.now() - 5.5 * 3_600_000)
      .toISOString()
      .slice(0, 19)
      .replaceAll(':', '')
    mkdirSync(checkout.path('backups'))
    for (const time of [`${age}Z`, '2026-01-01T000000Z']) {
      checkout.write(`backups/checada-a-${time}.sql.gz`, '')
    }
    checkout.write(`backups/unfinished-checada-b-${age}Z.sql.gz`, '')
    checkout.write('backups/checada-a-2026-01-02T000000Z.sql.gz.gpg', '')
    checkout.setAccount({
      'checada-a': { ...READY, replicated: true },
      'checada-b': { broken: true },
      'checada-c': { migrated: false },
    })
    const { status, out } = list(FAKE_FETCH)
    expect(out.split('\n')).toEqual([
      'a: version 2.0.0, database 12.3 MB · 0 migrations pending · read replicas on · newest backup 5 h old',
      'b: b.mx does not respond · The migrations could not be listed: A request to the Cloudflare API failed. · read replicas unknown: A request to the Cloudflare API failed. · no backup in backups',
      'c: c.mx responds 503 · 2 migrations pending · read replicas off · no backup in backups',
      '',
    ])
    expect(status).toBe(1)
    for (const name of ['b', 'c']) rmSync(checkout.path(fileOf(name)))
    expect(list(FAKE_FETCH).status).toBe(0)
  })

  it('prints one document for a monitor, and ends with 1 unless all are well', () => {
    checkout.setAccount({ ...ALL_READY, 'checada-c': { migrated: false } })
    const well = {
      ...{ installation: 'a', address: 'a.mx', migrations_pending: 0, problems: [] },
      read_replicas: false,
      ...{ backup: 'no backup in backups' },
      health: { version: '2.0.0', database_bytes: 12_340_000 },
    }
    const broken = { ...well, health: null }
    const b = { installation: 'b', address: 'b.mx', problems: ['b.mx does not respond'] }
    const c = { installation: 'c', address: 'c.mx', migrations_pending: 2 }
    expect(listJson(FAKE_FETCH)).toEqual({
      status: 1,
      rows: [
        well,
        { ...broken, ...b },
        { ...broken, ...c, problems: ['c.mx responds 503', '2 migrations pending'] },
      ],
    })
    for (const name of ['b', 'c']) rmSync(checkout.path(fileOf(name)))
    expect(listJson(FAKE_FETCH)).toEqual({ status: 0, rows: [well] })
    rmSync(checkout.path(fileOf('a')))
    expect(listJson(FAKE_FETCH)).toEqual({ status: 1, rows: [] })
  })

  it('prints to a monitor that a database is nearly full, not sealed, or not there', () => {
    const old = { database_bytes: 81, warning: 'casi llena', oldest_unsealed_age_seconds: 7_201 }
    const network = `globalThis.fetch = async () => Response.json({ data: ${JSON.stringify(old)} })`
    checkout.write(fileOf('b'), 'name = "checada-b"\ndatabase_id = ""')
    checkout.write(fileOf('c'), 'rutas')
    const { status, rows } = listJson(network)
    const [a, b, c] = rows
    expect([status, a.problems, b.problems]).toEqual([
      1,
      ['casi llena', 'not sealed'],
      ['version unknown: no route to ask', 'no database yet'],
    ])
    expect([b.address, b.migrations_pending, c.address]).toEqual([null, null, null])
    expect(c.problems).toEqual([expect.stringContaining('c.toml: Invalid TOML document')])
  })

  it('shows what does not exist yet, or is wrong with a file, and then ends with 1', () => {
    checkout.write(fileOf('a'), 'name = 1')
    checkout.write(fileOf('b'), 'name = "checada-b"\ndatabase_id = ""')
    rmSync(checkout.path(fileOf('c')))
    const { status, out } = installation('list')
    expect(out.split('\n')).toEqual([
      'a: installations/a.toml: name must be text in quotes; database_id must be text in quotes. · no backup in backups',
      'b: version unknown: no route to ask · no database yet · no backup in backups',
      '',
    ])
    expect(status).toBe(1)
    rmSync(checkout.path(fileOf('a')))
    expect(installation('list').status).toBe(1)
  })
})
