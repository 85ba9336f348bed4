#!/usr/bin/env bash
# read-excel-file 9.3.17 (npm).
# A good guess: a punch at a whole second is read as that second.
# What is so: 18 of a minute's 60 punches are read a millisecond early, as ...58.999 for 59, so that
# who cuts milliseconds off pays from a second too early. The cell has the nearest double of its day
# and fraction, and the library cuts; ExcelJS 4.4.0 rounds, and is exact.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund read-excel-file@9.3.17 exceljs@4.4.0
cat >ask.mjs <<'JS'
import ExcelJS from 'exceljs'
import * as reader from 'read-excel-file/node'

const FILE = 'punches.xlsx'
const first = Date.parse('2026-11-02T08:58:00Z')
const punches = Array.from({ length: 60 }, (_, second) => new Date(first + second * 1000))
const book = new ExcelJS.Workbook()
const sheet = book.addWorksheet('Checadas')
for (const punch of punches) sheet.addRow([punch]).getCell(1).numFmt = 'dd/mm/yyyy hh:mm:ss'
await book.xlsx.writeFile(FILE)

const early = (read) => punches.filter((punch, row) => read[row] < punch).length
const rows = await reader.readSheet(FILE)
const again = new ExcelJS.Workbook()
await again.xlsx.readFile(FILE)
console.log('read-excel-file:', early(rows.map(([cell]) => cell)), 'of 60 early')
console.log('exceljs:', early(punches.map((_, row) => again.worksheets[0].getCell(row + 1, 1).value)), 'of 60 early')
const [late] = punches.map((punch, row) => [punch, rows[row][0]]).filter(([punch, read]) => read < punch)
console.log(late.map((time) => time.toISOString().slice(11, 23)).join(' is read as '))
JS
node ask.mjs | tee seen.txt
diff seen.txt - <<'SEEN'
read-excel-file: 18 of 60 early
exceljs: 0 of 60 early
08:58:00.000 is read as 08:57:59.999
SEEN
