internal import CProtobufC
internal import Synchronization

/// What the codec needs of a message type, flat in memory: no class, array or closure is touched for
/// a field.
///
/// Made with its schema, filled at first use, not changed afterwards.
@usableFromInline
package struct MessagePlan: ~Copyable {
  /// Set, with release ordering, when everything below and all plans of sub-messages are in place.
  let isReady = Atomic<Bool>(false)
  /// The schema that owns this plan.
  var schema: Unmanaged<MessageSchema>?
  var descriptor: UnsafeMutablePointer<ProtobufCMessageDescriptor>?
  /// By ascending number.
  var fields: UnsafeMutablePointer<FieldPlan>?
  var fieldCount = 0
  /// Index into `fields` by number, -1 where there is none.
  var indexByNumber: UnsafeMutablePointer<Int16>?
  var indexByNumberCount: UInt32 = 0
  /// The size of the C structure.
  var structByteCount = 0
  /// What unpacking takes from the arena for a message without fields, with what rounding may add.
  var arenaByteCount = 0
  /// The storage that the descriptor points into.
  var storage: DescriptorStorage?
}

/// What the codec needs of a field.
struct FieldPlan {
  var number: UInt32 = 0
  var wireType: UInt8 = 0
  var kind = FieldKind.word32
  var type = FieldType.int32
  var isRepeated = false
  var isPackable = false
  /// Bytes of one element of a repeated field in C.
  var elementByteCount: UInt8 = 0
  var tagByteCount: UInt8 = 0
  /// The most bytes of one value on the wire, with its tag, without what is in it.
  var boundByteCount: UInt8 = 0
  /// The bit that notes a singular sub-message as seen.
  var seenBit: UInt64 = 0
  var swiftOffset = 0
  var cOffset = 0
  /// Of the count, if repeated, or of the presence.
  var quantifierOffset = 0
  var child: UnsafeMutablePointer<MessagePlan>?
}

/// How a field crosses between C and Swift: one case for each pair of layouts.
enum FieldKind: UInt8 {
  case word32, word64, bool, string, bytes
  case optionalWord32, optionalWord64, optionalBool, optionalString, optionalBytes
  case int32s, uint32s, floats, int64s, uint64s, doubles, bools, enums, strings, byteStrings
  case message, messages
}

/// A plan's address.
///
/// Unchecked: the plan is written under a lock before `isReady` is set and only read after.
@usableFromInline
package struct PlanReference: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<MessagePlan>

  init() {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: MessagePlan())
  }

  func destroy() {
    pointer.pointee.fields?.deallocate()
    pointer.pointee.indexByNumber?.deallocate()
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }

  /// The plan, built if this is its first use.
  @inline(__always)
  func prepared() -> UnsafeMutablePointer<MessagePlan> {
    if !pointer.pointee.isReady.load(ordering: .acquiring) { build() }
    return pointer
  }

  @inline(never)
  private func build() {
    pointer.pointee.schema?.takeUnretainedValue().prepare()
  }
}
