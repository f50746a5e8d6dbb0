/* Frames and TLS records that are cut, too long, out of order, repeated or random. */
#include "hostile_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#ifdef QUIVER_TLS
#include <openssl/err.h>
#include <openssl/ssl.h>
#endif

#include "core.h"

#define MOST_FRAMES 24
#define MOST_STREAMS_HERE 32

/* Bytes that are made. */
typedef struct bytes {
  uint8_t *data;
  size_t length, capacity;
} bytes;

/* A connection, and what is to be done to it. */
typedef struct peer {
  hostile_server *server;
  dice *dice;
  int socket;
  void *ssl;
  bool spoils_records; /* and not frames */
  uint32_t calm;       /* how many times rarer than usual faults are */
  bytes input;
  size_t parsed;
  uint32_t ids[MOST_STREAMS_HERE];
  unsigned id_count;
  bool has_hello, has_ended;
} peer;

static void put(bytes *bytes, const void *data, size_t length) {
  if (bytes->length + length > bytes->capacity) {
    bytes->capacity = (bytes->length + length) * 2 + 64;
    bytes->data = realloc(bytes->data, bytes->capacity);
    if (bytes->data == NULL) abort();
  }
  if (length > 0) memcpy(bytes->data + bytes->length, data, length);
  bytes->length += length;
}

static void put_random(dice *dice, bytes *bytes, size_t length) {
  for (; length > 0; length--) {
    uint8_t one = (uint8_t)roll(dice);
    put(bytes, &one, 1);
  }
}

/* Whether a fault is due that is one in `count` at the worst connection. */
static bool fails(peer *peer, uint32_t count) { return chance(peer->dice, count * peer->calm); }

/* ---- Spoiling bytes of any kind */

static void spoil(dice *dice, bytes *bytes) {
  for (unsigned count = 1 + below(dice, 3); count > 0 && bytes->length > 0; count--) {
    uint32_t at = below(dice, (uint32_t)bytes->length);
    size_t left = bytes->length - at, size = 1 + below(dice, (uint32_t)(left < 64 ? left : 64));
    if (size > left) size = left;
    switch (below(dice, 6)) {
    case 0:
      bytes->data[at] ^= (uint8_t)(1u << below(dice, 8));
      break;
    case 1: /* The rest is missing. */
      bytes->length = at;
      break;
    case 2: /* A part is missing. */
      memmove(bytes->data + at, bytes->data + at + size, left - size);
      bytes->length -= size;
      break;
    case 3: { /* A part comes twice. */
      uint8_t copy[64];
      memcpy(copy, bytes->data + at, size);
      put(bytes, copy, size);
      break;
    }
    case 4:
      bytes->data[at] = (uint8_t)roll(dice);
      break;
    default:
      put_random(dice, bytes, size);
    }
  }
}

/* ---- Payloads */

static void put_number(bytes *bytes, uint64_t number) {
  uint8_t out[10];
  put(bytes, out, put_varint(out, number));
}

/* Fields of protobuf, most of them valid. */
static void put_fields(dice *dice, bytes *out, unsigned level) {
  for (unsigned count = below(dice, 6); count > 0; count--) {
    static const uint8_t types[] = {0, 0, 0, 2, 2, 2, 2, 1, 5};
    unsigned type = chance(dice, 40) ? below(dice, 8) : types[below(dice, sizeof types)];
    put_number(out, (uint64_t)(1 + below(dice, 16)) << 3 | type);
    if (type == 0) {
      put_number(out, chance(dice, 3) ? roll(dice) : below(dice, 20));
    } else if (type == 1 || type == 5) {
      put_random(dice, out, type == 1 ? 8 : 4);
    } else {
      bytes inner = {0};
      if (level < 4 && chance(dice, 2))
        put_fields(dice, &inner, level + 1);
      else if (chance(dice, 2))
        put(&inner, "text of a field", below(dice, 16));
      else
        put_random(dice, &inner, below(dice, 40));
      put_number(out, chance(dice, 40) ? roll(dice) >> below(dice, 64) : inner.length);
      put(out, inner.data, inner.length);
      free(inner.data);
    }
  }
}

