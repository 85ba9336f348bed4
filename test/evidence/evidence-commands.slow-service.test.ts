import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { readFileSync, symlinkSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSealKey } from '../../cli/evidence/seal-key.ts'
import { fromBase64 } from '../../src/core/values/bytes.ts'
import { timeStampRequest } from '../../src/evidence/seal/time-stamp.ts'
import { failedWith, runInProcess, succeededWith } from '../support/command.ts'
import { aLogEvent, fileText, SOME_LEAVES, wholeFile } from '../support/evidence-files.ts'
import { parseLines } from '../support/lines.ts'
import { runCommand, useService } from '../support/server.ts'
import { signInToService } from '../support/service-evidence.ts'
import { useTemporaryFolder } from '../support/temporary-folder.ts'
import { createAuthority } from '../support/time-stamping.ts'

const { folder, write } = useTemporaryFolder()

const authority = createAuthority(join(folder, 'tsa'))
const { signerKey, verifierKey } = createSealKey('prueba')

/** How the time stamping authority behaves. The service requests its time stamps from `tsa`. */
let behaviour: 'answers' | 'is down' | 'never answers' | 'stamps another text' = 'answers'
const tsa: Server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  if (behaviour === 'never answers') return
  if (behaviour === 'is down') return response.writeHead(503).end()
  const asked = behaviour === 'answers' ? Buffer.concat(chunks) : timeStampRequest('otra cosa')
  response.writeHead(200, { 'Content-Type': 'application/timestamp-reply' })
  response.end(authority.reply(asked))
})
await new Promise<void>((done) => tsa.listen(0, '127.0.0.1', done))
afterAll(() => {
  tsa.closeAllConnections()
  tsa.close()
})

const { port } = tsa.address() as AddressInfo
const tsaUrl = `TSA_URL:http://127.0.0.1:${port}`
const service = useService(['--var', tsaUrl, '--var', `SEAL_KEY:${signerKey}`])

/** Runs the hourly cron, as Cloudflare would. */
const runCron = async () => {
  const { origin } = new URL(service.api)
  const res = await fetch(`${origin}/cdn-cgi/local/scheduled`)
  expect(res.status, await res.text()).toBe(200)
}

const audit = (args: string[]) => runInProcess('audit', args)
const onDatabase = (args: string[]) => audit([...args, '--persist-to', service.state])

let files = 0
const exportFile = async (): Promise<string> => {
  const path = join(folder, `evidence-${++files}.ndjson`)
  const { status, err } = await onDatabase(['export', path])
  expect([status, err]).toEqual([0, ''])
  return path
}

const linesOf = (path: string): Record<string, unknown>[] => parseLines(readFileSync(path, 'utf8'))

const tokensIn = ({ tokens }: Record<string, unknown>) => (tokens as string[] | undefined) ?? []

/** The signed text of the newest seal that has a time stamp. */
const stampedNote = (path: string): string =>
  String(linesOf(path).findLast((line) => tokensIn(line).length > 0)?.checkpoint)

const tokensOf = (path: string): string[] => linesOf(path).flatMap(tokensIn)

/** Writes a copy of the file whose first token is replaced. Returns the path of the copy. */
const withToken = (file: string, token: Uint8Array): string => {
  const text = readFileSync(file, 'utf8')
  const other = Buffer.from(token).toString('base64')
  return write(`other-${++files}.ndjson`, text.replace(tokensOf(file)[0] ?? '?', other))
}

let admin: Awaited<ReturnType<typeof signInToService>>
beforeAll(async () => {
  admin = await signInToService(service)
  await admin.decide(1, 'approved', 'Llegó puntual.')
}, 600_000)

