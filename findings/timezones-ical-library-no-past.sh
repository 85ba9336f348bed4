#!/usr/bin/env bash
# timezones-ical-library 2.3.2 (npm), read by ical.js 2.2.1: the VTIMEZONE block for a calendar of shifts.
# A good guess: a block of America/Mexico_City knows the summer time that Mexico had until 2022.
# What is so: a block has the rules of today alone, dated back to 1970. A shift of July 2022 in a file
# with it begins an hour late: 09:00 of that day is read as 15:00 UTC, and was 14:00.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund timezones-ical-library@2.3.2 ical.js@2.2.1
cat >ask.mjs <<'JS'
import ICAL from 'ical.js'
import { tzlib_get_ical_block } from 'timezones-ical-library'

const zoneName = 'America/Mexico_City'
const [block] = tzlib_get_ical_block(zoneName)
const zone = new ICAL.Timezone(new ICAL.Component(ICAL.parse(block)))
for (const shift of ['2022-07-15T09:00:00', '2026-07-15T09:00:00']) {
  const time = ICAL.Time.fromDateTimeString(shift)
  time.zone = zone
  const read = new Date(time.toUnixTime() * 1000)
  const shown = new Intl.DateTimeFormat('sv', { timeZone: zoneName, timeStyle: 'short' }).format(read)
  console.log(shift, 'is read as', read.toISOString(), 'which was', shown)
}
JS
node ask.mjs | tee seen.txt
diff seen.txt - <<'SEEN'
2022-07-15T09:00:00 is read as 2022-07-15T15:00:00.000Z which was 10:00
2026-07-15T09:00:00 is read as 2026-07-15T15:00:00.000Z which was 09:00
SEEN
