/* SPDX-License-Identifier: MIT */
/* SQLite: a prepared statement per cycle that is stepped and never finalised. The connection stays
 * open. FIXED: sqlite3_finalize. */
#include "bench.h"
#include <sqlite3.h>

static sqlite3_stmt *lookup_prepare(sqlite3 *db)
{
    sqlite3_stmt *st = NULL;
    if (sqlite3_prepare_v2(db, "SELECT name, length(name) FROM city WHERE id = ?1", -1, &st, NULL) != SQLITE_OK) abort();
    return st;
}

static int lookup(sqlite3 *db, int id)
{
    sqlite3_stmt *st = lookup_prepare(db);
    sqlite3_bind_int(st, 1, id % 20);
    int n = sqlite3_step(st) == SQLITE_ROW ? sqlite3_column_int(st, 1) : 0;
#ifdef FIXED
    sqlite3_finalize(st);
#else
    sqlite3_reset(st);
#endif
    return n;
}

static int count_all(sqlite3 *db)
{
    sqlite3_stmt *st = NULL;
    if (sqlite3_prepare_v2(db, "SELECT count(*) FROM city", -1, &st, NULL) != SQLITE_OK) abort();
    int n = sqlite3_step(st) == SQLITE_ROW ? sqlite3_column_int(st, 0) : 0;
    sqlite3_finalize(st);
    return n;
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv), n = 0;
    sqlite3 *db = NULL;
    if (sqlite3_open(":memory:", &db) != SQLITE_OK) return 1;
    sqlite3_exec(db, "CREATE TABLE city(id INTEGER PRIMARY KEY, name TEXT)", NULL, NULL, NULL);
    for (int i = 0; i < 20; i++) {
        char sql[80];
        snprintf(sql, sizeof sql, "INSERT INTO city VALUES(%d, 'city-%d')", i, i);
        sqlite3_exec(db, sql, NULL, NULL, NULL);
    }
    for (int i = 0; i < cycles; i++) {
        n += lookup(db, i) + count_all(db);
        bench_mark("cycle");
    }
    bench_use(&n);
    return bench_done(cycles);
}
