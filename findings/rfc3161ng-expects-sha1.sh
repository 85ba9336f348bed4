#!/usr/bin/env bash
# rfc3161ng 2.1.3 (PyPI), check_timestamp.
# A good guess: the function takes the hash algorithm from the token, which names it.
# What is so: it hashes the data by SHA-1 unless the caller says which, so a good token of SHA-256
# is "Message imprint mismatch", as if the evidence had been changed.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
python3 -m venv venv
venv/bin/pip install --quiet rfc3161ng==2.1.3
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out certificate.pem -subj '/CN=Example TSA' \
  -addext 'extendedKeyUsage=critical,timeStamping' 2>/dev/null
cat >tsa.cnf <<'CNF'
[tsa]
default_tsa = example
[example]
serial = serial
crypto_device = builtin
signer_cert = certificate.pem
signer_key = key.pem
signer_digest = sha256
ess_cert_id_alg = sha256
default_policy = 1.2.3.4
digests = sha256
CNF
echo 01 >serial
echo evidence >evidence.txt
openssl ts -query -data evidence.txt -sha256 -cert -out query.tsq 2>/dev/null
openssl ts -reply -config tsa.cnf -queryfile query.tsq -out reply.tsr 2>/dev/null
cat >ask.py <<'PY'
import rfc3161ng

token = rfc3161ng.decode_timestamp_response(open('reply.tsr', 'rb').read()).time_stamp_token
named = token.tst_info.message_imprint['hashAlgorithm']['algorithm']
print('the token names SHA-256:', str(named) == '2.16.840.1.101.3.4.2.1')
given = {'certificate': open('certificate.pem', 'rb').read(), 'data': open('evidence.txt', 'rb').read()}
print('with hashname:', rfc3161ng.check_timestamp(token, **given, hashname='sha256'))
try:
    print('without:', rfc3161ng.check_timestamp(token, **given))
except ValueError as error:
    print('without:', error)
PY
venv/bin/python ask.py | tee seen.txt
diff seen.txt - <<'SEEN'
the token names SHA-256: True
with hashname: True
without: Message imprint mismatch
SEEN