static void put_payload(peer *peer, bytes *out, enum frame_type type, unsigned flags) {
  dice *dice = peer->dice;
  switch (type) {
  case CREDIT:
    put(out, (uint8_t[8]){0, 0, 0, 0, 0, (uint8_t)(16 + below(dice, 200)), 0, 0}, 8);
    return;
  case PING:
    put_random(dice, out, 8);
    return;
  case STATUS:
  case CANCEL:
  case GOAWAY:
    if (chance(dice, 2)) {
      put_number(out, 1 << 3);
      put_number(out, below(dice, 18));
    }
    if (fails(peer, 2)) put_fields(dice, out, 1);
    return;
  case DATA:
  case RESPONSE:
    if ((flags & MORE) != 0 || chance(dice, 6)) {
      /* A payload of EchoMessage. */
      size_t size = 1024 + below(dice, 14000);
      put_number(out, 1 << 3 | 2);
      put_number(out, size);
      put_random(dice, out, size);
      return;
    }
    if (fails(peer, 2)) put_fields(dice, out, 0);
    return;
  default:
    if (fails(peer, 2)) put_fields(dice, out, 1);
  }
}

static void put_frame(peer *peer, bytes *out, enum frame_type type, unsigned flags, uint32_t id) {
  dice *dice = peer->dice;
  bytes payload = {0};
  put_payload(peer, &payload, type, flags);
  size_t length = payload.length;
  if (fails(peer, 60)) length = (size_t)(roll(dice) & 0xFFFFFF) >> below(dice, 20);
  uint8_t header[HEADER_BYTES] = {
    (uint8_t)(length >> 16), (uint8_t)(length >> 8), (uint8_t)length, (uint8_t)((unsigned)type << 4 | flags),
    (uint8_t)(id >> 24), (uint8_t)(id >> 16), (uint8_t)(id >> 8), (uint8_t)id};
  put(out, header, HEADER_BYTES);
  put(out, payload.data, payload.length);
  free(payload.data);
}

/* A frame that could be an answer. */
static void put_answer(peer *peer, bytes *out) {
  static const enum frame_type types[] = {
    HEADERS, DATA, DATA, DATA, DATA, RESPONSE, RESPONSE, STATUS, STATUS, CREDIT, PING, CANCEL, GOAWAY};
  dice *dice = peer->dice;
  enum frame_type type = types[below(dice, sizeof types / sizeof types[0] - (fails(peer, 8) ? 0 : 2))];
  uint32_t id = peer->id_count > 0 ? peer->ids[below(dice, peer->id_count)] : 1;
  if (type == PING || type == GOAWAY || (type == CREDIT && chance(dice, 2))) id = 0;
  if (fails(peer, 50)) id = (uint32_t)roll(dice) >> below(dice, 32);
  unsigned flags = 0;
  if ((type == DATA || type == RESPONSE) && chance(dice, 6)) flags = MORE;
  if ((type == DATA || type == RESPONSE) && fails(peer, 12)) flags |= COMPRESSED;
  if (fails(peer, 60)) flags = below(dice, 16);
  if (fails(peer, 80)) type = (enum frame_type)below(dice, 16);
  put_frame(peer, out, type, flags, id);
}

/* ---- Input and output */

static void write_all(peer *peer, const uint8_t *data, size_t length) {
  while (length > 0 && !peer->has_ended) {
    size_t part = chance(peer->dice, 3) ? 1 + below(peer->dice, 40) : length;
    ssize_t count = send(peer->socket, data, part < length ? part : length, MSG_NOSIGNAL);
    if (count <= 0) {
      peer->has_ended = true;
      return;
    }
    data += count;
    length -= (size_t)count;
  }
}

#ifdef QUIVER_TLS
/* A record of a random type and length. */
static void put_record(dice *dice, bytes *out) {
  size_t length = chance(dice, 4) ? below(dice, 65536) : below(dice, 400);
  uint8_t header[5] = {(uint8_t)(20 + below(dice, 6)), 3, (uint8_t)below(dice, 5), (uint8_t)(length >> 8), (uint8_t)length};
  put(out, header, 5);
  put_random(dice, out, chance(dice, 4) ? below(dice, 500) : length);
}

static void flush_tls(peer *peer, bool is_spoiled) {
  uint8_t *made;
  BIO *output = SSL_get_wbio(peer->ssl);
  long length = BIO_get_mem_data(output, &made);
  bytes out = {0};
  if (is_spoiled && fails(peer, 4)) put_record(peer->dice, &out);
  put(&out, made, length > 0 ? (size_t)length : 0);
  (void)BIO_reset(output);
  if (is_spoiled && fails(peer, 4)) put_record(peer->dice, &out);
  if (is_spoiled && fails(peer, 3)) spoil(peer->dice, &out);
  write_all(peer, out.data, out.length);
  free(out.data);
}

