# SPDX-License-Identifier: MIT
# sqlite3: many small statements, joins, a recursive query, an error, integrity check. Short.
. "$(dirname "$0")/common.sh"
need sqlite3
{
    echo 'CREATE TABLE u(id INTEGER PRIMARY KEY, name TEXT, age INT); BEGIN;'
    for i in $(seq 3000); do echo "INSERT INTO u(name, age) VALUES('user $i', $((i * 7919 % 90)));"; done
    echo 'COMMIT; CREATE INDEX by_age ON u(age, name); SELECT age, count(*), group_concat(id) FROM u GROUP BY age LIMIT 5;'
    echo 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 20000) SELECT sum(x) FROM n;'
    echo 'SELECT a.age, count(*) FROM u a JOIN u b ON a.age = b.age GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 3;'
    echo 'DELETE FROM u WHERE id % 3 = 0; VACUUM; PRAGMA integrity_check; SELECT missing FROM u;'
} > script.sql
recorded sqlite3 test.db < script.sql 2>&1 || echo "status $?"
