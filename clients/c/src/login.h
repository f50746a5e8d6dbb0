/* The server and the token of a client: those of its options, else of the environment, else of a
 * context that `quiver login` stored. clients/logins/cases.txt has the rule as cases. */
#ifndef QUIVER_LOGIN_H
#define QUIVER_LOGIN_H

#include "quiver/quiver.h"

/* What is used; NULL: nothing. The texts are those of the options, of the environment or of `memory`. */
typedef struct login {
  const char *server, *token_file, *ca_file, *certificate_file, *key_file, *server_name;
  char *memory;
} login;

/* NULL, or why nothing can be used; login_free frees what was found in both cases. */
const char *login_find(
  const quiver_allocator *allocator, const quiver_options *options, login *found);
void login_free(const quiver_allocator *allocator, login *found);

#endif
