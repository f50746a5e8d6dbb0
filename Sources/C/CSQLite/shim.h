#include <sqlite3.h>

// What Swift cannot reach: a macro that casts -1 to a function, and variadic functions.

static inline int quiver_sqlite_bind_text(
    sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int quiver_sqlite_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// Before the first connection of the process; later it changes nothing. Statistics of memory would
// take one lock of the whole process at each allocation.
static inline int quiver_sqlite_configure(void) {
  sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// Takes the statistics after all, for tests; also before the first connection.
static inline int quiver_sqlite_count_memory(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 1);
}

static inline int quiver_sqlite_set_checkpoint_on_close(sqlite3 *connection, int checkpoints) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !checkpoints, (int *)0);
}

static inline int quiver_sqlite_set_defensive(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}
