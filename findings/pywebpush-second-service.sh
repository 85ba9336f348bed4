#!/usr/bin/env bash
# pywebpush 2.5.0 (PyPI), one dictionary of claims for all subscriptions.
# A good guess: each message is signed for the push service of its own subscription.
# What is so: the first call writes its audience into the caller's dictionary, and later calls keep
# what stands there. The second worker's message goes to Mozilla with a token made for Google, which
# a push service refuses (RFC 8292): phones of one browser hear nothing. A copy for each call cures it.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
python3 -m venv venv
venv/bin/pip install --quiet pywebpush==2.5.0
cat >ask.py <<'PY'
import base64
import json
import os
import re

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid
from pywebpush import webpush


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b'=').decode()


def subscription(endpoint):
    point = ec.generate_private_key(ec.SECP256R1()).public_key()
    p256dh = point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return {'endpoint': endpoint, 'keys': {'p256dh': base64url(p256dh), 'auth': base64url(os.urandom(16))}}


key = Vapid()
key.generate_keys()
claims = {'sub': 'mailto:it@company.example'}
ENDPOINTS = ['https://fcm.googleapis.com/fcm/send/a', 'https://updates.push.services.mozilla.com/wpush/v2/b']
for endpoint in ENDPOINTS:
    # curl=True writes the request down instead of sending it.
    command = webpush(subscription(endpoint), 'Tu checada se rechazó.', key, claims, curl=True)
    payload = re.search(r'vapid t=[^.]+\.([^.]+)\.', command, re.IGNORECASE).group(1)
    audience = json.loads(base64.urlsafe_b64decode(payload + '=='))['aud']
    print('to', endpoint.split('/')[2], '| for', audience)
PY
venv/bin/python ask.py | tee seen.txt
diff seen.txt - <<'SEEN'
to fcm.googleapis.com | for https://fcm.googleapis.com
to updates.push.services.mozilla.com | for https://fcm.googleapis.com
SEEN
