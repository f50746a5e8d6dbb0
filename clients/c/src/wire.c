/* Payloads of the protocol, read and written without a library. */
#include "core.h"

#include <string.h>

bool is_utf8(const uint8_t *data, size_t length) {
  size_t at = 0;
  while (at < length) {
    uint8_t first = data[at++];
    if (first < 0x80) continue;
    unsigned more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    if (first < 0xC2 || first > 0xF4 || length - at < more) return false;
    uint8_t second = data[at];
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
        (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F))
      return false;
    for (; more > 0; more--)
      if ((data[at++] & 0xC0) != 0x80) return false;
  }
  return true;
}

static bool read_varint(reader *reader, uint64_t *number) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (reader->at == reader->end) break;
    uint8_t byte = *reader->at++;
    value |= (uint64_t)(byte & 0x7F) << shift;
    if (byte < 0x80) {
      *number = value;
      return true;
    }
  }
  reader->is_bad = true;
  return false;
}

bool read_field(reader *reader, field *field) {
  uint64_t tag;
  memset(field, 0, sizeof *field);
  if (reader->at == reader->end || !read_varint(reader, &tag)) return false;
  field->number = (uint32_t)(tag >> 3);
  field->type = (unsigned)(tag & 7);
  if (tag >> 3 == 0 || tag >> 3 > 536870911) {
    reader->is_bad = true;
    return false;
  }
  size_t left;
  switch (field->type) {
  case 0:
    return read_varint(reader, &field->value);
  case 1:
  case 5: {
    size_t size = field->type == 1 ? 8 : 4;
    if ((size_t)(reader->end - reader->at) < size) break;
    for (size_t place = 0; place < size; place++)
      field->value |= (uint64_t)reader->at[place] << (8 * place);
    reader->at += size;
    return true;
  }
  case 2:
    if (!read_varint(reader, &field->value)) return false;
    left = (size_t)(reader->end - reader->at);
    if (field->value > left) break;
    field->data = reader->at;
    field->length = (size_t)field->value;
    reader->at += field->length;
    return true;
  default:
    break;
  }
  reader->is_bad = true;
  return false;
}

static size_t varint_size(uint64_t number) {
  uint8_t scratch[10];
  return put_varint(scratch, number);
}

static size_t put_number(uint8_t *out, uint8_t tag, uint64_t number) {
  out[0] = tag;
  return 1 + put_varint(out + 1, number);
}

static size_t entry_size(const quiver_entry *entry) {
  size_t key = strlen(entry->key);
  size_t size = 1 + varint_size(key) + key;
  if (entry->length > 0) size += 1 + varint_size(entry->length) + entry->length;
  return size;
}

static size_t put_entry(uint8_t *out, const quiver_entry *entry) {
  size_t at = 0, key = strlen(entry->key);
  at += put_number(out, 0x42, entry_size(entry));
  at += put_number(out + at, 0x0A, key);
  memcpy(out + at, entry->key, key);
  at += key;
  if (entry->length > 0) {
    at += put_number(out + at, 0x12, entry->length);
    memcpy(out + at, entry->value, entry->length);
    at += entry->length;
  }
  return at;
}

bool read_position(const uint8_t *value, size_t length, quiver_position *found) {
  if (length < 18 || length > POSITION_LENGTH || value[16] != '-' || value[17] == '0') return false;
  uint64_t epoch = 0, sequence = 0;
  for (size_t place = 0; place < 16; place++) {
    uint8_t byte = value[place];
    if (byte >= '0' && byte <= '9')
      epoch = epoch << 4 | (uint64_t)(byte - '0');
    else if (byte >= 'a' && byte <= 'f')
      epoch = epoch << 4 | (uint64_t)(byte - 'a' + 10);
    else
      return false;
  }
  for (size_t place = 17; place < length; place++) {
    if (value[place] < '0' || value[place] > '9') return false;
    /* 19 digits fit. */
    sequence = sequence * 10 + (uint64_t)(value[place] - '0');
  }
  if (sequence > INT64_MAX) return false;
  *found = (quiver_position){(int64_t)sequence, epoch};
  return true;
}

