import Glibc
import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverRules
import QuiverSession
import QuiverWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A device with an offline session, as an app has it: it scores a target, or matches.
@MainActor
final class SessionPhone {
  private let session: OfflineSession
  private let directory: String
  private var random: SplitMix64
  private let hasFaults: Bool

  private static let attempts = 400

  init(
    _ configuration: RPCClient.Configuration, _ log: RehearsalLog, device: String, seed: UInt64,
    hasFaults: Bool
  ) async throws {
    let way = try FaultyTransport(configuration, log, seed: seed, hasFaults: hasFaults)
    var template = Array(
      "\(FileManager.default.temporaryDirectory.path)/quiver-rehearsal-XXXXXX".utf8CString)
    guard let path = mkdtemp(&template) else {
      throw RehearsalError("no directory can be made: \(String(cString: strerror(errno)))")
    }
    directory = String(cString: path)
    random = SplitMix64(seed: seed)
    self.hasFaults = hasFaults
    var options = OfflineSession.Configuration(
      server: configuration.server, token: configuration.token ?? "", directory: directory)
    options.syncsByItself = false
    options.allowsPlaintextToken = configuration.allowsPlaintextToken
    options.security = configuration.security
    options.device = device
    session = try await OfflineSession(options, transport: way)
  }

  /// Ends the session and removes its files.
  func close() async {
    await session.close()
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// Joins a target by its code, and scores all ends of its archers.
  func score(_ archers: [TargetArcher], of tournament: Int64, code: String) async throws {
    let event = try await untilConnected { () async throws(SessionError) in
      try await self.session.loadTournament(tournament)
    }
    try await untilConnected { () async throws(SessionError) in
      _ = try await self.session.joinTarget(code)
    }
    let model = ScoringModel(session, event: event)
    try await untilConnected { () async throws(SessionError) in try await model.load() }
    let ids = Dictionary(
      model.participants.map { ($0.serverID, $0.id) }, uniquingKeysWith: { first, _ in first })
    for end in archers.first?.range ?? 0..<0 {
      for archer in archers where end < archer.shotEndCount {
        guard let id = ids[archer.participant] else {
          throw RehearsalError("participant \(archer.participant) is not on its device")
        }
        try await enter(end, of: archer, id, model)
      }
      if !hasFaults || Int.random(in: 0..<4, using: &random) == 0 { await session.syncNow() }
    }
    try await send()
    await model.refresh()
    for archer in archers { try Self.checkRound(of: archer, ids, model) }
  }

  /// Compares the sum of the round that was shot here with that of the arrows that were entered.
  private static func checkRound(
    of archer: TargetArcher, _ ids: [Int64: LocalID], _ model: ScoringModel
  ) throws {
    guard let id = ids[archer.participant],
      let round = model.rounds(of: id).first(where: { $0.firstEnd == archer.range.lowerBound })
    else {
      throw RehearsalError("the device does not know the round of \(archer.participant)")
    }
    var total = 0
    for end in archer.range where end < archer.shotEndCount {
      for (index, arrow) in archer.ends[end].enumerated() {
        let isWrong = archer.wrong == ArrowSlot(endIndex: end, arrowIndex: index)
        total += isWrong ? PlainPhone.other(than: arrow).value : arrow.value
      }
    }
    guard round.endCount == archer.range.count, round.tally.total == total else {
      throw RehearsalError(
        "round \(round.id) of \(archer.participant) has \(round.tally.total) in"
          + " \(round.endCount) ends on its device, expected \(total) in \(archer.range.count)")
    }
  }

  private func enter(
    _ end: Int, of archer: TargetArcher, _ id: LocalID, _ model: ScoringModel
  ) async throws {
    var entries: [ArrowEntry] = []
    var corrections: [(ArrowScore, ArrowSlot)] = []
    for (index, arrow) in archer.ends[end].enumerated() {
      let slot = ArrowSlot(endIndex: end, arrowIndex: index)
      let isWrong = archer.wrong == slot
      let isCorrected = !isWrong && Int.random(in: 0..<50, using: &random) == 0
      let shown = isWrong || isCorrected ? PlainPhone.other(than: arrow) : arrow
      entries.append(
        ArrowEntry(ArrowScore(value: shown.value, isX: shown.isX), at: slot, of: id))
      if isCorrected {
        corrections.append((ArrowScore(value: arrow.value, isX: arrow.isX), slot))
      }
    }
    try await model.enter(entries)
    for (score, slot) in corrections {
      try await model.correct(score, at: slot, of: id, reason: "read wrongly")
    }
  }

  /// Scores both cards of a match and confirms them.
  func play(_ script: MatchScript, of match: Int64) async throws {
    let model = MatchModel(session, match: match)
    try await untilConnected { () async throws(SessionError) in try await model.load() }
    for end in script.ends[0].indices {
      for side in [0, 1] {
        try await model.enter(
          script.ends[side][end].map(Self.score), side: side + 1, end: end)
      }
      if !hasFaults || Bool.random(using: &random) { await session.syncNow() }
    }
    try await send()
    for (index, shots) in script.shootOffs.enumerated() {
      for side in [0, 1] {
        let shot = MatchShootOff(
          shots[side].arrows.map(Self.score), distances: shots[side].distances)
        try await model.enter(shot, side: side + 1, index: index)
      }
      try await send()
    }
    for side in [1, 2] {
      try await untilConnected { () async throws(SessionError) in
        try await model.load()
        guard !model.sides.contains(where: { $0.id == side && $0.isConfirmed }) else { return }
        try await model.confirm(side: side)
      }
    }
    // A confirmation waits where the network was lost.
    try await send()
  }

  private static func score(_ arrow: RehearsalPlan.Arrow) -> ArrowScore {
    ArrowScore(value: arrow.value, isX: arrow.isX)
  }

  /// Sends until nothing waits.
  private func send() async throws {
    for attempt in 1...Self.attempts {
      let report = await session.syncNow()
      let waiting = try await session.outbox()
      if let first = waiting.first(where: { $0.mark != .waiting }) {
        throw RehearsalError("\(first.kind) \(first.title) needs attention: \(first.verdict)")
      }
      if waiting.isEmpty, report.error == nil { return }
      try await Task.sleep(for: .milliseconds(min(20, attempt)))
    }
    throw RehearsalError("a session could not send its changes")
  }

  /// Repeats what needs the network until it succeeds.
  private func untilConnected<Value: Sendable>(
    _ body: () async throws(SessionError) -> Value
  ) async throws -> Value {
    var failures = 0
    while true {
      do throws(SessionError) {
        return try await body()
      } catch {
        let isLost: Bool
        switch error.code.status {
        case .unavailable?, .cancelled?, .aborted?: isLost = true
        default: isLost = error.code == .notSignedIn
        }
        failures += 1
        guard isLost, failures < Self.attempts else { throw error }
      }
      try await Task.sleep(for: .milliseconds(min(20, failures)))
    }
  }
}
