// Scorers and subscribers of events, which speak just enough of Quiver: the scorers record arrows, as
// many as go or so many a second, and the subscribers read the leaderboard, each over a connection of
// its own. One thread, one epoll. It says how long an arrow was under way until the last subscriber
// had been told of it, from when it was sent and from when it was answered: its commit lies
// between.
#define _GNU_SOURCE
#include "quiver_peer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>

enum { RECORD_ARROW = 4640, WATCH_LEADERBOARD = 4664, SLOTS = 256, NOBODY = -1 };

struct connection {
  int fd, greeted, waits_to_write, is_subscriber;
  uint32_t next_stream;
  uint64_t sent, allowed;                 // charged bytes of ours
  uint64_t taken, granted;                // of the connection
  uint64_t stream_taken, stream_granted;  // of the watch
  uint8_t *in;
  size_t in_count, in_room;
  struct out_queue out;
  int in_flight;
  int64_t arrows[SLOTS];  // of a scorer: what the call on a stream records
  uint64_t upto;          // of a subscriber: the commit that it has been told
  uint64_t messages;      // within the span
};

struct arrow {
  uint64_t sent, answered, upto;
  uint32_t total;  // of its participant behind it
  int in_span;
};

// A state of the window, and when the last subscriber had it; 0: not yet.
struct state {
  uint64_t upto, complete;
  int count;
};

static struct {
  const char *token_file;
  int port, pid, subscribers, sources, scorers, depth, top;
  uint64_t tournament, participant;  // the first of each
  int entries, events, arrows, per_end;
  double rate, seconds, warmup;
} options = {NULL, 7450, 0, 1, 1, 1, 1, 50, 0, 0, 50, 1, 144, 6, 0, 2, 0.5};

static struct connection *connections;
static struct arrow *arrows;
static uint32_t *totals;  // of each participant
static int *next_unseen;  // of each participant of the first event
static struct state *states;
static size_t state_count, state_room;
static int epoll, greeted_count, told_count, is_open;
static int64_t arrow_count, next_arrow;
static uint64_t calls, errors, message_count, message_bytes, next_key;
static char token[256];
static uint8_t scratch[256 * 1024];
static struct histogram latencies;

__attribute__((noreturn)) static void fail(const char *what) {
  fprintf(stderr, "event: %s\n", what);
  exit(1);
}

static void *room(void *bytes, size_t count, size_t size) {
  void *more = realloc(bytes, count * size);
  if (!more) fail("out of memory");
  return more;
}

static void put_frame(struct connection *c, int type, int flags, uint32_t stream,
                      const void *payload, size_t length) {
  uint8_t header[HEADER_BYTES];
  put_header(header, length, type, flags, stream);
  append(&c->out, header, sizeof header);
  append(&c->out, payload, length);
}

static void put_credit(struct connection *c, uint32_t stream, uint64_t allowance) {
  uint8_t frame[EIGHT_BYTES];
  put_eight(frame, CREDIT, 0, stream, allowance);
  append(&c->out, frame, sizeof frame);
}

// Where there are several events, each has its subscribers.
static void put_watch(struct connection *c) {
  uint64_t event = (uint64_t)(c - connections) % (uint64_t)options.events;
  uint8_t payload[64];
  size_t count = 1;
  payload[0] = (uint8_t)put_field(payload + 1, 1, WATCH_LEADERBOARD);
  count += payload[0];
  count += put_field(payload + count, 1, options.tournament + event);
  count += put_field(payload + count, 2, (uint64_t)options.top);
  put_frame(c, REQUEST, END, c->next_stream, payload, count);
  c->next_stream += 2;
}

// The participant and the slot of an arrow: one arrow of each entry of an event after the other,
// then the next arrow of each; then the next event.
static int place_of(int64_t arrow, int *number) {
  int64_t of_event = (int64_t)options.entries * options.arrows;
  *number = (int)(arrow % of_event / options.entries);
  return (int)(arrow / of_event) * options.entries + (int)(arrow % options.entries);
}

