#!/bin/bash
# Copies the primary once, and goes on copying what it writes. PGPASSWORD is that of the user `replicator`.
set -euo pipefail
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  pg_basebackup -h primary -U replicator -D "$PGDATA" -R -X stream -c fast
  chmod 700 "$PGDATA"
fi
exec postgres
