package quiver;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The checks of section 4.1 of PROTOCOL.md over the bytes of a message, before it is decoded, so that a small message
 * cannot take much memory. They allocate nothing for a message.
 */
final class WireCheck {
  static final int DEEPEST = 16, MOST_FIELDS = 262_144, MOST_PACKED = 1_048_576, MOST_UNKNOWN = 16_384;
  static final long FREE_MEMORY = 65_536, MEMORY_PER_BYTE = 32, MOST_MEMORY = 64 << 20;
  /** What an object, an entry of a list, and a text or unknown field beside its bytes are estimated to take. */
  static final int OBJECT_BYTES = 64, ENTRY_BYTES = 16, STRING_BYTES = 48;

  private static final int VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5;
  private static final Map<Descriptor, Map<Integer, Field>> TABLES = new ConcurrentHashMap<>();
  private static final Map<Parser<?>, Descriptor> TYPES = new ConcurrentHashMap<>();

  /** `bit`: of a singular object, among those of its type; 0: of other fields. */
  private record Field(int wireType, boolean isRepeated, boolean isString, Descriptor message, long bit) {}

  private final byte[] data;
  private int at, fields, packed, unknown;
  private long memory;

  private WireCheck(byte[] data) {
    this.data = data;
  }

  /** Whether a message may be decoded by a parser. */
  static boolean passes(byte[] data, Parser<? extends MessageLite> parser) {
    Descriptor type = TYPES.computeIfAbsent(parser, WireCheck::typeOf);
    WireCheck check = new WireCheck(data);
    return check.message(type, data.length, 1)
        && check.memory <= Math.min(MOST_MEMORY, FREE_MEMORY + MEMORY_PER_BYTE * data.length);
  }

  private static Descriptor typeOf(Parser<?> parser) {
    try {
      return ((Message) parser.parseFrom(new byte[0])).getDescriptorForType();
    } catch (com.google.protobuf.InvalidProtocolBufferException error) {
      throw new IllegalStateException("an empty message of proto3 decodes", error);
    }
  }

  private static Map<Integer, Field> table(Descriptor type) {
    Map<Integer, Field> made = new HashMap<>();
    int singular = 0;
    for (FieldDescriptor field : type.getFields()) {
      int wireType = switch (field.getType()) {
        case DOUBLE, FIXED64, SFIXED64 -> FIXED64;
        case FLOAT, FIXED32, SFIXED32 -> FIXED32;
        case STRING, BYTES, MESSAGE -> BYTES;
        case GROUP -> throw new IllegalArgumentException("proto3 has no groups");
        default -> VARINT;
      };
      boolean isMessage = field.getType() == FieldDescriptor.Type.MESSAGE;
      long bit = 0;
      if (isMessage && !field.isRepeated()) {
        if (singular == Long.SIZE) throw new IllegalArgumentException(type.getFullName() + " has more than 64 singular objects");
        bit = 1L << singular++;
      }
      made.put(field.getNumber(), new Field(wireType, field.isRepeated(),
          field.getType() == FieldDescriptor.Type.STRING, isMessage ? field.getMessageType() : null, bit));
    }
    return made;
  }

  /** A varint of at most `most` bytes; -1: there is none. Those of 64 bits lose their sign here. */
  private long varint(int end, int most) {
    long value = 0;
    for (int count = 0; count < most && at < end; count++) {
      byte one = data[at++];
      value |= (long) (one & 0x7F) << 7 * count;
      if (one >= 0) return value & Long.MAX_VALUE;
    }
    return -1;
  }

  private boolean message(Descriptor type, int end, int depth) {
    if (depth > DEEPEST) return false;
    memory += OBJECT_BYTES;
    Map<Integer, Field> table = TABLES.computeIfAbsent(type, WireCheck::table);
    long seen = 0;
    while (at < end) {
      long tag = varint(end, 5);
      long number = tag >>> 3;
      if (tag < 0 || number < 1 || number > 536_870_911 || ++fields > MOST_FIELDS) return false;
      Field field = table.get((int) number);
      int wireType = (int) (tag & 7);
      if (field == null) {
        memory += STRING_BYTES;
        if (++unknown > MOST_UNKNOWN || !skip(wireType, end)) return false;
        continue;
      }
      if ((seen & field.bit) != 0) return false;
      seen |= field.bit;
      if (!value(field, wireType, end, depth)) return false;
    }
    return at == end;
  }

  private boolean value(Field field, int wireType, int end, int depth) {
    if (field.isRepeated) memory += ENTRY_BYTES;
    boolean isPacked = field.isRepeated && wireType == BYTES && field.wireType != BYTES;
    if (wireType != field.wireType && !isPacked) return false;
    if (wireType != BYTES) return skip(wireType, end);
    long length = varint(end, 5);
    if (length < 0 || length > end - at) return false;
    int last = at + (int) length;
    if (isPacked) {
      int before = packed;
      while (at < last) {
        if (++packed > MOST_PACKED || !skip(field.wireType, last)) return false;
      }
      memory += 8L * (packed - before);
      return at == last;
    }
    if (field.message != null) return message(field.message, last, depth + 1);
    memory += STRING_BYTES + length;
    if (field.isString && !isText(last)) return false;
    at = last;
    return true;
  }

  private boolean skip(int wireType, int end) {
    switch (wireType) {
      case VARINT -> {
        return varint(end, 10) >= 0;
      }
      case FIXED64 -> at += 8;
      case FIXED32 -> at += 4;
      case BYTES -> {
        long length = varint(end, 5);
        if (length < 0 || length > end - at) return false;
        memory += length;
        at += (int) length;
      }
      default -> {
        return false;
      }
    }
    return at <= end;
  }

  /** Whether the bytes to `last` are UTF-8: no surrogates, nothing longer than needed. */
  private boolean isText(int last) {
    int place = at;
    while (place < last) {
      int one = data[place++];
      if (one >= 0) continue;
      int more = (one & 0xE0) == 0xC0 ? 1 : (one & 0xF0) == 0xE0 ? 2 : (one & 0xF8) == 0xF0 ? 3 : 0;
      if (more == 0 || place + more > last) return false;
      int code = one & (0x3F >> more);
      for (int count = 0; count < more; count++) {
        if ((data[place] & 0xC0) != 0x80) return false;
        code = code << 6 | (data[place++] & 0x3F);
      }
      int least = more == 1 ? 0x80 : more == 2 ? 0x800 : 0x10000;
      if (code < least || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
    }
    return true;
  }
}
