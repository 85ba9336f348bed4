#!/usr/bin/env bash
# pymerkle 7.0.0 (PyPI).
# A good guess: its roots and its proofs are those of RFC 6962.
# What is so: the root is, the proof is not of that form. Leaves are counted from 1, and the path of an
# inclusion proof begins with the leaf's own hash, so that a verifier of RFC 9162 finds one hash too
# many and another leaf: leaf 1 of RFC 6962 is 2 here.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
python3 -m venv venv
venv/bin/pip install --quiet pymerkle==7.0.0
cat >ask.py <<'PY'
from hashlib import sha256

from pymerkle import InmemoryTree

leaves = [sha256(b'\x00' + text).digest() for text in (b'a', b'b', b'c')]


def inner(left, right):
    return sha256(b'\x01' + left + right).digest()


tree = InmemoryTree(algorithm='sha256')
print('indexes:', *[tree.append_entry(text) for text in (b'a', b'b', b'c')])
print('root of RFC 6962:', tree.get_root() == inner(inner(leaves[0], leaves[1]), leaves[2]))

audit_path = [leaves[0].hex(), leaves[2].hex()]
proof = tree.prove_inclusion(2, 3).serialize()['path']
print('audit path of b:', len(audit_path), '| here:', len(proof), '| its own hash in it:', leaves[1].hex() in proof)
PY
venv/bin/python ask.py | tee seen.txt
diff seen.txt - <<'SEEN'
indexes: 1 2 3
root of RFC 6962: True
audit path of b: 2 | here: 3 | its own hash in it: True
SEEN
