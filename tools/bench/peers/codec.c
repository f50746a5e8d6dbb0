// libprotobuf-c alone: unpack and pack into a bump arena, with descriptors as protoc-c would make
// them. Prints nanoseconds of processor time for each decode plus encode.
//   codec echo|items ITERATIONS     codec echo|items hex
#define _GNU_SOURCE
#include "measure.h"

#include <protobuf-c/protobuf-c.h>
#include <stddef.h>

typedef struct {
  ProtobufCMessage base;
  ProtobufCBinaryData payload;
  char *text;
  uint64_t number;
} EchoMessage;

typedef struct {
  ProtobufCMessage base;
  int64_t id;
  int32_t type;
  char *display_brand;
  char *display_model;
  protobuf_c_boolean archived;
  ProtobufCBinaryData client_id;
} EquipmentItem;

typedef struct {
  ProtobufCMessage base;
  size_t n_items;
  EquipmentItem **items;
  char *next_page_token;
} ListItemsResponse;

static const char empty[] = "";

#define FIELD(name_, number_, type_, message_, member_)                          \
  {                                                                              \
    .name = name_, .id = number_, .label = PROTOBUF_C_LABEL_NONE, .type = type_, \
    .offset = offsetof(message_, member_),                                       \
    .default_value = type_ == PROTOBUF_C_TYPE_STRING ? empty : NULL              \
  }

static const ProtobufCFieldDescriptor echo_fields[] = {
    FIELD("payload", 1, PROTOBUF_C_TYPE_BYTES, EchoMessage, payload),
    FIELD("text", 2, PROTOBUF_C_TYPE_STRING, EchoMessage, text),
    FIELD("number", 3, PROTOBUF_C_TYPE_UINT64, EchoMessage, number),
};
static const unsigned echo_by_name[] = {2, 0, 1};
static const ProtobufCIntRange echo_ranges[] = {{1, 0}, {0, 3}};
static void echo_init(ProtobufCMessage *message);
static const ProtobufCMessageDescriptor echo_descriptor = {
    PROTOBUF_C__MESSAGE_DESCRIPTOR_MAGIC, "quiver.v1.EchoMessage", "EchoMessage", "EchoMessage",
    "quiver.v1", sizeof(EchoMessage), 3, echo_fields, echo_by_name, 1, echo_ranges, echo_init,
    NULL, NULL, NULL};
static void echo_init(ProtobufCMessage *message) {
  static const EchoMessage initial = {.base = {&echo_descriptor, 0, NULL}, .text = (char *)empty};
  *(EchoMessage *)message = initial;
}

static const ProtobufCFieldDescriptor item_fields[] = {
    FIELD("id", 1, PROTOBUF_C_TYPE_INT64, EquipmentItem, id),
    FIELD("type", 2, PROTOBUF_C_TYPE_INT32, EquipmentItem, type),  // an open enum's wire format
    FIELD("display_brand", 3, PROTOBUF_C_TYPE_STRING, EquipmentItem, display_brand),
    FIELD("display_model", 4, PROTOBUF_C_TYPE_STRING, EquipmentItem, display_model),
    FIELD("archived", 5, PROTOBUF_C_TYPE_BOOL, EquipmentItem, archived),
    FIELD("client_id", 6, PROTOBUF_C_TYPE_BYTES, EquipmentItem, client_id),
};
static const unsigned item_by_name[] = {4, 5, 2, 3, 0, 1};
static const ProtobufCIntRange item_ranges[] = {{1, 0}, {0, 6}};
static void item_init(ProtobufCMessage *message);
static const ProtobufCMessageDescriptor item_descriptor = {
    PROTOBUF_C__MESSAGE_DESCRIPTOR_MAGIC, "quiver.v1.EquipmentItem", "EquipmentItem",
    "EquipmentItem", "quiver.v1", sizeof(EquipmentItem), 6, item_fields, item_by_name, 1,
    item_ranges, item_init, NULL, NULL, NULL};
static void item_init(ProtobufCMessage *message) {
  static const EquipmentItem initial = {.base = {&item_descriptor, 0, NULL},
                                        .display_brand = (char *)empty,
                                        .display_model = (char *)empty};
  *(EquipmentItem *)message = initial;
}

