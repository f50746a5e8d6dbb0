import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// `quiver equipment edit`: sets and clears fields of one item.
enum EquipmentEditCommand {
  private static let clear = Flag(
    "--clear", .words("FIELD"), "clear a field; may be given more than once")
  private static let revision = Flag(
    "--revision", .word("N"),
    "change the item only at this revision; by default at its current one")

  static let command = Command(
    "equipment edit", operands: "TYPE ITEM", summary: "change an item of equipment",
    details: """
      TYPE is \(ItemType.list).
      Fields that are not named keep their values. If somebody else has changed the item in the
      meantime, the command changes nothing and exits with 74. Days are written YYYY-MM-DD.
      """,
    flags: [clear, revision] + ItemField.flags + [.json, .timeout], names: [.item],
    examples: ["equipment edit riser 'Hoyt Formula XD' --notes blue"], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(2...2, "TYPE and ITEM")
    let type = try ItemType.named(words[0], arguments)
    var item = DynamicMessage(type.schema)
    let mask = try change(&item, of: type, arguments)
    let wanted = try revisionGiven(arguments)
    let access = try Access(arguments)
    let id = try await Names(access, arguments).id(of: words[1], .item, "ITEM", of: type.type)
    item.set("id", .int64(id))
    let read = try await access.attemptPlainly { () async throws(RPCError) in
      try await type.call("Get", id: id, access)
    }
    item.set("revision", .uint64(wanted ?? read.revision))
    let changed: DynamicMessage
    do throws(RPCError) {
      changed = try await type.call("Update", item, mask: mask, access)
    } catch {
      guard error.code == .aborted else { throw access.plainFailure(error) }
      throw .call(
        RPCError(
          .aborted,
          "somebody else changed \(type.word) \(id), and nothing was changed; read it with"
            + " quiver equipment show \(type.word) \(id) and try again",
          isNotProcessed: true, origin: .client))
    }
    try ItemText.printResult("changed", of: changed, type, arguments)
  }

  /// Sets the given fields of the item; returns their names.
  private static func change(
    _ item: inout DynamicMessage, of type: ItemType, _ arguments: Arguments
  ) throws(Failure) -> [String] {
    var mask: [String] = []
    for (field, value) in try ItemField.given(of: type, arguments) {
      item.set(field.schema.name, value)
      mask.append(field.schema.name)
    }
    for word in arguments.values(of: clear) {
      let fields = type.fields
      let meant = word.lowercased().replacing("_", with: "-")
      guard let field = fields.first(where: { $0.word == meant }) else {
        throw arguments.usage(
          "\(type.word) has no field \(word) to clear; it has "
            + fields.map(\.word).joined(separator: ", "))
      }
      guard !mask.contains(field.schema.name) else {
        throw arguments.usage("\(field.word) is named twice")
      }
      mask.append(field.schema.name)
    }
    guard !mask.isEmpty else { throw arguments.usage("nothing is given to change") }
    return mask
  }

  private static func revisionGiven(_ arguments: Arguments) throws(Failure) -> UInt64? {
    guard let text = arguments.value(of: revision) else { return nil }
    guard let number = UInt64(text), number > 0 else {
      throw arguments.usage("--revision expects a number above 0, not \(text)")
    }
    return number
  }
}
