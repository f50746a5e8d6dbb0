/* Messages of protobuf-c: validated before they are unpacked, into memory that has a limit. */
#include "quiver/message.h"

#include <stdlib.h>
#include <string.h>

#include "core.h"

#define MOST_LEVELS 16
#define MOST_FIELDS 262144u
#define MOST_PACKED 1048576u
#define MOST_UNKNOWN 16384u
#define MOST_MEMORY (64u << 20)

/* ---- Validation (section 4.1) */

typedef struct budget {
  uint32_t fields, packed, unknown; /* packed elements are no fields */
} budget;

static unsigned wire_type(ProtobufCType type) {
  switch (type) {
  case PROTOBUF_C_TYPE_SFIXED32:
  case PROTOBUF_C_TYPE_FIXED32:
  case PROTOBUF_C_TYPE_FLOAT:
    return 5;
  case PROTOBUF_C_TYPE_SFIXED64:
  case PROTOBUF_C_TYPE_FIXED64:
  case PROTOBUF_C_TYPE_DOUBLE:
    return 1;
  case PROTOBUF_C_TYPE_STRING:
  case PROTOBUF_C_TYPE_BYTES:
  case PROTOBUF_C_TYPE_MESSAGE:
    return 2;
  default:
    return 0;
  }
}

static bool check_packed(budget *budget, const field *field, unsigned type) {
  size_t size = type == 1 ? 8 : type == 5 ? 4 : 0;
  if (size > 0) {
    size_t count = field->length / size;
    if (field->length % size != 0 || count > MOST_PACKED - budget->packed) return false;
    budget->packed += (uint32_t)count;
    return true;
  }
  unsigned run = 0;
  for (size_t place = 0; place < field->length; place++) {
    if (++run > 10) return false;
    if (field->data[place] < 0x80) {
      run = 0;
      if (++budget->packed > MOST_PACKED) return false;
    }
  }
  return run == 0;
}

static bool check(
  budget *budget, const ProtobufCMessageDescriptor *type, const uint8_t *data, size_t length,
  unsigned level) {
  if (level > MOST_LEVELS) return false;
  reader reader = {data, data + length, false};
  field field;
  uint64_t seen = 0; /* Of the singular sub-messages, by their place in the type. */
  while (read_field(&reader, &field)) {
    if (++budget->fields > MOST_FIELDS) return false;
    const ProtobufCFieldDescriptor *known =
      protobuf_c_message_descriptor_get_field(type, field.number);
    if (known == NULL) {
      if (++budget->unknown > MOST_UNKNOWN) return false;
      continue;
    }
    unsigned wanted = wire_type(known->type);
    bool is_packed =
      field.type == 2 && wanted != 2 && known->label == PROTOBUF_C_LABEL_REPEATED;
    if (is_packed) {
      if (!check_packed(budget, &field, wanted)) return false;
      continue;
    }
    if (field.type != wanted) return false;
    if (known->type == PROTOBUF_C_TYPE_STRING) {
      /* A C string ends at the first NUL. */
      if (!is_utf8(field.data, field.length)) return false;
      if (field.length > 0 && memchr(field.data, 0, field.length) != NULL) return false;
    }
    if (known->type != PROTOBUF_C_TYPE_MESSAGE) continue;
    if (known->label != PROTOBUF_C_LABEL_REPEATED) {
      /* protobuf-c would merge two of them, and reads memory that is not set where one has a oneof. */
      size_t place = (size_t)(known - type->fields);
      uint64_t bit = place < 64 ? (uint64_t)1 << place : 0;
      if (seen & bit) return false;
      seen |= bit;
    }
    if (!check(budget, known->descriptor, field.data, field.length, level + 1))
      return false;
  }
  return !reader.is_bad;
}

/* ---- Unpacking */

/* What is unpacked lies in one block, whose first object is the message itself. */
typedef struct arena {
  size_t used, capacity;
  _Alignas(16) uint8_t bytes[];
} arena;

static void *take(void *context, size_t size) {
  arena *arena = context;
  size_t wanted = (size + 15) & ~(size_t)15;
  if (wanted < size || wanted > arena->capacity - arena->used) return NULL;
  void *found = arena->bytes + arena->used;
  arena->used += wanted;
  return found;
}

static void leave(void *context, void *pointer) {
  (void)context;
  (void)pointer;
}