static int start_call(struct connection *c, uint64_t now) {
  uint8_t payload[128], operation[64];
  size_t count = 0, length = 1;
  int number, place = place_of(next_arrow, &number);
  int64_t *slot = &c->arrows[c->next_stream / 2 % SLOTS];
  if (next_arrow == arrow_count) fail("there are no slots left: shoot for a shorter time");
  if (c->sent + 128 + FRAME_CHARGE > c->allowed) return 0;
  if (*slot != NOBODY) fail("a call is unanswered while hundreds after it were");
  // Every entry has the same share of each value, so that they stand close together.
  uint32_t value = 1 + (uint32_t)(number * 7 + place) % 10;
  totals[place] += value;
  arrows[next_arrow] = (struct arrow){.sent = now, .total = totals[place], .in_span = is_open};
  count += put_field(operation + count, 3, options.participant + (uint64_t)place);
  count += put_field(operation + count, 5, (uint64_t)(number / options.per_end));
  count += put_field(operation + count, 6, (uint64_t)(number % options.per_end));
  count += put_field(operation + count, 7, value);
  length += put_field(payload + length, 1, RECORD_ARROW);
  length += put_field(payload + length, 3, 10000);
  payload[length++] = 0x22, payload[length++] = 16;
  memset(payload + length, 0, 16);
  next_key++;
  put_number(payload + length, next_key);
  length += 16;
  payload[0] = (uint8_t)(length - 1);
  payload[length++] = 0x0A, payload[length++] = (uint8_t)count;
  memcpy(payload + length, operation, count);
  put_frame(c, REQUEST, END, c->next_stream, payload, length + count);
  c->sent += length + count + FRAME_CHARGE;
  c->next_stream += 2;
  c->in_flight++;
  *slot = next_arrow++;
  return 1;
}

static void end_call(struct connection *c, uint32_t stream, uint64_t now) {
  int64_t *slot = &c->arrows[stream / 2 % SLOTS];
  if (*slot == NOBODY) fail("a reply to a call that is not open");
  struct arrow *arrow = &arrows[*slot];
  arrow->answered = now;
  if (is_open) {
    calls++;
    histogram_add(&latencies, now - arrow->sent);
  }
  *slot = NOBODY;
  c->in_flight--;
}

// The index of the state up to that commit; it is put in where nobody had it before.
static size_t state_of(uint64_t upto) {
  size_t at = state_count;
  while (at > 0 && states[at - 1].upto > upto) at--;
  if (at > 0 && states[at - 1].upto == upto) return at - 1;
  if (state_count == state_room) {
    state_room = state_room ? state_room * 2 : 1024;
    states = room(states, state_room, sizeof *states);
  }
  memmove(states + at + 1, states + at, (state_count - at) * sizeof *states);
  state_count++;
  states[at] = (struct state){.upto = upto};
  for (int i = 0; i < options.subscribers; i++)
    if (connections[i].upto > upto) states[at].count++;
  return at;
}

// What the first subscriber is told of a participant: which arrows its total has in it.
static void see_row(const uint8_t *at, size_t length, uint64_t upto) {
  const uint8_t *end = at + length;
  struct field field;
  uint64_t participant = 0, total = 0;
  while (next_field(&at, end, &field)) {
    if (field.number == 1) participant = field.value;
    if (field.number == 4) total = field.value;
  }
  uint64_t place = participant - options.participant;
  if (place >= (uint64_t)options.entries) return;
  for (int *next = &next_unseen[place]; *next < options.arrows; ++*next) {
    struct arrow *arrow = &arrows[(int64_t)*next * options.entries + (int64_t)place];
    if (!arrow->sent || arrow->total > total) break;
    arrow->upto = upto;
  }
}

static void take_message(struct connection *c, const uint8_t *at, size_t length, uint64_t now) {
  const uint8_t *end = at + length, *begin = at;
  struct field field;
  uint64_t upto = 0;
  if (!next_field(&at, end, &field) || field.number != 1) fail("a message without its span");
  const uint8_t *span = field.bytes, *span_end = span + field.value;
  while (next_field(&span, span_end, &field))
    if (field.number == 2) upto = field.value;
  if (upto <= c->upto) fail("a message that goes back");
  if (c->upto == 0) told_count++;
  if (is_open) c->messages++, message_count++, message_bytes += length;
  size_t index = state_of(upto);
  for (size_t i = index + 1; i-- > 0 && states[i].upto > c->upto;)
    if (++states[i].count == options.subscribers) states[i].complete = now;
  c->upto = upto;
  if (c != connections) return;
  for (at = begin; next_field(&at, end, &field);)
    if (field.number == 2) see_row(field.bytes, field.value, upto);
}

