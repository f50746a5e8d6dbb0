// A load client that speaks just enough of Quiver: preface, HELLO, REQUEST, CREDIT, PING. One
// thread, one epoll, so many connections with so many calls in flight on each; or connections that
// are held idle; or, with --raw, the same bytes against a peer that echoes them. With --rate it
// offers so many calls a second and counts each from the time at which it was to begin. With --ca
// all of it goes over TLS.
#define _GNU_SOURCE
#include "quiver_peer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>

enum { SLOTS = 4096 };


struct connection {
  int fd;
  SSL *ssl;                 // NULL: the connection is not encrypted
  int greeted;              // the peer's preface and HELLO have come
  int waits_to_write;
  uint32_t next_stream;
  int waiting;              // calls to start as soon as there is credit
  uint64_t sent, allowed;   // charged bytes that we sent and may send
  uint64_t taken, granted;  // charged bytes that the peer sent and may send
  uint8_t *in;              // an idle connection has none, and nothing in out
  size_t in_count, in_room;
  struct out_queue out;
  uint64_t *began;          // when the call in a slot was written; 0: none
  uint64_t *due;            // with --rate: when the calls that wait were to begin, in a ring
  unsigned due_head, due_tail, open;
};

static struct load_options options;
static struct load_span span;
static struct connection *connections;
static int epoll, greeted_count, closed_count;
static SSL_CTX *tls;
static uint8_t request[192];
static size_t request_bytes, key_at, distinct_at;
static uint64_t next_key, next_distinct;
static char tokens[64][256];  // connections take them in turn
static int token_count;
static uint8_t scratch[256 * 1024];

static void fail(const char *what) {
  fprintf(stderr, "load: %s\n", what);
  exit(1);
}

// The message that each call sends; returns its length.
static size_t read_message(uint8_t *message, size_t room) {
  if (!options.request) {
    memcpy(message, echo_message, sizeof echo_message);
    return sizeof echo_message;
  }
  size_t digits = strlen(options.request);
  if (digits % 2 || digits / 2 > room) fail("--request wants pairs of digits, and few of them");
  for (size_t i = 0; i < digits / 2; i++) {
    unsigned byte;
    if (sscanf(options.request + 2 * i, "%2x", &byte) != 1) fail("--request wants digits");
    message[i] = (uint8_t)byte;
  }
  return digits / 2;
}

// The request frame, whose stream id is put in for each call.
static void build_request(void) {
  // Field 15000, of eight bytes.
  static const uint8_t unknown[11] = {0xC1, 0xA9, 0x07};
  uint8_t head[48], message[sizeof request - HEADER_BYTES - sizeof head - 1];
  size_t head_bytes = 0, message_bytes = read_message(message, sizeof message - sizeof unknown);
  if (options.distinct) {
    memcpy(message + message_bytes, unknown, sizeof unknown);
    message_bytes += sizeof unknown;
    // Unlike those of other runs, as keys are.
    next_distinct = clock_ns(CLOCK_REALTIME);
  }
  head[head_bytes++] = 0x08;
  head_bytes += put_varint(head + head_bytes, options.method);
  if (options.timeout_ms) {
    head[head_bytes++] = 0x18;
    head_bytes += put_varint(head + head_bytes, options.timeout_ms);
  }
  if (options.keys) {
    head[head_bytes++] = 0x22, head[head_bytes++] = 16;
    key_at = HEADER_BYTES + 1 + head_bytes;
    memset(head + head_bytes, 0, 16);
    head_bytes += 16;
    // Unlike those of other runs over the same store, and behind them.
    next_key = clock_ns(CLOCK_REALTIME);
  }
  uint8_t *at = request + HEADER_BYTES;
  *at++ = (uint8_t)head_bytes;
  memcpy(at, head, head_bytes);
  memcpy(at + head_bytes, message, message_bytes);
  request_bytes = HEADER_BYTES + 1 + head_bytes + message_bytes;
  distinct_at = request_bytes - sizeof next_distinct;
  put_header(request, request_bytes - HEADER_BYTES, REQUEST, END, 0);
}

static void read_tokens(void) {
  if (!options.token_file) return;
  FILE *file = fopen(options.token_file, "r");
  if (!file) die(options.token_file);
  while (token_count < 64 && fscanf(file, "%255s", tokens[token_count]) == 1) token_count++;
  fclose(file);
}

static void put_hello(struct connection *c) {
  const char *token = token_count ? tokens[(c - connections) % token_count] : "";
  uint8_t greeting[GREETING_BYTES];
  append(&c->out, greeting, put_greeting(greeting, "quiver-bench-load", token));
}

static void watch(struct connection *c, int operation) {
  struct epoll_event event = {.events = EPOLLIN | (c->waits_to_write ? EPOLLOUT : 0)};
  event.data.ptr = c;
  if (epoll_ctl(epoll, operation, c->fd, &event) != 0) die("epoll_ctl");
}

