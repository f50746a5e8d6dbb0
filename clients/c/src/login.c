#include "login.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core.h"

/* No file of contexts is larger, and no value in it is deeper. */
#define LARGEST_FILE (1u << 20)
#define MOST_DEPTH 64

static const char malformed[] =
  "contexts.json does not contain contexts; correct it, or remove it and log in again";

static const char *variable(const char *name) {
  const char *value = getenv(name);
  return value != NULL && value[0] != 0 ? value : NULL;
}

/* ---- JSON (RFC 8259) in a text that ends with 0. A string is decoded where it stands. */

static char *skip_blanks(char *at) {
  while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') at++;
  return at;
}

static int hex_digit(char one) {
  if (one >= '0' && one <= '9') return one - '0';
  if (one >= 'a' && one <= 'f') return one - 'a' + 10;
  if (one >= 'A' && one <= 'F') return one - 'A' + 10;
  return -1;
}

/* The four digits of \uXXXX; -1: they are none. */
static long hex_number(const char *at) {
  long number = 0;
  for (int place = 0; place < 4; place++) {
    int digit = hex_digit(at[place]);
    if (digit < 0) return -1;
    number = number << 4 | digit;
  }
  return number;
}

static char *put_scalar(char *out, unsigned long scalar) {
  if (scalar < 0x80) {
    *out++ = (char)scalar;
    return out;
  }
  int more = scalar < 0x800 ? 1 : scalar < 0x10000 ? 2 : 3;
  static const unsigned char marks[] = {0, 0xC0, 0xE0, 0xF0};
  *out++ = (char)(marks[more] | scalar >> (6 * more));
  while (more-- > 0) *out++ = (char)(0x80 | (scalar >> (6 * more) & 0x3F));
  return out;
}

