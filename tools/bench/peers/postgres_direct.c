// The statements of one keyed CreateRiser through libpq, in the transactions of the server and in as
// few round trips as their results permit; and a read of one riser by its prepared statement. Each
// thread has a connection, and principals of its own.
#define _GNU_SOURCE
#include "measure.h"

#include <endian.h>
#include <libpq-fe.h>
#include <pthread.h>

enum {
  FIND_KEY, BEGIN, LOCK, USAGE, CALLER, TOTAL, INSERT, INSERT_OWN, COUNT, JOURNAL, KEEP_KEY,
  NO_TIMEOUT, COMMIT, STATEMENTS, READ = STATEMENTS
};

// In the order in which the server runs them; the bench holds them against what it runs.
static const char *const texts[STATEMENTS + 1] = {
    [FIND_KEY] =
        "SELECT request_hash, reply FROM idempotency_key WHERE key = $1 AND principal_id = $2",
    [BEGIN] = "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE",
    [LOCK] = "LOCK TABLE migration IN ROW SHARE MODE",
    [USAGE] =
        "SELECT rows, bytes, keys, key_bytes, written_bytes FROM usage WHERE principal_id = $1",
    [CALLER] = "SELECT 1 FROM principal\n"
               "WHERE id = $1 AND (disabled_at_ms IS NOT NULL OR deleted_at_ms IS NOT NULL)",
    [TOTAL] =
        "SELECT coalesce(sum(active + archived), 0) FROM equipment_count WHERE principal_id = $1",
    [INSERT] =
        "INSERT INTO equipment (principal_id, type, client_id, revision, archived, created_at_ms,\n"
        "  updated_at_ms, display_brand, display_model, brand, model, notes)\n"
        "VALUES ($1, $2, $3, 1, 0, $4, $4, $5, $6, $7, $8, $9) RETURNING id",
    [INSERT_OWN] = "INSERT INTO riser (id, length_in, material, weight_g, grip_type) "
                   "VALUES ($1, $2, $3, $4, $5)",
    [COUNT] = "INSERT INTO equipment_count (principal_id, type, active, archived) "
              "VALUES ($1, $2, $3, $4)\n"
              "ON CONFLICT (principal_id, type) DO UPDATE SET active = equipment_count.active + $3,\n"
              "  archived = equipment_count.archived + $4",
    [JOURNAL] = "INSERT INTO journal (sequence, principal_id, topic, kind, object_id, change, at_ms)\n"
                "VALUES (journal_position($7), $1, $2, $3, $4, $5, $6) RETURNING sequence",
    [KEEP_KEY] = "INSERT INTO idempotency_key (key, principal_id, request_hash, reply, at_ms)\n"
                 "VALUES ($1, $2, $3, $4, $5)",
    [NO_TIMEOUT] = "SET LOCAL statement_timeout = 0",
    [COMMIT] = "COMMIT",
    [READ] =
        "SELECT e.id, e.client_id, e.revision, e.archived, e.created_at_ms, e.updated_at_ms,\n"
        "  e.setup_use_count, e.brand, e.model, e.notes, o.length_in, o.material, o.weight_g, "
        "o.grip_type\n"
        "FROM equipment e JOIN riser o ON o.id = e.id\n"
        "WHERE e.id = $1 AND e.principal_id = $2 AND e.deleted_at_ms IS NULL",
};

// What the server sets on connections for commands.
static const char settings[] =
    "SET idle_in_transaction_session_timeout = 10000; SET statement_timeout = 10000;"
    "SET jit = off; SET enable_seqscan = off; SET lock_timeout = 2000";

static const char *address;
static uint64_t ends;
static int64_t read_id, read_principal;

struct worker {
  pthread_t thread;
  PGconn *connection;
  int number, principals, step;
  uint64_t next_key, count, conflicts;
  struct histogram latencies;
};

static void fail(PGconn *connection) {
  fprintf(stderr, "PostgreSQL: %s\n", PQerrorMessage(connection));
  exit(1);
}

static void fail_by(const PGresult *result) {
  fprintf(stderr, "PostgreSQL: %s\n", PQresultErrorMessage(result));
  exit(1);
}

static void ignore_notice(void *context, const PGresult *result) {
  (void)context, (void)result;
}

