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

  /// The fields that hold those of the kind, in its order.
  private static var fields: [FieldAccess] { EquipmentFields.of(ruleType) }

  /// The owner's fields.
  var content: EquipmentContent {
    EquipmentContent(type: Self.ruleType, values: Self.fields.map { value(of: $0) })
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
    for (field, value) in zip(Self.fields, record.content.values) where value != .absent {
      precondition(
        setFieldValue(field, Self.fieldValue(value, of: field.type)),
        "\(Self.schema.core.name) has a field of another kind than the rules")
    }
  }

  private func value(of field: FieldAccess) -> EquipmentValue {
    switch fieldValue(field) {
    case .absent: return .absent
    case .string(let text): return text.isEmpty ? .absent : .text(text)
    case .double(let number): return .real(number)
    case .int32(let number), .enum(let number): return .integer(Int64(number))
    case .uint32(let number): return .integer(Int64(number))
    case .int64(let number): return .integer(number)
    default: preconditionFailure("\(Self.schema.core.name) has a field of no kind of the rules")
    }
  }

  private static func fieldValue(_ value: EquipmentValue, of type: FieldType) -> FieldValue {
    switch value {
    case .absent: return .absent
    case .text(let text): return .string(text)
    case .real(let number): return .double(number)
    case .integer(let number):
      switch type {
      case .enum: return .enum(Int32(clamping: number))
      case .int32, .sint32, .sfixed32: return .int32(Int32(clamping: number))
      case .uint32, .fixed32: return .uint32(UInt32(clamping: number))
      default: return .int64(number)
      }
    }
  }
}

/// The fields of the messages of all types, looked up by the names of the rules once.
private enum EquipmentFields {
  private static let all: [[FieldAccess]] = EquipmentKind.all.map { kind in
    let schema = schema(of: Equipment.itemType(kind.type))
    return kind.fields.map { field in
      guard let access = FieldAccess(field.name, of: schema) else {
        preconditionFailure("\(schema.name) has no field \(field.name)")
      }
      return access
    }
  }

  static func of(_ type: QuiverRules.EquipmentType) -> [FieldAccess] {
    all[Int(type.rawValue) - 1]
  }

  private static func schema<Item: Message>(of _: Item.Type) -> MessageSchema { Item.schema.core }
}

extension RPCError.Detail {
  /// A message as a detail of a status.
  init<M: Message>(_ message: M) {
    self.init(type: M.schema.core.name, value: message.serializedBytes())
  }
}
