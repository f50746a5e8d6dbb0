// A client of one connection for what load.c does not do: it takes a stream of replies, sends and
// takes messages that are larger than the windows, and calls while streams on the same connection
// stay unread. One thread, poll; with --raw the same bytes against a peer that echoes them.
#define _GNU_SOURCE
#include "quiver_peer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

enum { LARGEST_FRAME = 16384, ECHO = 769, SOURCE = 776, MOST_STREAMS = 256 };

// One call. Those whose replies stay unread are not granted anything.
struct call {
  uint32_t stream;  // 0: none
  int is_unread;
  uint64_t began;
  size_t message_bytes, sent_bytes;  // of the request
  uint64_t sent, allowed;            // charged bytes, as everywhere here
  uint64_t taken, granted;
};

static struct {
  const char *mode, *token_file;
  size_t bytes;  // of a message
  int depth, unread, raw, port, pid;
  uint64_t unread_bytes;
  double seconds, warmup;
} options = {"small", NULL, 40, 1, 0, 0, 7450, 0, 100 << 20, 2, 0.5};

static int fd;
static uint8_t in[1 << 20], *out, *message;
static size_t in_count, out_count, out_sent, out_room;
static uint64_t sent, allowed, taken, granted = 1 << 20;
static uint64_t bytes_in, bytes_out;
static uint32_t next_stream = 1;
static struct call calls[MOST_STREAMS];
static struct load_span span;
static int greeted;

__attribute__((noreturn)) static void fail(const char *what) {
  fprintf(stderr, "streams: %s\n", what);
  exit(1);
}

static uint8_t *room(size_t count) {
  if (out_count + count > out_room) {
    if (out_sent) {
      memmove(out, out + out_sent, out_count - out_sent);
      out_count -= out_sent, out_sent = 0;
    }
    if (out_count + count > out_room) {
      out_room = (out_count + count) * 2;
      if (!(out = realloc(out, out_room))) fail("out of memory");
    }
  }
  return out + out_count;
}

static void put(const void *bytes, size_t count) {
  memcpy(room(count), bytes, count);
  out_count += count;
}

static void begin_frame(size_t length, int type, int flags, uint32_t stream) {
  uint8_t header[HEADER_BYTES];
  put_header(header, length, type, flags, stream);
  put(header, sizeof header);
}

static void put_credit(uint32_t stream, uint64_t allowance) {
  uint8_t frame[EIGHT_BYTES];
  put_eight(frame, CREDIT, 0, stream, allowance);
  put(frame, sizeof frame);
}

static void put_hello(void) {
  uint8_t greeting[GREETING_BYTES];
  size_t token_bytes = 0;
  char token[256];
  if (options.token_file) {
    FILE *file = fopen(options.token_file, "r");
    if (!file) die(options.token_file);
    token_bytes = fread(token, 1, sizeof token - 1, file);
    fclose(file);
    while (token_bytes && token[token_bytes - 1] <= ' ') token_bytes--;
  }
  token[token_bytes] = 0;
  put(greeting, put_greeting(greeting, "quiver-bench-streams", token));
}

static struct call *call_of(uint32_t stream) {
  for (int i = 0; i < MOST_STREAMS; i++)
    if (calls[i].stream == stream) return &calls[i];
  return NULL;
}

static struct call *open_call(size_t message_bytes) {
  struct call *call = call_of(0);
  if (!call) fail("too many calls");
  *call = (struct call){.stream = next_stream, .message_bytes = message_bytes,
                        .allowed = stream_window, .granted = stream_window};
  next_stream += 2;
  return call;
}

// A call of Source: messages without end, or so many bytes of them in 4 KiB each.
static void open_source(uint64_t count, size_t size, int is_unread) {
  uint8_t head[3] = {0x08, (SOURCE & 0x7F) | 0x80, SOURCE >> 7}, body[32];
  size_t length = 0;
  body[length++] = 0x10, length += put_varint(body + length, count);
  body[length++] = 0x18, length += put_varint(body + length, size);
  struct call *call = open_call(0);
  call->is_unread = is_unread;
  begin_frame(1 + sizeof head + length, REQUEST, END, call->stream);
  put((uint8_t[]){sizeof head}, 1);
  put(head, sizeof head);
  put(body, length);
  sent += 1 + sizeof head + length + FRAME_CHARGE;
}