static bool shake_hands(peer *peer) {
  SSL *ssl = peer->ssl = SSL_new(peer->server->tls);
  SSL_set0_rbio(ssl, BIO_new_socket(peer->socket, BIO_NOCLOSE));
  SSL_set0_wbio(ssl, BIO_new(BIO_s_mem()));
  SSL_set_accept_state(ssl);
  for (unsigned turn = 0; turn < 10 && !peer->has_ended; turn++) {
    ERR_clear_error();
    int result = SSL_do_handshake(ssl);
    flush_tls(peer, peer->spoils_records && chance(peer->dice, 8));
    if (result == 1) return true;
    if (SSL_get_error(ssl, result) != SSL_ERROR_WANT_READ) return false;
  }
  return false;
}

static int choose(
  SSL *ssl, const unsigned char **chosen, unsigned char *length, const unsigned char *offered, unsigned size,
  void *argument) {
  (void)ssl;
  (void)argument;
  *chosen = offered + 1;
  *length = offered[0];
  return size > offered[0] ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}
#endif

static void send_bytes(peer *peer, const bytes *out) {
#ifdef QUIVER_TLS
  if (peer->ssl != NULL) {
    ERR_clear_error();
    for (size_t at = 0; at < out->length;) {
      size_t part = 1 + below(peer->dice, 20000);
      if (part > out->length - at) part = out->length - at;
      if (SSL_write(peer->ssl, out->data + at, (int)part) <= 0) break;
      if (peer->spoils_records && chance(peer->dice, 20)) (void)SSL_key_update(peer->ssl, SSL_KEY_UPDATE_REQUESTED);
      if (peer->spoils_records && chance(peer->dice, 20)) (void)SSL_new_session_ticket(peer->ssl);
      at += part;
    }
    flush_tls(peer, peer->spoils_records && chance(peer->dice, 3));
    return;
  }
#endif
  write_all(peer, out->data, out->length);
}

static void receive_bytes(peer *peer) {
  uint8_t data[16384];
  long count;
#ifdef QUIVER_TLS
  if (peer->ssl != NULL) {
    ERR_clear_error();
    count = SSL_read(peer->ssl, data, sizeof data);
    if (count <= 0 && SSL_get_error(peer->ssl, (int)count) != SSL_ERROR_WANT_READ) peer->has_ended = true;
  } else
#endif
  {
    count = recv(peer->socket, data, sizeof data, 0);
    if (count == 0 || (count < 0 && errno != EAGAIN)) peer->has_ended = true;
  }
  if (count > 0) put(&peer->input, data, (size_t)count);
}

/* Compares the token of a HELLO with that of the client. */
static void check_token(peer *peer, const uint8_t *data, size_t length) {
  reader reader = {data, data + length, false};
  field field;
  const char *token = peer->server->token;
  bool is_right = false;
  while (read_field(&reader, &field))
    if (field.number == 14 && field.type == 2)
      is_right = field.length == strlen(token) && memcmp(field.data, token, field.length) == 0;
  if (!is_right) peer->server->wrong_tokens++;
}

/* Reads the frames of the client, for its token and the ids of its calls. */
static void parse(peer *peer) {
  const bytes *input = &peer->input;
  if (input->length < PREFACE_BYTES) return;
  if (peer->parsed == 0) peer->parsed = PREFACE_BYTES;
  while (input->length - peer->parsed >= HEADER_BYTES) {
    const uint8_t *header = input->data + peer->parsed;
    size_t size = (size_t)header[0] << 16 | (size_t)header[1] << 8 | header[2];
    if (input->length - peer->parsed - HEADER_BYTES < size) return;
    unsigned type = header[3] >> 4;
    if (type == HELLO) {
      peer->has_hello = true;
      check_token(peer, header + HEADER_BYTES, size);
    }
    if (type == REQUEST && peer->id_count < MOST_STREAMS_HERE)
      peer->ids[peer->id_count++] = (uint32_t)header[4] << 24 | (uint32_t)header[5] << 16 |
                                    (uint32_t)header[6] << 8 | header[7];
    peer->parsed += HEADER_BYTES + size;
  }
}

/* ---- A connection */

