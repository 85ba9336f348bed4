#!/usr/bin/env bash
# @pushforge/builder 2.0.5 (npm): a message to a phone.
# A good guess: ttl is for the message alone, ttl 0 means now or never, and the body is encrypted as
# RFC 8291 says (aes128gcm).
# What is so: the sender's token lives as long as the message: 60 s with ttl 60, so a clock that is two
# minutes slow sends tokens that have expired. ttl 0 becomes a day. The encoding is aesgcm, that of the
# draft.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund @pushforge/builder@2.0.5
cat >ask.mjs <<'JS'
import { buildPushHTTPRequest } from '@pushforge/builder'

const { subtle } = crypto
const base64url = (bytes) => Buffer.from(bytes).toString('base64url')
const own = await subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign'])
const phone = await subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
const subscription = {
  endpoint: 'https://push.example.com/one',
  keys: {
    p256dh: base64url(await subtle.exportKey('raw', phone.publicKey)),
    auth: base64url(crypto.getRandomValues(new Uint8Array(16))),
  },
}
for (const ttl of [60, 0]) {
  const { headers } = await buildPushHTTPRequest({
    privateJWK: await subtle.exportKey('jwk', own.privateKey),
    subscription,
    message: { payload: { title: 'x' }, adminContact: 'mailto:a@example.com', options: { ttl } },
  })
  const sent = new Headers(headers)
  const [, claims] = sent.get('authorization').split('t=')[1].split('.')
  const { exp } = JSON.parse(Buffer.from(claims, 'base64url'))
  const minutes = Math.round((exp - Date.now() / 1000) / 60)
  console.log(`ttl ${ttl}: TTL ${sent.get('ttl')}, a token of ${minutes} min, ${sent.get('content-encoding')}`)
}
JS
node ask.mjs | tee seen.txt
diff seen.txt - <<'SEEN'
ttl 60: TTL 60, a token of 1 min, aesgcm
ttl 0: TTL 86400, a token of 1440 min, aesgcm
SEEN
