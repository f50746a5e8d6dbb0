import Foundation
import QuiverWire
import Testing

@testable import QuiverRPC

@Suite("PROTOCOL.md", .timeLimit(.minutes(5)))
struct SpecificationTests {
  static let text =
    (try? String(
      contentsOf: Vectors.root.appending(path: "Protos/PROTOCOL.md"), encoding: .utf8)) ?? ""

  /// The cells of each row of every table, trimmed, without backticks.
  static let rows = text.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
    line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
      $0.trimmingCharacters(in: .whitespaces).replacing("`", with: "")
    }
  }

  static func value(_ name: String) -> String? {
    rows.first { $0.first == name && $0.count == 3 }?[1]
  }

  @Test("Section 12 has every limit with its default, and no other")
  func limits() {
    let fields = Mirror(reflecting: Limits()).children
    for field in fields {
      let name = Self.dashed(field.label ?? "")
      #expect(Self.value(name) == "\(field.value)", "\(name)")
    }
    let section = Self.text.split(separator: "## 12. Limits").last?.split(
      separator: "Fixed numbers"
    ).first
    let named = (section ?? "").split(separator: "\n").filter { $0.hasPrefix("| `") }.count
    #expect(named == fields.count)
  }

  @Test("Section 12 has the fixed numbers")
  func fixedNumbers() {
    let numbers: [(String, UInt64)] = [
      ("frame charge", UInt64(Limits.frameCharge)),
      ("largest max_frame_bytes", UInt64(Limits.largestMaxFrameBytes)),
      ("smallest byte field", UInt64(Limits.smallestByteField)),
      ("longest STATUS", UInt64(Limits.maxStatusBytes)),
      ("longest HEADERS", UInt64(Limits.maxHeadersBytes)),
      ("longest other control payload", UInt64(Limits.maxControlBytes)),
      ("CREDIT", UInt64(Limits.creditBytes)), ("PING", UInt64(Limits.pingBytes)),
      ("smallest part", UInt64(Limits.smallestPart)),
      ("largest stream id", UInt64(Limits.largestStreamID)),
      ("largest allowance", Limits.largestCredit),
      ("idempotency key", UInt64(Limits.idempotencyKeyBytes)),
      ("traceparent", UInt64(Limits.traceparentBytes)),
      ("entries of metadata", UInt64(Limits.maxMetadataEntries)),
      ("bytes of metadata", UInt64(Limits.maxMetadataBytes)),
      ("bytes of a metadata key", UInt64(Limits.maxMetadataKeyBytes)),
      ("bytes of a status text", UInt64(Limits.maxStatusTextBytes)),
      ("bytes of status details", UInt64(Limits.maxStatusDetailBytes)),
      ("unanswered PINGs", UInt64(Limits.maxUnansweredPings)),
      ("inflated at any ratio", UInt64(Limits.inflateFloorBytes)),
      ("safe ratio", UInt64(Limits.safeInflateRatio)),
    ]
    for (name, number) in numbers { #expect(Self.value(name) == "\(number)", "\(name)") }
  }

  @Test("Section 1.2 has the defaults, and the limits of anonymous connections")
  func hello() {
    let known = Settings(Limits())
    let unknown = Settings(.anonymous)
    let fields: [(String, UInt64, UInt64)] = [
      ("max_frame_bytes", UInt64(known.maxFrameBytes), UInt64(unknown.maxFrameBytes)),
      ("max_message_bytes", UInt64(known.maxMessageBytes), UInt64(unknown.maxMessageBytes)),
      (
        "max_concurrent_streams", UInt64(known.maxConcurrentStreams),
        UInt64(unknown.maxConcurrentStreams)
      ),
      ("initial_stream_credit", known.streamCredit, unknown.streamCredit),
      ("initial_connection_credit", known.connectionCredit, unknown.connectionCredit),
    ]
    for (name, usual, small) in fields {
      let row = Self.rows.first { $0.first == name && $0.count == 4 } ?? []
      #expect(Array(row.dropFirst(2)) == ["\(usual)", "\(small)"], "\(name)")
    }
  }

  @Test("Section 2 has every frame type, and sections 7 and 10 have every code")
  func codes() {
    for type in FrameType.allCases {
      let row = Self.rows.first { $0.first == "\(type.rawValue)" && $0.count == 7 }
      #expect(row?[1] == "\(type)".uppercased())
    }
    for code in ConnectionErrorCode.known {
      #expect(Self.rows.contains { $0.starts(with: ["\(code.rawValue)", code.name]) })
    }
    let statuses = Self.rows.filter { $0.count == 6 }.flatMap { row in
      stride(from: 0, to: 6, by: 2).map { "\(row[$0]) \(row[$0 + 1])" }
    }
    for code in StatusCode.known { #expect(statuses.contains("\(code.rawValue) \(code.name)")) }
  }

  @Test("Every reason that ends a connection is in the specification")
  func reasons() throws {
    let folder = Vectors.root.appending(path: "Sources/RPC/QuiverRPC")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    var reasons: Set<String> = []
    let pattern = try Regex(##"ConnectionFault\(\s*\.(\w+),\s*"([^"]+)""##)
    for name in names where name.hasSuffix(".swift") {
      let source = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      for match in source.matches(of: pattern) where match.output[1].substring == "protocolError" {
        // A case that header validation excludes; it makes the switch complete.
        let reason = String(match.output[2].substring ?? "")
        if reason != "a frame out of place" { reasons.insert(reason) }
      }
    }
    #expect(reasons.count > 20)
    var cells: Set<String> = []
    for row in Self.rows {
      for cell in row { cells.formUnion(cell.components(separatedBy: "; ")) }
    }
    let missing = reasons.filter { !cells.contains($0) }
    #expect(missing == [])
  }

  private static func dashed(_ name: String) -> String {
    name.reduce(into: "") { result, character in
      result += character.isUppercase ? "-" + character.lowercased() : String(character)
    }
  }
}
