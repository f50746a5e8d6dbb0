internal import CProtobufC
internal import Synchronization

/// The properties of a message type that the codec uses, flat in memory: no class, array or closure
/// is touched for a field.
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
  /// The fields by number, as far as numbers are small.
  var fieldByNumber: UnsafeMutablePointer<UnsafeMutablePointer<FieldPlan>?>?
  var fieldByNumberCount: UInt32 = 0
  /// The size of the C structure.
  var structByteCount = 0
  /// What unpacking takes from the arena for a message without fields, with what rounding may add.
  var arenaByteCount = 0
  /// The fields that the bound of the encoded size depends on.
  var variableFields: UnsafeMutablePointer<UnsafeMutablePointer<FieldPlan>>?
  var variableFieldCount = 0
  /// The largest size of the fields without presence, without the content of strings and bytes.
  var scalarBoundByteCount = 0
  /// The storage that the descriptor points into.
  var storage: DescriptorStorage?
}

extension MessagePlan {
  /// The field with a number that is too large for the table, by binary search.
  @inline(never)
  func find(_ number: UInt32) -> UnsafeMutablePointer<FieldPlan>? {
    guard let fields else { return nil }
    var low = 0
    var high = fieldCount &- 1
    while low <= high {
      let middle = (low &+ high) / 2
      let found = fields[middle].number
      if found == number { return fields + middle }
      if found < number { low = middle &+ 1 } else { high = middle &- 1 }
    }
    return nil
  }

  /// The name of one of the plan's fields.
  func name(of field: UnsafeMutablePointer<FieldPlan>) -> String {
    let number = Int32(bitPattern: field.pointee.number)
    return schema?.takeUnretainedValue().field(number: number)?.name ?? ""
  }
}

/// What the codec needs of a field.
struct FieldPlan {
  var number: UInt32 = 0
  /// The number and the wire type of one value.
  var tag: UInt32 = 0
  /// The tag before this field must be less than this in an ordered message; 0: a value on its own
  /// makes the message unordered.
  var order: UInt32 = 0
  var kind = FieldKind.word32
  var shape = WireShape.varint
  var form = NumberForm.unsigned
  var type = FieldType.int32
  var isRepeated = false
  var isPackable = false
  /// Bytes of one element of a repeated field in C.
  var elementByteCount = 0
  /// The same, zero for a field that is not repeated.
  var repeatedByteCount = 0
  var tagByteCount = 0
  /// The most bytes of one value on the wire, with its tag, without what is in it.
  var boundByteCount = 0
  /// The bit that notes a singular sub-message as seen.
  var seenBit: UInt64 = 0
  var swiftOffset = 0
  var cOffset = 0
  /// Of the count, if repeated, or of the presence.
  var quantifierOffset = 0
  var child: UnsafeMutablePointer<MessagePlan>?
  /// How a sub-message is reached in Swift.
  var access: UnsafeMutablePointer<MessageAccess>?
}

/// The wire format of one value.
enum WireShape: UInt8 {
  case varint, fixed32, fixed64
  /// A length and bytes.
  case data
  /// A length and a message.
  case message
}

/// How the bits of a number become those on the wire.
enum NumberForm: UInt8 {
  /// A varint of the bits.
  case unsigned
  /// A varint of the 64 bits that a signed number of 32 extends to.
  case signed32
  case zigzag32, zigzag64
  case fixed32, fixed64
  case bool
}

/// How a field crosses between C and Swift: one case for each pair of layouts.
enum FieldKind: UInt8 {
  /// `inlineString` is a string where the layout of short ones is known.
  case word32, word64, bool, inlineString, string, bytes
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
    if let fields = pointer.pointee.fields {
      for index in 0..<pointer.pointee.fieldCount {
        fields[index].access?.deinitialize(count: 1).deallocate()
      }
      fields.deallocate()
    }
    pointer.pointee.fieldByNumber?.deallocate()
    pointer.pointee.variableFields?.deallocate()
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
