import QuiverAPI
import QuiverClient
import QuiverRPC

/// `quiver strength export`: the strength log as a file that `strength import` reads.
enum StrengthExportCommand {
  static let command = Command(
    "strength export", operands: "FILE", summary: "write your strength log to a new file",
    details: "FILE must not be there; - is standard output.",
    flags: [WeightText.unitFlag, .timeout], methods: ["quiver.v1.Logbook/ExportSets"]
  ) { arguments async throws(Failure) in
    let path = try arguments.operands(1...1, "one FILE")[0]
    var request = ExportSetsRequest()
    request.unit = try WeightText.unit(arguments)
    request.pageSize = 500
    let access = try Access(arguments)
    let file = try OutputFile.make(path: path)
    var unit = WeightUnit.unspecified
    repeat {
      let wanted = request
      let page = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Logbook.exportSets, wanted)
      }
      var text = String(decoding: page.log, as: UTF8.self)
      if text.hasSuffix("\n") { text.removeLast() }
      if !text.isEmpty { try file.write(line: text) }
      request.pageToken = page.nextPageToken
      unit = page.unit
    } while !request.pageToken.isEmpty
    try file.keep()
    if unit == .kilogram {
      Terminal.notice("weights are in kg; give --unit kg to quiver strength import")
    }
  }
}
