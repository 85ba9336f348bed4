#!/usr/bin/env bash
# openpyxl 3.1.5 (PyPI), a total of hours in a cell whose format is hh:mm (not [h]:mm).
# A good guess: the cells of one column of durations are read as one type, or as what is shown.
# What is so: 7:30 is a time, 39:15 is 15:15 of January 1, 1900, and 48:00 is a whole day in 1900, which
# python-calamine 0.9.1 (the other engine of pandas) gives as a date. Who adds up the hours of day
# loses 24 or 48 hours of that week; only a cell in [h]:mm is a timedelta.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
python3 -m venv venv
venv/bin/pip install --quiet openpyxl==3.1.5 python-calamine==0.9.1
cat >ask.py <<'PY'
from datetime import timedelta

import openpyxl
from python_calamine import CalamineWorkbook

book = openpyxl.Workbook()
for row, total in enumerate([timedelta(hours=7.5), timedelta(hours=39.25), timedelta(hours=48)], 1):
    cell = book.active.cell(row, 1, total)
    cell.number_format = 'hh:mm'
book.save('hours.xlsx')

for (cell,), (other,) in zip(
    openpyxl.load_workbook('hours.xlsx').active.iter_rows(values_only=True),
    CalamineWorkbook.from_path('hours.xlsx').get_sheet_by_index(0).to_python(),
):
    print(type(cell).__name__, cell, '| calamine:', type(other).__name__, other)
PY
venv/bin/python ask.py | tee seen.txt
diff seen.txt - <<'SEEN'
time 07:30:00 | calamine: time 07:30:00
datetime 1900-01-01 15:15:00 | calamine: datetime 1900-01-01 15:15:00
datetime 1900-01-02 00:00:00 | calamine: date 1900-01-02
SEEN