static PGconn *open_database(int first, int last) {
  PGconn *connection = PQconnectdb(address);
  if (PQstatus(connection) != CONNECTION_OK) fail(connection);
  PQsetNoticeReceiver(connection, ignore_notice, NULL);
  PGresult *result = PQexec(connection, settings);
  if (PQresultStatus(result) != PGRES_COMMAND_OK) fail(connection);
  PQclear(result);
  for (int i = first; i < last; i++) {
    char name[16];
    snprintf(name, sizeof name, "s%d", i);
    result = PQprepare(connection, name, texts[i], 0, NULL);
    if (PQresultStatus(result) != PGRES_COMMAND_OK) fail(connection);
    PQclear(result);
  }
  if (!PQenterPipelineMode(connection)) fail(connection);
  return connection;
}

// The values of a statement, all in the binary format.
struct values {
  int count;
  const char *bytes[9];
  int lengths[9], formats[9];
  int64_t numbers[9];
};

static void add(struct values *v, const void *bytes, int length) {
  v->bytes[v->count] = bytes;
  v->lengths[v->count] = length;
  v->formats[v->count++] = 1;
}

static void add_number(struct values *v, int64_t number) {
  v->numbers[v->count] = (int64_t)htobe64((uint64_t)number);
  add(v, &v->numbers[v->count], 8);
}

static void add_text(struct values *v, const char *text) { add(v, text, (int)strlen(text)); }

static void send_statement(PGconn *connection, int statement, const struct values *v) {
  char name[16];
  snprintf(name, sizeof name, "s%d", statement);
  if (!PQsendQueryPrepared(connection, name, v ? v->count : 0, v ? v->bytes : NULL,
                           v ? v->lengths : NULL, v ? v->formats : NULL, 1))
    fail(connection);
}

// Receives the answers up to the end of so many segments; the first column of the last row that is
// a bigint is the result, and -1 a conflict.
static int64_t receive(PGconn *connection, int segments) {
  int64_t found = 0;
  while (segments > 0) {
    PGresult *result = PQgetResult(connection);
    // There is one behind the answer of each statement.
    if (!result) continue;
    switch (PQresultStatus(result)) {
      case PGRES_PIPELINE_SYNC: segments--; break;
      case PGRES_TUPLES_OK:
        if (PQntuples(result) == 1 && PQgetlength(result, 0, 0) == 8) {
          uint64_t number;
          memcpy(&number, PQgetvalue(result, 0, 0), sizeof number);
          if (found >= 0) found = (int64_t)be64toh(number);
        }
        break;
      case PGRES_COMMAND_OK:
      case PGRES_PIPELINE_ABORTED: break;
      case PGRES_FATAL_ERROR: {
        const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
        if (!state || strncmp(state, "40", 2) != 0) fail_by(result);
        found = -1;
        break;
      }
      default: fail_by(result);
    }
    PQclear(result);
  }
  return found;
}

static void end_segment(PGconn *connection) {
  if (!PQpipelineSync(connection)) fail(connection);
}

static void roll_back(PGconn *connection) {
  if (!PQsendQueryParams(connection, "ROLLBACK", 0, NULL, NULL, NULL, NULL, 1)) fail(connection);
  end_segment(connection);
  receive(connection, 1);
}

// Returns 0 after a conflict.
static int create_riser(PGconn *c, int64_t principal, const uint8_t key[16]) {
  static const uint8_t hash[32] = {7}, reply[72] = {8};
  int64_t milliseconds = (int64_t)(clock_ns(CLOCK_REALTIME) / 1000000u);
  struct values v = {0};
  add(&v, key, 16);
  add_number(&v, principal);
  send_statement(c, FIND_KEY, &v);
  end_segment(c);
  send_statement(c, BEGIN, NULL);
  send_statement(c, LOCK, NULL);
  for (int i = USAGE; i <= TOTAL; i++) {
    v = (struct values){0};
    add_number(&v, principal);
    send_statement(c, i, &v);
  }
  end_segment(c);
  if (receive(c, 2) < 0) return 0;

  v = (struct values){0};
  add_number(&v, principal);
  add_number(&v, 1);
  add(&v, NULL, 0);
  add_number(&v, milliseconds);
  for (int i = 0; i < 2; i++) {
    add_text(&v, "Hoyt");
    add_text(&v, "Formula Xi");
  }
  add(&v, NULL, 0);
  send_statement(c, INSERT, &v);
  end_segment(c);
  int64_t id = receive(c, 1);
  if (id < 0) return 0;

  v = (struct values){0};
  add_number(&v, id);
  for (int i = 0; i < 4; i++) add(&v, NULL, 0);
  send_statement(c, INSERT_OWN, &v);
  v = (struct values){0};
  int64_t counted[] = {principal, 1, 1, 0};
  for (int i = 0; i < 4; i++) add_number(&v, counted[i]);
  send_statement(c, COUNT, &v);
  v = (struct values){0};
  int64_t journaled[] = {principal, 0, 16, id, 1, milliseconds, 0};
  for (int i = 0; i < 7; i++) add_number(&v, journaled[i]);
  send_statement(c, JOURNAL, &v);
  v = (struct values){0};
  add(&v, key, 16);
  add_number(&v, principal);
  add(&v, hash, sizeof hash);
  add(&v, reply, sizeof reply);
  add_number(&v, milliseconds);
  send_statement(c, KEEP_KEY, &v);
  send_statement(c, NO_TIMEOUT, NULL);
  send_statement(c, COMMIT, NULL);
  end_segment(c);
  return receive(c, 1) >= 0;
}

