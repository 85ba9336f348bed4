#!/usr/bin/env bash
# windows-iana 5.1.0 (npm): a zone of Windows, as the programs of wall clocks write it, in IANA's names.
# A good guess: the first name for "Mountain Standard Time (Mexico)" keeps the hours of that zone, and
# every zone of Mexico has a name in Windows.
# What is so: the first one is America/Chihuahua, which left the zone in October 2022 for UTC-6;
# Mazatlán, whose computers are set to it, has UTC-7. America/Ciudad_Juarez has no name at all.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund windows-iana@5.1.0
cat >ask.cjs <<'JS'
const { findIana, findWindows } = require('windows-iana')

const hour = (timeZone) =>
  new Intl.DateTimeFormat('sv', { timeZone, hour: '2-digit', minute: '2-digit' }).format(
    new Date('2026-11-02T16:00:00Z'),
  )
const [first, second] = findIana('Mountain Standard Time (Mexico)')
console.log('first:', first, hour(first), '| then:', second, hour(second))
console.log('names of America/Ciudad_Juarez in Windows:', findWindows('America/Ciudad_Juarez').length)
JS
node ask.cjs | tee seen.txt
diff seen.txt - <<'SEEN'
first: America/Chihuahua 10:00 | then: America/Mazatlan 09:00
names of America/Ciudad_Juarez in Windows: 0
SEEN
