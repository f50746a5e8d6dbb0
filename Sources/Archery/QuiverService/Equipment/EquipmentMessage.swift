import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverStore

extension Equipment {
  /// The message of the items of a type.
  static func itemType(_ type: QuiverRules.EquipmentType) -> any EquipmentItemMessage.Type {
    guard let found = itemTypes.first(where: { $0.ruleType == type }) else {
      preconditionFailure("no message is declared for \(type)")
    }
    return found
  }
}

/// An item's message contains its fields under the names that the rules use.
extension EquipmentItemMessage {
  static var ruleType: QuiverRules.EquipmentType {
    guard let type = QuiverRules.EquipmentType(rawValue: equipmentType.rawValue) else {
      preconditionFailure("the rules have no type \(equipmentType.rawValue)")
    }
    return type
  }

  static var kind: EquipmentKind { EquipmentKind.of(ruleType) }

  /// The owner's fields.
  var content: EquipmentContent {
    EquipmentContent(type: Self.ruleType, values: Self.kind.fields.map { value(of: $0.name) })
  }

  init(_ record: EquipmentRecord) {
    self.init()
    id = record.id
    clientID = record.clientID
    createdAtMilliseconds = record.createdAtMilliseconds
    updatedAtMilliseconds = record.updatedAtMilliseconds
    archived = record.isArchived
    revision = record.revision
    displayBrand = record.content.displayBrand
    displayModel = record.content.displayModel
    setupUseCount = record.setupUseCount
    for (field, value) in zip(Self.kind.fields, record.content.values) where value != .absent {
      put(field.name, Self.fieldValue(value, of: field.name))
    }
  }

  private func value(of name: String) -> EquipmentValue {
    switch fieldValue(name) {
    case .absent: return .absent
    case .string(let text): return text.isEmpty ? .absent : .text(text)
    case .double(let number): return .real(number)
    case .int32(let number), .enum(let number): return .integer(Int64(number))
    case .uint32(let number): return .integer(Int64(number))
    case .int64(let number): return .integer(number)
    default: preconditionFailure("\(Self.schema.core.name) has no field \(name) of that kind")
    }
  }

  private mutating func put(_ name: String, _ value: FieldValue) {
    precondition(
      setFieldValue(name, value), "\(Self.schema.core.name) has no field \(name) of that kind")
  }

  private static func fieldValue(_ value: EquipmentValue, of name: String) -> FieldValue {
    switch value {
    case .absent: return .absent
    case .text(let text): return .string(text)
    case .real(let number): return .double(number)
    case .integer(let number):
      switch schema.core.field(named: name)?.type {
      case .enum: return .enum(Int32(clamping: number))
      case .int32, .sint32, .sfixed32: return .int32(Int32(clamping: number))
      case .uint32, .fixed32: return .uint32(UInt32(clamping: number))
      default: return .int64(number)
      }
    }
  }
}

extension RPCError.Detail {
  /// A message as a detail of a status.
  init<M: Message>(_ message: M) {
    self.init(type: M.schema.core.name, value: message.serializedBytes())
  }
}
