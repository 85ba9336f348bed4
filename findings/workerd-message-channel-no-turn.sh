#!/usr/bin/env bash
# workerd, by miniflare 4.20260730.0 (npm), beside Node.
# A good guess: a message of a MessageChannel is a turn of the event loop, as in browsers and Node.
# So code that must let others run (a long computation, a test that waits until all has settled)
# posts one to itself, and timers fire between.
# What is so: workerd delivers it like a promise, before any timer. A hundred thousand in a row keep a
# timer of 0 ms waiting to the end.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund miniflare@4.20260730.0
cat >turns.mjs <<'JS'
const MANY = 100_000

const byMessages = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    let left = MANY
    port1.onmessage = () => {
      if (--left > 0) port2.postMessage(0)
      else {
        port1.close()
        resolve()
      }
    }
    port2.postMessage(0)
  })

const fires = async (work) => {
  let fired = false
  setTimeout(() => {
    fired = true
  }, 0)
  await work()
  return fired
}

export const seen = () => fires(byMessages)
JS
cat >worker.mjs <<'JS'
import { seen } from './turns.mjs'
export default { fetch: async () => Response.json(await seen()) }
JS
cat >ask.mjs <<'JS'
import { Miniflare } from 'miniflare'
import { seen } from './turns.mjs'

console.log('a timer of 0 ms fires')
console.log('Node, during messages:', await seen())
const service = new Miniflare({
  modules: ['worker.mjs', 'turns.mjs'].map((path) => ({ type: 'ESModule', path })),
  compatibilityDate: '2026-07-01',
})
const answer = await service.dispatchFetch('http://service/')
console.log('workerd, during messages:', await answer.json())
await service.dispose()
JS
node ask.mjs | tee seen.txt
diff seen.txt - <<'SEEN'
a timer of 0 ms fires
Node, during messages: true
workerd, during messages: false
SEEN