// Sends what the windows allow of a call's request.
static void send_request(struct call *call) {
  while (call->sent_bytes < call->message_bytes || call->sent == 0) {
    size_t left = call->message_bytes - call->sent_bytes;
    // Method and a second's deadline.
    static const uint8_t head[] = {6, 0x08, (ECHO & 0x7F) | 0x80, ECHO >> 7, 0x18, 0xE8, 0x07};
    size_t prefix = call->sent == 0 ? (options.bytes > 4096 ? 4 : 7) : 0;
    uint64_t room_left = call->allowed - call->sent;
    if (allowed - sent < room_left) room_left = allowed - sent;
    if (room_left < FRAME_CHARGE + prefix) return;
    size_t part = (size_t)room_left - FRAME_CHARGE - prefix;
    if (part > LARGEST_FRAME - prefix) part = LARGEST_FRAME - prefix;
    if (part >= left) part = left;
    else if (part < 1024) return;
    begin_frame(prefix + part, prefix ? REQUEST : DATA, part == left ? END : MORE, call->stream);
    if (prefix) put((uint8_t[]){(uint8_t)(prefix - 1)}, 1), put(head + 1, prefix - 1);
    put(message + call->sent_bytes, part);
    call->sent_bytes += part;
    call->sent += prefix + part + FRAME_CHARGE;
    sent += prefix + part + FRAME_CHARGE;
  }
}

static void start_echo(uint64_t now) {
  struct call *call = open_call(options.bytes);
  call->began = now;
  send_request(call);
}

static void greet(uint64_t now) {
  greeted = 1;
  allowed = connection_window;
  if (strcmp(options.mode, "source") == 0) return open_source(1ull << 40, options.bytes - 6, 0);
  for (int i = 0; i < options.unread; i++)
    open_source(options.unread_bytes / 4096 / (uint64_t)options.unread + 1, 4096, 1);
  for (int i = 0; i < options.depth; i++) start_echo(now);
}

static void end_call(struct call *call, uint64_t now) {
  load_span_add(&span, call->began, now);
  call->stream = 0;
  start_echo(now);
}

static void take_frame(const uint8_t *frame, size_t length, uint64_t now) {
  const uint8_t *payload = frame + HEADER_BYTES;
  int type = frame[3] >> 4, flags = frame[3] & 15;
  uint32_t stream = frame_stream(frame);
  struct call *call = stream ? call_of(stream) : NULL;
  switch (type) {
    case HELLO: greet(now); break;
    case RESPONSE:
    case DATA:
      taken += length + FRAME_CHARGE;
      if (!call) break;
      call->taken += length + FRAME_CHARGE;
      if (strcmp(options.mode, "source") == 0) load_span_add(&span, now, now);
      else if (!(flags & MORE) && !call->is_unread) return end_call(call, now);
      if (!call->is_unread && call->taken + stream_window - call->granted >= stream_window / 2)
        put_credit(stream, call->granted = call->taken + stream_window);
      break;
    case CREDIT:
      if (stream == 0 && number(payload) > allowed) allowed = number(payload);
      if (call && number(payload) > call->allowed) call->allowed = number(payload);
      for (int i = 0; i < MOST_STREAMS; i++)
        if (calls[i].stream && calls[i].message_bytes) send_request(&calls[i]);
      break;
    case PING:
      if (flags & END) break;
      begin_frame(8, PING, END, 0);
      put(payload, 8);
      break;
    case STATUS: fail("a call ended with a status");
    case GOAWAY: fail("the server says GOAWAY");
    default: break;
  }
}

static size_t take_bytes(uint64_t now) {
  size_t at = 0;
  if (options.raw) {
    for (; in_count - at >= options.bytes; at += options.bytes) {
      load_span_add(&span, calls[0].began, now);
      calls[0].began = now;
      put(message, options.bytes);
    }
    return at;
  }
  if (!greeted && in_count >= sizeof preface) {
    if (memcmp(in, preface, sizeof preface) != 0) fail("the peer's preface is not Quiver's");
    at = sizeof preface;
  } else if (!greeted) {
    return 0;
  }
  while (in_count - at >= HEADER_BYTES) {
    size_t length = frame_length(in + at);
    if (in_count - at < HEADER_BYTES + length) break;
    take_frame(in + at, length, now);
    at += HEADER_BYTES + length;
  }
  return greeted ? at : 0;
}

