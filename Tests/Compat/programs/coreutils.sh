# SPDX-License-Identifier: MIT
# bash, sort, awk, sed, find, xargs, tar, xz with threads: short-lived programs in pipelines. Short.
. "$(dirname "$0")/common.sh"
need bash sort awk tar xz
recorded bash -c '
set -e
seq 50000 | awk "{ print \$1 * 7919 % 50021, \"line\", \$1 }" > lines
sort -n lines --parallel=2 -S 2M | sha1sum
sort -R --random-source=lines lines | sort -u | wc -l
sed -E "s/([0-9]+) line/\1 row/" lines | grep -c row
mkdir tree; for i in 1 2 3 4 5 6 7 8; do cp lines tree/$i; done
tar -C tree -cf - . --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner | xz -T2 -0 | xz -dc | sha1sum
find tree -type f -print0 | xargs -0 -n 2 -P 2 wc -l | grep -c tree
a=(); for i in {1..2000}; do a+=("item $i"); done; echo "${#a[@]} ${a[1999]}"
( exit 5 ) || echo "status $?"
'
