#!/usr/bin/env bash
# api-smart-diff 1.0.6 (npm), two versions of an OpenAPI document.
# A good guess: what a body accepts may be widened and not narrowed, and what an answer holds may be
# narrowed and not widened, since a generated client knows the values it was made for.
# What is so: for a list of values that becomes any text, and the other way round, the library says
# the opposite on both sides. An answer whose two values become any text is "non-breaking"; a body
# that took any text and now takes two is "non-breaking", too.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund api-smart-diff@1.0.6
cat >ask.mjs <<'JS'
import { apiDiff } from 'api-smart-diff'

const content = (schema) => ({ content: { 'application/json': { schema } } })
const document = (status) => {
  const schema = { type: 'object', properties: { status } }
  const post = { requestBody: content(schema), responses: { 200: { description: 'ok', ...content(schema) } } }
  return { openapi: '3.0.3', info: { title: 'logs', version: '1' }, paths: { '/logs': { post } } }
}
const TEXT = { type: 'string' }
const TWO = { type: 'string', enum: ['approved', 'rejected'] }
for (const [name, before, after] of [
  ['two values to any text', TWO, TEXT],
  ['any text to two values', TEXT, TWO],
]) {
  for (const one of apiDiff(document(before), document(after))) {
    console.log(`${name}, ${one.path.includes('responses') ? 'answer' : 'body'}: ${one.path.at(-1)} ${one.type}`)
  }
}
JS
node ask.mjs | tee seen.txt
diff seen.txt - <<'SEEN'
two values to any text, body: 0 breaking
two values to any text, body: 1 breaking
two values to any text, answer: 0 non-breaking
two values to any text, answer: 1 non-breaking
any text to two values, body: 0 non-breaking
any text to two values, body: 1 non-breaking
any text to two values, answer: 0 breaking
any text to two values, answer: 1 breaking
SEEN