static void greet(struct connection *c) {
  c->greeted = 1;
  c->allowed = connection_window;
  greeted_count++;
  if (c->is_subscriber) put_watch(c);
}

static void take_frame(struct connection *c, const uint8_t *frame, size_t length, uint64_t now) {
  const uint8_t *payload = frame + HEADER_BYTES;
  int type = frame[3] >> 4, flags = frame[3] & 15;
  uint32_t stream = frame_stream(frame);
  switch (type) {
    case HELLO: greet(c); break;
    case RESPONSE:
    case DATA:
      if (flags & MORE) fail("a message in parts");
      c->taken += length + FRAME_CHARGE;
      if (!c->is_subscriber) {
        end_call(c, stream, now);
        break;
      }
      c->stream_taken += length + FRAME_CHARGE;
      take_message(c, payload, length, now);
      if (c->stream_taken + stream_window - c->stream_granted >= stream_window / 2)
        put_credit(c, stream, c->stream_granted = c->stream_taken + stream_window);
      break;
    case STATUS:
      if (errors++ == 0) refuse("event", "a call ended", payload, length);
      if (c->is_subscriber) fail("a watch ended");
      end_call(c, stream, now);
      break;
    case CREDIT:
      if (stream == 0 && number(payload) > c->allowed) c->allowed = number(payload);
      break;
    case PING:
      if (!(flags & END)) put_frame(c, PING, END, 0, payload, 8);
      break;
    case GOAWAY:
      refuse("event", "the server says GOAWAY", payload, length);
      exit(1);
    default: break;
  }
}

static size_t take_bytes(struct connection *c, const uint8_t *bytes, size_t count, uint64_t now) {
  size_t at = 0;
  if (!c->greeted) {
    if (count < sizeof preface) return 0;
    if (memcmp(bytes, preface, sizeof preface) != 0) fail("the peer's preface is not Quiver's");
    at = sizeof preface;
  }
  while (count - at >= HEADER_BYTES) {
    size_t length = frame_length(bytes + at);
    if (count - at < HEADER_BYTES + length) break;
    take_frame(c, bytes + at, length, now);
    at += HEADER_BYTES + length;
  }
  return c->greeted ? at : 0;
}

static void wait_for(struct connection *c, int operation) {
  struct epoll_event event = {.events = EPOLLIN | (c->waits_to_write ? EPOLLOUT : 0)};
  event.data.ptr = c;
  if (epoll_ctl(epoll, operation, c->fd, &event) != 0) die("epoll_ctl");
}

static void flush(struct connection *c) {
  int waits = write_out(&c->out, c->fd);
  if (waits == c->waits_to_write) return;
  c->waits_to_write = waits;
  wait_for(c, EPOLL_CTL_MOD);
}

static void receive(struct connection *c, uint64_t now) {
  if (c->in_count) memcpy(scratch, c->in, c->in_count);
  ssize_t n = read(c->fd, scratch + c->in_count, sizeof scratch - c->in_count);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0) fail("the server closed a connection");
  size_t count = c->in_count + (size_t)n, taken = take_bytes(c, scratch, count, now);
  if (count - taken > c->in_room) c->in = room(c->in, c->in_room = (count - taken) * 2, 1);
  memcpy(c->in, scratch + taken, c->in_count = count - taken);
  if (c->greeted && c->taken + connection_window - c->granted >= connection_window / 2)
    put_credit(c, 0, c->granted = c->taken + connection_window);
  if (!c->is_subscriber && options.rate <= 0 && told_count == options.subscribers)
    while (c->in_flight < options.depth && start_call(c, now)) continue;
  flush(c);
}

static void turn(uint64_t nanoseconds) {
  struct epoll_event events[512];
  struct timespec wait = {(time_t)(nanoseconds / 1000000000u), (long)(nanoseconds % 1000000000u)};
  int count = epoll_pwait2(epoll, events, 512, &wait, NULL);
  for (int i = 0; i < count; i++) {
    struct connection *c = events[i].data.ptr;
    if (events[i].events & ~(unsigned)EPOLLOUT) receive(c, now_ns());
    else flush(c);
  }
}

