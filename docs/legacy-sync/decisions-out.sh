#!/bin/sh
# Brings decisions back to the legacy table. Create a table with the position of the next read:
# CREATE TABLE checada_feed (next_after BIGINT); INSERT INTO checada_feed VALUES (0);
set -eu
AFTER=$(mysql legacy --batch --skip-column-names --execute "SELECT next_after FROM checada_feed")
DECISIONS=$(npm run -s sync -- pull --url "$URL" --source legado --after "$AFTER" --table logs \
  --words pending=Pendiente,approved=Aprobado,rejected=Rechazado)
echo "$DECISIONS" | mysql legacy
