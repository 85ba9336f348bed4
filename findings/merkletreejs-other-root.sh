#!/usr/bin/env bash
# merkletreejs 0.6.0 (npm), with SHA-256.
# A good guess: its root is the one of RFC 6962, as transparency logs and their auditors compute it.
# What is so: no combination of its options gives that root. It puts neither 0x00 before a leaf nor
# 0x01 before two children, and by default takes leaves as hashes. Evidence that names RFC 6962
# cannot be checked with it.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund merkletreejs@0.6.0
cat >ask.mjs <<'JS'
import { createHash } from 'node:crypto'
import { MerkleTree } from 'merkletreejs'

const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest()
const leaves = ['a', 'b', 'c', 'd'].map((text) => Buffer.from(text))
const [a, b, c, d] = leaves.map((leaf) => sha256(Buffer.from([0]), leaf))
const inner = (left, right) => sha256(Buffer.from([1]), left, right)
const expected = inner(inner(a, b), inner(c, d)).toString('hex')

const FLAGS = ['hashLeaves', 'sortLeaves', 'sortPairs', 'duplicateOdd', 'isBitcoinTree']
const roots = new Set()
for (let bits = 0; bits < 2 ** FLAGS.length; bits++) {
  const options = Object.fromEntries(FLAGS.map((flag, at) => [flag, (bits & (1 << at)) > 0]))
  roots.add(new MerkleTree(leaves, (data) => sha256(data), options).getRoot().toString('hex'))
}
console.log('RFC 6962:', expected.slice(0, 16))
console.log('of', 2 ** FLAGS.length, 'ways equal:', roots.has(expected), '| different roots:', roots.size)
JS
node ask.mjs | tee seen.txt
diff seen.txt - <<'SEEN'
RFC 6962: 33376a3bd63e9993
of 32 ways equal: false | different roots: 10
SEEN
