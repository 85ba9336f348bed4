#!/usr/bin/env bash
# xlsx2csv 0.8.6 (PyPI), of a sheet with hours that openpyxl 3.1.5 has written.
# A good guess: a time of the format hh:mm:ss keeps its seconds, and hours of the format [h]:mm come out
# as hours.
# What is so: 08:58:12 becomes 08:58, and 39:15 becomes 1.635417, a number of days.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
python3 -m venv made
made/bin/pip install --quiet xlsx2csv==0.8.6 openpyxl==3.1.5
cat >write.py <<'PY'
from datetime import time, timedelta
from openpyxl import Workbook

book = Workbook()
sheet = book.active
sheet.append(["entry", "hours"])
sheet.append([time(8, 58, 12), timedelta(hours=7, minutes=30)])
sheet.append([time(9, 1, 59), timedelta(hours=39, minutes=15)])
for row in (2, 3):
    sheet.cell(row, 1).number_format = "hh:mm:ss"
    sheet.cell(row, 2).number_format = "[h]:mm"
book.save("hours.xlsx")
PY
made/bin/python write.py
made/bin/xlsx2csv hours.xlsx | tee seen.txt
diff seen.txt - <<'SEEN'
entry,hours
08:58,0.3125
09:01,1.635417
SEEN