static size_t put_position(uint8_t *out, const quiver_position *position) {
  static const char digits[] = "0123456789abcdef";
  uint8_t value[POSITION_LENGTH], reversed[20];
  size_t length = 0, count = 0;
  for (int shift = 60; shift >= 0; shift -= 4)
    value[length++] = (uint8_t)digits[position->store_epoch >> shift & 15];
  value[length++] = '-';
  for (uint64_t left = (uint64_t)position->sequence; left > 0; left /= 10)
    reversed[count++] = (uint8_t)('0' + left % 10);
  while (count > 0) value[length++] = reversed[--count];
  quiver_entry entry = {POSITION_KEY, value, length};
  return put_entry(out, &entry);
}

size_t put_head(uint8_t *out, size_t capacity, const head_fields *fields) {
  /* The fields in front of the metadata take at most 6 + 6 + 18 + 6 + 11, those behind it 11. */
  size_t size = 64 + 3;
  for (size_t place = 0; place < fields->metadata_count; place++)
    size += entry_size(&fields->metadata[place]) + 6;
  if (fields->known.sequence != 0) size += sizeof POSITION_KEY + POSITION_LENGTH + 6;
  if (size > capacity) return 0;
  /* The length of most heads takes one byte. */
  uint8_t *body = out + 1;
  size_t at = put_number(body, 0x08, fields->method_id);
  if (fields->timeout_ms > 0) at += put_number(body + at, 0x18, fields->timeout_ms);
  if (fields->key != NULL) {
    at += put_number(body + at, 0x22, QUIVER_KEY_BYTES);
    memcpy(body + at, fields->key, QUIVER_KEY_BYTES);
    at += QUIVER_KEY_BYTES;
  }
  if (fields->attempt > 0) at += put_number(body + at, 0x30, fields->attempt);
  if (fields->position.sequence != 0)
    at += put_number(body + at, 0x38, (uint64_t)fields->position.sequence);
  for (size_t place = 0; place < fields->metadata_count; place++)
    at += put_entry(body + at, &fields->metadata[place]);
  if (fields->known.sequence != 0) at += put_position(body + at, &fields->known);
  if (fields->position.sequence != 0) {
    body[at++] = 0x49;
    for (unsigned shift = 0; shift < 64; shift += 8)
      body[at++] = (uint8_t)(fields->position.store_epoch >> shift);
  }
  if (fields->credit_at_once) at += put_number(body + at, 0x50, 1);
  if (at < 0x80) {
    out[0] = (uint8_t)at;
    return 1 + at;
  }
  uint8_t length[10];
  size_t count = put_varint(length, at);
  memmove(out + count, body, at);
  memcpy(out, length, count);
  return count + at;
}

