#!/usr/bin/env bash
# HyperFormula 3.5.0 (npm): TEXT of a week's hours.
# A good guess: "[h]:mm" counts hours past 24, as in the spreadsheets that it stands in for.
# What is so: it keeps the brackets as text, and the hour begins anew each day: 39:15 is shown as
# [15]:15. "[hh]:mm" counts: 39:15.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund hyperformula@3.5.0
cat >ask.cjs <<'JS'
const { HyperFormula } = require('hyperformula')

const formats = ['[h]:mm', '[hh]:mm']
const formulas = formats.map((format) => `=TEXT(A2,"${format}")`)
const sheet = HyperFormula.buildFromArray([formulas, [(39 + 15 / 60) / 24]], { licenseKey: 'gpl-v3' })
const [texts] = sheet.getSheetValues(0)
for (const [index, format] of formats.entries()) console.log('39:15 as', format, 'is', texts[index])
JS
node ask.cjs | tee seen.txt
diff seen.txt - <<'SEEN'
39:15 as [h]:mm is [15]:15
39:15 as [hh]:mm is 39:15
SEEN
