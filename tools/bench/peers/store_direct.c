// The statements of one keyed CreateRiser through SQLite's C API, in groups with one commit each, on
// a store that was made by quiverd's own code; and what an fdatasync takes on the same disk.
#define _GNU_SOURCE
#include "sqlite_store.h"

#include <fcntl.h>

enum { FIND_KEY, USAGE, CALLER, TOTAL, INSERT, INSERT_OWN, COUNT, JOURNAL, KEEP_KEY, STORED, KEYS, STATEMENTS };

// In the order in which the server runs them; the bench holds them against what it runs.
static const char *const texts[STATEMENTS] = {
    [FIND_KEY] =
        "SELECT request_hash, reply FROM idempotency_key WHERE key = ?1 AND principal_id = ?2",
    [USAGE] =
        "SELECT rows, bytes, keys, key_bytes, written_bytes FROM usage WHERE principal_id = ?1",
    [CALLER] = "SELECT t.principal_id, t.revoked_at_ms, t.expires_at_ms, p.disabled_at_ms, "
               "p.deleted_at_ms\n"
               "FROM token t JOIN principal p ON p.id = t.principal_id WHERE t.id = ?1",
    [TOTAL] =
        "SELECT coalesce(sum(active + archived), 0) FROM equipment_count WHERE principal_id = ?1",
    [INSERT] =
        "INSERT INTO equipment (principal_id, type, client_id, revision, archived, created_at_ms,\n"
        "  updated_at_ms, display_brand, display_model, brand, model, notes)\n"
        "VALUES (?1, ?2, ?3, 1, 0, ?4, ?4, ?5, ?6, ?7, ?8, ?9)",
    [INSERT_OWN] = "INSERT INTO riser (id, length_in, material, weight_g, grip_type) "
                   "VALUES (?1, ?2, ?3, ?4, ?5)",
    [COUNT] = "INSERT INTO equipment_count (principal_id, type, active, archived) "
              "VALUES (?1, ?2, ?3, ?4)\n"
              "ON CONFLICT (principal_id, type) DO UPDATE SET active = equipment_count.active + ?3,\n"
              "  archived = equipment_count.archived + ?4",
    [JOURNAL] = "INSERT INTO journal (principal_id, topic, kind, object_id, change, at_ms)\n"
                "VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    [KEEP_KEY] = "INSERT INTO idempotency_key (key, principal_id, request_hash, reply, at_ms)\n"
                 "VALUES (?1, ?2, ?3, ?4, ?5)",
    [STORED] = "UPDATE usage SET rows = rows + ?2, bytes = bytes + ?3, keys = keys + ?4,\n"
               "  key_bytes = key_bytes + ?5, written_bytes = written_bytes + ?6\n"
               "WHERE principal_id = ?1",
    // Once for each group.
    [KEYS] = "UPDATE kept_key SET keys = keys + ?1, bytes = bytes + ?2",
};

static sqlite3_stmt *statements[STATEMENTS], *begin, *commit;
static uint64_t next_key;

static void open_database(const char *path) {
  open_store(path);
  for (int i = 0; i < STATEMENTS; i++) statements[i] = prepare(texts[i]);
  begin = prepare("BEGIN IMMEDIATE");
  commit = prepare("COMMIT");
}

static void bind_text(sqlite3_stmt *statement, int index, const char *text) {
  check(sqlite3_bind_text(statement, index, text, -1, SQLITE_TRANSIENT));
}

static void bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  check(sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT));
}

