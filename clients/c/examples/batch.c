/* Creates risers, 64 at a time, over asynchronous calls.
 *
 * usage: batch [COUNT]   the server and the token are those of the environment, or of quiver login
 *
 * Prints how many were created, and exits with 1 if that is not COUNT (1000). */
#include <stdio.h>
#include <stdlib.h>

#include "quiver/services.h"

#define IN_FLIGHT 64

static long submitted, created;

static void submit(quiver_client *client) {
  char model[32];
  snprintf(model, sizeof model, "Batch %ld", ++submitted);
  Quiver__V1__Riser riser = QUIVER__V1__RISER__INIT;
  riser.brand = "Hoyt";
  riser.model = model;
  Quiver__V1__CreateRiserRequest request = QUIVER__V1__CREATE_RISER_REQUEST__INIT;
  request.riser = &riser;
  if (quiver_submit(client, &quiver_equipment_create_riser_method, NULL, &request.base, NULL) == NULL)
    exit(1); /* No memory. */
}

static void take(quiver_call *call) {
  ProtobufCMessage *riser;
  quiver_code code = quiver_stream_reply(call, &quiver__v1__riser__descriptor, &riser);
  if (code == QUIVER_OK)
    created++;
  else
    fprintf(stderr, "%s: %s\n", quiver_code_name(code), quiver_call_status(call)->message);
  quiver_message_free(riser);
  quiver_call_free(call);
}

int main(int argc, char **argv) {
  long count = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
  const char *error;
  quiver_client *client = quiver_client_new(NULL, &error);
  if (client == NULL) return fprintf(stderr, "%s\n", error), 1;
  long ended = 0;
  while (ended < count) {
    while (submitted < count && submitted - ended < IN_FLIGHT) submit(client);
    quiver_client_turn(client, -1);
    for (quiver_call *call; (call = quiver_client_next(client)) != NULL; ended++) take(call);
  }
  quiver_client_free(client);
  printf("%ld\n", created);
  return created == count ? 0 : 1;
}
