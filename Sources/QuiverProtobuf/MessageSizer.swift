/// An upper bound of the encoded size, from the Swift value alone.
enum MessageSizer {
  /// Zero if and only if every field is at its default.
  static func bound(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ source: UnsafeRawPointer
  ) -> Int {
    let fields = plan.pointee.fields.unsafelyUnwrapped
    var total = 0
    for index in 0..<plan.pointee.fieldCount {
      let field = fields + index
      let from = source + field.pointee.swiftOffset
      let overhead = field.pointee.boundByteCount
      switch field.pointee.kind {
      case .word32:
        if from.load(as: UInt32.self) != 0 { total &+= overhead }
      case .word64:
        if from.load(as: UInt64.self) != 0 { total &+= overhead }
      case .bool:
        if from.load(as: Bool.self) { total &+= overhead }
      case .string:
        let count = from.assumingMemoryBound(to: String.self).pointee.utf8.count
        if count > 0 { total &+= overhead &+ count }
      case .bytes:
        let count = from.assumingMemoryBound(to: [UInt8].self).pointee.count
        if count > 0 { total &+= overhead &+ count }
      case .optionalWord32:
        if from.load(as: UInt32?.self) != nil { total &+= overhead }
      case .optionalWord64:
        if from.load(as: UInt64?.self) != nil { total &+= overhead }
      case .optionalBool:
        if from.load(as: Bool?.self) != nil { total &+= overhead }
      case .optionalString:
        if let value = from.assumingMemoryBound(to: String?.self).pointee {
          total &+= overhead &+ value.utf8.count
        }
      case .optionalBytes:
        if let value = from.assumingMemoryBound(to: [UInt8]?.self).pointee {
          total &+= overhead &+ value.count
        }
      case .message:
        guard let child = field.pointee.child, let access = field.pointee.access,
          access.pointee.isPresent(from)
        else { continue }
        total &+= overhead &+ bound(child, from)
      default:
        total &+= repeated(field, from)
      }
    }
    return total
  }

  private static func repeated(
    _ field: UnsafeMutablePointer<FieldPlan>, _ from: UnsafeRawPointer
  ) -> Int {
    let overhead = field.pointee.boundByteCount
    switch field.pointee.kind {
    case .strings:
      return from.assumingMemoryBound(to: [String].self).pointee.reduce(0) {
        $0 &+ overhead &+ $1.utf8.count
      }
    case .byteStrings:
      return from.assumingMemoryBound(to: [[UInt8]].self).pointee.reduce(0) {
        $0 &+ overhead &+ $1.count
      }
    case .messages:
      guard let child = field.pointee.child else { return 0 }
      var total = 0
      MessageAccess.forEach(field, from) { total &+= overhead &+ bound(child, $0) }
      return total
    default:
      // Every array keeps its count in the same place, whatever its elements are.
      let count = from.assumingMemoryBound(to: [UInt8].self).pointee.count
      return count == 0 ? 0 : packedBound(field, count)
    }
  }

  /// The most that a packed field of so many values takes.
  @inline(__always)
  static func packedBound(_ field: UnsafeMutablePointer<FieldPlan>, _ count: Int) -> Int {
    let tag = field.pointee.tagByteCount
    return tag &+ 5 &+ count &* (field.pointee.boundByteCount &- tag)
  }
}
