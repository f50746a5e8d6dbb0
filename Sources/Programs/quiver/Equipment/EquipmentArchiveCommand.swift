import QuiverRPC

/// `quiver equipment archive` and `restore`: archives and restores an item.
enum EquipmentArchiveCommand {
  static let archive = command(
    "archive", "archive an item of equipment", "Archive", "archived",
    details: "Lists omit an archived item unless --all is given. Bow setups keep it.")
  static let restore = command(
    "restore", "restore an archived item of equipment", "Restore", "restored", details: "")

  private static func command(
    _ name: String, _ summary: String, _ verb: String, _ done: String, details: String
  ) -> Command {
    let types = "TYPE is \(ItemType.list)."
    return Command(
      "equipment \(name)", operands: "TYPE ITEM", summary: summary,
      details: details.isEmpty ? types : "\(types)\n\(details)",
      flags: [.json, .timeout], names: [.item],
      examples: ["equipment \(name) riser 'Hoyt Formula XD'"]
    ) { arguments async throws(Failure) in
      let words = try arguments.operands(2...2, "TYPE and ITEM")
      let type = try ItemType.named(words[0], arguments)
      let access = try Access(arguments)
      let id = try await Names(access, arguments).id(of: words[1], .item, "ITEM", of: type.type)
      let item = try await access.attemptPlainly { () async throws(RPCError) in
        try await type.call(verb, id: id, access)
      }
      try ItemText.printResult(done, of: item, type, arguments)
    }
  }
}
