import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tokenOf } from '../../src/evidence/time-stamp.ts'

interface AuthorityOptions {
  /** The purpose in the certificate (extended key usage). */
  purpose?: string
  /** The seconds for which the certificate is valid. */
  seconds?: number
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

/** Creates a time stamping authority with its own root certificate, by openssl. */
export const createAuthority = (
  folder: string,
  { purpose = 'timeStamping', seconds = 3_600 }: AuthorityOptions = {},
) => {
  mkdirSync(folder, { recursive: true })
  /** Runs openssl. The command is split at blanks, so no argument may contain one. */
  const openssl = (...commands: string[]) =>
    execFileSync('openssl', commands.join(' ').split(' '), { cwd: folder, stdio: 'pipe' })
  writeFileSync(join(folder, 'tsa.cnf'), CONFIG)
  writeFileSync(join(folder, 'serial'), '01')
  const newKey = 'req -newkey rsa:2048 -nodes'
  openssl(newKey, '-x509 -keyout root.key -out root.pem -subj /CN=Raiz -days 3650')
  openssl(newKey, '-keyout tsa.key -out tsa.csr -subj /CN=TSA')
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
  const [start, end] = [new Date(Date.now() - 1_000), new Date(Date.now() + seconds * 1_000)]
  const validity = `-startdate ${asn1Time(start)} -enddate ${asn1Time(end)}`
  const root = '-cert root.pem -keyfile root.key -extfile ext.cnf -batch'
  openssl('ca -config ca.cnf -in tsa.csr -out tsa.pem -notext', root, validity)
  let count = 0
  const reply = (request: Uint8Array): Buffer => {
    const [query, answer] = [`request-${++count}.tsq`, `reply-${count}.tsr`]
    writeFileSync(join(folder, query), request)
    openssl(`ts -reply -config tsa.cnf -queryfile ${query} -out ${answer}`)
    return readFileSync(join(folder, answer))
  }
  const token = (request: Uint8Array): Uint8Array => {
    const granted = tokenOf(reply(request))
    if (!granted) throw new Error('openssl granted no token.')
    return Uint8Array.from(granted)
  }
  /** Signs another authority's stamp. `ts -reply` could not do this if `purpose` is wrong. */
  const resign = (stamped: Uint8Array): Uint8Array => {
    writeFileSync(join(folder, 'stamped.der'), stamped)
    openssl('cms -verify -inform DER -in stamped.der -noverify -out info.der')
    const type = '-econtent_type 1.2.840.113549.1.9.16.1.4 -nodetach -binary -cades'
    const by = '-signer tsa.pem -inkey tsa.key -certfile root.pem'
    openssl('cms -sign -md sha256 -in info.der', type, by, '-outform DER -out signed.der')
    return Uint8Array.from(readFileSync(join(folder, 'signed.der')))
  }
  return {
    /** The path of the root certificate (PEM). */
    root: join(folder, 'root.pem'),
    reply,
    token,
    resign,
  }
}
