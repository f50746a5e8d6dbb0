extension Message {
  /// The value of a field by its name in the `.proto` file, zeros and absence included; nil if
  /// there is no such field.
  package func fieldValue(_ name: String) -> FieldValue? {
    FieldAccess(name, of: Self.schema.core).map { fieldValue($0) }
  }

  /// The value of a field of this message's schema, zeros and absence included.
  package func fieldValue(_ field: FieldAccess) -> FieldValue {
    withUnsafePointer(to: self) { field.value(in: UnsafeRawPointer($0)) }
  }

  /// Sets a field by its name in the `.proto` file.
  ///
  /// - Returns: false, with nothing changed, if there is no such field or the value does not fit
  /// it.
  package mutating func setFieldValue(_ name: String, _ value: FieldValue) -> Bool {
    guard let field = FieldAccess(name, of: Self.schema.core) else { return false }
    return setFieldValue(field, value)
  }

  /// Sets a field of this message's schema; false, with nothing changed, if the value does not fit.
  package mutating func setFieldValue(_ field: FieldAccess, _ value: FieldValue) -> Bool {
    guard field.accepts(value) else { return false }
    return withUnsafeMutablePointer(to: &self) {
      field.set(value, in: UnsafeMutableRawPointer($0))
    }
  }
}

/// Reads and writes one field of a Swift message by its schema; for masks and the like, not for the
/// codec.
///
/// Whoever reads the same field often keeps one, so that the field is looked up by its name once.
// A class, since a copy of the schema retains each of its parts.
package final class FieldAccess: Sendable {
  private let field: FieldSchema
  private let offset: Int

  /// The field with a name, as written in the `.proto` file; nil if there is none.
  package init?(_ name: String, of schema: MessageSchema) {
    guard let field = schema.field(named: name) else { return nil }
    guard let storage = field.storage else {
      preconditionFailure("field \(field.name) has no property")
    }
    self.field = field
    offset = storage.offset
  }

  package var type: FieldType { field.type }

  func accepts(_ value: FieldValue) -> Bool { value.fits(field) }

  /// The field of the message at an address.
  func value(in message: UnsafeRawPointer) -> FieldValue {
    let from = message + offset
    if field.type == .message { return messageValue(from) }
    switch field.label {
    case .implicit: return single(from)
    case .optional: return optional(from)
    case .repeated: return repeated(from)
    }
  }

  private func single(_ from: UnsafeRawPointer) -> FieldValue {
    switch field.type {
    case .int32, .sint32, .sfixed32: .int32(from.load(as: Int32.self))
    case .uint32, .fixed32: .uint32(from.load(as: UInt32.self))
    case .int64, .sint64, .sfixed64: .int64(from.load(as: Int64.self))
    case .uint64, .fixed64: .uint64(from.load(as: UInt64.self))
    case .float: .float(from.load(as: Float.self))
    case .double: .double(from.load(as: Double.self))
    case .bool: .bool(from.load(as: Bool.self))
    case .enum: .enum(from.load(as: Int32.self))
    case .string: .string(from.load(as: String.self))
    case .bytes: .bytes(from.load(as: [UInt8].self))
    case .message: .absent
    }
  }

  private func optional(_ from: UnsafeRawPointer) -> FieldValue {
    let isPresent =
      switch field.type {
      case .bool: from.load(as: Bool?.self) != nil
      case .string: from.load(as: String?.self) != nil
      case .bytes: from.load(as: [UInt8]?.self) != nil
      case .int64, .sint64, .sfixed64, .uint64, .fixed64, .double:
        from.load(as: UInt64?.self) != nil
      default: from.load(as: UInt32?.self) != nil
      }
    // A single-payload enum keeps its payload at its own address.
    return isPresent ? single(from) : .absent
  }

  private func repeated(_ from: UnsafeRawPointer) -> FieldValue {
    func list<Value>(_: Value.Type, _ make: (Value) -> FieldValue) -> FieldValue {
      .list(from.load(as: [Value].self).map(make))
    }
    return switch field.type {
    case .int32, .sint32, .sfixed32: list(Int32.self, FieldValue.int32)
    case .uint32, .fixed32: list(UInt32.self, FieldValue.uint32)
    case .int64, .sint64, .sfixed64: list(Int64.self, FieldValue.int64)
    case .uint64, .fixed64: list(UInt64.self, FieldValue.uint64)
    case .float: list(Float.self, FieldValue.float)
    case .double: list(Double.self, FieldValue.double)
    case .bool: list(Bool.self, FieldValue.bool)
    case .enum: list(Int32.self, FieldValue.enum)
    case .string: list(String.self, FieldValue.string)
    case .bytes: list([UInt8].self, FieldValue.bytes)
    case .message: .list([])
    }
  }

  /// Sub-messages go by way of their bytes.
  private func messageValue(_ from: UnsafeRawPointer) -> FieldValue {
    guard let type = field.messageType, let access = field.storage?.message else { return .absent }
    let coder = MessageCoder(limits: .none)
    func dynamic(_ address: UnsafeRawPointer) -> FieldValue {
      guard let message = try? coder.decode(type, from: coder.encode(type.plan, address)) else {
        preconditionFailure("\(type.name) does not read what it wrote")
      }
      return .message(message)
    }
    guard field.isRepeated else { return access.isPresent(from) ? dynamic(from) : .absent }
    let elements = MessageAccess.elements(from)
    guard let base = elements.base else { return .list([]) }
    return .list((0..<elements.count).map { dynamic(base + $0 * access.stride) })
  }

  /// Sets the field of the message at an address to a value that fits it.
  func set(_ value: FieldValue, in message: UnsafeMutableRawPointer) -> Bool {
    let to = message + offset
    if field.type == .message { return setMessage(value, to) }
    switch value {
    case .list(let values): return setList(values, to)
    case .message: return false
    case .absent: return clear(to)
    case .int32(let value), .enum(let value): store(value, to)
    case .int64(let value): store(value, to)
    case .uint32(let value): store(value, to)
    case .uint64(let value): store(value, to)
    case .float(let value): store(value, to)
    case .double(let value): store(value, to)
    case .bool(let value): store(value, to)
    case .string(let value): store(value, to)
    case .bytes(let value): store(value, to)
    }
    return true
  }

  private func store<Value>(_ value: Value, _ to: UnsafeMutableRawPointer) {
    if field.label == .optional {
      to.assumingMemoryBound(to: Value?.self).pointee = value
    } else {
      to.assumingMemoryBound(to: Value.self).pointee = value
    }
  }

  private func clear(_ to: UnsafeMutableRawPointer) -> Bool {
    switch field.type {
    case .bool: to.assumingMemoryBound(to: Bool?.self).pointee = nil
    case .string: to.assumingMemoryBound(to: String?.self).pointee = nil
    case .bytes: to.assumingMemoryBound(to: [UInt8]?.self).pointee = nil
    case .int64, .sint64, .sfixed64, .uint64, .fixed64, .double:
      to.assumingMemoryBound(to: UInt64?.self).pointee = nil
    default: to.assumingMemoryBound(to: UInt32?.self).pointee = nil
    }
    return true
  }

  private func setList(_ values: [FieldValue], _ to: UnsafeMutableRawPointer) -> Bool {
    func store<Value>(_: Value.Type, _ get: (FieldValue) -> Value?) {
      to.assumingMemoryBound(to: [Value].self).pointee = values.compactMap(get)
    }
    switch field.type {
    case .int32, .sint32, .sfixed32:
      store(Int32.self) { if case .int32(let v) = $0 { v } else { nil } }
    case .uint32, .fixed32: store(UInt32.self) { if case .uint32(let v) = $0 { v } else { nil } }
    case .int64, .sint64, .sfixed64:
      store(Int64.self) { if case .int64(let v) = $0 { v } else { nil } }
    case .uint64, .fixed64: store(UInt64.self) { if case .uint64(let v) = $0 { v } else { nil } }
    case .float: store(Float.self) { if case .float(let v) = $0 { v } else { nil } }
    case .double: store(Double.self) { if case .double(let v) = $0 { v } else { nil } }
    case .bool: store(Bool.self) { if case .bool(let v) = $0 { v } else { nil } }
    case .string: store(String.self) { if case .string(let v) = $0 { v } else { nil } }
    case .bytes: store([UInt8].self) { if case .bytes(let v) = $0 { v } else { nil } }
    case .enum:
      let numbers = values.compactMap { if case .enum(let v) = $0 { v } else { nil } }
      to.assumingMemoryBound(to: [Int32].self).pointee = []
      numbers.withUnsafeBufferPointer { field.storage?.enumeration?.makeElements(to, $0) }
    case .message: return false
    }
    return true
  }

  private func setMessage(_ value: FieldValue, _ to: UnsafeMutableRawPointer) -> Bool {
    guard let type = field.messageType, let access = field.storage?.message else { return false }
    let coder = MessageCoder(limits: .none)
    func fill(_ message: FieldValue, _ target: UnsafeMutableRawPointer) -> Bool {
      guard case .message(let message) = message else { return false }
      return coder.encode(message).withUnsafeBytes { coder.decode(type.plan, $0, into: target) }
    }
    access.clear(to)
    switch value {
    case .absent: return true
    case .list(let values):
      return access.make(to, values.count) { fill(values[$0], $1) }
    default:
      return access.make(to, 1) { fill(value, $1) }
    }
  }
}