static void turn(void) {
  struct pollfd wanted = {.fd = fd, .events = POLLIN};
  if (out_sent < out_count) wanted.events |= POLLOUT;
  if (poll(&wanted, 1, 20) <= 0) return;
  if (wanted.revents & (POLLIN | POLLHUP | POLLERR)) {
    ssize_t n = read(fd, in + in_count, sizeof in - in_count);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) fail("the connection was closed");
    if (n > 0) {
      in_count += (size_t)n;
      if (span.open == 1) bytes_in += (uint64_t)n;
      size_t used = take_bytes(now_ns());
      memmove(in, in + used, in_count - used);
      in_count -= used;
      if (!options.raw && greeted &&
          taken + connection_window - granted >= connection_window / 2)
        put_credit(0, granted = taken + connection_window);
    }
  }
  while (out_sent < out_count) {
    ssize_t n = write(fd, out + out_sent, out_count - out_sent);
    if (n <= 0) break;
    out_sent += (size_t)n;
    if (span.open == 1) bytes_out += (uint64_t)n;
  }
  if (out_sent == out_count) out_sent = out_count = 0;
}

static void parse(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i];
    if (strcmp(name, "--raw") == 0) {
      options.raw = 1;
      continue;
    }
    if (i + 1 >= argc) fail("an option wants a value");
    const char *value = argv[++i];
    if (strcmp(name, "--connect") == 0) options.port = atoi(strrchr(value, ':') + 1);
    else if (strcmp(name, "--mode") == 0) options.mode = value;
    else if (strcmp(name, "--bytes") == 0) options.bytes = (size_t)atol(value);
    else if (strcmp(name, "--depth") == 0) options.depth = atoi(value);
    else if (strcmp(name, "--unread") == 0) options.unread = atoi(value);
    else if (strcmp(name, "--token-file") == 0) options.token_file = value;
    else if (strcmp(name, "--pid") == 0) options.pid = atoi(value);
    else if (strcmp(name, "--seconds") == 0) options.seconds = atof(value);
    else if (strcmp(name, "--warmup") == 0) options.warmup = atof(value);
    else fail("an unknown option");
  }
}

// An EchoMessage of so many bytes: the bench's own for 40, else a payload.
static void build_message(void) {
  if (!(message = calloc(1, options.bytes + 16))) fail("out of memory");
  if (options.raw) return;
  if (options.bytes == sizeof echo_message) {
    memcpy(message, echo_message, sizeof echo_message);
    return;
  }
  uint8_t length[10];
  size_t width = put_varint(length, options.bytes - 4);
  message[0] = 0x0A;
  put_varint(message + 1, options.bytes - 1 - width);
  uint64_t state = 7;
  for (size_t i = 1 + width; i < options.bytes; i++)
    message[i] = (uint8_t)((state = state * 6364136223846793005u + 1) >> 33);
}

int main(int argc, char **argv) {
  struct load_options shared = {.pid = 0};
  int one = 1;
  parse(argc, argv);
  build_message();
  struct sockaddr_in peer = {.sin_family = AF_INET, .sin_port = htons((uint16_t)options.port)};
  peer.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || connect(fd, (struct sockaddr *)&peer, sizeof peer) != 0) die("connect");
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (fcntl(fd, F_SETFL, O_NONBLOCK) != 0) die("fcntl");
  shared.pid = options.pid, shared.seconds = options.seconds, shared.warmup = options.warmup;
  load_span_init(&span, &shared);
  if (options.raw) {
    calls[0].began = now_ns();
    for (int i = 0; i < options.depth; i++) put(message, options.bytes);
  } else {
    put_hello();
  }
  for (;;) {
    turn();
    uint64_t now = now_ns();
    if (load_span_tick(&span, now)) continue;
    printf("{\"bytesBothWays\":%llu}\n", (unsigned long long)(bytes_in + bytes_out));
    return 0;
  }
}
