/// Where a Swift message keeps a field, and how values of a type known only to the caller are
/// reached.
@usableFromInline
package struct FieldStorage: Sendable {
  /// Bytes from the start of the message.
  let offset: Int
  let message: MessageAccess?
  let enumeration: EnumAccess?
}

/// How the core reaches a sub-message whose Swift type only the declaration knew.
///
/// The closures are made in public inlinable code, so that they are specialised where the schema is
/// declared (inlinable code with package access is not); they run once for a sub-message or an
/// array of them, never for a field.
@usableFromInline
package struct MessageAccess: Sendable {
  /// Bytes from one element of an array to the next.
  let stride: Int
  /// Whether the optional at the address holds a message, which then starts at the same address:
  /// a single-payload enum keeps its payload at its own.
  let isPresent: @Sendable (UnsafeRawPointer) -> Bool
  /// Initialises the optional, or the array, at the address with this number of default messages
  /// and fills each of them, by index.
  let make: @Sendable (UnsafeMutableRawPointer, Int, (Int, UnsafeMutableRawPointer) -> Bool) -> Bool
  /// Sets the optional to nil, or the array to none.
  let clear: @Sendable (UnsafeMutableRawPointer) -> Void

  @usableFromInline
  package init(
    stride: Int,
    isPresent: @escaping @Sendable (UnsafeRawPointer) -> Bool,
    make:
      @escaping @Sendable (
        UnsafeMutableRawPointer, Int, (Int, UnsafeMutableRawPointer) -> Bool
      ) -> Bool,
    clear: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
  ) {
    self.stride = stride
    self.isPresent = isPresent
    self.make = make
    self.clear = clear
  }
}

extension MessageAccess {
  /// How many elements the array at the address has, and where they start.
  ///
  /// Every native array keeps its count and, up to an alignment of 16, its elements at the same
  /// places, whatever the elements are.
  @inline(__always)
  static func elements(_ from: UnsafeRawPointer) -> (count: Int, base: UnsafeRawPointer?) {
    let array = from.assumingMemoryBound(to: [UInt8].self)
    return (array.pointee.count, array.pointee.withUnsafeBytes { $0.baseAddress })
  }
}

/// How the core makes an array of an enum whose Swift type only the declaration knew; single values
/// and reading go by the raw `Int32`.
@usableFromInline
package struct EnumAccess: Sendable {
  /// Puts an array of the numbers at the address.
  let makeElements: @Sendable (UnsafeMutableRawPointer, UnsafeBufferPointer<Int32>) -> Void

  @usableFromInline
  package init<Value: OpenEnum>(_: Value.Type) {
    makeElements = { field, numbers in
      field.assumingMemoryBound(to: [Value].self).initialize(
        to: numbers.map { Value(rawValue: $0) })
    }
  }
}
