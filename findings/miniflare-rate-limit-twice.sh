#!/usr/bin/env bash
# miniflare 4.20260730.0 (npm), a rate limit of 3 in 10 seconds.
# A good guess: of eight calls within two seconds, three succeed.
# What is so: six do, if a multiple of ten seconds of the clock lies between them. The window does not
# begin at the first call but at the tens of a minute: a test that counts refusals fails now and then.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund miniflare@4.20260730.0
cat >ask.mjs <<'JS'
import { setTimeout } from 'node:timers/promises'
import { Miniflare } from 'miniflare'

const service = new Miniflare({
  modules: true,
  ratelimits: { LIMIT: { namespace_id: '1', simple: { limit: 3, period: 10 } } },
  script: `export default {
    async fetch(request, { LIMIT }) {
      let allowed = 0
      for (let call = 0; call < 4; call++) allowed += (await LIMIT.limit({ key: 'one' })).success
      return new Response(String(allowed))
    }
  }`,
})
const allowed = async () => Number(await (await service.dispatchFetch('http://service/')).text())
await service.ready
// Half a second before the tens of a minute, and as long after.
const HALF = 500
await setTimeout(20_000 - HALF - (Date.now() % 10_000))
const before = await allowed()
await setTimeout(10_000 + HALF - (Date.now() % 10_000))
console.log('allowed of four calls and four a second later:', before, await allowed())
await service.dispose()
JS
node ask.mjs | tee seen.txt
diff seen.txt - <<'SEEN'
allowed of four calls and four a second later: 3 3
SEEN