static void *write_risers(void *argument) {
  struct worker *w = argument;
  uint64_t now = now_ns();
  for (int64_t turn = 0; now < ends; turn++) {
    int own = w->principals / w->step;
    int64_t principal = 1 + w->number + (turn % (own > 0 ? own : 1)) * w->step;
    uint8_t key[16] = {0};
    uint64_t number = htobe64(w->next_key++);
    memcpy(key, &number, sizeof number);
    key[15] = (uint8_t)w->number;
    uint64_t began = now;
    while (!create_riser(w->connection, principal, key)) {
      roll_back(w->connection);
      w->conflicts++;
    }
    now = now_ns();
    histogram_add(&w->latencies, now - began);
    w->count++;
  }
  return NULL;
}

static void *read_risers(void *argument) {
  struct worker *w = argument;
  uint64_t now = now_ns();
  while (now < ends) {
    struct values v = {0};
    add_number(&v, read_id);
    add_number(&v, read_principal);
    uint64_t began = now;
    send_statement(w->connection, READ, &v);
    end_segment(w->connection);
    if (receive(w->connection, 1) != read_id) {
      fprintf(stderr, "there is no such riser\n");
      exit(1);
    }
    now = now_ns();
    histogram_add(&w->latencies, now - began);
    w->count++;
  }
  return NULL;
}

static void measure(int count, double seconds, int principals, void *(*body)(void *)) {
  int reads = body == read_risers;
  struct worker *workers = calloc((size_t)count, sizeof *workers);
  if (!workers) die("calloc");
  for (int i = 0; i < count; i++) {
    workers[i].connection = open_database(reads ? READ : 0, reads ? READ + 1 : STATEMENTS);
    workers[i].number = i;
    workers[i].step = count;
    workers[i].principals = principals;
    workers[i].next_key = clock_ns(CLOCK_REALTIME);
  }
  uint64_t cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID), began = now_ns();
  ends = began + (uint64_t)(seconds * 1e9);
  for (int i = 0; i < count; i++)
    if (pthread_create(&workers[i].thread, NULL, body, &workers[i]) != 0) die("pthread_create");
  uint64_t total = 0, conflicts = 0;
  static struct histogram latencies;
  for (int i = 0; i < count; i++) {
    pthread_join(workers[i].thread, NULL);
    total += workers[i].count;
    conflicts += workers[i].conflicts;
    for (int j = 0; j < 64 * 64; j++) latencies.buckets[j] += workers[i].latencies.buckets[j];
    latencies.count += workers[i].latencies.count;
    PQfinish(workers[i].connection);
  }
  printf("{\"commands\":%llu,\"conflicts\":%llu,\"seconds\":%.6f,\"p50Nanoseconds\":%llu,"
         "\"cpuNanoseconds\":%llu}\n",
         (unsigned long long)total, (unsigned long long)conflicts,
         (double)(now_ns() - began) / 1e9,
         (unsigned long long)histogram_quantile(&latencies, 0.5),
         (unsigned long long)(clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu));
  free(workers);
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--statements") == 0) {
    for (int i = 0; i <= STATEMENTS; i++) printf("%s%c", texts[i], 0);
  } else if (argc == 6 && strcmp(argv[1], "write") == 0) {
    address = argv[2];
    measure(atoi(argv[4]), atof(argv[5]), atoi(argv[3]), write_risers);
  } else if (argc == 7 && strcmp(argv[1], "read") == 0) {
    address = argv[2];
    read_id = atoll(argv[5]);
    read_principal = atoll(argv[6]);
    measure(atoi(argv[3]), atof(argv[4]), 0, read_risers);
  } else {
    fprintf(stderr,
            "usage: postgres_direct --statements\n"
            "       postgres_direct write ADDRESS PRINCIPALS CONNECTIONS SECONDS\n"
            "       postgres_direct read ADDRESS CONNECTIONS SECONDS RISER PRINCIPAL\n");
    return 64;
  }
  return 0;
}
