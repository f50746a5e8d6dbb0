#include <libpq-fe.h>

// What Swift cannot reach: fields of errors, whose names are character constants, and the notice
// processor, whose default writes to the standard error stream.

static inline const char *quiver_pg_sqlstate(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

static inline const char *quiver_pg_message(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}

static inline const char *quiver_pg_constraint(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_CONSTRAINT_NAME);
}

static inline void quiver_pg_ignore_notice(void *context, const PGresult *result) {
  (void)context;
  (void)result;
}

static inline void quiver_pg_ignore_notices(PGconn *connection) {
  PQsetNoticeReceiver(connection, quiver_pg_ignore_notice, (void *)0);
}
