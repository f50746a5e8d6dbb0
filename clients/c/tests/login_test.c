/* Which server and token a client uses: an option, the environment, or a context of `quiver login`.
 *
 * usage: login_test FOLDER   clients/logins, with the cases of all clients */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core.h"
#include "login.h"

static int failures;

#define EXPECT(condition, what)                                                         \
  do {                                                                                  \
    if (!(condition)) {                                                                 \
      fprintf(stderr, "%s:%d: not so: %s: %s\n", __FILE__, __LINE__, #condition, what); \
      failures++;                                                                       \
    }                                                                                   \
  } while (0)

static void *resize(void *context, void *pointer, size_t size) {
  (void)context;
  if (size > 0) return realloc(pointer, size);
  free(pointer);
  return NULL;
}

static const quiver_allocator allocator = {resize, NULL};

static bool same(const char *found, const char *wanted) {
  return found == NULL || wanted == NULL ? found == wanted : strcmp(found, wanted) == 0;
}

static void set(const char *name, const char *value) {
  if (value == NULL)
    unsetenv(name);
  else
    setenv(name, value, 1);
}

static int run_cases(const char *folder) {
  char path[4096], line[4096];
  snprintf(path, sizeof path, "%s/cases.txt", folder);
  FILE *file = fopen(path, "r");
  EXPECT(file != NULL, path);
  if (file == NULL) return 0;
  set("XDG_CONFIG_HOME", folder);
  int count = 0;
  while (fgets(line, sizeof line, file) != NULL) {
    line[strcspn(line, "\n")] = 0;
    if (line[0] == '#' || line[0] == 0) continue;
    char copy[4096], *columns[10] = {NULL}, *rest = copy;
    strcpy(copy, line);
    for (int place = 0; place < 10 && rest != NULL; place++) {
      columns[place] = strsep(&rest, "\t");
      if (strcmp(columns[place], "-") == 0) columns[place] = NULL;
    }
    quiver_options options = {
      .server = columns[0], .context = columns[1], .token_file = columns[2]};
    set("QUIVER_SERVER", columns[3]);
    set("QUIVER_CONTEXT", columns[4]);
    set("QUIVER_TOKEN_FILE", columns[5]);
    set("QUIVER_CA", columns[6]);
    login found;
    const char *reason = login_find(&allocator, &options, &found);
    if (same(columns[7], "!")) {
      EXPECT(reason != NULL && strstr(reason, "context") != NULL, line);
    } else {
      EXPECT(reason == NULL, line);
      EXPECT(same(found.server, columns[7]), line);
      EXPECT(same(found.token_file, columns[8]), line);
      EXPECT(same(found.ca_file, columns[9]), line);
    }
    login_free(&allocator, &found);
    count++;
  }
  fclose(file);
  return count;
}

static void test_certificates(void) {
  set("QUIVER_CONTEXT", NULL);
  quiver_options options = {.context = "away"};
  login found;
  EXPECT(login_find(&allocator, &options, &found) == NULL, "away");
  EXPECT(same(found.certificate_file, "/own.pem") && same(found.key_file, "/own.key"), "away");
  EXPECT(same(found.server_name, "archery.example"), "away");
  login_free(&allocator, &found);
}

static void write_file(const char *path, const char *text, size_t length) {
  FILE *file = fopen(path, "w");
  if (file == NULL || fwrite(text, 1, length, file) != length || fclose(file) != 0) {
    perror(path);
    exit(1);
  }
}

/* Each text that is no file of contexts is refused, and each beginning of one that is. */
static void test_malformed(const char *folder) {
  char home[] = "/tmp/quiver-login-XXXXXX", path[256], source[4096];
  EXPECT(mkdtemp(home) != NULL, "a folder");
  snprintf(path, sizeof path, "%s/quiver", home);
  mkdir(path, 0700);
  strcat(path, "/contexts.json");
  set("XDG_CONFIG_HOME", home);
  quiver_options none = {0}, whole = {.server = "a:1", .token = "t"};
  login found;
  EXPECT(login_find(&allocator, &none, &found) == NULL, "no file");
  EXPECT(same(found.server, "127.0.0.1:7450") && found.token_file == NULL, "no file");
  login_free(&allocator, &found);
  static const char *const texts[] = {
    "", "{", "[]", "null", "{\"named\":[]}", "{\"named\":{\"a\":{}}}", "{\"named\":{\"a\":3}}",
    "{\"named\":{\"a\":{\"server\":1,\"tokenFile\":\"x\"}}}", "{\"current\":7,\"named\":{}}",
    "{\"named\":{\"a\":{\"server\":\"x\"}}}", "{\"named\":{}} x", "{\"named\":{},}",
    "{\"x\":01,\"named\":{}}", "{\"x\":1.,\"named\":{}}", "{\"x\":tru,\"named\":{}}",
    "{\"x\":\"\\u12\",\"named\":{}}", "{\"x\":\"\\ud800\",\"named\":{}}",
    "{\"x\":\"\\q\",\"named\":{}}", "{\"x\":\"\\u0000\",\"named\":{}}", "{\"x\":\"\t\",\"named\":{}}"};
  for (size_t place = 0; place < sizeof texts / sizeof *texts; place++) {
    write_file(path, texts[place], strlen(texts[place]));
    EXPECT(login_find(&allocator, &none, &found) != NULL, texts[place]);
    login_free(&allocator, &found);
    EXPECT(login_find(&allocator, &whole, &found) == NULL, texts[place]);
    login_free(&allocator, &found);
  }
  char *deep = malloc(1 << 21);
  memset(deep, '[', 1 << 21);
  write_file(path, deep, 5000);
  EXPECT(login_find(&allocator, &none, &found) != NULL, "deep");
  login_free(&allocator, &found);
  write_file(path, deep, 1 << 21);
  EXPECT(login_find(&allocator, &none, &found) != NULL, "large");
  login_free(&allocator, &found);
  snprintf(source, sizeof source, "%s/quiver/contexts.json", folder);
  FILE *file = fopen(source, "r");
  size_t length = file == NULL ? 0 : fread(deep, 1, 1 << 20, file);
  if (file != NULL) fclose(file);
  while (length > 0 && deep[length - 1] == '\n') length--;
  EXPECT(length > 100, source);
  for (size_t end = 0; end < length; end++) {
    write_file(path, deep, end);
    EXPECT(login_find(&allocator, &none, &found) != NULL, "a part of a file");
    login_free(&allocator, &found);
  }
  write_file(path, deep, length);
  EXPECT(login_find(&allocator, &none, &found) == NULL, "the whole file");
  login_free(&allocator, &found);
  free(deep);
  unlink(path);
  *strrchr(path, '/') = 0;
  rmdir(path);
  rmdir(home);
}

int main(int count, char **words) {
  if (count != 2) {
    fprintf(stderr, "usage: login_test FOLDER\n");
    return 64;
  }
  EXPECT(run_cases(words[1]) > 15, "the number of cases");
  test_certificates();
  set("QUIVER_SERVER", NULL);
  set("QUIVER_TOKEN_FILE", NULL);
  set("QUIVER_CA", NULL);
  test_malformed(words[1]);
  if (failures == 0) puts("a client of C finds its server and its token");
  return failures == 0 ? 0 : 1;
}