/* Takes the string that begins here; NULL: it has no end, or is not valid. */
static char *take_string(char *at, char **text) {
  if (*at++ != '"') return NULL;
  char *out = *text = at;
  while (*at != '"') {
    unsigned char one = (unsigned char)*at++;
    if (one < ' ') return NULL;
    if (one != '\\') {
      *out++ = (char)one;
      continue;
    }
    static const char escapes[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    char escape = *at++;
    if (escape == 0) return NULL;
    const char *plain = strchr(escapes, escape);
    if (plain != NULL) {
      *out++ = meanings[plain - escapes];
      continue;
    }
    long scalar = escape == 'u' ? hex_number(at) : -1;
    if (scalar <= 0) return NULL;
    at += 4;
    if (scalar >= 0xD800 && scalar < 0xE000) {
      long low = at[0] == '\\' && at[1] == 'u' ? hex_number(at + 2) : -1;
      if (scalar >= 0xDC00 || low < 0xDC00 || low > 0xDFFF) return NULL;
      scalar = 0x10000 + ((scalar - 0xD800) << 10) + (low - 0xDC00);
      at += 6;
    }
    out = put_scalar(out, (unsigned long)scalar);
  }
  *out = 0;
  return at + 1;
}

/* A number, true, false or null. */
static char *skip_word(char *at) {
  static const char *const words[] = {"true", "false", "null"};
  for (int place = 0; place < 3; place++) {
    size_t length = strlen(words[place]);
    if (strncmp(at, words[place], length) == 0) return at + length;
  }
  char *start = at;
  if (*at == '-') at++;
  size_t digits = strspn(at, "0123456789");
  if (digits == 0 || (at[0] == '0' && digits > 1)) return NULL;
  at += digits;
  if (*at == '.') {
    digits = strspn(++at, "0123456789");
    if (digits == 0) return NULL;
    at += digits;
  }
  if (*at == 'e' || *at == 'E') {
    at++;
    if (*at == '+' || *at == '-') at++;
    digits = strspn(at, "0123456789");
    if (digits == 0) return NULL;
    at += digits;
  }
  return at > start ? at : NULL;
}

/* Skips a value; NULL: it is not valid. */
static char *skip_value(char *at, int depth) {
  char *text;
  at = skip_blanks(at);
  if (*at == '"') return take_string(at, &text);
  if (*at != '{' && *at != '[') return skip_word(at);
  if (depth == MOST_DEPTH) return NULL;
  bool is_object = *at == '{';
  char end = is_object ? '}' : ']';
  at = skip_blanks(at + 1);
  if (*at == end) return at + 1;
  while (true) {
    if (is_object) {
      at = take_string(skip_blanks(at), &text);
      if (at == NULL) return NULL;
      at = skip_blanks(at);
      if (*at++ != ':') return NULL;
    }
    at = skip_value(at, depth + 1);
    if (at == NULL) return NULL;
    at = skip_blanks(at);
    if (*at == end) return at + 1;
    if (*at++ != ',') return NULL;
  }
}

/* Takes a member of a value: a string, or nothing for null. */
static char *take_text(char *at, const char **text) {
  char *found = NULL;
  at = skip_blanks(at);
  if (strncmp(at, "null", 4) == 0) {
    at += 4;
  } else {
    at = take_string(at, &found);
  }
  if (at != NULL) *text = found;
  return at;
}

/* ---- Contexts */

typedef struct context {
  const char *server, *token_file, *authorities, *certificate, *key, *server_name;
} context;

typedef struct contexts {
  const char *wanted; /* the name of the context that is looked for; NULL: none */
  const char *current;
  context found;
  bool is_found;
} contexts;

/* Each takes the value of a member with this key. */
typedef char *(*member)(void *state, const char *key, char *at);

static char *take_object(char *at, member take, void *state) {
  at = skip_blanks(at);
  if (*at != '{') return NULL;
  at = skip_blanks(at + 1);
  if (*at == '}') return at + 1;
  while (true) {
    char *key;
    at = take_string(skip_blanks(at), &key);
    if (at == NULL) return NULL;
    at = skip_blanks(at);
    if (*at++ != ':') return NULL;
    at = take(state, key, at);
    if (at == NULL) return NULL;
    at = skip_blanks(at);
    if (*at == '}') return at + 1;
    if (*at++ != ',') return NULL;
  }
}

static char *take_field(void *state, const char *key, char *at) {
  context *made = state;
  if (strcmp(key, "server") == 0) return take_text(at, &made->server);
  if (strcmp(key, "tokenFile") == 0) return take_text(at, &made->token_file);
  if (strcmp(key, "authorities") == 0) return take_text(at, &made->authorities);
  if (strcmp(key, "certificate") == 0) return take_text(at, &made->certificate);
  if (strcmp(key, "key") == 0) return take_text(at, &made->key);
  if (strcmp(key, "serverName") == 0) return take_text(at, &made->server_name);
  return skip_value(at, 2);
}

static char *take_context(void *state, const char *key, char *at) {
  contexts *all = state;
  context made = {0};
  at = take_object(at, take_field, &made);
  if (at == NULL || made.server == NULL || made.token_file == NULL) return NULL;
  if (all->wanted != NULL && strcmp(all->wanted, key) == 0) {
    all->found = made;
    all->is_found = true;
  }
  return at;
}

typedef struct file_state {
  contexts *all;
  bool has_named;
} file_state;

static char *take_member(void *pointer, const char *key, char *at) {
  file_state *state = pointer;
  if (strcmp(key, "current") == 0) return take_text(at, &state->all->current);
  if (strcmp(key, "named") != 0) return skip_value(at, 1);
  state->has_named = true;
  return take_object(at, take_context, state->all);
}

static bool take_file(char *text, contexts *all) {
  file_state state = {all, false};
  char *end = take_object(text, take_member, &state);
  return end != NULL && state.has_named && *skip_blanks(end) == 0;
}

/* Reads the file twice into the memory of `found`, since the name of the current context may stand
 * behind the contexts. No file: *text is NULL. */
static const char *read_file(
  const quiver_allocator *allocator, login *found, char **text, char **copy) {
  const char *folder = variable("XDG_CONFIG_HOME"), *home = variable("HOME");
  const char *start = folder != NULL ? folder : home;
  const char *rest = folder != NULL ? "/quiver/contexts.json" : "/.config/quiver/contexts.json";
  *text = NULL;
  if (start == NULL) return NULL;
  size_t length = strlen(start) + strlen(rest) + 1;
  char *path = memory_resize(allocator, NULL, length);
  if (path == NULL) return "no memory";
  strcpy(path, start);
  strcat(path, rest);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  int fault = errno;
  memory_free(allocator, path);
  if (file < 0) return fault == ENOENT || fault == ENOTDIR ? NULL : "contexts.json cannot be read";
  struct stat status;
  const char *reason = NULL;
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
    reason = "contexts.json cannot be read";
  else if (status.st_size > LARGEST_FILE)
    reason = malformed;
  size_t size = reason == NULL ? (size_t)status.st_size : 0, count = 0;
  if (reason == NULL) {
    found->memory = memory_resize(allocator, NULL, 2 * (size + 1));
    if (found->memory == NULL) reason = "no memory";
  }
  while (reason == NULL && count < size) {
    ssize_t more = read(file, found->memory + count, size - count);
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) reason = "contexts.json cannot be read";
    if (more <= 0) break;
    count += (size_t)more;
  }
  close(file);
  if (reason != NULL) return reason;
  *text = found->memory;
  *copy = found->memory + size + 1;
  (*text)[count] = 0;
  memcpy(*copy, *text, count + 1);
  return strlen(*text) == count ? NULL : malformed;
}

