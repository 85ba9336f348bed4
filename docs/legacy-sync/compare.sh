#!/bin/sh
# Lists what differs in the last 15 days, or between the days FROM and TO. READER_TOKEN is the token
# that POST /api/auth/login gives to a user of all branches with a role of PAYROLL_ROLES. The token
# ends after TOKEN_TTL_MINUTES.
set -eu
FROM=${FROM:-$(date -u -d '-15 days' +%F)} TO=${TO:-$(date -u -d '-1 day' +%F)}
ROWS=$(mktemp)
trap 'rm -f "$ROWS"' EXIT
mysql legacy --default-character-set=utf8mb4 --batch --execute "SELECT log_id, employee_id, kind,
  recorded_at, status FROM checada_logs
  WHERE employee_id IN (SELECT employee_id FROM checada_employees)
  AND local_at BETWEEN '$FROM' - INTERVAL 1 DAY AND '$TO' + INTERVAL 2 DAY" > "$ROWS"
CHECADA_TOKEN=$READER_TOKEN npm run -s sync -- compare --url "$URL" --from $FROM --to $TO < "$ROWS"
