import QuiverProtobuf
import QuiverRules

extension DynamicMessage {
  /// Sets the field with this name; traps if the type has no such field for the value.
  mutating func set(_ name: String, _ value: FieldValue) {
    guard let field = schema.field(named: name) else {
      preconditionFailure("\(schema.name) has no field \(name)")
    }
    self[field.number] = value
  }

  /// The text of the field with this name; empty if it has none.
  func text(_ name: String) -> String {
    if case .string(let text) = self[name] { text } else { "" }
  }

  func bytes(_ name: String) -> [UInt8] {
    if case .bytes(let bytes) = self[name] { bytes } else { [] }
  }

  func int64(_ name: String) -> Int64 {
    if case .int64(let number) = self[name] { number } else { 0 }
  }

  func uint64(_ name: String) -> UInt64 {
    if case .uint64(let number) = self[name] { number } else { 0 }
  }

  func texts(_ name: String) -> [String] {
    guard case .list(let values) = self[name] else { return [] }
    return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  /// A field as a value of the equipment rules.
  func equipmentValue(_ name: String) -> EquipmentValue {
    switch self[name] {
    case .string(let text): text.isEmpty ? .absent : .text(text)
    case .double(let number): .real(number)
    case .int32(let number), .enum(let number): .integer(Int64(number))
    case .uint32(let number): .integer(Int64(number))
    case .int64(let number): .integer(number)
    default: .absent
    }
  }

  /// Sets a field from a value of the equipment rules; numbers are clamped to the field's range.
  mutating func setEquipmentValue(_ name: String, _ value: EquipmentValue) {
    guard let field = schema.field(named: name) else { return }
    switch (value, field.type) {
    case (.text(let text), .string): set(name, .string(text))
    case (.real(let number), .double): set(name, .double(number))
    case (.integer(let number), .int32), (.integer(let number), .sint32):
      set(name, .int32(Int32(clamping: number)))
    case (.integer(let number), .uint32): set(name, .uint32(UInt32(clamping: number)))
    case (.integer(let number), .int64): set(name, .int64(number))
    case (.integer(let number), .enum): set(name, .enum(Int32(clamping: number)))
    default: self[field.number] = nil
    }
  }
}
