import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire

/// `quiver account export`: all data of the caller as lines of JSON.
enum AccountExportCommand {
  static let command = Command(
    "account export", operands: "FILE", summary: "export all your data to a file",
    details: """
      Each line is one object, {"type":"quiver.v1.Riser","value":{…}}: the profile, preferences,
      items of equipment, bow setups in each of their versions, sight marks, rounds, events,
      matches, weights and sets. FILE must not exist; - is standard output. If the data changes
      during the export, the export starts again, at most three times.
      """,
    flags: [.timeout], run: run)

  private static let tries = 3

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let path = try arguments.operands(1...1, "one FILE")[0]
    let file = try OutputFile.make(path: path)
    let access = try Access(arguments)
    let types = try await Types(of: access)
    let lines = try await lines(access, types)
    for line in lines { try file.write(line: line) }
    try file.keep()
    Terminal.notice(lines.count == 1 ? "1 record" : "\(lines.count) records")
  }

  /// All records of one snapshot.
  private static func lines(_ access: Access, _ types: Types) async throws(Failure) -> [String] {
    for _ in 0..<tries {
      if let lines = try await linesOfOneState(access, types) { return lines }
    }
    throw .call(
      RPCError(
        .aborted, "the data changed each time while it was read; try again later", origin: .client))
  }

  /// Nil if the data changed between two pages.
  private static func linesOfOneState(
    _ access: Access, _ types: Types
  ) async throws(Failure) -> [String]? {
    var lines: [String] = []
    var watermark: Int64?
    var request = ExportMyDataRequest()
    request.pageSize = 500
    repeat {
      let wanted = request
      let page = try await access.attempt { () async throws(RPCError) in
        try await access.client.call(Account.exportMyData, wanted)
      }
      guard watermark == nil || watermark == page.watermark else { return nil }
      watermark = page.watermark
      for record in page.records {
        lines.append(
          DetailJSON.text(of: RPCError.Detail(type: record.type, value: record.value), types))
      }
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return lines
  }
}