/* The context of a name, or the current one. */
static const char *find_context(
  const quiver_allocator *allocator, const char *name, login *found, contexts *all) {
  char *text, *copy;
  const char *reason = read_file(allocator, found, &text, &copy);
  if (reason != NULL) return reason;
  if (text != NULL) {
    all->wanted = name;
    if (!take_file(text, all)) return malformed;
    if (name == NULL && all->current != NULL) {
      contexts again = {.wanted = all->current};
      if (!take_file(copy, &again)) return malformed;
      (all->found = again.found, all->is_found = again.is_found);
    }
  }
  return name != NULL && !all->is_found
    ? "there is no context of the name that is given; quiver contexts lists them" : NULL;
}

const char *login_find(
  const quiver_allocator *allocator, const quiver_options *options, login *found) {
  memset(found, 0, sizeof *found);
  bool is_chosen = options->context != NULL;
  bool has_token = options->token != NULL || options->token_file != NULL;
  contexts all = {0};
  if (is_chosen || options->server == NULL || !has_token) {
    const char *name = is_chosen ? options->context : variable("QUIVER_CONTEXT");
    const char *reason = find_context(allocator, name, found, &all);
    if (reason != NULL) return reason;
  }
  found->server = options->server;
  if (found->server == NULL && is_chosen) found->server = all.found.server;
  if (found->server == NULL) found->server = variable("QUIVER_SERVER");
  if (found->server == NULL && all.is_found) found->server = all.found.server;
  if (found->server == NULL) found->server = "127.0.0.1:7450";
  if (all.is_found && strcmp(all.found.server, found->server) != 0) {
    if (is_chosen) return "the context is for another server than the one that is given";
    memset(&all.found, 0, sizeof all.found);
  }
  found->token_file = options->token_file;
  if (!has_token) {
    if (!is_chosen) found->token_file = variable("QUIVER_TOKEN_FILE");
    if (found->token_file == NULL) found->token_file = all.found.token_file;
  }
  found->ca_file = options->ca_file;
  if (found->ca_file == NULL && !is_chosen) found->ca_file = variable("QUIVER_CA");
  if (found->ca_file == NULL) found->ca_file = all.found.authorities;
  bool has_certificate = options->certificate_file != NULL;
  found->certificate_file = has_certificate ? options->certificate_file : all.found.certificate;
  found->key_file = has_certificate ? options->key_file : all.found.key;
  found->server_name = options->server_name != NULL ? options->server_name : all.found.server_name;
  return NULL;
}

void login_free(const quiver_allocator *allocator, login *found) {
  memory_free(allocator, found->memory);
  found->memory = NULL;
}
