/// One field of `Root`: its number, its name in the `.proto` file and its property.
///
/// `.uint32` and its like have proto3's implicit presence: a zero is not written. `.optionalUint32`
/// is proto3's `optional`, `.uint32s` is `repeated`, packed where the type allows it.
public struct Field<Root: Message>: Sendable {
  package let schema: FieldSchema

  /// Traps when the property is not stored in the message itself.
  init(
    _ number: Int32, _ name: String, _ type: FieldType, _ label: FieldLabel,
    _ property: PartialKeyPath<Root>
  ) {
    self.init(number, name, type, label, property, nil, nil, nil, nil)
  }

  init(
    _ number: Int32, _ name: String, _ type: FieldType, _ label: FieldLabel,
    _ property: PartialKeyPath<Root>, _ enumType: EnumSchema?, _ enumAccess: EnumAccess?,
    _ messageType: (@Sendable () -> MessageSchema)?, _ messageAccess: MessageAccess?
  ) {
    guard let offset = MemoryLayout<Root>.offset(of: property) else {
      preconditionFailure("field \(name) of \(Root.self) is not a stored property")
    }
    schema = FieldSchema(
      number: number, name: name, type: type, label: label, enumType: enumType,
      messageSource: messageType,
      storage: FieldStorage(offset: offset, message: messageAccess, enumeration: enumAccess))
  }
}

extension Field {
  @usableFromInline
  init(
    _ number: Int32, _ name: String, isRepeated: Bool, _ property: PartialKeyPath<Root>,
    _ type: @escaping @Sendable () -> MessageSchema, _ access: MessageAccess
  ) {
    self.init(
      number, name, .message, isRepeated ? .repeated : .implicit, property, nil, nil, type, access)
  }

  /// An `enum` with implicit presence.
  public static func `enum`<Value: OpenEnum>(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, Value>
  ) -> Field {
    enumeration(number, name, .implicit, property, Value.self)
  }

  /// An `optional` enum.
  public static func optionalEnum<Value: OpenEnum>(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, Value?>
  ) -> Field {
    enumeration(number, name, .optional, property, Value.self)
  }

  /// A `repeated` enum.
  public static func enums<Value: OpenEnum>(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, [Value]>
  ) -> Field {
    enumeration(number, name, .repeated, property, Value.self)
  }

  /// Checks that the enum is laid out as its number, since the core reads and writes it so.
  private static func enumeration<Value: OpenEnum>(
    _ number: Int32, _ name: String, _ label: FieldLabel, _ property: PartialKeyPath<Root>,
    _: Value.Type
  ) -> Field {
    precondition(
      MemoryLayout<Value>.size == MemoryLayout<Int32>.size
        && MemoryLayout<Value?>.size == MemoryLayout<Int32?>.size
        && withUnsafeBytes(of: Value(rawValue: 0x0102_0304)) { $0.load(as: Int32.self) }
          == 0x0102_0304,
      "\(Value.self) must be a struct whose only stored property is its Int32")
    return Field(
      number, name, .enum, label, property, Value.schema, EnumAccess(Value.self), nil, nil)
  }

  /// A sub-message, absent when nil.
  @inlinable
  public static func message<Child: Message>(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, Child?>
  ) -> Field {
    Field(
      number, name, isRepeated: false, property, { Child.schema.core },
      MessageAccess(
        stride: MemoryLayout<Child?>.stride,
        isPresent: { field in
          if case .none = field.assumingMemoryBound(to: Child?.self).pointee { false } else { true }
        },
        make: { field, _, fill in
          field.assumingMemoryBound(to: Child?.self).initialize(to: Child())
          return fill(0, field)
        },
        clear: { $0.assumingMemoryBound(to: Child?.self).pointee = nil }))
  }

  /// A `repeated` sub-message.
  @inlinable
  public static func messages<Child: Message>(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, [Child]>
  ) -> Field {
    Field(
      number, name, isRepeated: true, property, { Child.schema.core },
      MessageAccess(
        stride: MemoryLayout<Child>.stride,
        isPresent: { !$0.assumingMemoryBound(to: [Child].self).pointee.isEmpty },
        make: { field, count, fill in
          var isFilled = true
          let array = [Child](unsafeUninitializedCapacity: count) { buffer, initialized in
            while initialized < count && isFilled {
              buffer.initializeElement(at: initialized, to: Child())
              let element = buffer.baseAddress.unsafelyUnwrapped + initialized
              isFilled = fill(initialized, UnsafeMutableRawPointer(element))
              initialized &+= 1
            }
          }
          field.assumingMemoryBound(to: [Child].self).initialize(to: array)
          return isFilled
        },
        clear: { $0.assumingMemoryBound(to: [Child].self).pointee = [] }))
  }
}