describe('time stamps', () => {
  const FAILING = ['is down', 'stamps another text'] as const
  it.each(FAILING)('are only delayed by an authority that %s', async (state) => {
    behaviour = state
    await admin.decide(1, 'approved')
    await runCron()
    expect(tokensOf(await exportFile())).toEqual([])
  })

  it('are asked for over the newest seal, once, and verify with openssl', async () => {
    behaviour = 'answers'
    await runCron()
    await runCron()
    const file = await exportFile()
    expect(tokensOf(file), service.output()).toHaveLength(1)
    const note = write('checkpoint.txt', stampedNote(file))
    const token = write('token.der', fromBase64(tokensOf(file)[0] ?? '') ?? new Uint8Array())

    const openssl = (options: string, ...files: string[]) =>
      runCommand('openssl', [...options.split(' '), ...files])
    const from = ['-in', token, '-CAfile', authority.root]
    const judged = await openssl('ts -verify -token_in', '-data', note, ...from)
    expect(judged.out + judged.err).toContain('Verification: OK')
    const purpose = '-inform DER -purpose timestampsign -out /dev/null'
    const signed = await openssl(`cms -verify ${purpose}`, ...from)
    expect(signed.err).toMatch(/Verification successful/)

    const verified = await audit(['verify', file, '--key', verifierKey, '--tsa-ca', authority.root])
    expect(verified.out).toMatch(/^Íntegro\n/)
    expect(verified.out).toContain('Se comprobó el sello de tiempo del')
    expect(verified.out).not.toContain('No se indicó ningún sello guardado aparte')
    expect(verified.status).toBe(0)
    const unchecked = await audit(['verify', file, '--key', verifierKey])
    expect(unchecked.out).toContain('la firma de su autoridad no se comprobó')
  })

  it.each(['of a foreign root', 'of a certificate for something else', 'that was altered'])(
    'are a fault if they are %s, by openssl and by the command alike',
    async (kind) => {
      const file = await exportFile()
      const note = stampedNote(file)
      const isForPurpose = kind !== 'of a certificate for something else'
      const purpose = isForPurpose ? 'timeStamping' : 'serverAuth'
      const foreign = createAuthority(join(folder, `tsa-${++files}`), { purpose })
      const token = isForPurpose
        ? foreign.token(timeStampRequest(note))
        : foreign.resign(authority.token(timeStampRequest(note)))
      if (kind === 'that was altered') token[token.length - 9] = (token.at(-9) ?? 0) ^ 1
      const root = kind === 'of a foreign root' ? authority.root : foreign.root

      const stored = ['-data', write('note.txt', note), '-in', write('token.der', token)]
      const args = ['ts', '-verify', ...stored, '-token_in', '-CAfile', root]
      expect((await runCommand('openssl', args)).status).not.toBe(0)
      const { status, out } = await audit(['verify', withToken(file, token), '--tsa-ca', root])
      expect(out).toContain('su sello de tiempo no vale')
      expect(status).toBe(1)
    },
  )

  it('stay valid after their certificate has expired', async () => {
    // The certificate must have expired by the clock of this computer, which openssl uses.
    const at = '2020-01-02T14:00:00.000Z'
    const expires = new Date('2020-02-01T00:00:00Z')
    const brief = createAuthority(join(folder, 'tsa-brief'), { expires })
    const lines = await wholeFile([aLogEvent(1, { at })], [1])
    const note = String(lines.find(({ checkpoint }) => checkpoint)?.checkpoint)
    const token = brief.token(timeStampRequest(note), new Date(at))
    const tokens = [Buffer.from(token).toString('base64')]
    const stamped = lines.map((line) => ('tokens' in line ? { ...line, tokens } : line))
    const path = write('expired.ndjson', fileText(stamped))
    const stored = ['-data', write('note.txt', note), '-in', write('t.der', token), '-token_in']
    const now = await runCommand('openssl', ['ts', '-verify', ...stored, '-CAfile', brief.root])
    expect([now.status, now.err]).toEqual([1, expect.stringContaining('certificate has expired')])
    expect((await audit(['verify', path, '--tsa-ca', brief.root])).status).toBe(0)
  })

  it('are given up if the authority never answers, and the run ends', async () => {
    behaviour = 'never answers'
    await admin.decide(1, 'approved')
    await runCron()
    behaviour = 'answers'
  })
})

