import QuiverAPI
import QuiverClient
import QuiverJSON
import QuiverRPC

/// `quiver equipment hub`: the number of items of each type.
enum EquipmentHubCommand {
  static let command = Command(
    "equipment hub", summary: "count your equipment by groups and types",
    details: "Archived items are counted separately and are not part of the totals.",
    flags: [.json, .tableOutput, .timeout], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    _ = try arguments.operands(0...0, "no operands")
    let access = try Access(arguments)
    let hub = try await access.attempt { () async throws(RPCError) in
      try await access.client.call(Equipment.getHub, GetHubRequest())
    }
    if arguments.has(.json) {
      try Terminal.print(MessageJSON(printsZeros: true, isPretty: true).text(of: hub))
    } else {
      try Terminal.print(table: rows(hub))
    }
  }

  private static func rows(_ hub: GetHubResponse) -> [[String]] {
    var rows = [["", "COUNT", "ARCHIVED"]]
    for group in hub.groups {
      let archived = group.counts.reduce(UInt64(0)) { $0 + UInt64($1.archivedCount) }
      rows.append([Terminal.oneLine(group.label), "\(group.total)", "\(archived)"])
      for count in group.counts {
        rows.append([
          "  " + Terminal.oneLine(count.pluralLabel), "\(count.count)", "\(count.archivedCount)",
        ])
      }
    }
    rows.append(["Total", "\(hub.total)", "\(hub.archivedTotal)"])
    rows.append(["Bow setups", "\(hub.setupCount)", "\(hub.inactiveSetupCount) inactive"])
    return rows
  }
}
