/* A non-blocking byte stream to a server: TCP or a Unix socket, plain or in TLS. */
#ifndef QUIVER_LINK_H
#define QUIVER_LINK_H

#include "core.h"

typedef struct address {
  struct address *next;
  char *host; /* or the path of a Unix socket */
  char port[6];
  bool is_unix, is_tls;
} address;

typedef struct tls_context tls_context;
typedef struct lookup lookup;

typedef struct link_state {
  int descriptor; /* -1: closed */
  bool is_open; /* the socket is connected; TLS may still shake hands */
  bool is_connected, has_input_ended;
  void *tls; /* SSL */
  tls_context *context;
  const char *name; /* that the server's certificate must have; not owned */
  lookup *lookup;   /* of the host's name, on a thread; NULL: it is over */
  const quiver_allocator *allocator;
  buffer cipher; /* encrypted output */
  size_t bytes_without_data; /* of TLS, received since the handshake or the last data */
  void *next_address, *addresses; /* struct addrinfo that is left to try */
  uint8_t first[8]; /* that were received in the handshake of TLS */
  unsigned first_count;
  bool is_foreign; /* what answers does not speak TLS */
  char error[160];
} link_state;

/* The first address of a list; NULL and a reason if it is malformed. */
address *parse_addresses(const quiver_allocator *allocator, const char *text, const char **reason);
void free_addresses(const quiver_allocator *allocator, address *addresses);
/* Whether bytes to it stay on this machine. */
bool is_local(const address *address);

/* NULL and a reason where the files cannot be read or there is no TLS. */
tls_context *tls_context_new(
  const char *ca_file, const char *certificate_file, const char *key_file, const char **reason);
void tls_context_free(tls_context *context);

/* Begins to connect. False: `error` tells why. The name of a host is looked up on a thread, which
 * writes a byte to a duplicate of `wake` when it is done. */
bool link_open(
  link_state *link, const quiver_allocator *allocator, const address *address,
  tls_context *context, const char *server_name, int wake);
/* Continues to connect and to make the TLS handshake. False: it has failed. */
bool link_advance(link_state *link);
/* -1: failed (`error`); 0: nothing now, or the end if has_input_ended; else the bytes read. */
long link_read(link_state *link, uint8_t *data, size_t capacity);
/* -1: failed; else the bytes taken, 0 where it would wait. */
long link_write(link_state *link, const uint8_t *data, size_t length);
/* Whether encrypted bytes wait to be written. */
bool link_has_output(const link_state *link);
/* Ends this direction, with close_notify under TLS. */
void link_half_close(link_state *link);
void link_close(link_state *link);
/* What to poll for. */
short link_events(const link_state *link, bool has_output);

#endif
