/// An upper bound of the encoded size, from the Swift value alone.
enum MessageSizer {
  static func bound(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ source: UnsafeRawPointer
  ) -> Int {
    var total = plan.pointee.scalarBoundByteCount
    let fields = plan.pointee.variableFields.unsafelyUnwrapped
    for index in 0..<plan.pointee.variableFieldCount {
      let field = fields[index]
      let from = source + field.pointee.swiftOffset
      switch field.pointee.kind {
      case .inlineString:
        total &+=
          ShortString.count(from) ?? from.assumingMemoryBound(to: String.self).pointee.utf8.count
      case .string:
        total &+= from.assumingMemoryBound(to: String.self).pointee.utf8.count
      case .bytes:
        total &+= from.assumingMemoryBound(to: [UInt8].self).pointee.count
      case .messages:
        let elements = MessageAccess.elements(from)
        guard elements.count > 0, let base = elements.base else { continue }
        let child = field.pointee.child.unsafelyUnwrapped
        let stride = field.pointee.access.unsafelyUnwrapped.pointee.stride
        total &+= elements.count &* field.pointee.boundByteCount
        for element in 0..<elements.count { total &+= bound(child, base + element &* stride) }
      default:
        total &+= rare(field, from)
      }
    }
    return total
  }

  private static func rare(
    _ field: UnsafeMutablePointer<FieldPlan>, _ from: UnsafeRawPointer
  ) -> Int {
    let overhead = field.pointee.boundByteCount
    switch field.pointee.kind {
    case .message:
      guard field.pointee.access.unsafelyUnwrapped.pointee.isPresent(from) else { return 0 }
      return overhead &+ bound(field.pointee.child.unsafelyUnwrapped, from)
    case .optionalWord32, .optionalWord64, .optionalBool:
      return overhead
    case .optionalString:
      let value = from.assumingMemoryBound(to: String?.self).pointee
      return value.map { overhead &+ $0.utf8.count } ?? 0
    case .optionalBytes:
      let value = from.assumingMemoryBound(to: [UInt8]?.self).pointee
      return value.map { overhead &+ $0.count } ?? 0
    case .strings:
      return from.assumingMemoryBound(to: [String].self).pointee.reduce(0) {
        $0 &+ overhead &+ $1.utf8.count
      }
    case .byteStrings:
      return from.assumingMemoryBound(to: [[UInt8]].self).pointee.reduce(0) {
        $0 &+ overhead &+ $1.count
      }
    default:
      let count = MessageAccess.elements(from).count
      return count == 0 ? 0 : packedBound(field, count)
    }
  }

  /// The largest size of a packed field with this number of values.
  @inline(__always)
  static func packedBound(_ field: UnsafeMutablePointer<FieldPlan>, _ count: Int) -> Int {
    let tag = field.pointee.tagByteCount
    return tag &+ 5 &+ count &* (field.pointee.boundByteCount &- tag)
  }

  /// Whether every field is at its default.
  static func isZero(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ source: UnsafeRawPointer
  ) -> Bool {
    (0..<plan.pointee.fieldCount).allSatisfy { index in
      guard let field = plan.pointee.fields?[index] else { return false }
      let from = source + field.swiftOffset
      switch field.kind {
      case .word32: return from.load(as: UInt32.self) == 0
      case .word64: return from.load(as: UInt64.self) == 0
      case .bool: return !from.load(as: Bool.self)
      case .string, .inlineString: return from.load(as: String.self).isEmpty
      case .optionalWord32: return from.load(as: UInt32?.self) == nil
      case .optionalWord64: return from.load(as: UInt64?.self) == nil
      case .optionalBool: return from.load(as: Bool?.self) == nil
      case .optionalString: return from.load(as: String?.self) == nil
      case .optionalBytes: return from.load(as: [UInt8]?.self) == nil
      case .message: return field.access.map { !$0.pointee.isPresent(from) } ?? false
      default: return MessageAccess.elements(from).count == 0
      }
    }
  }
}
