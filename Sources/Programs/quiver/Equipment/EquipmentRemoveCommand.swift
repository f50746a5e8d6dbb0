import QuiverRPC
import QuiverWire

/// `quiver equipment rm`: deletes one item.
enum EquipmentRemoveCommand {
  private static let detach = Flag(
    "--detach", .none, "remove the item from the bow setups that contain it, as new versions")

  static let command = Command(
    "equipment rm", operands: "TYPE ITEM", summary: "delete an item of equipment",
    details: """
      TYPE is \(ItemType.list).
      Without --detach an item that bow setups contain is not deleted, and the command exits with
      73.
      """,
    flags: [detach, Consent.flag, .timeout], names: [.item],
    examples: ["equipment rm riser 'Hoyt Formula XD'"], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(2...2, "TYPE and ITEM")
    let type = try ItemType.named(words[0], arguments)
    let access = try Access(arguments)
    let id = try await Names(access, arguments).id(of: words[1], .item, "ITEM", of: type.type)
    let item = try await access.attemptPlainly { () async throws(RPCError) in
      try await type.call("Get", id: id, access)
    }
    try Consent.ask("deletes \(type.word) \(ItemText.name(item)) #\(id)", arguments)
    do throws(RPCError) {
      _ = try await type.call("Delete", id: id, detach: arguments.has(detach), access)
    } catch {
      let isHeld = error.code == .failedPrecondition && !arguments.has(detach)
      throw access.plainFailure(error, hint: isHeld ? " (--detach takes it out of them)" : "")
    }
    try Terminal.confirm("\(type.word) \(id) is deleted")
  }
}
