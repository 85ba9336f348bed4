#!/usr/bin/env bash
# tz-lookup 6.1.25 (npm): the zone of a branch from its place on a map.
# A good guess: Ciudad Juárez has the zone America/Ciudad_Juarez.
# What is so: the library answers America/Ojinaga, its zone until November 2022. Juárez has been an
# hour behind Ojinaga since then, so each punch of the branch would be shown an hour late, in summer
# and in winter. (Coyhaique in Chile gets America/Santiago, its zone until 2025: an hour early in
# winter.)
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund tz-lookup@6.1.25
cat >ask.cjs <<'JS'
const zoneAt = require('tz-lookup')

const hour = (moment, timeZone) =>
  new Intl.DateTimeFormat('sv', { timeZone, hour: '2-digit', minute: '2-digit' }).format(new Date(moment))
const zone = zoneAt(31.6904, -106.4245)
for (const moment of ['2026-01-15T16:00:00Z', '2026-07-15T16:00:00Z']) {
  console.log(moment, zone, hour(moment, zone), '| in Juárez', hour(moment, 'America/Ciudad_Juarez'))
}
JS
node ask.cjs | tee seen.txt
diff seen.txt - <<'SEEN'
2026-01-15T16:00:00Z America/Ojinaga 10:00 | in Juárez 09:00
2026-07-15T16:00:00Z America/Ojinaga 11:00 | in Juárez 10:00
SEEN
