# SPDX-License-Identifier: MIT
# nginx with a worker, under wrk where it is installed, reloaded once and stopped. Long.
. "$(dirname "$0")/common.sh"
need nginx curl
mkdir -p logs www && seq 10000 > www/numbers.txt
cat > nginx.conf <<END
worker_processes 1; pid $work/nginx.pid; error_log $work/logs/error.log; daemon off;
events { worker_connections 64; }
http { access_log off; client_body_temp_path $work/t1; proxy_temp_path $work/t2; fastcgi_temp_path $work/t3;
  uwsgi_temp_path $work/t4; scgi_temp_path $work/t5; gzip on; gzip_types text/plain;
  server { listen unix:$work/n.sock; listen 127.0.0.1:18089; root $work/www; } }
END
chmod 755 "$work" www
# Not by `recorded`: signals are to reach nginx, and a function in the background is a shell of its own.
env ${PRELOAD:+LD_PRELOAD="$PRELOAD"} nginx -p "$work" -c "$work/nginx.conf" &
server=$!
get() { curl -s --unix-socket "$work/n.sock" "http://localhost/$1"; }
await get numbers.txt
get numbers.txt | sha1sum
curl -s --compressed --unix-socket "$work/n.sock" http://localhost/numbers.txt | sha1sum
get absent | grep -c 404
if command -v wrk >/dev/null; then wrk -t1 -c16 -d3s http://127.0.0.1:18089/numbers.txt >/dev/null; fi
kill -HUP "$server"; await get numbers.txt; get numbers.txt | wc -l
kill -QUIT "$server"; wait "$server"; echo "status $?"
