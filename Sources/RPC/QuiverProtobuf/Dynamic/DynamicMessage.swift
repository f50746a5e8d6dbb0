/// A message whose type is known at run time only.
package struct DynamicMessage: Sendable, Equatable {
  package let schema: MessageSchema

  /// Values by field number; a field that nothing was set in is not in it.
  package private(set) var values: [Int32: FieldValue] = [:]

  package init(_ schema: MessageSchema) {
    self.schema = schema
  }

  /// Checks and unpacks the bytes of a message.
  package init(
    _ schema: MessageSchema, serializedBytes bytes: [UInt8], limits: DecodeLimits = .default
  ) throws(DecodeError) {
    self = try MessageCoder(limits: limits).decode(schema, from: bytes)
  }

  /// The encoded message, fields in ascending order.
  package func serializedBytes() -> [UInt8] {
    MessageCoder().encode(self)
  }

  /// The value of a field; nil if none was set.
  ///
  /// Setting traps on a number that the type does not have and on a value of another type.
  package subscript(number: Int32) -> FieldValue? {
    get { values[number] }
    set {
      guard let field = schema.field(number: number) else {
        preconditionFailure("\(schema.name) has no field \(number)")
      }
      guard let newValue, newValue != .absent else {
        values[number] = nil
        return
      }
      precondition(newValue.fits(field), "a value does not fit \(schema.name).\(field.name)")
      values[number] = newValue.isZero && !field.hasPresence ? nil : newValue
    }
  }

  /// The value of a field by name, zeros and absence included; nil if there is no such field.
  package subscript(name: String) -> FieldValue? {
    guard let field = schema.field(named: name) else { return nil }
    return values[field.number] ?? .zero(of: field)
  }

  package static func == (left: DynamicMessage, right: DynamicMessage) -> Bool {
    left.schema === right.schema && left.values == right.values
  }
}

extension MessageCoder {
  /// Checks and unpacks a message of a type that is known at run time only.
  package func decode(
    _ schema: MessageSchema, from bytes: [UInt8]
  ) throws(DecodeError) -> DynamicMessage {
    let plan = schema.plan.prepared()
    var result: DynamicMessage?
    bytes.withUnsafeBytes { bytes in
      guard let message = unpack(plan, bytes) else { return }
      var reader = DynamicReader()
      result = reader.read(schema, message)
      fault.pointee = reader.fault
      reset()
    }
    guard let result else { throw takeError() }
    return result
  }

  /// The encoded message.
  package func encode(_ message: DynamicMessage) -> [UInt8] {
    var writer = DynamicWriter(arena)
    let source = writer.write(message)
    return [UInt8](unsafeUninitializedCapacity: writer.bound) { buffer, count in
      count = pack(source, bound: writer.bound, into: UnsafeMutableRawBufferPointer(buffer))
    }
  }
}