static void create_riser(int64_t principal, int64_t token, int64_t milliseconds) {
  uint8_t key[16] = {0}, hash[32] = {7}, reply[72] = {8};
  uint64_t number = next_key++;
  for (int i = 0; i < 8; i++) key[i] = (uint8_t)(number >> (56 - 8 * i));

  sqlite3_stmt *s = statements[FIND_KEY];
  bind_blob(s, 1, key, sizeof key);
  sqlite3_bind_int64(s, 2, principal);
  run(s);
  sqlite3_bind_int64(statements[USAGE], 1, principal);
  run(statements[USAGE]);
  sqlite3_bind_int64(statements[CALLER], 1, token);
  run(statements[CALLER]);
  sqlite3_bind_int64(statements[TOTAL], 1, principal);
  run(statements[TOTAL]);

  s = statements[INSERT];
  sqlite3_bind_int64(s, 1, principal);
  sqlite3_bind_int64(s, 2, 1);
  sqlite3_bind_null(s, 3);
  sqlite3_bind_int64(s, 4, milliseconds);
  bind_text(s, 5, "Hoyt");
  bind_text(s, 6, "Formula Xi");
  bind_text(s, 7, "Hoyt");
  bind_text(s, 8, "Formula Xi");
  sqlite3_bind_null(s, 9);
  run(s);
  int64_t id = sqlite3_last_insert_rowid(db);

  s = statements[INSERT_OWN];
  sqlite3_bind_int64(s, 1, id);
  for (int i = 2; i <= 5; i++) sqlite3_bind_null(s, i);
  run(s);

  s = statements[COUNT];
  int64_t counted[] = {principal, 1, 1, 0};
  for (int i = 0; i < 4; i++) sqlite3_bind_int64(s, i + 1, counted[i]);
  run(s);

  s = statements[JOURNAL];
  int64_t journaled[] = {principal, 0, 16, id, 1, milliseconds};
  for (int i = 0; i < 6; i++) sqlite3_bind_int64(s, i + 1, journaled[i]);
  run(s);

  s = statements[KEEP_KEY];
  bind_blob(s, 1, key, sizeof key);
  sqlite3_bind_int64(s, 2, principal);
  bind_blob(s, 3, hash, sizeof hash);
  bind_blob(s, 4, reply, sizeof reply);
  sqlite3_bind_int64(s, 5, milliseconds);
  run(s);

  s = statements[STORED];
  int64_t stored[] = {principal, 1, 284, 1, 128 + sizeof reply, 412 + sizeof reply};
  for (int i = 0; i < 6; i++) sqlite3_bind_int64(s, i + 1, stored[i]);
  run(s);
}

static void count_keys(int group) {
  sqlite3_stmt *s = statements[KEYS];
  sqlite3_bind_int64(s, 1, group);
  sqlite3_bind_int64(s, 2, group * (128 + 72));
  run(s);
}

static void write_groups(const char *path, int principals, int group, double seconds) {
  open_database(path);
  int64_t *tokens = malloc((size_t)principals * sizeof *tokens);
  for (int i = 0; i < principals; i++) tokens[i] = token_of(1 + i);
  next_key = clock_ns(CLOCK_REALTIME);
  uint64_t cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  uint64_t began = now_ns(), ends = began + (uint64_t)(seconds * 1e9), now = began, commands = 0;
  for (; now < ends; now = now_ns()) {
    int64_t milliseconds = (int64_t)(clock_ns(CLOCK_REALTIME) / 1000000u);
    run(begin);
    for (int i = 0; i < group; i++)
      create_riser(1 + i % principals, tokens[i % principals], milliseconds);
    count_keys(group);
    run(commit);
    commands += (uint64_t)group;
    keep_log();
  }
  printf("{\"commands\":%llu,\"seconds\":%.6f,\"cpuNanoseconds\":%llu}\n",
         (unsigned long long)commands, (double)(now - began) / 1e9,
         (unsigned long long)(clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu));
  for (int i = 0; i < STATEMENTS; i++) sqlite3_finalize(statements[i]);
  sqlite3_finalize(begin);
  sqlite3_finalize(commit);
  check(sqlite3_close(db));
  free(tokens);
}

// Writes as much as a commit of one command does, into a file that has its size, and syncs it.
static void sync_pages(const char *path, int pages, double seconds) {
  static uint8_t page[4120];
  static struct histogram latencies;
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), frames = 1024;
  if (file < 0) die(path);
  for (int i = 0; i < frames; i++)
    if (pwrite(file, page, sizeof page, i * (off_t)sizeof page) < 0) die("pwrite");
  if (fdatasync(file) != 0) die("fdatasync");
  uint64_t ends = now_ns() + (uint64_t)(seconds * 1e9);
  for (int at = 0; now_ns() < ends;) {
    for (int i = 0; i < pages; i++, at = (at + 1) % frames)
      if (pwrite(file, page, sizeof page, at * (off_t)sizeof page) < 0) die("pwrite");
    uint64_t began = now_ns();
    if (fdatasync(file) != 0) die("fdatasync");
    histogram_add(&latencies, now_ns() - began);
  }
  printf("{\"syncs\":%llu,\"p50Nanoseconds\":%llu}\n", (unsigned long long)latencies.count,
         (unsigned long long)histogram_quantile(&latencies, 0.5));
  close(file);
  unlink(path);
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--statements") == 0) {
    for (int i = 0; i < STATEMENTS; i++) printf("%s%c", texts[i], 0);
  } else if (argc == 6 && strcmp(argv[1], "write") == 0) {
    write_groups(argv[2], atoi(argv[3]), atoi(argv[4]), atof(argv[5]));
  } else if (argc == 5 && strcmp(argv[1], "sync") == 0) {
    sync_pages(argv[2], atoi(argv[3]), atof(argv[4]));
  } else {
    fprintf(stderr,
            "usage: store_direct --statements\n"
            "       store_direct write DATABASE PRINCIPALS GROUP SECONDS\n"
            "       store_direct sync FILE PAGES SECONDS\n");
    return 64;
  }
  return 0;
}
