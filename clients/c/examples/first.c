/* Creates a riser and prints its id.
 *
 * The server and the token are those of the environment ($QUIVER_SERVER, $QUIVER_TOKEN_FILE), or of quiver login. */
#include <stdio.h>

#include "quiver/services.h"

int main(void) {
  const char *error;
  quiver_client *client = quiver_client_new(NULL, &error);
  if (client == NULL) return fprintf(stderr, "%s\n", error), 1;

  Quiver__V1__Riser riser = QUIVER__V1__RISER__INIT, *made;
  riser.brand = "Hoyt";
  riser.model = "Formula XD";
  Quiver__V1__CreateRiserRequest request = QUIVER__V1__CREATE_RISER_REQUEST__INIT;
  request.riser = &riser;

  quiver_call *call;
  quiver_code code = quiver_equipment_create_riser(client, &request, NULL, &made, &call);
  if (code == QUIVER_OK)
    printf("%lld\n", (long long)made->id);
  else if (call != NULL)
    fprintf(stderr, "%s: %s\n", quiver_code_name(code), quiver_call_status(call)->message);
  quiver_message_free(made);
  quiver_call_free(call);
  quiver_client_free(client);
  return code == QUIVER_OK ? 0 : 1;
}
