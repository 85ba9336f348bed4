import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tokenOf } from '../../src/evidence/seal/time-stamp.ts'

interface AuthorityOptions {
  /** The purpose in the certificate (extended key usage). */
  purpose?: string
  /** When the certificate expires. */
  expires?: Date
}

const CONFIG = `
[tsa]
default_tsa = tsa_config
[tsa_config]
serial = serial
crypto_device = builtin
signer_cert = tsa.pem
certs = root.pem
signer_key = tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
ess_cert_id_chain = no
ess_cert_id_alg = sha256
`

/** A time in the form that openssl reads, without punctuation. */
const asn1Time = (moment: Date): string =>
  `${moment.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`

/** The certificates are valid at the time of this computer and at the time of the tests. */
const VALID_FROM = new Date('2000-01-01T00:00:00Z')
const VALID_UNTIL = new Date('2049-12-31T00:00:00Z')

/** The time in a TSTInfo. */
const STAMPED_TIME = /\d{14}Z/

/**
 * The reply of an authority that grants a token: a TimeStampResp (RFC 3161). Its status is 0.
 */
const grantedReply = (token: Uint8Array): Buffer => {
  const status = [0x30, 3, 2, 1, 0]
  const length = Buffer.alloc(2)
  length.writeUInt16BE(status.length + token.length)
  return Buffer.concat([Buffer.from([0x30, 0x82, ...length, ...status]), token])
}

/**
 * Creates a time stamping authority with its own root certificate, by openssl. It stamps the time
 * of the tests, although `openssl ts -reply` knows only the time of this computer.
 */
export const createAuthority = (
  folder: string,
  { purpose = 'timeStamping', expires = VALID_UNTIL }: AuthorityOptions = {},
) => {
  mkdirSync(folder, { recursive: true })
  /** Runs openssl. The command is split at blanks, so no argument may contain one. */
  const openssl = (...commands: string[]) =>
    execFileSync('openssl', commands.join(' ').split(' '), { cwd: folder, stdio: 'pipe' })
  writeFileSync(join(folder, 'tsa.cnf'), CONFIG)
  writeFileSync(join(folder, 'serial'), '01')
  const newKey = 'req -newkey rsa:2048 -nodes'
  openssl(newKey, '-keyout root.key -out root.csr -subj /CN=Raiz')
  openssl(newKey, '-keyout tsa.key -out tsa.csr -subj /CN=TSA')
  writeFileSync(join(folder, 'root.cnf'), 'basicConstraints=critical,CA:TRUE\n')
  writeFileSync(
    join(folder, 'ext.cnf'),
    `extendedKeyUsage=critical,${purpose}\nkeyUsage=digitalSignature\n`,
  )
  writeFileSync(join(folder, 'index.txt'), '')
  writeFileSync(
    join(folder, 'ca.cnf'),
    '[ca]\ndefault_ca=c\n[c]\ndatabase=index.txt\nserial=casrl\nnew_certs_dir=.\ndefault_md=sha256\npolicy=p\n[p]\ncommonName=supplied\n',
  )
  writeFileSync(join(folder, 'casrl'), '02')
  const issue = 'ca -config ca.cnf -batch -notext -keyfile root.key'
  const validity = (until: Date) => `-startdate ${asn1Time(VALID_FROM)} -enddate ${asn1Time(until)}`
  const self = '-selfsign -in root.csr -out root.pem -extfile root.cnf'
  openssl(issue, self, validity(VALID_UNTIL))
  openssl(issue, '-cert root.pem -in tsa.csr -out tsa.pem -extfile ext.cnf', validity(expires))
  let count = 0
  /** Stamps a text as `openssl ts` does, with the time of this computer. */
  const stamp = (request: Uint8Array): Uint8Array => {
    const [query, answer] = [`request-${++count}.tsq`, `reply-${count}.tsr`]
    writeFileSync(join(folder, query), request)
    openssl(`ts -reply -config tsa.cnf -queryfile ${query} -out ${answer}`)
    const granted = tokenOf(readFileSync(join(folder, answer)))
    if (!granted) throw new Error('openssl granted no token.')
    return granted
  }
  /**
   * Signs a stamp again, with another time in it. It may be the stamp of another authority, since
   * `ts -reply` cannot sign if `purpose` is wrong.
   */
  const resign = (stamped: Uint8Array, time = new Date()): Uint8Array => {
    writeFileSync(join(folder, 'stamped.der'), stamped)
    openssl('cms -verify -inform DER -in stamped.der -noverify -out info.der')
    const info = readFileSync(join(folder, 'info.der'), 'latin1')
    const moved = info.replace(STAMPED_TIME, asn1Time(time))
    writeFileSync(join(folder, 'info.der'), moved, 'latin1')
    const type = '-econtent_type 1.2.840.113549.1.9.16.1.4 -nodetach -binary -cades'
    const by = '-signer tsa.pem -inkey tsa.key -certfile root.pem'
    openssl('cms -sign -md sha256 -in info.der', type, by, '-outform DER -out signed.der')
    return Uint8Array.from(readFileSync(join(folder, 'signed.der')))
  }
  const token = (request: Uint8Array, time?: Date): Uint8Array => resign(stamp(request), time)
  return {
    /** The path of the root certificate (PEM). */
    root: join(folder, 'root.pem'),
    reply: (request: Uint8Array): Buffer => grantedReply(token(request)),
    token,
    resign,
  }
}
