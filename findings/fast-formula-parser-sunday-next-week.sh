#!/usr/bin/env bash
# fast-formula-parser 1.0.19 (npm): the ISO week of a day, by which overtime is counted.
# A good guess: Sunday, November 15, 2026, is in week 46, and January 3, 2027, in week 53 of 2026.
# What is so: on a computer in UTC they are in weeks 47 and 1, those of the Monday after. In Mexico City
# they are right: the number depends on the computer's zone.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund fast-formula-parser@1.0.19
cat >ask.cjs <<'JS'
const FormulaParser = require('fast-formula-parser')

const parser = new FormulaParser({})
const week = (day) => parser.parse(`ISOWEEKNUM("${day}")`, { row: 1, col: 1, sheet: '' })
const days = ['2026-11-14', '2026-11-15', '2026-11-16', '2027-01-03']
console.log(process.env.TZ, days.map((day) => `${day}: ${week(day)}`).join(', '))
JS
for zone in UTC America/Mexico_City; do TZ=$zone node ask.cjs; done | tee seen.txt
diff seen.txt - <<'SEEN'
UTC 2026-11-14: 46, 2026-11-15: 47, 2026-11-16: 47, 2027-01-03: 1
America/Mexico_City 2026-11-14: 46, 2026-11-15: 46, 2026-11-16: 47, 2027-01-03: 53
SEEN
