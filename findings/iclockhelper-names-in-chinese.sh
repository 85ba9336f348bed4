#!/usr/bin/env bash
# iclockhelper 0.0.4 (PyPI), which reads the calls of ADMS clocks (/iclock/cdata).
# A good guess: a name that a clock sends in UTF-8 is read as UTF-8, or is an error.
# What is so: what is no ASCII is read as GB18030. The two bytes of each Spanish accent are one Chinese
# character there, so "Muñoz" becomes another name without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
python3 -m venv venv
venv/bin/pip install --quiet iclockhelper==0.0.4 setuptools==75.8.0
cat >ask.py <<'PY'
import warnings

warnings.simplefilter('ignore')
from urllib.request import Request

import iclockhelper

URL = 'http://clock.example/iclock/cdata?SN=CLOCK1&table=OPERLOG&OpStamp=1'
LINE = 'USER PIN=7\tName={}\tPri=0\tPasswd=\tCard=\tGrp=1\tTZ=0\n'

for name in ('Ana Ruiz', 'Luis Muñoz', 'José'):
    request = Request(URL, data=LINE.format(name).encode('utf-8'), method='POST')
    call = iclockhelper.CdataRequest.from_req(request)
    print(name, '->', *[user.name for user in call.operation_log.users])
PY
venv/bin/python ask.py | tee seen.txt
diff seen.txt - <<'SEEN'
Ana Ruiz -> Ana Ruiz
Luis Muñoz -> Luis Mu帽oz
José -> Jos茅
SEEN