static void open_connection(int index) {
  struct connection *c = &connections[index];
  struct sockaddr_in peer = {.sin_family = AF_INET, .sin_port = htons((uint16_t)options.port)};
  struct sockaddr_in own = {.sin_family = AF_INET};
  int one = 1;
  peer.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  own.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 256 + (uint32_t)(index % options.sources));
  *c = (struct connection){.next_stream = 1, .is_subscriber = index < options.subscribers,
                           .granted = connection_window, .stream_granted = stream_window};
  for (int i = 0; i < SLOTS; i++) c->arrows[i] = NOBODY;
  c->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (c->fd < 0) die("socket");
  setsockopt(c->fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one);
  if (bind(c->fd, (struct sockaddr *)&own, sizeof own) != 0) die("bind");
  if (connect(c->fd, (struct sockaddr *)&peer, sizeof peer) != 0) die("connect");
  setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (fcntl(c->fd, F_SETFL, O_NONBLOCK) != 0) die("fcntl");
  wait_for(c, EPOLL_CTL_ADD);
  uint8_t greeting[GREETING_BYTES];
  append(&c->out, greeting, put_greeting(greeting, "quiver-bench-event", token));
  flush(c);
}

// Opens all connections, at most 100 of them unanswered, and waits until all subscribers are told.
static void open_all(void) {
  int count = options.subscribers + options.scorers;
  uint64_t until = now_ns() + 120000000000u;
  for (int i = 0; i < count; i++) {
    open_connection(i);
    while (i + 1 - greeted_count > (i + 1 < count ? 100 : 0)) {
      turn(100000000);
      if (now_ns() > until) fail("not all connections were greeted within 120 s");
    }
  }
  while (told_count < options.subscribers) {
    turn(100000000);
    if (now_ns() > until) fail("not all subscribers were told within 120 s");
  }
}

// Records arrows until then; with --rate each when its time has come.
static void shoot(uint64_t until) {
  static uint64_t first, started;
  int scorer = options.subscribers;
  if (!first) first = now_ns();
  for (uint64_t now = now_ns(); now < until; now = now_ns()) {
    uint64_t due = until;
    while (options.rate > 0) {
      due = first + (uint64_t)((double)started * 1e9 / options.rate);
      if (due > now) break;
      struct connection *c = &connections[scorer + (int)(started % (uint64_t)options.scorers)];
      if (!start_call(c, due)) fail("the server gives no credit");
      started++;
      flush(c);
    }
    now = now_ns();
    uint64_t wait = due > now ? due - now : 0;
    turn(wait < 100000000 ? wait : 100000000);
  }
}

// Waits until all subscribers have been told of every arrow of the span; answers how many were not.
static uint64_t await_idle(void) {
  uint64_t until = now_ns() + 3000000000u, left = 1;
  while (options.rate > 0 && left > 0 && now_ns() < until) {
    turn(20000000);
    left = 0;
    for (int64_t i = 0; i < next_arrow; i++)
      if (arrows[i].in_span &&
          (!arrows[i].upto || !arrows[i].answered || !states[state_of(arrows[i].upto)].complete))
        left++;
  }
  return options.rate > 0 ? left : 0;
}

static void report(uint64_t began, uint64_t ended, uint64_t cpu, uint64_t left) {
  static struct histogram from_sent, from_answered;
  uint64_t most = 0;
  for (int64_t i = 0; options.rate > 0 && i < next_arrow; i++) {
    if (!arrows[i].in_span || !arrows[i].upto) continue;
    uint64_t complete = states[state_of(arrows[i].upto)].complete;
    if (!complete) continue;
    histogram_add(&from_sent, complete - arrows[i].sent);
    histogram_add(&from_answered,
                  complete > arrows[i].answered ? complete - arrows[i].answered : 0);
  }
  for (int i = 0; i < options.subscribers; i++)
    if (connections[i].messages > most) most = connections[i].messages;
  printf("{\"calls\":%llu,\"errors\":%llu,\"seconds\":%.6f,\"p50Nanoseconds\":%llu,"
         "\"p99Nanoseconds\":%llu,\"serverCPUNanoseconds\":%llu,\"untold\":%llu,"
         "\"messages\":%llu,\"messageBytes\":%llu,\"mostMessages\":%llu,"
         "\"sentP50Nanoseconds\":%llu,\"sentP99Nanoseconds\":%llu,"
         "\"answeredP99Nanoseconds\":%llu}\n",
         (unsigned long long)calls, (unsigned long long)errors, (double)(ended - began) / 1e9,
         (unsigned long long)histogram_quantile(&latencies, 0.5),
         (unsigned long long)histogram_quantile(&latencies, 0.99), (unsigned long long)cpu,
         (unsigned long long)left, (unsigned long long)message_count,
         (unsigned long long)message_bytes, (unsigned long long)most,
         (unsigned long long)histogram_quantile(&from_sent, 0.5),
         (unsigned long long)histogram_quantile(&from_sent, 0.99),
         (unsigned long long)histogram_quantile(&from_answered, 0.99));
}

