import QuiverAPI
import QuiverClient
import QuiverRPC

/// `quiver logbook import` and `quiver logbook export`: weights as comma-separated values.
enum LogbookFileCommands {
  static let importing = Command(
    "logbook import", operands: "FILE", summary: "add the weight entries of a file",
    details: """
      Lines are date,weight,unit,note,body_fat: 2024-02-29,80.5,kg,,17.5. The last two may be left
      out. Either all entries are added or none. An entry that exists is not added again. - is
      standard input.
      """,
    flags: [.timeout], run: runImport)

  static let exporting = Command(
    "logbook export", operands: "FILE", summary: "write your weight entries to a new file",
    details: "FILE must not exist; - is standard output.", flags: [.timeout], run: runExport)

  private static let runImport: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(1...1, "one FILE")
    var request = ImportWeightsRequest()
    request.csv =
      words[0] == "-" ? try InputText.standardInput() : try InputText.bytes(ofFile: words[0])
    let access = try Access(arguments)
    let wanted = request
    let done = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Logbook.importWeights, wanted)
    }
    guard done.badLineCount == 0 else {
      throw BadLinesText.failure(done.badLines, count: done.badLineCount)
    }
    try Terminal.confirm("added \(done.added), unchanged \(done.unchanged)")
  }

  private static let runExport: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(1...1, "one FILE")
    let access = try Access(arguments)
    let file = try OutputFile.make(path: words[0])
    var request = ExportWeightsRequest()
    request.pageSize = 500
    repeat {
      let wanted = request
      let page = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Logbook.exportWeights, wanted)
      }
      var text = String(decoding: page.csv, as: UTF8.self)
      if text.hasSuffix("\n") { text.removeLast() }
      if !text.isEmpty { try file.write(line: text) }
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    try file.keep()
  }
}

/// The lines of a file that are not valid.
enum BadLinesText {
  static func failure(_ lines: [BadImportLine], count: Int64) -> Failure {
    for line in lines { printError(line) }
    if count > Int64(lines.count) {
      Terminal.printError("and \(count - Int64(lines.count)) more")
    }
    return .input("\(count) bad lines; nothing was stored")
  }

  static func printError(_ line: BadImportLine) {
    Terminal.printError("line \(line.number) \(Terminal.oneLine(line.reason))")
  }
}
