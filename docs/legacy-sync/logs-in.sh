#!/bin/sh
# Sends the rows of the legacy database since one day before the moment up to which the source is
# complete. An argument is another number of days. Local time is up to eight hours behind UTC.
# `mysql` prints nothing if there are no rows: --allow-empty accepts that.
set -eu
FROM=$(npm run -s sync -- since --url "$URL" --source legado --days "${1:-1}")
NOW=$(date -u +%FT%TZ)
ROWS=$(mktemp)
trap 'rm -f "$ROWS"' EXIT
mysql legacy --default-character-set=utf8mb4 --batch --execute "SELECT log_id, employee_id, kind,
  recorded_at FROM checada_logs WHERE local_at >= '$FROM' - INTERVAL 8 HOUR" > "$ROWS"
npm run -s sync -- push --url "$URL" --source legado --complete-until "$NOW" --allow-empty < "$ROWS"
