/* A protoc plugin: writes the messages of Protos/ with protoc-gen-c, and quiver/services.h and
 * services.c with a stub for each method.
 *
 * protoc-gen-c 1.4 does not know `optional` of proto3. It gets each such field as the only member of
 * a oneof `optional_NAME`, which has the same encoding and says whether the field is present.
 *
 * usage: protoc --plugin=protoc-gen-quiver=FILE --quiver_out=FOLDER FILES */
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plugin.pb-c.h"

#define METHOD_ID 50100
#define MUTATING 50101

typedef Google__Protobuf__Compiler__CodeGeneratorRequest Request;
typedef Google__Protobuf__Compiler__CodeGeneratorResponse Response;
typedef Google__Protobuf__Compiler__CodeGeneratorResponse__File OutputFile;
typedef Google__Protobuf__FileDescriptorProto File;
typedef Google__Protobuf__MethodDescriptorProto Method;
typedef Google__Protobuf__DescriptorProto Message;

typedef struct text {
  char *data;
  size_t length, capacity;
} text;

static void fail(const char *reason) {
  fprintf(stderr, "protoc-gen-quiver: %s\n", reason);
  exit(1);
}

__attribute__((format(printf, 2, 3))) static void add(text *text, const char *format, ...) {
  va_list arguments;
  for (;;) {
    size_t room = text->capacity - text->length;
    va_start(arguments, format);
    int count = vsnprintf(text->data + text->length, room, format, arguments);
    va_end(arguments);
    if (count >= 0 && (size_t)count < room) {
      text->length += (size_t)count;
      return;
    }
    text->capacity = (text->capacity + (size_t)count + 1) * 2;
    text->data = realloc(text->data, text->capacity);
    if (text->data == NULL) fail("no memory");
  }
}

/* `GetWeightTrend` as `get_weight_trend`, in the way of protoc-c. */
static void put_snake(text *text, const char *name) {
  bool was_upper = true;
  for (; *name != 0; name++) {
    bool is_upper = isupper((unsigned char)*name) != 0;
    if (is_upper && !was_upper) add(text, "_");
    add(text, "%c", tolower((unsigned char)*name));
    was_upper = is_upper;
  }
}

/* `.quiver.v1.EchoMessage` as `Quiver__V1__EchoMessage`. */
static void put_type(text *text, const char *name) {
  bool is_first = true;
  for (name += *name == '.'; *name != 0; name++) {
    if (*name == '.') {
      add(text, "__");
      is_first = true;
      continue;
    }
    add(text, "%c", is_first ? toupper((unsigned char)*name) : *name);
    is_first = false;
  }
}

/* `.quiver.v1.EchoMessage` as `quiver__v1__echo_message__descriptor`. */
static void put_descriptor(text *text, const char *name) {
  char part[256];
  name += *name == '.';
  while (*name != 0) {
    size_t length = strcspn(name, ".");
    if (length >= sizeof part) fail("a name is too long");
    memcpy(part, name, length);
    part[length] = 0;
    put_snake(text, part);
    add(text, "__");
    name += length + (name[length] == '.');
  }
  add(text, "descriptor");
}

/* An option of a method, which its parser does not know: a varint. */
static unsigned option(const Method *method, unsigned number) {
  if (method->options == NULL) return 0;
  const ProtobufCMessage *base = &method->options->base;
  for (unsigned place = 0; place < base->n_unknown_fields; place++) {
    const ProtobufCMessageUnknownField *field = &base->unknown_fields[place];
    if (field->tag != number) continue;
    unsigned value = 0;
    for (size_t at = 0; at < field->len && at < 5; at++)
      value |= (unsigned)(field->data[at] & 0x7F) << (7 * at);
    return value;
  }
  return 0;
}

/* The number of the WatchSpan in a reply; 0 if it has none. */
static int span_field(const Request *request, const char *type) {
  for (size_t place = 0; place < request->n_proto_file; place++) {
    const File *file = request->proto_file[place];
    for (size_t other = 0; other < file->n_message_type; other++) {
      const Message *message = file->message_type[other];
      char name[256];
      snprintf(name, sizeof name, ".%s.%s", file->package, message->name);
      if (strcmp(name, type) != 0) continue;
      for (size_t at = 0; at < message->n_field; at++)
        if (message->field[at]->type_name != NULL &&
            strcmp(message->field[at]->type_name, ".quiver.v1.WatchSpan") == 0)
          return message->field[at]->number;
    }
  }
  return 0;
}