static void make_tls(void) {
  if (!options.ca_file) return;
  tls = SSL_CTX_new(TLS_client_method());
  if (!tls || !SSL_CTX_set_min_proto_version(tls, TLS1_3_VERSION) ||
      !SSL_CTX_set_ciphersuites(tls, "TLS_AES_128_GCM_SHA256") ||
      !SSL_CTX_load_verify_file(tls, options.ca_file))
    fail("cannot make a TLS client of --ca");
  SSL_CTX_set_verify(tls, SSL_VERIFY_PEER, NULL);
  SSL_CTX_set_alpn_protos(tls, (const unsigned char *)"\x08quiver/1", 9);
  SSL_CTX_set_mode(tls, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                            SSL_MODE_RELEASE_BUFFERS);
}

// Shakes hands while the socket still blocks.
static void secure(struct connection *c) {
  if (!tls) return;
  if (!(c->ssl = SSL_new(tls)) || !SSL_set_fd(c->ssl, c->fd)) fail("out of memory");
  if (SSL_connect(c->ssl) != 1) {
    ERR_print_errors_fp(stderr);
    fail("the TLS handshake failed");
  }
}

// Encrypts and writes as much as goes; returns whether something still waits.
static int write_secure(struct connection *c) {
  size_t at = 0, written = 0;
  while (at < c->out.count) {
    if (SSL_write_ex(c->ssl, c->out.bytes + at, c->out.count - at, &written) != 1) {
      if (SSL_get_error(c->ssl, 0) != SSL_ERROR_WANT_WRITE) fail("cannot write over TLS");
      break;
    }
    at += written;
  }
  memmove(c->out.bytes, c->out.bytes + at, c->out.count - at);
  c->out.count -= at;
  return c->out.count > 0;
}

// As read(2): all records that have come, -1 with EAGAIN where there are none.
static ssize_t read_secure(struct connection *c, uint8_t *bytes, size_t room) {
  size_t count = 0, more = 0;
  while (count < room && SSL_read_ex(c->ssl, bytes + count, room - count, &more) == 1)
    count += more;
  if (count > 0) return (ssize_t)count;
  if (SSL_get_error(c->ssl, 0) != SSL_ERROR_WANT_READ) return 0;
  errno = EAGAIN;
  return -1;
}

static void flush(struct connection *c) {
  int waits = c->ssl ? write_secure(c) : write_out(&c->out, c->fd);
  if (waits != c->waits_to_write) {
    c->waits_to_write = waits;
    watch(c, EPOLL_CTL_MOD);
  }
}

static void put_key(void) {
  put_number(request + key_at, next_key++);
}

static void start_calls(struct connection *c, uint64_t now) {
  uint64_t charge = request_bytes - HEADER_BYTES + FRAME_CHARGE;
  while (c->waiting > 0 && (options.raw || c->sent + charge <= c->allowed)) {
    // A paced connection keeps below the calls that a server allows at once.
    if (options.rate > 0 && c->open >= 96) break;
    uint64_t *began = &c->began[c->next_stream / 2 % SLOTS];
    if (*began) fail("a call is unanswered while thousands after it were");
    *began = options.rate > 0 ? c->due[c->due_head++ % SLOTS] : now;
    c->waiting--;
    c->open++;
    c->sent += charge;
    if (options.keys) put_key();
    if (options.distinct) put_number(request + distinct_at, next_distinct++);
    put_header(request, request_bytes - HEADER_BYTES, REQUEST, END, c->next_stream);
    append(&c->out, request, request_bytes);
    c->next_stream += 2;
  }
}

static void end_call(struct connection *c, uint32_t stream, uint64_t now) {
  uint64_t *began = &c->began[stream / 2 % SLOTS];
  if (!*began) fail("a reply to a call that is not open");
  load_span_add(&span, *began, now);
  *began = 0;
  c->open--;
  if (options.rate <= 0) c->waiting++;
}

// The last value of a varint field; 0: there is none.
static uint64_t find_field(const uint8_t *at, size_t count, unsigned number) {
  const uint8_t *end = at + count;
  struct field field;
  uint64_t found = 0;
  while (next_field(&at, end, &field))
    if (field.number == number) found = field.value;
  return found;
}

static void greet(struct connection *c, const uint8_t *payload, size_t length, uint64_t now) {
  uint64_t streams = find_field(payload, length, 7);
  uint64_t credit = find_field(payload, length, 9);
  if (streams == 0) streams = token_count ? 100 : 1;
  if (credit == 0) credit = token_count ? 1 << 20 : 16 << 10;
  if (!options.idle && streams < (uint64_t)options.depth)
    fail("the server allows fewer calls at once than --depth");
  c->allowed = credit;
  c->granted = connection_window;
  c->greeted = 1;
  greeted_count++;
  if (options.idle) return;
  if (options.rate <= 0) c->waiting = options.depth;
  start_calls(c, now);
}