static const ProtobufCFieldDescriptor list_fields[] = {
    {.name = "items",
     .id = 1,
     .label = PROTOBUF_C_LABEL_REPEATED,
     .type = PROTOBUF_C_TYPE_MESSAGE,
     .quantifier_offset = offsetof(ListItemsResponse, n_items),
     .offset = offsetof(ListItemsResponse, items),
     .descriptor = &item_descriptor},
    FIELD("next_page_token", 2, PROTOBUF_C_TYPE_STRING, ListItemsResponse, next_page_token),
};
static const unsigned list_by_name[] = {0, 1};
static const ProtobufCIntRange list_ranges[] = {{1, 0}, {0, 2}};
static void list_init(ProtobufCMessage *message);
static const ProtobufCMessageDescriptor list_descriptor = {
    PROTOBUF_C__MESSAGE_DESCRIPTOR_MAGIC, "quiver.v1.ListItemsResponse", "ListItemsResponse",
    "ListItemsResponse", "quiver.v1", sizeof(ListItemsResponse), 2, list_fields, list_by_name, 1,
    list_ranges, list_init, NULL, NULL, NULL};
static void list_init(ProtobufCMessage *message) {
  static const ListItemsResponse initial = {.base = {&list_descriptor, 0, NULL},
                                            .next_page_token = (char *)empty};
  *(ListItemsResponse *)message = initial;
}

static uint8_t arena[64 * 1024];
static size_t arena_used;

static void *arena_take(void *data, size_t size) {
  (void)data;
  size_t at = arena_used;
  size = (size + 15) & ~(size_t)15;
  if (at + size > sizeof arena) return NULL;
  arena_used = at + size;
  return arena + at;
}

static void arena_leave(void *data, void *bytes) {
  (void)data;
  (void)bytes;
}

static ProtobufCAllocator allocator = {arena_take, arena_leave, NULL};

// Three items of 51 bytes and a page token of 33: 186.
static size_t pack_items(uint8_t *into) {
  static uint8_t client_ids[3][16];
  EquipmentItem items[3], *pointers[3];
  ListItemsResponse list;
  list_init(&list.base);
  for (int i = 0; i < 3; i++) {
    item_init(&items[i].base);
    for (int k = 0; k < 16; k++) client_ids[i][k] = (uint8_t)(16 * i + k);
    items[i].id = 70000 + i;
    items[i].type = 1 + i;
    items[i].display_brand = "Win&Win";
    items[i].display_model = "Wiawis ATF-X";
    items[i].archived = 1;
    items[i].client_id = (ProtobufCBinaryData){16, client_ids[i]};
    pointers[i] = &items[i];
  }
  list.n_items = 3;
  list.items = pointers;
  list.next_page_token = "the-token-of-the-page-that-next";
  return protobuf_c_message_pack(&list.base, into);
}

int main(int argc, char **argv) {
  uint8_t bytes[256], packed[256];
  int is_echo = argc > 1 && strcmp(argv[1], "echo") == 0;
  if (argc != 3 || !(is_echo || strcmp(argv[1], "items") == 0)) {
    fprintf(stderr, "usage: codec echo|items ITERATIONS|hex\n");
    return 64;
  }
  size_t count = is_echo ? sizeof echo_message : pack_items(bytes);
  if (is_echo) memcpy(bytes, echo_message, count);
  if (strcmp(argv[2], "hex") == 0) {
    for (size_t i = 0; i < count; i++) printf("%02x", bytes[i]);
    printf("\n");
    return 0;
  }
  const ProtobufCMessageDescriptor *descriptor = is_echo ? &echo_descriptor : &list_descriptor;
  long iterations = atol(argv[2]);
  uint64_t began = 0;
  for (long i = -iterations / 10; i < iterations; i++) {
    if (i == 0) began = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    arena_used = 0;
    ProtobufCMessage *message = protobuf_c_message_unpack(descriptor, &allocator, count, bytes);
    if (!message || protobuf_c_message_pack(message, packed) != count) return 1;
  }
  double ns = (double)(clock_ns(CLOCK_PROCESS_CPUTIME_ID) - began) / (double)iterations;
  if (memcmp(bytes, packed, count) != 0) return 1;
  printf("{\"bytes\":%zu,\"iterations\":%ld,\"ns\":%.3f}\n", count, iterations, ns);
  return 0;
}
