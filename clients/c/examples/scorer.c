/* Scores a tournament that survives lost connections and restarts of the server.
 *
 * usage: scorer [ARCHERS [ENDS]]   the server and the token are those of the environment, or of quiver login
 *
 * Every arrow has a client_id, so that it may be sent until it is acknowledged and counts once. The
 * program prints each end, compares the standings with its own sums, and exits with 1 if they
 * differ. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "quiver/services.h"

#define MOST_ARCHERS 64

static void fail(const char *what) {
  fprintf(stderr, "scorer: %s\n", what);
  exit(1);
}

static ProtobufCBinaryData client_id(uint8_t *bytes) {
  quiver_uuid7(bytes);
  return (ProtobufCBinaryData){QUIVER_UUID_BYTES, bytes};
}

/* Whether a call that ended with this code is made again, with the same key. */
static bool again(quiver_client *client, quiver_code code, quiver_call *call) {
  if (code == QUIVER_OK) {
    quiver_call_free(call);
    return false;
  }
  const quiver_status *status = call != NULL ? quiver_call_status(call) : NULL;
  fprintf(
    stderr, "again: %s: %s\n", quiver_code_name(code), status != NULL ? status->message : "");
  quiver_call_free(call);
  if (code != QUIVER_UNAVAILABLE && code != QUIVER_DEADLINE_EXCEEDED) fail("the call failed");
  quiver_client_turn(client, 200);
  return true;
}

static uint8_t key[QUIVER_KEY_BYTES];

/* Options of a call with a key of its own. */
static quiver_call_options keyed(void) {
  quiver_call_options options;
  memset(&options, 0, sizeof options);
  if (getrandom(key, sizeof key, 0) != sizeof key) fail("no random bytes");
  options.key = key;
  options.timeout_ms = 10000;
  options.wait_for_ready = true;
  return options;
}

static Quiver__V1__TournamentEvent *create(quiver_client *client) {
  Quiver__V1__FormatReference format = QUIVER__V1__FORMAT_REFERENCE__INIT;
  Quiver__V1__CreateTournamentRequest request = QUIVER__V1__CREATE_TOURNAMENT_REQUEST__INIT;
  uint8_t id[QUIVER_UUID_BYTES];
  format.codename = "wa18";
  request.name = "Indoor evening";
  request.format = &format;
  request.client_id = client_id(id);
  quiver_call_options options = keyed();
  Quiver__V1__TournamentEvent *event;
  quiver_call *call;
  quiver_code code;
  do {
    code = quiver_tournament_create_tournament(client, &request, &options, &event, &call);
  } while (again(client, code, call));
  return event;
}

static Quiver__V1__AddEntriesResponse *enter(quiver_client *client, int64_t event, size_t archers) {
  static Quiver__V1__EntryDraft drafts[MOST_ARCHERS];
  static Quiver__V1__EntryDraft *entries[MOST_ARCHERS];
  static uint8_t ids[MOST_ARCHERS][QUIVER_UUID_BYTES];
  static char names[MOST_ARCHERS][32];
  Quiver__V1__AddEntriesRequest request = QUIVER__V1__ADD_ENTRIES_REQUEST__INIT;
  for (size_t place = 0; place < archers; place++) {
    quiver__v1__entry_draft__init(&drafts[place]);
    snprintf(names[place], sizeof names[place], "Archer %zu", place + 1);
    drafts[place].name = names[place];
    drafts[place].client_id = client_id(ids[place]);
    entries[place] = &drafts[place];
  }
  request.tournament_id = event;
  request.n_entries = archers;
  request.entries = entries;
  quiver_call_options options = keyed();
  Quiver__V1__AddEntriesResponse *entered;
  quiver_call *call;
  quiver_code code;
  do {
    code = quiver_tournament_add_entries(client, &request, &options, &entered, &call);
  } while (again(client, code, call));
  return entered;
}

