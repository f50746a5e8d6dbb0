import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire
import Testing

/// One type of equipment with its six methods, for tests that hold of all ten.
struct ItemCase: Sendable, CustomTestStringConvertible {
  let type: QuiverRules.EquipmentType
  let life: @Sendable (Client) async throws -> Void
  let refusals: @Sendable (Client) async throws -> Void
  let make: @Sendable (Client) async throws -> Int64

  var testDescription: String { kind.name }
  private var kind: EquipmentKind { EquipmentKind.of(type) }

  static let all: [ItemCase] = Equipment.itemTypes.map { ItemCase($0) }

  private init<Item: EquipmentItemMessage>(_: Item.Type) {
    let calls = ItemCalls<Item>()
    type = calls.type
    life = { client in try await calls.live(client) }
    refusals = { client in try await calls.refuse(client) }
    make = { client in
      try await client.call(Item.methods.create, calls.request(calls.whole)).id
    }
  }
}

/// The methods of one type, and what must hold of them.
private struct ItemCalls<Item: EquipmentItemMessage>: Sendable {
  let type: QuiverRules.EquipmentType
  private let methods = Item.methods

  init() {
    guard let type = QuiverRules.EquipmentType(rawValue: Item.equipmentType.rawValue) else {
      preconditionFailure("the rules have no type \(Item.equipmentType.rawValue)")
    }
    self.type = type
  }

  private var kind: EquipmentKind { EquipmentKind.of(type) }

  /// An item that says something in every field.
  var whole: Item {
    var item = Item()
    for field in kind.fields { set(field, in: &item) }
    return item
  }

  func request(_ item: Item?) -> CreateItemRequest<Item> {
    var request = CreateItemRequest<Item>()
    request.item = item
    return request
  }

  /// Creates an item, reads, changes, archives, restores and deletes it.
  func live(_ client: Client) async throws {
    let made = try await client.call(methods.create, request(whole))
    for field in kind.fields {
      #expect(made.fieldValue(field.name) == whole.fieldValue(field.name), "\(field.name)")
    }
    #expect(!made.displayBrand.isEmpty && !made.displayModel.isEmpty && made.revision == 1)
    var read = GetItemRequest<Item>()
    read.id = made.id
    #expect(try await client.call(methods.get, read) == made)

    var change = UpdateItemRequest<Item>()
    change.item = made
    change.item?.notes = "changed"
    change.updateMask = kind.fields.map(\.name)
    let changed = try await client.call(methods.update, change)
    #expect(changed.notes == "changed" && changed.revision == 2)

    var away = ArchiveItemRequest<Item>()
    away.id = made.id
    away.revision = 2
    #expect(try await client.call(methods.archive, away).archived)
    #expect(await client.refusal(methods.archive, away)?.code == .aborted)
    var back = RestoreItemRequest<Item>()
    back.id = made.id
    let restored = try await client.call(methods.restore, back)
    #expect(!restored.archived && restored.revision == 4)
    #expect(try await client.call(methods.restore, back) == restored)

    var deletion = DeleteItemRequest<Item>()
    deletion.id = made.id
    _ = try await client.call(methods.delete, deletion)
    #expect(await client.refusal(methods.get, read)?.code == .notFound)
    #expect(await client.refusal(methods.restore, back)?.code == .notFound)
  }

  /// Each field that a rule speaks of is refused by its path.
  func refuse(_ client: Client) async throws {
    let missing = await client.refusal(methods.create, request(nil))
    #expect(missing?.code == .invalidArgument)
    #expect(missing?.message.hasPrefix("\(kind.name): ") == true)
    for field in kind.fields {
      for bad in Self.badValues(field) {
        var item = whole
        let isSet = item.setFieldValue(field.name, bad)
        #expect(isSet, "\(field.name)")
        let refusal = await client.refusal(methods.create, request(item))
        #expect(refusal?.code == .invalidArgument, "\(field.name): \(bad)")
        let message = refusal?.message ?? ""
        #expect(message.hasPrefix("\(kind.name).\(field.name): "), "\(message)")
      }
    }
    var change = UpdateItemRequest<Item>()
    change.item = try await client.call(methods.create, request(whole))
    change.updateMask = ["notes", "setup_use_count"]
    let refusal = await client.refusal(methods.update, change)
    #expect(refusal?.message.hasPrefix("update_mask[1]: ") == true)
  }

  private func set(_ field: EquipmentField, in item: inout Item) {
    let isSet =
      switch field.content {
      case .text: item.setFieldValue(field.name, .string("\(field.name) é🏹"))
      case .real(let range, _): item.setFieldValue(field.name, .double(range.upperBound))
      case .integer(let range):
        item.setFieldValue(field.name, .uint32(UInt32(range.upperBound)))
      case .enumeration(let labels):
        item.setFieldValue(field.name, .enum(Int32(labels.count)))
      case .day: item.setFieldValue(field.name, .int32(-1))
      }
    #expect(isSet, "\(Item.self) has no field \(field.name) of its kind")
  }

  private static func badValues(_ field: EquipmentField) -> [FieldValue] {
    switch field.content {
    case .text(let length):
      [.string(.init(repeating: "é", count: length + 1))]
        + (field.isRequired ? [.string(""), .string(" \u{2003}")] : [])
    case .real(let range, let excludesLowerBound):
      [
        .double(range.upperBound.nextUp), .double(.nan), .double(-.infinity),
        .double(excludesLowerBound ? range.lowerBound : range.lowerBound.nextDown),
      ]
    case .integer(let range):
      [.uint32(UInt32(range.upperBound) + 1), .uint32(.max)]
        + (range.lowerBound > 0 ? [.uint32(0)] : [])
    case .enumeration(let labels):
      [.enum(-1), .enum(Int32(labels.count) + 1)] + (field.isRequired ? [.enum(0)] : [])
    case .day: [.int32(.min), .int32(.max)]
    }
  }
}
