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
/// Made in inlinable code, so that the closures are specialised where the schema is declared; they
/// run once for a sub-message, never for a field.
@usableFromInline
package struct MessageAccess: Sendable {
  /// Bytes from one element of an array to the next.
  let stride: Int
  /// Whether the optional at the address holds a message; it then starts at the same address.
  let isPresent: @Sendable (UnsafeRawPointer) -> Bool
  /// Puts a default message into the absent optional at the address, then has it filled.
  let makePresent: @Sendable (UnsafeMutableRawPointer, (UnsafeMutableRawPointer) -> Bool) -> Bool
  /// The elements of the array at the address.
  let elements: @Sendable (UnsafeRawPointer) -> UnsafeRawBufferPointer
  /// Puts an array of default messages at the address and has each filled, by index.
  let makeElements:
    @Sendable (UnsafeMutableRawPointer, Int, (Int, UnsafeMutableRawPointer) -> Bool) -> Bool
  /// Puts nil or an empty array at the address, whatever is there.
  let clear: @Sendable (UnsafeMutableRawPointer) -> Void

  @usableFromInline
  package init(
    stride: Int,
    isPresent: @escaping @Sendable (UnsafeRawPointer) -> Bool,
    makePresent:
      @escaping @Sendable (
        UnsafeMutableRawPointer, (UnsafeMutableRawPointer) -> Bool
      ) -> Bool,
    elements: @escaping @Sendable (UnsafeRawPointer) -> UnsafeRawBufferPointer,
    makeElements:
      @escaping @Sendable (
        UnsafeMutableRawPointer, Int, (Int, UnsafeMutableRawPointer) -> Bool
      ) -> Bool,
    clear: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
  ) {
    self.stride = stride
    self.isPresent = isPresent
    self.makePresent = makePresent
    self.elements = elements
    self.makeElements = makeElements
    self.clear = clear
  }

  /// The access to `Child?` properties.
  @inlinable
  package static func optional<Child: Message>(_: Child.Type) -> MessageAccess {
    MessageAccess(
      stride: MemoryLayout<Child?>.stride,
      isPresent: { field in
        if case .none = field.assumingMemoryBound(to: Child?.self).pointee { false } else { true }
      },
      makePresent: { field, fill in
        let optional = field.assumingMemoryBound(to: Child?.self)
        optional.initialize(to: Child())
        // A single-payload enum keeps its payload at its own address.
        return fill(field)
      },
      elements: { _ in UnsafeRawBufferPointer(start: nil, count: 0) },
      makeElements: { _, _, _ in false },
      clear: { $0.assumingMemoryBound(to: Child?.self).pointee = nil })
  }

  /// The access to `[Child]` properties.
  @inlinable
  package static func array<Child: Message>(_: Child.Type) -> MessageAccess {
    MessageAccess(
      stride: MemoryLayout<Child>.stride,
      isPresent: { !$0.assumingMemoryBound(to: [Child].self).pointee.isEmpty },
      makePresent: { _, _ in false },
      elements: { field in
        // The elements of a native array stay where they are while the message is borrowed.
        field.assumingMemoryBound(to: [Child].self).pointee.withUnsafeBytes { $0 }
      },
      makeElements: { field, count, fill in
        var isFilled = true
        let array = [Child](unsafeUninitializedCapacity: count) { buffer, initialized in
          while initialized < count {
            buffer.initializeElement(at: initialized, to: Child())
            let element = UnsafeMutableRawPointer(
              buffer.baseAddress.unsafelyUnwrapped + initialized)
            initialized &+= 1
            guard fill(initialized &- 1, element) else {
              isFilled = false
              return
            }
          }
        }
        field.assumingMemoryBound(to: [Child].self).initialize(to: array)
        return isFilled
      },
      clear: { $0.assumingMemoryBound(to: [Child].self).pointee = [] })
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