static void greet(peer *peer) {
  static const uint8_t hello[] = {0x91, 0x51, 0x56, 0x52, 0x0D, 0x0A, 0x1A, 1, 0, 0, 0, 0x10, 0, 0, 0, 0};
  bytes out = {0};
  if (fails(peer, 12)) {
    put(&out, hello, PREFACE_BYTES);
    put_frame(peer, &out, HELLO, 0, 0);
  } else {
    put(&out, hello, sizeof hello);
  }
  if (!peer->spoils_records && fails(peer, 20)) spoil(peer->dice, &out);
  send_bytes(peer, &out);
  free(out.data);
}

static void answer(peer *peer) {
  bytes out = {0};
  for (unsigned count = below(peer->dice, MOST_FRAMES); count > 0; count--) {
    bytes one = {0};
    put_answer(peer, &one);
    if (!peer->spoils_records && fails(peer, 40)) spoil(peer->dice, &one);
    put(&out, one.data, one.length);
    free(one.data);
  }
  if (!peer->spoils_records && fails(peer, 40)) put_random(peer->dice, &out, below(peer->dice, 100));
  send_bytes(peer, &out);
  free(out.data);
}

static void serve(hostile_server *server, int socket) {
  peer peer = {.server = server, .dice = &server->dice, .socket = socket};
  struct timeval wait = {0, 5000};
  (void)setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
  static const uint32_t calms[] = {1, 10, 100};
  peer.calm = calms[below(peer.dice, 3)];
  peer.spoils_records = chance(peer.dice, 2);
  uint8_t first = 0;
  for (unsigned turn = 0; turn < 10 && recv(socket, &first, 1, MSG_PEEK) < 0; turn++) continue;
#ifdef QUIVER_TLS
  if (first == 22 && server->tls != NULL) peer.has_ended = !shake_hands(&peer);
#endif
  for (unsigned turn = 0; turn < 20 && !peer.has_hello && !peer.has_ended; turn++) {
    receive_bytes(&peer);
    parse(&peer);
  }
  if (peer.has_hello) server->connections++;
  if (atomic_load(&server->is_brief)) peer.has_ended = true;
  if (peer.has_hello && !peer.has_ended) greet(&peer);
  for (unsigned turn = 1 + below(peer.dice, 6); turn > 0 && !peer.has_ended; turn--) {
    receive_bytes(&peer);
    parse(&peer);
    answer(&peer);
  }
#ifdef QUIVER_TLS
  if (peer.ssl != NULL && chance(peer.dice, 2)) {
    (void)SSL_shutdown(peer.ssl);
    flush_tls(&peer, false);
  }
  SSL_free(peer.ssl);
  ERR_clear_error();
#endif
  free(peer.input.data);
  close(socket);
}

void hostile_server_open(hostile_server *server, uint64_t seed, const char *certificates) {
  struct sockaddr_in where = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t size = sizeof where;
  server->dice.state = ~seed;
  server->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (bind(server->listener, (struct sockaddr *)&where, size) != 0 || listen(server->listener, 100) != 0 ||
      getsockname(server->listener, (struct sockaddr *)&where, &size) != 0) {
    perror("hostile_server");
    exit(1);
  }
  server->port = ntohs(where.sin_port);
#ifdef QUIVER_TLS
  if (certificates == NULL) return;
  SSL_CTX *context = server->tls = SSL_CTX_new(TLS_server_method());
  char certificate[512], key[512];
  snprintf(certificate, sizeof certificate, "%s/server.pem", certificates);
  snprintf(key, sizeof key, "%s/server.key", certificates);
  if (SSL_CTX_use_certificate_chain_file(context, certificate) != 1 ||
      SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1) {
    fprintf(stderr, "hostile_server: the certificate cannot be read\n");
    exit(1);
  }
  SSL_CTX_set_alpn_select_cb(context, choose, NULL);
#else
  (void)certificates;
#endif
}

void *hostile_server_run(void *argument) {
  hostile_server *server = argument;
  while (!atomic_load(&server->has_stopped)) {
    struct pollfd watched = {server->listener, POLLIN, 0};
    if (poll(&watched, 1, 50) <= 0) continue;
    int socket = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
    if (socket >= 0) serve(server, socket);
  }
  return NULL;
}

void hostile_server_stop(hostile_server *server) { atomic_store(&server->has_stopped, true); }

void hostile_server_close(hostile_server *server) {
  close(server->listener);
#ifdef QUIVER_TLS
  SSL_CTX_free(server->tls);
#endif
}
