#!/usr/bin/env bash
# date-holidays 3.37.0 (npm), Mexico, public holidays.
# A good guess: the package knows the rest day on which the presidency changes, every six years.
# What is so: for 2024 and 2030 it names December 1. Since 2024 the handover, and with it the rest
# day of article 74 of the labour law, is on October 1: a payroll that asks the package pays an
# ordinary October 1 and a double December 1.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund date-holidays@3.37.0
cat >ask.mjs <<'JS'
import Holidays from 'date-holidays'

const mexico = new Holidays('MX')
for (const year of [2018, 2024, 2030]) {
  const days = mexico.getHolidays(year).filter(({ type }) => type === 'public')
  const handover = days.filter(({ name }) => name.startsWith('Transmisión'))
  console.log(year, handover.map(({ date }) => date.slice(5, 10)).join())
}
JS
node ask.mjs | tee seen.txt
diff seen.txt - <<'SEEN'
2018 12-01
2024 12-01
2030 12-01
SEEN
