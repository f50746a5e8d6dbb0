import QuiverAPI
import QuiverClient
import QuiverPapers
import QuiverProtobuf
import QuiverRPC

/// The address of the score page, to which QR codes lead.
enum ScorePage {
  /// - Parameter text: the address of the pages.
  static func link(_ text: String, _ arguments: Arguments) throws(Failure) -> String {
    var base = text
    while base.hasSuffix("/") { base.removeLast() }
    let rest = base.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).last ?? ""
    let isHost = rest.utf8.allSatisfy { byte in
      byte > 32 && byte < 127 && ![UInt8]("/?#@\"'<>\\".utf8).contains(byte)
    }
    guard base.hasPrefix("https://") || base.hasPrefix("http://"), isHost, !rest.isEmpty else {
      throw arguments.usage(
        "--address expects https:// or http:// and a host, as https://scores.club.example")
    }
    return base + "/score"
  }
}

/// `quiver event plates`: a page for each target of a session, with the QR code that a phone scans.
enum EventPlatesCommand {
  private static let address = Flag(
    "--address", .word("URL"), "the address of the pages, as https://scores.club.example; required")

  static let command = Command(
    "event plates", operands: "EVENT SESSION FILE",
    summary: "write plates for the targets of a session as HTML",
    details: """
      A page for each target, with its number and a QR code that leads to the score page. Who scans
      it may score the target. The event demands leases (event lease --on). A browser prints it.
      FILE must not exist; - is standard output.
      """,
    flags: [address, .timeout], names: [.event],
    examples: [
      "event plates Indoor Qual plates.html --address https://scores.club.example"
    ], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(3...3, "EVENT SESSION FILE")
    guard let text = arguments.value(of: address) else {
      throw arguments.usage("--address URL is required: where phones reach the pages")
    }
    let link = try ScorePage.link(text, arguments)
    try EventDocumentCommands.checkPaperFile(words[2], arguments)
    var request = ListTargetCodesRequest()
    let access = try Access(arguments)
    let names = Names(access, arguments)
    request.tournamentID = try await names.id(of: words[0], .event, "EVENT")
    request.sessionID = try await names.id(of: words[1], .session, "SESSION")
    let wanted = request
    let head = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(
        Tournament.getTournament, .with { $0.id = wanted.tournamentID })
    }
    let codes = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Events.listTargetCodes, wanted).codes
    }
    let file = try OutputFile.make(path: words[2])
    try file.write(text: Array(TargetPlatePaper.text(event: head.name, link: link, codes).utf8))
    try file.keep()
  }
}

extension TargetPlatePaper {
  fileprivate static func text(event: String, link: String, _ codes: [TargetCode]) -> String {
    text(
      event: event,
      codes.map { Plate(target: Int($0.target), code: $0.code, link: "\(link)#\($0.code)") })
  }
}
