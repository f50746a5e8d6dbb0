import QuiverAPI
import QuiverClient
import QuiverJSON
import QuiverRPC

/// `quiver equipment list`: items of one type or of all.
enum EquipmentListCommand {
  private static let all = Flag("--all", .none, "also list archived items")

  static let command = Command(
    "equipment list", operands: "[TYPE]", summary: "list your equipment, newest first",
    details: "TYPE is \(ItemType.list).",
    flags: [all, PageLimit.flag, .json, .tableOutput, .timeout], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(0...1, "one TYPE")
    var request = ListItemsRequest()
    let limit = try PageLimit(arguments)
    request.pageSize = limit.pageSize()
    request.includeArchived = arguments.has(all)
    if let word = words.first { request.type = try ItemType.named(word, arguments).type }
    let access = try Access(arguments)
    var found = ListItemsResponse()
    repeat {
      let wanted = request
      let page = try await access.attempt { () async throws(RPCError) in
        try await access.client.call(Equipment.listItems, wanted)
      }
      found.items += page.items
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty && !limit.isReached(found.items.count)
    found.items = limit.first(of: found.items)
    if arguments.has(.json) {
      try Terminal.print(MessageJSON(printsZeros: true, isPretty: true).text(of: found))
    } else {
      try Terminal.print(table: rows(found.items))
    }
  }

  private static func rows(_ items: [EquipmentItem]) -> [[String]] {
    [["ID", "TYPE", "BRAND", "MODEL", "ARCHIVED"]]
      + items.map { item in
        [
          "\(item.id)", ItemType.word(for: item.type), Terminal.oneLine(item.displayBrand),
          Terminal.oneLine(item.displayModel), item.archived ? "yes" : "no",
        ]
      }
  }
}