/** A file that root cannot read either: Linux fails to read the start of a process's memory. */
const UNREADABLE = '/proc/self/mem'
const CANNOT_OPEN = `El archivo ${UNREADABLE} está dañado o no se puede abrir.\n`

describe('npm run audit', () => {
  it('prints the key and the newest checkpoint, and writes no file over another', async () => {
    expect(await onDatabase(['key'])).toEqual(succeededWith(`${verifierKey}\n`))
    expect((await onDatabase(['checkpoint'])).out).toBe(await admin.checkpoint())
    const path = write('taken.ndjson', 'x')
    expect(await onDatabase(['export', path])).toEqual(
      failedWith(`There is a file at ${path} already.\n`),
    )
  })

  it('ends with 0 if sound, 1 for faults, 2 if unreadable, 3 if parts are unsealed', async () => {
    const kept = write('kept.txt', await admin.checkpoint())
    const rows = write('rows.ndjson', await admin.payroll())
    const file = await exportFile()
    const more = ['--checkpoint', kept, '--key', verifierKey]
    const sound = await audit(['verify', file, ...more])
    expect(sound.out).toMatch(/^Íntegro\nEvidencia completa: \d+ eventos de \d+ checadas/)
    expect(sound.out).toContain('✓ Coincide con el sello guardado de')
    expect(sound.out).toContain('✓ Los sellos se firmaron con la llave que usted indicó.')
    expect(sound.status).toBe(0)
    const text = readFileSync(file, 'utf8')
    const cut = write('cut.ndjson', text.slice(0, text.lastIndexOf('{"end"')))
    expect((await audit(['verify', cut])).status).toBe(1)
    expect(await audit(['verify', rows])).toEqual(
      failedWith('No es un archivo de evidencia de este servicio.\n', 2),
    )
    const double = write('double.ndjson', text.replace('{"entry":', '{"entry":"x","entry":'))
    const refused = await audit(['verify', double])
    expect([refused.status, refused.out]).toEqual([2, ''])
    expect(refused.err).toMatch(/^Línea 2: no está escrita en la única forma que se admite.*\n$/)
    const damaged = write('damaged.ndjson.gz', gzipSync(text).subarray(0, -20))
    expect(await audit(['verify', damaged])).toEqual(
      failedWith(`El archivo ${damaged} está dañado o no se puede abrir.\n`, 2),
    )

    expect(await audit(['verify', UNREADABLE])).toEqual(failedWith(CANNOT_OPEN, 2))
    const looped = join(folder, 'looped.ndjson')
    symlinkSync(looped, looped)
    expect(await audit(['verify', looped])).toEqual(
      failedWith(`El archivo ${looped} está dañado o no se puede abrir.\n`, 2),
    )

    await admin.decide(1, 'rejected')
    const partial = await audit(['verify', await exportFile(), '--key', verifierKey])
    expect(partial.out).toMatch(/^Íntegro hasta el sello \d+; 1 evento sin sellar\n/)
    const list = /\nEventos sin sellar\n {2}- Evento \d+ \(checada 1\), del 20\S+Z\n/
    expect(partial.out).toMatch(list)
    expect(partial.status).toBe(3)
    const unsealed = write('unsealed.ndjson', fileText(await wholeFile(SOME_LEAVES, [])))
    const nothing = await audit(['verify', unsealed, '--key', verifierKey])
    expect(nothing.out).toMatch(/^Sin sellos: nada de esto está probado\n/)
    expect(nothing.out).not.toContain(`Llave: ${verifierKey}`)
    expect(nothing.status).toBe(3)
  })
})