ProtobufCMessage *quiver_message_unpack(
  const ProtobufCMessageDescriptor *type, const uint8_t *data, size_t length) {
  budget budget = {0, 0, 0};
  if (!check(&budget, type, data, length, 1)) return NULL;
  size_t capacity = 65536 + length * 32;
  if (capacity > MOST_MEMORY) capacity = MOST_MEMORY;
  arena *made = malloc(sizeof(arena) + capacity);
  if (made == NULL) return NULL;
  made->used = 0;
  made->capacity = capacity;
  ProtobufCAllocator allocator = {take, leave, made};
  ProtobufCMessage *message = protobuf_c_message_unpack(type, &allocator, length, data);
  if (message == NULL || (uint8_t *)message != made->bytes) {
    free(made);
    return NULL;
  }
  return message;
}

void quiver_message_free(void *message) {
  if (message != NULL) free((uint8_t *)message - offsetof(arena, bytes));
}

/* ---- Calls */

/* Encodes a message behind `scratch` if it fits. */
static uint8_t *pack(const ProtobufCMessage *message, uint8_t *scratch, size_t room, size_t *length) {
  *length = protobuf_c_message_get_packed_size(message);
  uint8_t *data = *length <= room ? scratch : malloc(*length);
  if (data != NULL) protobuf_c_message_pack(message, data);
  return data;
}

quiver_call *quiver_stream(
  quiver_client *client, const quiver_method *method, const quiver_call_options *options,
  const ProtobufCMessage *request) {
  if (request == NULL) return quiver_call_start(client, method, options, NULL, 0);
  uint8_t scratch[1024];
  size_t length;
  uint8_t *data = pack(request, scratch, sizeof scratch, &length);
  if (data == NULL) return NULL;
  quiver_call *call = quiver_call_start(client, method, options, data, length);
  if (data != scratch) free(data);
  return call;
}

quiver_call *quiver_submit(
  quiver_client *client, const quiver_method *method, const quiver_call_options *options,
  const ProtobufCMessage *request, void *context) {
  if (request == NULL) return quiver_call_submit(client, method, options, NULL, 0, context);
  uint8_t scratch[1024];
  size_t length;
  uint8_t *data = pack(request, scratch, sizeof scratch, &length);
  if (data == NULL) return NULL;
  quiver_call *call = quiver_call_submit(client, method, options, data, length, context);
  if (data != scratch) free(data);
  return call;
}

int quiver_stream_next(
  quiver_call *call, const ProtobufCMessageDescriptor *type, ProtobufCMessage **message) {
  const uint8_t *data;
  size_t length;
  *message = NULL;
  if (quiver_call_receive(call, &data, &length) == 0) return 0;
  *message = quiver_message_unpack(type, data, length);
  if (*message != NULL) return 1;
  quiver_call_reject(call, "a message of the reply does not decode");
  return 0;
}

bool quiver_stream_send(quiver_call *call, const ProtobufCMessage *message) {
  uint8_t scratch[1024];
  size_t length;
  uint8_t *data = pack(message, scratch, sizeof scratch, &length);
  if (data == NULL) return false;
  bool is_sent = quiver_call_send(call, data, length);
  if (data != scratch) free(data);
  return is_sent;
}

/* The one reply of a call whose request is complete. */
static quiver_code single(
  quiver_call *call, const ProtobufCMessageDescriptor *type, ProtobufCMessage **reply) {
  ProtobufCMessage *found = NULL, *second = NULL;
  if (quiver_stream_next(call, type, &found) == 1 &&
      quiver_stream_next(call, type, &second) == 1) {
    quiver_message_free(second);
    quiver_call_reject(call, "the server sent a second reply");
  }
  quiver_code code = quiver_call_status(call)->code;
  if (code == QUIVER_OK && found != NULL) {
    *reply = found;
    return code;
  }
  quiver_message_free(found);
  *reply = NULL;
  return code == QUIVER_OK ? QUIVER_INTERNAL : code;
}

quiver_code quiver_stream_reply(
  quiver_call *call, const ProtobufCMessageDescriptor *type, ProtobufCMessage **reply) {
  quiver_call_finish(call);
  return single(call, type, reply);
}

quiver_code quiver_unary(
  quiver_client *client, const quiver_method *method, const quiver_call_options *options,
  const ProtobufCMessage *request, const ProtobufCMessageDescriptor *reply_type,
  ProtobufCMessage **reply, quiver_call **call) {
  quiver_call *made = quiver_stream(client, method, options, request);
  *reply = NULL;
  if (call != NULL) *call = made;
  if (made == NULL) return QUIVER_RESOURCE_EXHAUSTED;
  quiver_code code = single(made, reply_type, reply);
  if (call == NULL) quiver_call_free(made);
  return code;
}
