// The rows of a strength log through SQLite's C API, in groups with one commit each, on a store that
// was made by quiverd's own code; and the same rows as the log that an import reads.
#define _GNU_SOURCE
#include "sqlite_store.h"

#include <time.h>

enum { USAGE, CALLER, IMPORT_STATE, INSERT, STORED, GARBAGE, STATEMENTS, EXERCISES = 8 };

// In the order in which the server runs them, the insertion for each row; the bench holds them
// against what it runs.
static const char *const texts[STATEMENTS] = {
    [USAGE] =
        "SELECT rows, bytes, keys, key_bytes, written_bytes FROM usage WHERE principal_id = ?1",
    [CALLER] = "SELECT t.principal_id, t.revoked_at_ms, t.expires_at_ms, p.disabled_at_ms, "
               "p.deleted_at_ms\n"
               "FROM token t JOIN principal p ON p.id = t.principal_id WHERE t.id = ?1",
    [IMPORT_STATE] = "SELECT state FROM lift_import WHERE id = ?1 AND principal_id = ?2",
    [INSERT] = "INSERT INTO lift_set (series_id, client_id, revision, created_at_ms, "
               "updated_at_ms, day, sets,\n  repetitions, weight, unit, one_rep_max_lb)\n"
               "VALUES (?1, ?2, 1, ?3, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    [STORED] = "UPDATE lift_import SET stored_sets = stored_sets + ?2 WHERE id = ?1",
    [GARBAGE] = "SELECT series_id FROM lift_garbage LIMIT 1",
};

static const char *const exercises[EXERCISES] = {
    "Squat",      "Bench Press", "Deadlift",  "Overhead Press",
    "Barbell Row", "Pull Up",    "Lat Pulldown", "External Rotation",
};

// One line of the log: a hundred of them a day, up to 2024-05-31, oldest first.
struct row {
  int day, exercise, sets, repetitions;
  double weight;
};

static struct row row_at(long index, long count) {
  long days = (count + 99) / 100;
  return (struct row){
      .day = (int)(19874 - (days - 1) + index / 100),
      .exercise = (int)(index % EXERCISES),
      .sets = (int)(index % 5) + 1,
      .repetitions = (int)(index * 7 % 12) + 1,
      .weight = 45 + (double)(index * 13 % 140) * 2.5,
  };
}

static void print_log(long count) {
  for (long index = 0; index < count; index++) {
    struct row row = row_at(index, count);
    time_t seconds = (time_t)row.day * 86400;
    struct tm date;
    char day[32];
    gmtime_r(&seconds, &date);
    strftime(day, sizeof day, "%b %d %Y", &date);
    printf("%s,%s,%d,%d,%.1f\n", day, exercises[row.exercise], row.sets, row.repetitions,
           row.weight);
  }
}

static int64_t insert_one(const char *text) {
  check(sqlite3_exec(db, text, NULL, NULL, NULL));
  return sqlite3_last_insert_rowid(db);
}

// Begins an import of principal 1, whose series nobody reads.
static int64_t begin_import(int64_t series[EXERCISES]) {
  int64_t import = insert_one(
      "INSERT INTO lift_import (principal_id, state, replaces, begun_at_ms) VALUES (1, 1, 0, 0)");
  char text[256];
  for (int i = 0; i < EXERCISES; i++) {
    snprintf(text, sizeof text, "INSERT INTO exercise (principal_id, name) VALUES (1, '%s')",
             exercises[i]);
    int64_t exercise = insert_one(text);
    snprintf(text, sizeof text,
             "INSERT INTO lift_series (principal_id, exercise_id, import_id, set_count) "
             "VALUES (1, %lld, %lld, 0)",
             (long long)exercise, (long long)import);
    series[i] = insert_one(text);
  }
  return import;
}

static void insert_row(sqlite3_stmt *s, struct row row, int64_t series, int64_t milliseconds) {
  sqlite3_bind_int64(s, 1, series);
  sqlite3_bind_null(s, 2);
  sqlite3_bind_int64(s, 3, milliseconds);
  sqlite3_bind_int64(s, 4, row.day);
  sqlite3_bind_int64(s, 5, row.sets);
  sqlite3_bind_int64(s, 6, row.repetitions);
  sqlite3_bind_double(s, 7, row.weight);
  sqlite3_bind_int64(s, 8, 1);
  sqlite3_bind_double(s, 9, row.weight * 36 / (37 - row.repetitions));
  run(s);
}

static void write_rows(const char *path, long count, long group) {
  open_store(path);
  int64_t series[EXERCISES], import = begin_import(series), token = token_of(1);
  sqlite3_stmt *begin = prepare("BEGIN IMMEDIATE"), *commit = prepare("COMMIT"), *s[STATEMENTS];
  for (int i = 0; i < STATEMENTS; i++) s[i] = prepare(texts[i]);
  uint64_t cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID), began = now_ns();
  for (long start = 0; start < count; start += group) {
    int64_t milliseconds = (int64_t)(clock_ns(CLOCK_REALTIME) / 1000000u);
    run(begin);
    sqlite3_bind_int64(s[USAGE], 1, 1);
    run(s[USAGE]);
    sqlite3_bind_int64(s[CALLER], 1, token);
    run(s[CALLER]);
    sqlite3_bind_int64(s[IMPORT_STATE], 1, import);
    sqlite3_bind_int64(s[IMPORT_STATE], 2, 1);
    run(s[IMPORT_STATE]);
    long index = start;
    for (; index < count && index < start + group; index++) {
      struct row row = row_at(index, count);
      insert_row(s[INSERT], row, series[row.exercise], milliseconds);
    }
    sqlite3_bind_int64(s[STORED], 1, import);
    sqlite3_bind_int64(s[STORED], 2, index - start);
    run(s[STORED]);
    run(s[GARBAGE]);
    run(commit);
    keep_log();
  }
  printf("{\"rows\":%ld,\"seconds\":%.6f,\"cpuNanoseconds\":%llu}\n", count,
         (double)(now_ns() - began) / 1e9,
         (unsigned long long)(clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu));
  for (int i = 0; i < STATEMENTS; i++) sqlite3_finalize(s[i]);
  sqlite3_finalize(begin);
  sqlite3_finalize(commit);
  check(sqlite3_close(db));
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--statements") == 0) {
    for (int i = 0; i < STATEMENTS; i++) printf("%s%c", texts[i], 0);
  } else if (argc == 3 && strcmp(argv[1], "log") == 0) {
    print_log(atol(argv[2]));
  } else if (argc == 5 && strcmp(argv[1], "write") == 0) {
    write_rows(argv[2], atol(argv[3]), atol(argv[4]));
  } else {
    fprintf(stderr,
            "usage: lifts_direct --statements\n"
            "       lifts_direct log ROWS\n"
            "       lifts_direct write DATABASE ROWS GROUP\n");
    return 64;
  }
  return 0;
}
