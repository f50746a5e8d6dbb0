import Foundation
import QuiverStore
import Testing

@Suite("The table of limits", .timeLimit(.minutes(5)))
struct LimitTableTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardized

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The limits that a source file declares, by name.
  private static func declared(
    _ path: String, _ keywords: Regex<(Substring, Substring, Substring)>
  ) throws -> [String: Int64] {
    var limits: [String: Int64] = [:]
    for match in try text(path).matches(of: keywords.anchorsMatchLineEndings()) {
      let found = value(match.output.2, limits)
      #expect(found != nil, "\(match.output.1) is \(match.output.2)")
      limits[String(match.output.1)] = found
    }
    return limits
  }

  private static func transport() throws -> [String: Int64] {
    try declared(
      "Sources/RPC/QuiverWire/Limits.swift", #/^  package var (\w+)(?:: \w+)? = ([0-9A-Fx_ *<]+)$/#)
  }

  private static func store() throws -> [String: Int64] {
    var limits: [String: Int64] = [:]
    for file in [
      "Engine/StoreLimits", "Engine/StoreLimits+PostgreSQL", "Devices/StoreLimits+Devices",
      "Sharing/StoreLimits+Sharing",
    ] {
      let declared = try declared(
        "Sources/Archery/QuiverStore/\(file).swift",
        #/^  (?:package )?static let (\w+)(?:: \w+)? = ([^\n]+)$/#)
      limits.merge(declared) { first, _ in first }
    }
    return limits
  }

  /// The value of a number, a product, a quotient or a shift of numbers and of limits before it.
  private static func value(_ expression: Substring, _ known: [String: Int64]) -> Int64? {
    let words = expression.split(separator: " ")
    let numbers = words.map { word -> Int64? in
      if let limit = known[String(word)] { return limit }
      let digits = word.replacing("_", with: "")
      return digits.hasPrefix("0x") ? Int64(digits.dropFirst(2), radix: 16) : Int64(digits)
    }
    guard var result = numbers.first ?? nil else { return nil }
    for index in stride(from: 1, to: words.count, by: 2) {
      guard index + 1 < words.count, let number = numbers[index + 1] else { return nil }
      switch words[index] {
      case "*": result *= number
      case "/" where number != 0: result /= number
      case "<<": result <<= number
      default: return nil
      }
    }
    return result
  }

  private struct Row {
    let name: String
    let value: Int64?
    let flag: String
    let effect: String
  }

  /// The rows of the table below a heading.
  private static func rows(_ heading: String) throws -> [Row] {
    let section = try #require(
      text("docs/limits.md").components(separatedBy: "## ").first { $0.hasPrefix(heading) })
    return section.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map {
        $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
      }
      guard line.hasPrefix("| `"), cells.count == 4 else { return nil }
      return Row(name: cells[0], value: Int64(cells[1]), flag: cells[2], effect: cells[3])
    }
  }

  private static func flag(_ name: String) -> String {
    "--" + name.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
  }

  @Test("Each limit of a connection is in the table once, with its default and its flag")
  func connections() throws {
    let rows = try Self.rows("Connections and calls")
    let limits = try Self.transport()
    #expect(limits.count > 40)
    #expect(rows.map(\.name).sorted() == limits.keys.sorted())
    for row in rows {
      #expect(row.value == limits[row.name], "\(row.name)")
      #expect(row.flag == Self.flag(row.name), "\(row.name)")
      #expect(row.effect.count > 5, "\(row.name)")
    }
  }

  @Test("Each limit of the store is in the table once, with its default, and its flag exists")
  func store() throws {
    let rows = try Self.rows("The store")
    let limits = try Self.store()
    #expect(limits.count > 70)
    #expect(rows.map(\.name).sorted() == limits.keys.sorted())
    let bounds = try Self.text("Sources/Programs/quiverd/Configuration/StoreBounds.swift")
    for row in rows {
      #expect(row.value == limits[row.name], "\(row.name)")
      #expect(row.flag == "–" || bounds.contains("\"\(row.flag)\""), "\(row.name)")
      #expect(row.effect.count > 5, "\(row.name)")
    }
    let flags = Set(rows.map(\.flag))
    for match in bounds.matches(of: #/(?:flag|quota)\x28\s*"(--[a-z-]+)"/#) {
      #expect(flags.contains(String(match.output.1)), "\(match.output.1)")
    }
  }

  @Test("Each limit of the store that refuses callers, or says so, is counted under its name")
  func countedLimits() throws {
    let counted = try Self.rows("The store").filter { row in
      row.effect.contains("RESOURCE_EXHAUSTED") || row.effect.contains("counted")
    }
    #expect(counted.map(\.name).sorted() == StoreLimit.allCases.map(\.name).sorted())
  }

  /// Refusals for want of something that no limit of the store is about.
  private static let otherRefusals = [
    "the disk", "out of memory", "could not start a thread", "begun more epochs",
    "more than the journal can show", "there are more than", "tokens of this address",
    "wrong codes", "watch the health",
  ]

  @Test("Refusals of the store at a limit are made where they are counted")
  func refusals() throws {
    let archery = Self.root.appending(path: "Sources/Archery")
    var found = 0
    for folder in ["QuiverStore", "QuiverService"] {
      let files = FileManager.default.enumerator(
        at: archery.appending(path: folder), includingPropertiesForKeys: nil)
      for case let file as URL in try #require(files) where file.pathExtension == "swift" {
        guard file.lastPathComponent != "StoreLimit.swift" else { continue }
        let text = try String(contentsOf: file, encoding: .utf8)
        for match in text.matches(of: #/\x28\s*\.resourceExhausted,([^\x29]*)/#) {
          found += 1
          let isOther = Self.otherRefusals.contains { match.output.1.contains($0) }
          #expect(isOther, "\(file.lastPathComponent): \(match.output.1)")
        }
      }
    }
    #expect(found >= Self.otherRefusals.count)
  }

  @Test("Each limit of the gateway is in the table once, with its default, flag and metric")
  func gateway() throws {
    let rows = try Self.rows("The gateway")
    let source = try Self.text("Sources/RPC/QuiverGateway/GatewayLimits.swift")
    let pattern = #/^  (?:package )?var (\w+)(?:: \w+)? = (.+)$/#.anchorsMatchLineEndings()
    let limits = source.matches(of: pattern)
    #expect(limits.count > 40)
    #expect(rows.map(\.name).sorted() == limits.map { String($0.output.1) }.sorted())
    for limit in limits {
      // Two are limits of the wire.
      guard let value = Self.value(limit.output.2, [:]) else { continue }
      let row = rows.first { $0.name == limit.output.1 }
      #expect(row?.value == value, "\(limit.output.1)")
    }
    let json = try Self.declared(
      "Sources/RPC/QuiverJSON/JSONLimits.swift",
      #/^  package (?:static let|var) (\w+)(?:: \w+)? = (.+)$/#)
    let jsonRows = try Self.rows("Messages in JSON")
    #expect(json.count == 4 && jsonRows.map(\.name).sorted() == json.keys.sorted())
    for row in jsonRows {
      #expect(row.value == json[row.name] && row.flag == "–", "\(row.name)")
    }
    let flags = try Self.text("Sources/Programs/quiver-gateway/Flags.swift")
    let names = try Self.text("Sources/RPC/QuiverGateway/Observing/GatewayLimit.swift")
    for row in jsonRows {
      #expect(row.effect.contains("(`json`)"), "\(row.name)")
    }
    for row in rows {
      let name = Self.flag(row.name)
      #expect(row.flag == (flags.contains("\"\(name.dropFirst(2))\"") ? name : "–"), "\(row.name)")
      for metric in row.effect.matches(of: #/\x28`([a-z-]+)`/#) {
        #expect(names.contains(": \"\(metric.output.1)\""), "\(row.name)")
      }
    }
    // Each name of the metric is that of some limit.
    let counted = Set(
      (rows + jsonRows).flatMap { row in
        row.effect.matches(of: #/`([a-z-]+)`/#).map { String($0.output.1) }
      })
    for name in names.matches(of: #/: "([a-z-]+)"/#) {
      #expect(counted.contains(String(name.output.1)), "\(name.output.1)")
    }
  }

  @Test("Limits of a part are not above those of the whole")
  func relations() throws {
    var limits = try Self.transport().merging(try Self.store()) { first, _ in first }
    let process = try #require(limits["processBytes"])
    limits["share"] = process / 100 * (limits["sharePercent"] ?? 0)
    limits["small share"] = process / 64
    limits["a connection"] = (limits["heldInputBytes"] ?? 0) + (limits["outputBytes"] ?? 0)
    limits["a rate for an hour"] = 60 * (limits["storedBytesPerMinute"] ?? 0)
    let chains: [[String]] = [
      ["maxFrameBytes", "maxMessageBytes", "reassemblyBytes", "heldInputBytes"],
      ["initialStreamCredit", "initialConnectionCredit", "heldInputBytes"],
      ["anonymousOutputBytes", "streamOutputBytes", "outputBytes"],
      ["outputHighWater", "outputBytes"], ["a connection", "share", "processBytes"],
      ["small share", "share"],
      ["maxAnonymousConnectionsPerAddress", "maxConnectionsPerAddress", "maxConnections"],
      ["maxConnectionsPerPrincipal", "maxConnections"],
      ["maxUnfinishedHandshakesPerAddress", "maxUnfinishedHandshakes", "maxConnections"],
      ["keepaliveTimeoutMilliseconds", "serverKeepaliveMilliseconds"],
      ["storedBytesPerMinute", "storedBytesPerPrincipal", "a rate for an hour"],
      ["keyBytesPerPrincipal", "storedBytesPerPrincipal"],
      ["keyBytesPerPrincipal", "keyBytes"],
      ["sparedIdempotencyKeys", "idempotencyKeysPerPrincipal", "idempotencyKeys"],
      ["commandsPerBatch", "queuedCommands"], ["commandsPerExpiry", "expiredRowsPerSlice"],
      ["watchesPerPrincipal", "watches"], ["leaderboardTopicsPerPrincipal", "leaderboardTopics"],
      ["leaderboardWindowsPerPrincipal", "leaderboardWindowsPerTopic", "leaderboardWindows"],
      ["idleLeaderboardWindows", "leaderboardWindows"],
      ["readThreadsPerOwner", "readThreads"], ["waitingReadsPerOwner", "waitingReads"],
      ["sharedBulkCheckpointByteCount", "bulkCheckpointByteCount"],
      ["bulkCheckpointByteCount", "idleCheckpointByteCount", "forcedCheckpointByteCount"],
      ["setsPerImportStep", "setsPerBulkStep"], ["setsPerBulkStep", "setsPerSharedBatch"],
      ["setsPerImportStep", "setsPerSharedBatch", "setsPerImportBatch"],
      ["defaultPageSize", "maximumPageSize"],
      [
        "defaultTokenOverlapMilliseconds", "tokenOverlapMilliseconds", "endedTokenKeepMilliseconds",
      ],
      ["spectatorTokenRepeatMilliseconds", "spectatorTokenMilliseconds"],
      ["loggedClockDifferenceMilliseconds", "refusedClockDifferenceMilliseconds"],
      ["equipmentPerPrincipal", "storedRowsPerPrincipal"],
      ["weightEntriesPerPrincipal", "storedRowsPerPrincipal"],
      ["sessionsPerPrincipal", "storedRowsPerPrincipal"],
      ["exportPageByteCount", "sectionByteCount", "maxMessageBytes"],
      ["defaultParticipants", "participantsPerTournament"],
    ]
    for chain in chains {
      for (part, whole) in zip(chain, chain.dropFirst()) {
        let (low, high) = (try #require(limits[part]), try #require(limits[whole]))
        #expect(low <= high, "\(part) \(low) is above \(whole) \(high)")
      }
    }
    #expect(try #require(limits["sharePercent"]) <= 100)
  }
}
