#!/usr/bin/env bash
# workalendar 17.0.0 (PyPI), class Mexico.
# A good guess: December 31 is a working day unless it is a Sunday, since no law gives it off.
# What is so: it is off, as "New Year Day substitute", before each January 1 but one on a Monday.
# (The source means a January 1 on a Saturday.) A count of working days of the last fortnight of
# the year is one short.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
python3 -m venv venv
venv/bin/pip install --quiet workalendar==17.0.0
cat >ask.py <<'PY'
from datetime import date

from workalendar.america import Mexico

for year in (2024, 2026, 2027, 2029, 2030):
    last, first = date(year, 12, 31), date(year + 1, 1, 1)
    print(last, 'works' if Mexico().is_working_day(last) else 'is off', 'before a', first.strftime('%A'))
PY
venv/bin/python ask.py | tee seen.txt
diff seen.txt - <<'SEEN'
2024-12-31 is off before a Wednesday
2026-12-31 is off before a Friday
2027-12-31 is off before a Saturday
2029-12-31 is off before a Tuesday
2030-12-31 is off before a Wednesday
SEEN