static void begin(quiver_client *client, int64_t event) {
  Quiver__V1__StartTournamentRequest request = QUIVER__V1__START_TOURNAMENT_REQUEST__INIT;
  request.id = event;
  quiver_call_options options = keyed();
  quiver_code code;
  quiver_call *call;
  do {
    Quiver__V1__TournamentEvent *reply;
    code = quiver_tournament_start_tournament(client, &request, &options, &reply, &call);
    quiver_message_free(reply);
  } while (again(client, code, call));
}

/* Records three arrows; their sum. */
static int64_t record(quiver_client *client, int64_t participant, uint32_t end) {
  Quiver__V1__ScoringOperation arrows[3], *operations[3];
  uint8_t ids[3][QUIVER_UUID_BYTES];
  int64_t sum = 0;
  for (uint32_t place = 0; place < 3; place++) {
    quiver__v1__scoring_operation__init(&arrows[place]);
    arrows[place].client_id = client_id(ids[place]);
    arrows[place].kind = QUIVER__V1__OPERATION_KIND__OPERATION_KIND_RECORD;
    arrows[place].participant_id = participant;
    arrows[place].end_index = end;
    arrows[place].arrow_index = place;
    arrows[place].optional_value_case =
      QUIVER__V1__SCORING_OPERATION__OPTIONAL_VALUE_VALUE;
    arrows[place].value = 6 + rand() % 5;
    operations[place] = &arrows[place];
    sum += arrows[place].value;
  }
  Quiver__V1__RecordEndRequest request = QUIVER__V1__RECORD_END_REQUEST__INIT;
  request.n_operations = 3;
  request.operations = operations;
  quiver_call_options options = keyed();
  quiver_code code;
  quiver_call *call;
  do {
    Quiver__V1__ScoreResponse *reply;
    code = quiver_tournament_record_end(client, &request, &options, &reply, &call);
    quiver_message_free(reply);
  } while (again(client, code, call));
  return sum;
}

static bool agrees(
  quiver_client *client, int64_t event, const Quiver__V1__AddEntriesResponse *entered,
  const int64_t *totals) {
  Quiver__V1__GetStandingsRequest request = QUIVER__V1__GET_STANDINGS_REQUEST__INIT;
  request.tournament_id = event;
  quiver_call_options options = {.wait_for_ready = true};
  Quiver__V1__GetStandingsResponse *standings;
  quiver_call *call;
  quiver_code code;
  do {
    code = quiver_tournament_get_standings(client, &request, &options, &standings, &call);
  } while (again(client, code, call));
  bool is_equal = standings->n_rows == entered->n_participants;
  for (size_t row = 0; row < standings->n_rows; row++)
    for (size_t place = 0; place < entered->n_participants; place++)
      if (standings->rows[row]->participant_id == entered->participants[place]->id)
        is_equal = is_equal && standings->rows[row]->total == totals[place];
  quiver_message_free(standings);
  return is_equal;
}

int main(int count, char **words) {
  long archers = count > 1 ? strtol(words[1], NULL, 10) : 4;
  long ends = count > 2 ? strtol(words[2], NULL, 10) : 10;
  if (archers < 1 || archers > MOST_ARCHERS || ends < 1) fail("usage: scorer [ARCHERS [ENDS]]");
  const char *error;
  quiver_client *client = quiver_client_new(NULL, &error);
  if (client == NULL) fail(error);
  srand((unsigned)time(NULL));
  Quiver__V1__TournamentEvent *event = create(client);
  Quiver__V1__AddEntriesResponse *entered = enter(client, event->id, (size_t)archers);
  begin(client, event->id);
  int64_t totals[MOST_ARCHERS] = {0}, sum = 0;
  for (long end = 0; end < ends; end++) {
    for (size_t place = 0; place < entered->n_participants; place++) {
      int64_t shot = record(client, entered->participants[place]->id, (uint32_t)end);
      totals[place] += shot;
      sum += shot;
    }
    printf("end %ld: %lld\n", end + 1, (long long)sum);
    fflush(stdout);
  }
  bool is_equal = agrees(client, event->id, entered, totals);
  puts(is_equal ? "the standings are those of the arrows" : "the standings differ");
  quiver_message_free(entered);
  quiver_message_free(event);
  quiver_client_free(client);
  return is_equal ? 0 : 1;
}
