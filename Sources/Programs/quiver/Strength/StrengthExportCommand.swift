import QuiverAPI
import QuiverClient
import QuiverRPC

/// `quiver strength export`: the strength log as a file that `strength import` reads.
enum StrengthExportCommand {
  static let command = Command(
    "strength export", operands: "FILE", summary: "write your strength log to a new file",
    details: """
      FILE must not exist; - is standard output. The first line names the unit of the weights,
      which strength import reads.
      """,
    flags: [WeightText.unitFlag, .timeout], methods: ["quiver.v1.Logbook/ExportSets"]
  ) { arguments async throws(Failure) in
    let path = try arguments.operands(1...1, "one FILE")[0]
    var request = ExportSetsRequest()
    request.unit = try WeightText.unit(arguments)
    request.pageSize = 500
    let access = try Access(arguments)
    let file = try OutputFile.make(path: path)
    repeat {
      let wanted = request
      let page = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Logbook.exportSets, wanted)
      }
      if request.pageToken.isEmpty { try file.write(line: StrengthFileHead.line(page.unit)) }
      var text = String(decoding: page.log, as: UTF8.self)
      if text.hasSuffix("\n") { text.removeLast() }
      if !text.isEmpty { try file.write(line: text) }
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    try file.keep()
  }
}

/// The first line of an exported strength log: the columns, with the unit of the weights.
enum StrengthFileHead {
  private static let columns = "date,exercise,sets,reps,weight"

  static func line(_ unit: WeightUnit) -> String { "\(columns) \(WeightText.symbol(unit))" }

  /// The unit that the first line names; nil for another line.
  static func unit(of bytes: [UInt8]) -> WeightUnit? {
    let end = bytes.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
    let first = String(decoding: bytes[..<end], as: UTF8.self)
    guard first.hasPrefix(columns + " ") else { return nil }
    return WeightText.unit(String(first.dropFirst(columns.count + 1)))
  }
}
