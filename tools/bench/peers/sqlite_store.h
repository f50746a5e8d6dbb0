// A connection to a store that was made by quiverd's own code, as its writer has it.
#ifndef QUIVER_BENCH_SQLITE_STORE_H
#define QUIVER_BENCH_SQLITE_STORE_H

#include "measure.h"

#include <sqlite3.h>

// The same that the server sets on the connection that writes.
static const char store_pragmas[] =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA mmap_size = 0;"
    "PRAGMA cache_size = -32768; PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON;"
    "PRAGMA trusted_schema = OFF; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 0";

static const int forced_checkpoint_frames = (8 << 20) / 4120;

static sqlite3 *db;
static int wal_frames;

static inline void check(int result) {
  if (result == SQLITE_OK || result == SQLITE_ROW || result == SQLITE_DONE) return;
  fprintf(stderr, "SQLite: %s\n", sqlite3_errmsg(db));
  exit(1);
}

static inline int count_frames(void *context, sqlite3 *connection, const char *name, int frames) {
  (void)connection, (void)name;
  *(int *)context = frames;
  return SQLITE_OK;
}

static inline sqlite3_stmt *prepare(const char *text) {
  sqlite3_stmt *statement = NULL;
  check(sqlite3_prepare_v3(db, text, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL));
  return statement;
}

static inline void open_store(const char *path) {
  sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  check(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL));
  check(sqlite3_exec(db, store_pragmas, NULL, NULL, NULL));
  sqlite3_wal_hook(db, count_frames, &wal_frames);
}

// What the writer does behind a group.
static inline void keep_log(void) {
  if (wal_frames >= forced_checkpoint_frames)
    check(sqlite3_wal_checkpoint_v2(db, NULL, SQLITE_CHECKPOINT_RESTART, NULL, NULL));
}

static inline void run(sqlite3_stmt *statement) {
  int result;
  while ((result = sqlite3_step(statement)) == SQLITE_ROW) {}
  check(result);
  sqlite3_reset(statement);
}

// The token that the callers of a principal show.
static inline int64_t token_of(int64_t principal) {
  sqlite3_stmt *statement = prepare("SELECT id FROM token WHERE principal_id = ?1");
  sqlite3_bind_int64(statement, 1, principal);
  if (sqlite3_step(statement) != SQLITE_ROW) die("a principal has no token");
  int64_t id = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  return id;
}

#endif
