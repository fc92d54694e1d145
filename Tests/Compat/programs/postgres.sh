# SPDX-License-Identifier: MIT
# postgres: initdb, a server with its children, pgbench. Long.
. "$(dirname "$0")/common.sh"
need psql
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
[ -x "$bin/postgres" ] || { echo 'no postgres server here' >&2; exit 77; }
as=()
if [ "$(id -u)" = 0 ]; then
    need runuser
    as=(runuser -u postgres --)
    chown postgres "$work"; chmod 777 "${TRACES:-$work}"
fi
recorded "${as[@]}" "$bin/initdb" -D "$work/data" -A trust --no-sync >/dev/null
recorded "${as[@]}" "$bin/postgres" -D "$work/data" -k "$work" -c listen_addresses= -c fsync=off >log 2>&1 &
server=$!
ask() { "${as[@]}" psql -h "$work" -d postgres -Atc "$1"; }
await ask 'select 1'
"${as[@]}" "$bin/pgbench" -h "$work" -i -s 1 -q postgres >/dev/null 2>&1
"${as[@]}" "$bin/pgbench" -h "$work" -c 4 -t 200 -n postgres 2>/dev/null | grep -E '^number of (failed )?transactions'
ask 'select count(*) from pgbench_accounts'
ask 'select count(*) from pgbench_history'
kill -INT "$(head -n 1 data/postmaster.pid)"; wait "$server" || true
tail -n 1 log | grep -c 'is shut down'