static void take_frame(struct connection *c, const uint8_t *frame, size_t length, uint64_t now) {
  const uint8_t *payload = frame + HEADER_BYTES;
  int type = frame[3] >> 4, flags = frame[3] & 15;
  uint32_t stream = frame_stream(frame);
  switch (type) {
    case HELLO: greet(c, payload, length, now); break;
    case RESPONSE:
    case DATA:
      c->taken += length + FRAME_CHARGE;
      if (!(flags & MORE) && type == RESPONSE) end_call(c, stream, now);
      break;
    case STATUS:
      if (span.errors++ == 0) refuse("load", "a call ended", payload, length);
      end_call(c, stream, now);
      break;
    case CREDIT:
      if (stream == 0 && length == 8 && number(payload) > c->allowed)
        c->allowed = number(payload);
      break;
    case PING:
      if (!(flags & END) && length == 8) {
        uint8_t answer[EIGHT_BYTES];
        put_eight(answer, PING, END, 0, number(payload));
        append(&c->out, answer, sizeof answer);
      }
      break;
    case GOAWAY:
      refuse("load", "the server says GOAWAY", payload, length);
      if (!options.idle) exit(1);
      break;
    default: break;  // HEADERS, and what may be ignored
  }
}

// Takes whole frames; returns how many bytes they were.
static size_t take_bytes(struct connection *c, const uint8_t *bytes, size_t count, uint64_t now) {
  size_t at = 0;
  if (options.raw) {
    for (; count - at >= request_bytes; at += request_bytes) {
      end_call(c, frame_stream(bytes + at), now);
    }
    return at;
  }
  if (!c->greeted && count >= sizeof preface) {
    // It stays in the buffer until the HELLO behind it is whole, too.
    if (memcmp(bytes, preface, sizeof preface) != 0) fail("the peer's preface is not Quiver's");
    at = sizeof preface;
  } else if (!c->greeted) {
    return 0;
  }
  while (count - at >= HEADER_BYTES) {
    size_t length = frame_length(bytes + at);
    if (count - at < HEADER_BYTES + length) break;
    take_frame(c, bytes + at, length, now);
    at += HEADER_BYTES + length;
  }
  return c->greeted ? at : 0;
}

static void grant(struct connection *c) {
  uint64_t left = c->granted - c->taken;
  if (options.raw || !c->greeted || left > connection_window / 2) return;
  uint8_t frame[EIGHT_BYTES];
  c->granted = c->taken + connection_window;
  put_eight(frame, CREDIT, 0, 0, c->granted);
  append(&c->out, frame, sizeof frame);
}

static void keep(struct connection *c, const uint8_t *bytes, size_t count) {
  if (count > c->in_room) {
    c->in_room = count * 2;
    c->in = realloc(c->in, c->in_room);
    if (!c->in) fail("out of memory");
  }
  memcpy(c->in, bytes, count);
  c->in_count = count;
}

static void receive(struct connection *c, uint64_t now) {
  if (c->in_count) memcpy(scratch, c->in, c->in_count);
  uint8_t *at = scratch + c->in_count;
  size_t room = sizeof scratch - c->in_count;
  ssize_t n = c->ssl ? read_secure(c, at, room) : read(c->fd, at, room);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0) {
    if (!options.idle) fail("the server closed the connection");
    close(c->fd);
    c->fd = -1;
    closed_count++;
    return;
  }
  size_t count = c->in_count + (size_t)n;
  size_t taken = take_bytes(c, scratch, count, now);
  keep(c, scratch + taken, count - taken);
  grant(c);
  start_calls(c, now);
}

static void open_connection(struct connection *c, int index) {
  struct sockaddr_in peer = {.sin_family = AF_INET, .sin_port = htons((uint16_t)options.port)};
  int one = 1;
  if (inet_pton(AF_INET, options.host, &peer.sin_addr) != 1) fail("--connect wants an IPv4 host");
  c->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (c->fd < 0) die("socket");
  if (options.sources > 1) {
    struct sockaddr_in own = {.sin_family = AF_INET};
    own.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 256 + (uint32_t)(index % options.sources));
    setsockopt(c->fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one);
    if (bind(c->fd, (struct sockaddr *)&own, sizeof own) != 0) die("bind");
  }
  if (connect(c->fd, (struct sockaddr *)&peer, sizeof peer) != 0) die("connect");
  setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  secure(c);
  if (fcntl(c->fd, F_SETFL, O_NONBLOCK) != 0) die("fcntl");
  c->next_stream = 1;
  watch(c, EPOLL_CTL_ADD);
  if (options.raw) c->waiting = options.depth;
  else put_hello(c);
  if (!options.idle && !(c->began = calloc(SLOTS, sizeof *c->began))) fail("out of memory");
  if (options.rate > 0 && !(c->due = calloc(SLOTS, sizeof *c->due))) fail("out of memory");
  start_calls(c, now_ns());
  flush(c);
}

