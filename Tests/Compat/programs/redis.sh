# SPDX-License-Identifier: MIT
# redis-server under redis-benchmark on a socket, with a background save (fork). Long.
. "$(dirname "$0")/common.sh"
need redis-server redis-benchmark redis-cli
cli() { redis-cli -s "$work/r.sock" "$@"; }
recorded redis-server --port 0 --unixsocket "$work/r.sock" --dir "$work" --save '' --logfile "$work/log" &
server=$!
await cli ping
redis-benchmark -s "$work/r.sock" -q -n 20000 -r 1000 -t set,get,lpush,sadd,hset,zadd >/dev/null
cli flushall
for i in $(seq 200); do echo "SET key:$i value:$i"; echo "RPUSH list $i"; done | cli | sort | uniq -c | wc -l
cli bgsave >/dev/null
saved() { cli info persistence | grep -q rdb_bgsave_in_progress:0; }
await saved
cli info persistence | grep -a rdb_last_bgsave_status
cli dbsize; cli get key:77; cli llen list
cli shutdown nosave || true
wait "$server"; echo "status $?"
