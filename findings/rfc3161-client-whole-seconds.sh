#!/usr/bin/env bash
# rfc3161-client 1.0.9 (PyPI), a time-stamp token whose time has milliseconds.
# A good guess: gen_time is the time in the token, since RFC 3161 allows fractions of a second.
# What is so: the fraction is gone without a word, so a token of 12:00:00.932 is 12:00:00, up to a
# second before what it proves. rfc3161ng 2.1.3 gives the fraction of the same bytes.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
python3 -m venv venv
venv/bin/pip install --quiet rfc3161-client==1.0.9 rfc3161ng==2.1.3
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
clock_precision_digits = 3
CNF
echo 01 >serial
echo evidence >evidence.txt
openssl ts -query -data evidence.txt -sha256 -cert -out query.tsq 2>/dev/null
cat >ask.py <<'PY'
import subprocess

import rfc3161ng
from rfc3161_client import decode_timestamp_response

COMMAND = 'openssl ts -reply -config tsa.cnf -queryfile query.tsq -out reply.tsr'
while True:  # One token in a thousand is of a whole second.
    subprocess.run(COMMAND.split(), check=True, capture_output=True)
    reply = open('reply.tsr', 'rb').read()
    token = rfc3161ng.decode_timestamp_response(reply).time_stamp_token
    exact = rfc3161ng.get_timestamp(token, naive=False)
    if exact.microsecond:
        break
read = decode_timestamp_response(reply).tst_info.gen_time
print('rfc3161ng has a fraction:', exact.microsecond > 0)
print('rfc3161-client has a fraction:', read.microsecond > 0)
print('else equal:', read == exact.replace(microsecond=0))
PY
venv/bin/python ask.py | tee seen.txt
diff seen.txt - <<'SEEN'
rfc3161ng has a fraction: True
rfc3161-client has a fraction: False
else equal: True
SEEN