/* The comment in front of a method, as lines of a C comment. */
static void put_comment(text *text, const File *file, int service, int method) {
  if (file->source_code_info == NULL) return;
  for (size_t place = 0; place < file->source_code_info->n_location; place++) {
    const Google__Protobuf__SourceCodeInfo__Location *one =
      file->source_code_info->location[place];
    if (one->n_path != 4 || one->path[0] != 6 || one->path[1] != service || one->path[2] != 2 ||
        one->path[3] != method || one->leading_comments == NULL)
      continue;
    add(text, "\n/*");
    size_t length = strlen(one->leading_comments);
    while (length > 0 && isspace((unsigned char)one->leading_comments[length - 1])) length--;
    for (size_t at = 0; at < length; at++) {
      char byte = one->leading_comments[at];
      if (byte == '/' && at > 0 && one->leading_comments[at - 1] == '*') continue;
      add(text, byte == '\n' ? "\n *" : "%c", byte);
    }
    add(text, " */\n");
    return;
  }
  add(text, "\n");
}

/* The parts of the stub of one method. */
typedef struct names {
  text function, request, reply, descriptor;
} names;

static void put_header(text *out, const Method *method, const names *names) {
  const char *function = names->function.data, *request = names->request.data;
  const char *reply = names->reply.data, *descriptor = names->descriptor.data;
  const char *both = "quiver_client *client";
  if (!method->client_streaming && !method->server_streaming) {
    add(
      out,
      "static inline quiver_code %s(\n  %s, const %s *request,\n  const quiver_call_options "
      "*options, %s **reply, quiver_call **call) {\n  return quiver_unary(\n    client, "
      "&%s_method, options, &request->base, &%s,\n    (ProtobufCMessage **)reply, call);\n}\n",
      function, both, request, reply, function, descriptor);
    return;
  }
  if (method->client_streaming) {
    add(
      out,
      "static inline quiver_call *%s(\n  %s, const quiver_call_options *options) {\n  return "
      "quiver_stream(client, &%s_method, options, NULL);\n}\n\n"
      "static inline bool %s_send(quiver_call *call, const %s *message) {\n  return "
      "quiver_stream_send(call, &message->base);\n}\n",
      function, both, function, function, request);
  } else {
    add(
      out,
      "static inline quiver_call *%s(\n  %s, const %s *request,\n  const quiver_call_options "
      "*options) {\n  return quiver_stream(client, &%s_method, options, &request->base);\n}\n",
      function, both, request, function);
  }
  if (method->server_streaming)
    add(
      out,
      "\nstatic inline int %s_next(quiver_call *call, %s **message) {\n  return "
      "quiver_stream_next(call, &%s, (ProtobufCMessage **)message);\n}\n",
      function, reply, descriptor);
  else
    add(
      out,
      "\nstatic inline quiver_code %s_reply(quiver_call *call, %s **reply) {\n  return "
      "quiver_stream_reply(call, &%s, (ProtobufCMessage **)reply);\n}\n",
      function, reply, descriptor);
}

static void put_method(
  text *header, text *source, const Request *request, const File *file, int service, int place) {
  const Google__Protobuf__ServiceDescriptorProto *owner = file->service[service];
  const Method *method = owner->method[place];
  names names;
  memset(&names, 0, sizeof names);
  add(&names.function, "quiver_");
  put_snake(&names.function, owner->name);
  add(&names.function, "_");
  put_snake(&names.function, method->name);
  put_type(&names.request, method->input_type);
  put_type(&names.reply, method->output_type);
  put_descriptor(&names.descriptor, method->output_type);
  unsigned id = option(method, METHOD_ID);
  if (id == 0) fail("a method has no method_id");
  int span = method->server_streaming ? span_field(request, method->output_type) : 0;
  add(
    source, "const quiver_method %s_method = {\n  %u, \"%s.%s/%s\", %s, %s, %s, %d};\n",
    names.function.data, id, file->package, owner->name, method->name,
    method->client_streaming ? "true" : "false", method->server_streaming ? "true" : "false",
    option(method, MUTATING) != 0 ? "true" : "false", span);
  put_comment(header, file, service, place);
  add(header, "extern const quiver_method %s_method;\n\n", names.function.data);
  put_header(header, method, &names);
  free(names.function.data);
  free(names.request.data);
  free(names.reply.data);
  free(names.descriptor.data);
}

static uint8_t *read_all(FILE *input, size_t *length) {
  uint8_t *data = NULL;
  size_t capacity = 0;
  *length = 0;
  for (;;) {
    if (*length == capacity) {
      capacity = capacity == 0 ? 65536 : capacity * 2;
      data = realloc(data, capacity);
      if (data == NULL) fail("no memory");
    }
    size_t count = fread(data + *length, 1, capacity - *length, input);
    if (count == 0) return data;
    *length += count;
  }
}