quiver_code check_entries(const quiver_entry *entries, size_t count) {
  size_t bytes = 0;
  for (size_t place = 0; place < count; place++) {
    const char *key = entries[place].key;
    size_t length = strlen(key);
    if (length == 0 || length > 64) return QUIVER_INVALID_ARGUMENT;
    for (const char *at = key; *at != 0; at++) {
      bool is_good = (*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9') || *at == '.' ||
                     *at == '_' || *at == '-';
      if (!is_good) return QUIVER_INVALID_ARGUMENT;
    }
    bytes += length + entries[place].length;
  }
  return count > MAX_ENTRIES || bytes > MAX_METADATA_BYTES ? QUIVER_RESOURCE_EXHAUSTED : QUIVER_OK;
}

quiver_code code_of(uint64_t number) {
  return number <= 16 ? (quiver_code)number : QUIVER_UNKNOWN;
}

/* The key and the value of a Metadata or Detail. */
static bool read_entry(const field *outer, field *key, field *value) {
  reader reader = {outer->data, outer->data + outer->length, false};
  field field;
  memset(key, 0, sizeof *key);
  memset(value, 0, sizeof *value);
  while (read_field(&reader, &field)) {
    if (field.type != 2) continue;
    if (field.number == 1) *key = field;
    if (field.number == 2) *value = field;
  }
  if (key->length > 0 && memchr(key->data, 0, key->length) != NULL) return false;
  return !reader.is_bad && is_utf8(key->data, key->length);
}

/* Where a pass over a payload keeps entries: the first pass counts, the second one fills. */
typedef struct tally {
  size_t details, metadata, bytes;
  quiver_entry *detail_at, *metadata_at;
  uint8_t *byte_at;
} tally;

static const uint8_t *keep(tally *tally, const uint8_t *data, size_t length) {
  tally->bytes += length + 1;
  if (tally->byte_at == NULL) return NULL;
  uint8_t *kept = tally->byte_at;
  if (length > 0) memcpy(kept, data, length);
  kept[length] = 0;
  tally->byte_at += length + 1;
  return kept;
}

static bool keep_entry(tally *tally, const field *outer, bool is_detail) {
  field key, value;
  if (!read_entry(outer, &key, &value)) return false;
  quiver_entry entry;
  entry.key = (const char *)keep(tally, key.data, key.length);
  entry.value = keep(tally, value.data, value.length);
  entry.length = value.length;
  quiver_entry **at = is_detail ? &tally->detail_at : &tally->metadata_at;
  if (*at != NULL) *(*at)++ = entry;
  if (is_detail)
    tally->details++;
  else
    tally->metadata++;
  return true;
}

static bool pass(
  tally *tally, quiver_status *status, const uint8_t *data, size_t length, bool is_status) {
  reader reader = {data, data + length, false};
  field field, text = {0};
  status->code = QUIVER_OK;
  while (read_field(&reader, &field)) {
    if (!is_status) {
      if (field.number == 1 && field.type == 2 && !keep_entry(tally, &field, false)) return false;
      continue;
    }
    switch (field.number) {
    case 1:
      if (field.type == 0) status->code = code_of((uint32_t)field.value);
      break;
    case 2:
      if (field.type == 2) text = field;
      break;
    case 3:
      if (field.type == 2 && !keep_entry(tally, &field, true)) return false;
      break;
    case 4:
      if (field.type == 2 && !keep_entry(tally, &field, false)) return false;
      break;
    case 5:
      if (field.type == 0) status->not_processed = field.value != 0;
      break;
    case 6:
      if (field.type == 0) {
        uint32_t bits = (uint32_t)field.value;
        status->retry_after_ms = (int32_t)(bits >> 1) ^ -(int32_t)(bits & 1);
      }
      break;
    default:
      break;
    }
  }
  if (reader.is_bad || !is_utf8(text.data, text.length)) return false;
  status->message = (const char *)keep(tally, text.data, text.length);
  return true;
}

static parsed *parse(
  const quiver_allocator *allocator, const uint8_t *data, size_t length, bool is_status,
  bool *is_bad) {
  tally tally = {0};
  quiver_status status = {0};
  *is_bad = !pass(&tally, &status, data, length, is_status);
  if (*is_bad) return NULL;
  size_t entries = (tally.details + tally.metadata) * sizeof(quiver_entry);
  parsed *found = memory_resize(allocator, NULL, sizeof(parsed) + entries + tally.bytes);
  if (found == NULL) return NULL;
  memset(found, 0, sizeof *found);
  quiver_entry *first = (quiver_entry *)(found + 1);
  size_t details = tally.details, metadata = tally.metadata;
  memset(&tally, 0, sizeof tally);
  tally.detail_at = first;
  tally.metadata_at = first + details;
  tally.byte_at = (uint8_t *)(first + details + metadata);
  (void)pass(&tally, &found->status, data, length, is_status);
  found->status.details = first;
  found->status.detail_count = details;
  found->status.metadata = first + details;
  found->status.metadata_count = metadata;
  return found;
}

parsed *parse_status(
  const quiver_allocator *allocator, const uint8_t *data, size_t length, bool *is_bad) {
  return parse(allocator, data, length, true, is_bad);
}

parsed *parse_headers(
  const quiver_allocator *allocator, const uint8_t *data, size_t length, bool *is_bad) {
  return parse(allocator, data, length, false, is_bad);
}

parsed *make_status(const quiver_allocator *allocator, quiver_code code, const char *text) {
  size_t length = strlen(text);
  parsed *made = memory_resize(allocator, NULL, sizeof(parsed) + length + 1);
  if (made == NULL) return NULL;
  memset(made, 0, sizeof *made);
  char *kept = (char *)(made + 1);
  memcpy(kept, text, length + 1);
  made->status.code = code;
  made->status.origin = QUIVER_ORIGIN_CLIENT;
  made->status.message = kept;
  return made;
}