static void turn_ns(uint64_t nanoseconds) {
  struct epoll_event events[512];
  struct timespec wait = {(time_t)(nanoseconds / 1000000000u), (long)(nanoseconds % 1000000000u)};
  int count = epoll_pwait2(epoll, events, 512, &wait, NULL);
  for (int i = 0; i < count; i++) {
    struct connection *c = events[i].data.ptr;
    uint64_t now = now_ns();
    if (events[i].events & ~(unsigned)EPOLLOUT) receive(c, now);
    if (c->fd >= 0) flush(c);
    if (options.idle && c->fd >= 0 && c->out.count == 0) {
      free(c->out.bytes);
      c->out = (struct out_queue){0};
    }
  }
}

static void turn(int milliseconds) { turn_ns((uint64_t)milliseconds * 1000000u); }

// Lets every call begin whose time has come, however many are unanswered; what waits for its server
// counts from then on. Returns when the next one is due.
static uint64_t start_due(uint64_t first, uint64_t *started, uint64_t now) {
  for (;;) {
    uint64_t due = first + (uint64_t)((double)*started * 1e9 / options.rate);
    if (due > now) return due;
    struct connection *c = &connections[*started % (uint64_t)options.connections];
    if (c->due_tail - c->due_head >= SLOTS) fail("the server answers less than is offered");
    c->due[c->due_tail++ % SLOTS] = due;
    c->waiting++;
    ++*started;
    start_calls(c, now);
    if (!c->waits_to_write) flush(c);
  }
}

static void run_paced(void) {
  uint64_t started = 0, first;
  prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
  while (greeted_count < options.connections) turn(20);
  load_span_init(&span, &options);
  first = now_ns();
  while (load_span_tick(&span, now_ns())) {
    uint64_t now = now_ns(), due = start_due(first, &started, now);
    now = now_ns();
    turn_ns(due > now ? due - now : 0);
  }
}

static void run_load(void) {
  for (int i = 0; i < options.connections; i++) open_connection(&connections[i], i);
  if (options.rate > 0) {
    run_paced();
    return;
  }
  load_span_init(&span, &options);
  while (load_span_tick(&span, now_ns())) turn(20);
}

// Opens connections up to so many, at most 100 of them unanswered at a time.
static void open_idle(int from, int to) {
  uint64_t until = now_ns() + 60000000000u;
  for (int i = from; i < to; i++) {
    open_connection(&connections[i], i);
    while (i + 1 - greeted_count > (i + 1 < to ? 100 : 0)) {
      turn(100);
      if (closed_count) fail("the server closed an idle connection while others were opened");
      if (now_ns() > until) fail("not all idle connections were greeted within 60 s");
    }
  }
}

static void run_idle(void) {
  // The first hundred make the server take what it takes only once.
  int first = 100;
  open_idle(0, first);
  usleep(500000);
  uint64_t rss = process_memory_bytes(options.pid, "Rss");
  uint64_t pss = process_memory_bytes(options.pid, "Pss");
  open_idle(first, first + options.idle);
  uint64_t warm_until = now_ns() + (uint64_t)(options.warmup * 1e9);
  while (now_ns() < warm_until) turn(20);
  uint64_t began = now_ns(), cpu = process_cpu_ns(options.pid);
  uint64_t ends = began + (uint64_t)(options.seconds * 1e9);
  int64_t rss_grown = (int64_t)(process_memory_bytes(options.pid, "Rss") - rss);
  int64_t pss_grown = (int64_t)(process_memory_bytes(options.pid, "Pss") - pss);
  while (now_ns() < ends) turn(200);
  printf("{\"connections\":%d,\"closed\":%d,\"seconds\":%.6f,\"rssBytes\":%lld,"
         "\"pssBytes\":%lld,\"serverCPUNanoseconds\":%llu}\n",
         options.idle, closed_count, (double)(now_ns() - began) / 1e9, (long long)rss_grown,
         (long long)pss_grown, (unsigned long long)(process_cpu_ns(options.pid) - cpu));
}

int main(int argc, char **argv) {
  options = load_options_parse(argc, argv);
  raise_descriptor_limit();
  read_tokens();
  make_tls();
  build_request();
  int count = options.idle ? options.idle + 100 : options.connections;
  connections = calloc((size_t)count, sizeof *connections);
  epoll = epoll_create1(EPOLL_CLOEXEC);
  if (!connections || epoll < 0) die("epoll");
  if (options.idle) run_idle();
  else run_load();
  return 0;
}