static void name_presence(Message *message) {
  for (size_t place = 0; place < message->n_nested_type; place++)
    name_presence(message->nested_type[place]);
  for (size_t place = 0; place < message->n_field; place++) {
    Google__Protobuf__FieldDescriptorProto *field = message->field[place];
    if (!field->has_proto3_optional || !field->proto3_optional) continue;
    field->has_proto3_optional = 0;
    text name = {0};
    add(&name, "optional_%s", field->name);
    Google__Protobuf__OneofDescriptorProto *oneof = message->oneof_decl[field->oneof_index];
    free(oneof->name);
    oneof->name = name.data;
  }
}

/* The response of protoc-gen-c to a request. */
static Response *make_messages(Request *request) {
  for (size_t place = 0; place < request->n_proto_file; place++)
    for (size_t other = 0; other < request->proto_file[place]->n_message_type; other++)
      name_presence(request->proto_file[place]->message_type[other]);
  size_t size = google__protobuf__compiler__code_generator_request__get_packed_size(request);
  uint8_t *packed = malloc(size);
  FILE *input = tmpfile(), *output = tmpfile();
  if (packed == NULL || input == NULL || output == NULL) fail("no memory or no temporary file");
  google__protobuf__compiler__code_generator_request__pack(request, packed);
  if (fwrite(packed, 1, size, input) != size || fflush(input) != 0) fail("the disk is full");
  free(packed);
  rewind(input);
  pid_t child = fork();
  if (child == 0) {
    dup2(fileno(input), 0);
    dup2(fileno(output), 1);
    execlp("protoc-gen-c", "protoc-gen-c", (char *)NULL);
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
    fail("protoc-gen-c failed; it is in the package protobuf-c-compiler");
  fclose(input);
  rewind(output);
  size_t length;
  uint8_t *data = read_all(output, &length);
  fclose(output);
  Response *response =
    google__protobuf__compiler__code_generator_response__unpack(NULL, length, data);
  free(data);
  if (response == NULL) fail("the response of protoc-gen-c does not decode");
  return response;
}

static void add_file(Response *response, const char *name, text *content) {
  OutputFile *file = malloc(sizeof *file);
  response->file = realloc(response->file, (response->n_file + 1) * sizeof *response->file);
  if (file == NULL || response->file == NULL) fail("no memory");
  google__protobuf__compiler__code_generator_response__file__init(file);
  file->name = strdup(name);
  file->content = content->data;
  response->file[response->n_file++] = file;
}

int main(void) {
  size_t length;
  uint8_t *data = read_all(stdin, &length);
  Request *request =
    google__protobuf__compiler__code_generator_request__unpack(NULL, length, data);
  free(data);
  if (request == NULL) fail("the request of protoc does not decode");
  text header = {0}, source = {0};
  add(&header, "/* The services of Quiver, made by protoc-gen-quiver. */\n");
  add(&header, "#ifndef QUIVER_SERVICES_H\n#define QUIVER_SERVICES_H\n\n");
  add(&header, "#include \"quiver/message.h\"\n");
  add(&source, "/* Made by protoc-gen-quiver. */\n#include \"quiver/services.h\"\n\n");
  for (size_t place = 0; place < request->n_file_to_generate; place++) {
    const char *name = request->file_to_generate[place];
    add(&header, "#include \"%.*s.pb-c.h\"\n", (int)(strlen(name) - 6), name);
  }
  add(&header, "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
  for (size_t place = 0; place < request->n_proto_file; place++) {
    const File *file = request->proto_file[place];
    for (size_t service = 0; service < file->n_service; service++)
      for (size_t method = 0; method < file->service[service]->n_method; method++)
        put_method(&header, &source, request, file, (int)service, (int)method);
  }
  add(&header, "\n#ifdef __cplusplus\n}\n#endif\n#endif\n");
  Response *response = make_messages(request);
  response->has_supported_features = 1;
  response->supported_features = 1; /* proto3 optional */
  add_file(response, "quiver/services.h", &header);
  add_file(response, "quiver/services.c", &source);
  size_t size = google__protobuf__compiler__code_generator_response__get_packed_size(response);
  uint8_t *packed = malloc(size);
  if (packed == NULL) fail("no memory");
  google__protobuf__compiler__code_generator_response__pack(response, packed);
  if (fwrite(packed, 1, size, stdout) != size) fail("standard output cannot be written");
  free(packed);
  google__protobuf__compiler__code_generator_response__free_unpacked(response, NULL);
  google__protobuf__compiler__code_generator_request__free_unpacked(request, NULL);
  return 0;
}