static void parse(int argc, char **argv) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const char *name = argv[i], *value = argv[i + 1];
    if (strcmp(name, "--connect") == 0) options.port = atoi(strrchr(value, ':') + 1);
    else if (strcmp(name, "--token-file") == 0) options.token_file = value;
    else if (strcmp(name, "--tournament") == 0) options.tournament = strtoull(value, NULL, 10);
    else if (strcmp(name, "--participant") == 0) options.participant = strtoull(value, NULL, 10);
    else if (strcmp(name, "--entries") == 0) options.entries = atoi(value);
    else if (strcmp(name, "--events") == 0) options.events = atoi(value);
    else if (strcmp(name, "--arrows") == 0) options.arrows = atoi(value);
    else if (strcmp(name, "--per-end") == 0) options.per_end = atoi(value);
    else if (strcmp(name, "--top") == 0) options.top = atoi(value);
    else if (strcmp(name, "--subscribers") == 0) options.subscribers = atoi(value);
    else if (strcmp(name, "--sources") == 0) options.sources = atoi(value);
    else if (strcmp(name, "--scorers") == 0) options.scorers = atoi(value);
    else if (strcmp(name, "--depth") == 0) options.depth = atoi(value);
    else if (strcmp(name, "--rate") == 0) options.rate = atof(value);
    else if (strcmp(name, "--seconds") == 0) options.seconds = atof(value);
    else if (strcmp(name, "--warmup") == 0) options.warmup = atof(value);
    else if (strcmp(name, "--pid") == 0) options.pid = atoi(value);
    else fail("an unknown option");
  }
  if (options.depth > SLOTS / 2 || options.subscribers < 1 || options.scorers < 1 ||
      options.sources < 1 || options.entries < 1 || options.events < 1)
    fail("an option is out of range");
}

static void prepare(void) {
  FILE *file = options.token_file ? fopen(options.token_file, "r") : NULL;
  if (!file || fscanf(file, "%255s", token) != 1) fail("--token-file wants a token");
  fclose(file);
  size_t places = (size_t)options.entries * (size_t)options.events;
  arrow_count = (int64_t)places * options.arrows;
  arrows = calloc((size_t)arrow_count + 1, sizeof *arrows);
  totals = calloc(places + 1, sizeof *totals);
  next_unseen = calloc((size_t)options.entries, sizeof *next_unseen);
  connections = calloc((size_t)(options.subscribers + options.scorers), sizeof *connections);
  epoll = epoll_create1(EPOLL_CLOEXEC);
  if (!arrows || !totals || !next_unseen || !connections || epoll < 0) fail("out of memory");
  next_key = clock_ns(CLOCK_REALTIME);
}

int main(int argc, char **argv) {
  parse(argc, argv);
  raise_descriptor_limit();
  prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
  prepare();
  open_all();
  for (int i = 0; i < options.scorers && options.rate <= 0; i++) {
    struct connection *c = &connections[options.subscribers + i];
    while (c->in_flight < options.depth && start_call(c, now_ns())) continue;
    flush(c);
  }
  shoot(now_ns() + (uint64_t)(options.warmup * 1e9));
  is_open = 1;
  uint64_t began = now_ns(), cpu = process_cpu_ns(options.pid);
  shoot(began + (uint64_t)(options.seconds * 1e9));
  uint64_t ended = now_ns(), used = process_cpu_ns(options.pid) - cpu;
  is_open = 0;
  uint64_t left = await_idle();
  report(began, ended, used, left);
  return 0;
}
