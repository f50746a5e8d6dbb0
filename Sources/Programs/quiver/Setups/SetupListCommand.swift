import QuiverAPI
import QuiverClient
import QuiverJSON
import QuiverRPC

/// `quiver setup list`: bow setups by name.
enum SetupListCommand {
  private static let all = Flag("--all", .none, "also list inactive setups")

  static let command = Command(
    "setup list", summary: "list your bow setups by name",
    flags: [all, PageLimit.flag, .json, .tableOutput, .timeout], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    _ = try arguments.operands(0...0, "no operands")
    var request = ListBowSetupsRequest()
    let limit = try PageLimit(arguments)
    request.pageSize = limit.pageSize()
    request.includeInactive = arguments.has(all)
    let access = try Access(arguments)
    var found = ListBowSetupsResponse()
    repeat {
      let wanted = request
      let page = try await access.attempt { () async throws(RPCError) in
        try await access.client.call(Equipment.listBowSetups, wanted)
      }
      found.setups += page.setups
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty && !limit.isReached(found.setups.count)
    found.setups = limit.first(of: found.setups)
    if arguments.has(.json) {
      try Terminal.print(MessageJSON(printsZeros: true, isPretty: true).text(of: found))
    } else {
      try Terminal.print(table: rows(found.setups))
    }
  }

  private static func rows(_ setups: [BowSetupItem]) -> [[String]] {
    [["ID", "NAME", "VERSION", "PARTS", "DEFAULT", "ACTIVE"]]
      + setups.map { setup in
        [
          "\(setup.id)", SetupText.name(setup.name), "\(setup.version)",
          "\(setup.componentCount)", setup.isDefault ? "yes" : "no", setup.isActive ? "yes" : "no",
        ]
      }
  }
}
