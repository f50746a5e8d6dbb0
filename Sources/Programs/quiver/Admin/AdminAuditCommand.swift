import QuiverAPI
import QuiverClient
import QuiverJSON
import QuiverRPC

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `quiver admin audit`: who changed what, and when.
enum AdminAuditCommand {
  private static let since = Flag(
    "--since", .word("TIME"),
    "rows from this time on: 24h ago, or 2026-11-22, or"
      + " 2026-11-22T14:30:00Z")
  private static let until = Flag("--until", .word("TIME"), "rows before this time")
  private static let principal = Flag(
    "--principal", .word("PRINCIPAL"),
    "rows of what this principal did, or what was done for it; a name or an id")
  private static let kind = Flag(
    "--kind", .word("KIND"), "rows about objects of this kind: token, principal, tournament")
  private static let object = Flag(
    "--object", .word("OBJECT"),
    "rows about the object with this id; with --kind token, principal or tournament also a name")
  private static let action = Flag(
    "--action", .word("ACTION"), "rows of this action; token. for all actions with this prefix")

  static let command = Command(
    "admin audit", summary: "list who changed what and when, newest first",
    details: """
      With --json each row is a JSON object on a line of its own, with --output csv a line of CSV.
      Rows are printed as they arrive, so that a long audit log can be exported:

        quiver admin audit --since 30d --output csv > audit.csv
      """,
    flags: [
      since, until, principal, kind, object, action, PageLimit.flag, .json, .tableOutput, .timeout,
    ], run: run)

  private static let heading = [
    "ROW", "TIME", "ACTOR", "PRINCIPAL", "TOKEN", "ACTION", "KIND", "OBJECT", "TOPIC", "BEFORE",
    "AFTER", "DEVICE", "REASON",
  ]

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    _ = try arguments.operands(0...0, "no operands")
    let limit = try PageLimit(arguments)
    let access = try Access(arguments)
    var request = try await request(arguments, access)
    var count = 0
    repeat {
      request.pageSize = limit.pageSize(after: count)
      let wanted = request
      let page = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Admin.listAudit, wanted)
      }
      let left = limit.first(of: page.entries)
      try print(left, isFirst: request.pageToken.isEmpty, arguments)
      count += left.count
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty && !limit.isReached(count)
  }

  private static func request(
    _ arguments: Arguments, _ access: Access
  ) async throws(Failure) -> ListAuditRequest {
    var request = ListAuditRequest()
    request.fromMilliseconds = try instant(since, arguments)
    request.untilMilliseconds = try instant(until, arguments)
    let named: NamedKind? =
      switch arguments.value(of: kind) {
      case "token": .token
      case "principal": .account
      case "tournament": .event
      default: nil
      }
    request.principalID = try await id(principal, .account, arguments, access)
    request.objectID = try await id(object, named, arguments, access)
    request.objectKind = arguments.value(of: kind) ?? ""
    request.action = arguments.value(of: action) ?? ""
    return request
  }

  /// The id of what a flag names. A number is an id here, since rows stay of what is deleted.
  private static func id(
    _ flag: Flag, _ named: NamedKind?, _ arguments: Arguments, _ access: Access
  ) async throws(Failure) -> Int64 {
    guard let text = arguments.value(of: flag) else { return 0 }
    if let id = NameChoice.number(text) ?? NameChoice.markedID(text), id > 0 { return id }
    guard let named, NameChoice.number(text) == nil else {
      throw arguments.usage("\(flag.name) expects an id, a number above 0, not \(text)")
    }
    return try await Names(access, arguments).id(of: text, named, flag.name)
  }

  private static func instant(_ flag: Flag, _ arguments: Arguments) throws(Failure) -> Int64? {
    guard let text = arguments.value(of: flag) else { return nil }
    guard let milliseconds = PastTime.milliseconds(text) else {
      throw arguments.usage(
        "\(flag.name) expects a time like 24h, 2026-11-22 or 2026-11-22T14:30:00Z, not \(text)")
    }
    return milliseconds
  }

  private static func print(
    _ entries: [AuditEntry], isFirst: Bool, _ arguments: Arguments
  ) throws(Failure) {
    if arguments.has(.json) {
      for entry in entries { try Terminal.print(MessageJSON(printsZeros: true).text(of: entry)) }
    } else {
      let rows = entries.map(row)
      guard isFirst || !rows.isEmpty else { return }
      try Terminal.print(table: (isFirst ? [heading] : []) + rows, hasHeading: isFirst)
    }
  }

  private static func row(_ entry: AuditEntry) -> [String] {
    [
      "\(entry.sequence)", TokenText.time(entry.atMilliseconds), "\(entry.actorID)",
      "\(entry.principalID)", "\(entry.tokenID)", entry.action, entry.objectKind,
      "\(entry.objectID)", "\(entry.topicID)", value(entry.before), value(entry.after),
      Terminal.oneLine(entry.device), Terminal.oneLine(entry.reason),
    ]
  }

  /// Bytes that are a short text as it is, others in hexadecimal digits.
  private static func value(_ bytes: [UInt8]) -> String {
    guard let text = String(validating: bytes, as: UTF8.self),
      text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
    else { return Hexadecimal.text(bytes) }
    return Terminal.oneLine(text)
  }
}

/// Times on the command line that have passed.
enum PastTime {
  /// `24h` is so long ago, `2026-11-22` the start of the day in UTC, and `2026-11-22T14:30:00Z`
  /// that second; in milliseconds since 1970-01-01 UTC, nil for another text.
  static func milliseconds(_ text: String, now: Date = .now) -> Int64? {
    if let span = TimeSpan.milliseconds(text) {
      return Int64(now.timeIntervalSince1970 * 1_000) - span
    }
    if let day = DayText.day(text) { return Int64(day) * 86_400_000 }
    return (try? Date(text, strategy: .iso8601)).map { Int64($0.timeIntervalSince1970 * 1_000) }
  }
}
