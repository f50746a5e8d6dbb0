import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// One of the ten types of equipment on the command line, with its methods.
struct ItemType: Sendable {
  let type: EquipmentType
  /// The word, for example `bow-string`.
  let word: String
  /// The end of its methods' names, for example `BowString`.
  let methodEnd: String

  /// All ten in the hub's order.
  static let all = EquipmentType.schema.values.filter { $0.number != 0 }.map(ItemType.init)

  /// All words, on two lines for the help.
  static let list = """
    riser, limbs, sight, rest, plunger, string (or bow-string), stabilizer, weight,
    arrow (or arrows), accessory
    """

  /// Aliases of words.
  private static let otherWords = ["string": "bow-string", "arrows": "arrow"]

  private init(_ value: EnumSchema.Value) {
    type = EquipmentType(rawValue: value.number)
    let parts = EnumWord.text(of: value.number, EquipmentType.schema).split(separator: "-")
    word = parts.joined(separator: "-")
    methodEnd = parts.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// The type that an operand names.
  static func named(_ text: String, _ arguments: Arguments) throws(Failure) -> ItemType {
    guard let found = named(text) else {
      throw arguments.usage(
        "there is no type \(text); there are " + all.map(\.word).joined(separator: ", "))
    }
    return found
  }

  /// The same; nil: there is no such type.
  static func named(_ text: String) -> ItemType? {
    let word = text.lowercased().replacing("_", with: "-")
    let meant = otherWords[word] ?? word
    return all.first { $0.word == meant }
  }

  /// The word for a type, also for one that this program does not know.
  static func word(for type: EquipmentType) -> String {
    EnumWord.text(of: type.rawValue, EquipmentType.schema)
  }

  /// The message of an item.
  var schema: MessageSchema { method("Get").schema.output }

  /// The fields that a user sets, in the order of the message.
  var fields: [ItemField] {
    schema.fields.filter(ItemField.isSettable).map(ItemField.init)
  }

  /// The type's method with this verb, for example `CreateRiser`.
  private func method(_ verb: String) -> MethodInfo {
    let name = "\(Equipment.name)/\(verb)\(methodEnd)"
    guard let method = Equipment.declarations.first(where: { $0.name == name }) else {
      preconditionFailure("every type of equipment has its \(verb)")
    }
    return method
  }

  /// Calls the method `verb` for an item by its id.
  func call(
    _ verb: String, id: Int64, detach: Bool = false, _ access: Access
  ) async throws(RPCError) -> DynamicMessage {
    let method = method(verb)
    var request = DynamicMessage(method.schema.input)
    request.set("id", .int64(id))
    if detach { request.set("detach", .bool(true)) }
    return try await Self.reply(method, request, access)
  }

  /// Calls the method `verb` with a whole item, for example `CreateRiser`.
  func call(
    _ verb: String, _ item: DynamicMessage, mask: [String] = [], _ access: Access
  ) async throws(RPCError) -> DynamicMessage {
    let method = method(verb)
    var request = DynamicMessage(method.schema.input)
    guard let place = method.schema.input.fields.first else {
      preconditionFailure("\(method.name) takes an item")
    }
    request.set(place.name, .message(item))
    if !mask.isEmpty { request.set("update_mask", .list(mask.map { .string($0) })) }
    return try await Self.reply(method, request, access)
  }

  private static func reply(
    _ method: MethodInfo, _ request: DynamicMessage, _ access: Access
  ) async throws(RPCError) -> DynamicMessage {
    let reply = try await access.client.callEncoded(method, request.serializedBytes())
    do throws(DecodeError) {
      return try DynamicMessage(method.schema.output, serializedBytes: reply.message)
    } catch {
      throw RPCError(.internal, "the reply does not decode: \(error)", origin: .client)
    }
  }
}

extension DynamicMessage {
  /// Sets a field that its type has; traps on another.
  mutating func set(_ name: String, _ value: FieldValue) {
    guard let field = schema.field(named: name) else {
      preconditionFailure("\(schema.name) has no field \(name)")
    }
    self[field.number] = value
  }

  /// The object's id; 0 where it has none.
  var id: Int64 {
    if case .int64(let id)? = self["id"] { id } else { 0 }
  }

  /// The object's revision; 0 where it has none.
  var revision: UInt64 {
    if case .uint64(let revision)? = self["revision"] { revision } else { 0 }
  }
}
