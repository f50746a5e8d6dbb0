import QuiverRPC

/// `quiver equipment show`: all fields of an item.
enum EquipmentShowCommand {
  static let command = Command(
    "equipment show", operands: "TYPE ITEM", summary: "show one item of equipment",
    details: "TYPE is \(ItemType.list).\nLines are named as the flags that set them.",
    flags: [.json, .timeout], names: [.item],
    examples: ["equipment show riser 'Hoyt Formula XD'"], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(2...2, "TYPE and ITEM")
    let type = try ItemType.named(words[0], arguments)
    let access = try Access(arguments)
    let id = try await Names(access, arguments).id(of: words[1], .item, "ITEM", of: type.type)
    let item = try await access.attemptPlainly { () async throws(RPCError) in
      try await type.call("Get", id: id, access)
    }
    try Terminal.print(
      arguments.has(.json) ? ItemText.json(item) : ItemText.table(item, type))
  }
}
