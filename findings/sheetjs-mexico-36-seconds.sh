#!/usr/bin/env bash
# SheetJS (xlsx 0.18.5, npm), cellDates: true, on a computer in America/Mexico_City.
# A good guess: a punch that the sheet shows as 08:58:12 is read as 08:58:12 of the local time.
# What is so: it is read as 08:58:47. The library counts from 1899, when the zone's offset was
# 6 h 36 min 36 s, and leaves the 36 seconds in; so each punch is 36 seconds late. (A computer in UTC
# reads 08:58:11.999.) The cell's text, read without cellDates, is exact.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund xlsx@0.18.5
cat >write.cjs <<'JS'
const XLSX = require('xlsx')

// 08:58:12 on November 2, 2026, in days since 1899-12-30, as a spreadsheet stores it.
const punch = { t: 'n', v: 46328 + (8 * 3600 + 58 * 60 + 12) / 86400, z: 'dd/mm/yyyy hh:mm:ss' }
const sheet = { '!ref': 'A1', A1: punch }
XLSX.writeFile({ SheetNames: ['Checadas'], Sheets: { Checadas: sheet } }, 'punches.xlsx')
JS
cat >read.cjs <<'JS'
const XLSX = require('xlsx')

const dates = XLSX.readFile('punches.xlsx', { cellDates: true }).Sheets.Checadas.A1.v
const text = XLSX.readFile('punches.xlsx').Sheets.Checadas.A1.w
const local = dates.toTimeString().slice(0, 8)
console.log(process.env.TZ, local, dates.getMilliseconds(), '| shown:', text)
JS
node write.cjs
for zone in UTC America/Mexico_City; do TZ=$zone node read.cjs; done | tee seen.txt
diff seen.txt - <<'SEEN'
UTC 08:58:11 999 | shown: 02/11/2026 08:58:12
America/Mexico_City 08:58:47 999 | shown: 02/11/2026 08:58:12
SEEN