describe('npm run audit -- verify with files to compare', () => {
  it('checks each file, and ends with 2 if a file cannot be compared with anything', async () => {
    await admin.checkpoint()
    const file = await exportFile()
    const path = '/v2/incidents/closings/1/lines?format='
    const lines = await admin.get(`${path}ndjson`)
    const good = write('corte.ndjson', lines)
    const otherLines = lines.replace(/"difference_seconds":\d+/, '"difference_seconds":1')
    const altered = write('alterado.ndjson', otherLines)
    const csv = write('corte.csv', await admin.get(`${path}csv`))
    const other = write('nota.txt', 'Esto no es un sello.\n')
    const pem = readFileSync(authority.root, 'utf8')
    const binary = write('raiz.der', new X509Certificate(pem).raw)
    const broken = write('rota.pem', pem.replace(/MII.{9}/, 'MIIAAAAAAAAA'))
    const several = write('raices.pem', `Raíces\n${pem}\nOtra vez\n${pem}`)
    const verify = async (...args: string[]) => {
      const { status, out, err } = await audit(['verify', file, '--key', verifierKey, ...args])
      return { status, text: out + err }
    }

    for (const [args, status, text] of [
      [['--closing', good], 0, `Los renglones de ${good} son los que selló el cierre 1.`],
      [['--closing', altered, '--closing', good], 2, `${altered}: sus renglones no son`],
      [['--closing', csv], 2, `${csv} no trae los renglones de un cierre (línea 1)`],
      [['--checkpoint', other], 2, `${other} no es un sello.\n`],
      [['--checkpoint', folder], 2, `No hay un archivo ${folder}.\n`],
      [['--checkpoint', UNREADABLE], 2, CANNOT_OPEN],
      [['--closing', UNREADABLE], 2, CANNOT_OPEN],
      [['--tsa-ca', other, '--tsa-ca', authority.root], 2, '--tsa-ca admite un solo archivo'],
      [['--tsa-ca', other], 2, `${other} no tiene certificados en PEM`],
      [['--tsa-ca', binary], 2, `${binary} no tiene certificados en PEM`],
      [['--tsa-ca', broken], 2, `${broken} no tiene certificados en PEM`],
      [['--tsa-ca', UNREADABLE], 2, CANNOT_OPEN],
      [['--tsa-ca', several], 0, 'Íntegro'],
    ] as const) {
      const result = await verify(...args)
      expect(result.text, args.join(' ')).toContain(text)
      expect(result.status, args.join(' ')).toBe(status)
    }
  })
})

const hasGo = spawnSync('go', ['version']).status === 0
if (!hasGo) console.warn('Go is not installed: its sumdb does not judge notes and proofs here.')

describe.skipIf(!hasGo)('golang.org/x/mod/sumdb', () => {
  it('accepts the notes and both kinds of proofs, and rejects altered ones', async () => {
    for (let i = 0; i < 3; i++) {
      await admin.decide(1, i % 2 ? 'approved' : 'rejected')
      await admin.checkpoint()
    }
    const text = await admin.evidence('log_id=1')
    const go = (...args: string[]) => runCommand('go', args, { cwd: 'test/evidence/go' })
    // On a fresh machine, Go prints its downloads on stderr.
    const fetched = await go('mod', 'download')
    expect(fetched.status, fetched.err).toBe(0)
    const judge = (file: string) => go('run', '.', verifierKey, resolve(file))
    const sound = await judge(write('person.ndjson', text))
    expect(sound.status, sound.err).toBe(0)
    expect(sound.out).toMatch(/^\d+ inclusion proofs, [1-9]\d* consistency proofs: ok\n$/)
    for (const altered of [
      text.replace('\\"to\\":\\"approved', '\\"to\\":\\"rejected'),
      text.replace('index ', 'index 1'),
    ]) {
      expect((await judge(write('altered.ndjson', altered))).status).toBe(1)
    }
  })
})
