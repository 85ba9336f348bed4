#!/usr/bin/env bash
# iclockhelper 0.0.4 (PyPI), an ATTLOG call whose last line ends, as a clock ends it.
# A good guess: a call of two punches is two transactions, which is what "OK: 2" answers.
# What is so: it is three, the last without a person and a time, since what follows the last line end
# counts as a line. Who answers the clock by that count, or stores all of them, has a punch of nobody
# a call. A time without seconds, which some models send, is no time, and no error.
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

URL = 'http://clock.example/iclock/cdata?SN=CLOCK1&table=ATTLOG&Stamp=1'
BODY = b'7\t2026-11-02 08:58:12\t0\t1\n9\t2026-11-02 08:59\t0\t1\n'
call = iclockhelper.CdataRequest.from_req(Request(URL, data=BODY, method='POST'))
for one in call.attendance_log.transactions:
    print(repr(one.pin), one.server_datetime)
PY
venv/bin/python ask.py | tee seen.txt
diff seen.txt - <<'SEEN'
'7' 2026-11-02 08:58:12
'9' None
'' None
SEEN
