import Glibc
import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverRules
import QuiverSession

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Plays a score file through a scorer's session, as the event's organiser.
@MainActor
final class ScoreReplay {
  let tournament: TournamentEvent
  private let plan: ReplayPlan
  private let access: Access
  private let way: ReplayTransport
  private let session: OfflineSession
  private let directory: String
  private var enteredCount = 0

  /// The number of operations after which they are sent without `--disconnect-every`.
  private static let usualBatchCount = 60
  /// Consecutive attempts to reconcile with the server that may fail.
  private static let patience = 20

  /// Makes the event and a place for this device.
  init(_ plan: ReplayPlan, _ access: Access) async throws(Failure) {
    self.plan = plan
    self.access = access
    let request = Self.request(plan)
    tournament = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Tournament.createTournament, request)
    }
    directory = try Self.temporaryDirectory()
    do {
      way = try ReplayTransport(access.configuration, repeats: plan.repeats)
      var configuration = OfflineSession.Configuration(
        server: access.configuration.server, token: access.configuration.token ?? "",
        directory: directory)
      configuration.syncsByItself = false
      configuration.device = "quiver tournament replay"
      configuration.limits.maxParticipants = 20_000
      session = try await OfflineSession(configuration, transport: way)
    } catch let error as RPCError {
      throw .call(error)
    } catch {
      throw .input("\(error)")
    }
  }

  /// Enters everything, sends it and finalises the event.
  func play() async throws(Failure) {
    let id = tournament.id
    let event = try await perform { () async throws(SessionError) in
      try await session.loadTournament(id)
    }
    let scoring = ScoringModel(session, event: event)
    try await enter(scoring)
    let client = access.client
    _ = try await access.attemptPlainly { () async throws(RPCError) in
      var request = StartTournamentRequest()
      request.id = id
      return try await client.call(Tournament.startTournament, request)
    }
    try await perform { () async throws(SessionError) in try await scoring.load() }
    if let seed = plan.seed {
      try await playShuffled(scoring, seed: seed)
    } else {
      try await playInTurns(scoring)
    }
    try await reconcile(scoring)
    let arrowCount = plan.sheet.archers.count * plan.sheet.format.arrowCount
    guard enteredCount == arrowCount else {
      throw .input("\(enteredCount) of the file's \(arrowCount) arrows could be entered")
    }
    _ = try await access.attemptPlainly { () async throws(RPCError) in
      var request = FinaliseTournamentRequest()
      request.id = id
      return try await client.call(Tournament.finaliseTournament, request)
    }
  }

  /// Ends the session and removes what this device kept.
  func end() async {
    await session.close()
    try? FileManager.default.removeItem(atPath: directory)
  }

  private func enter(_ scoring: ScoringModel) async throws(Failure) {
    var names = plan.sheet.archers.map(\.name)[...]
    while !names.isEmpty {
      let next = Array(names.prefix(1_000))
      _ = try await perform { () async throws(SessionError) in
        try await scoring.addEntries(next)
      }
      names = names.dropFirst(1_000)
    }
    try await reconcile(scoring)
    guard scoring.participants.count == plan.sheet.archers.count else {
      throw .input("the server has other entries than the file")
    }
  }

  /// As the turns go: end by end, archer by archer.
  private func playInTurns(_ scoring: ScoringModel) async throws(Failure) {
    let places = places(scoring)
    while let position = scoring.position {
      guard let archer = places[position.participant] else { break }
      let first = plan.sheet.format.arrowNumber(
        end: position.endIndex, arrow: position.arrowIndex)
      let count = min(position.arrowCount - position.arrowIndex, roomCount)
      let arrows = plan.sheet.archers[archer].arrows[first..<first + count]
      try await perform { () async throws(SessionError) in
        try await scoring.enter(Array(arrows))
      }
      await entered(count)
    }
  }

  private func playShuffled(_ scoring: ScoringModel, seed: UInt64) async throws(Failure) {
    let participants = scoring.participants.map(\.id)
    var rest = plan.shuffled(seed: seed)[...]
    while !rest.isEmpty {
      let places = rest.prefix(roomCount)
      rest = rest.dropFirst(places.count)
      let entries = places.compactMap { archer, arrow in
        plan.sheet.format.slot(ofArrow: arrow).map { slot in
          ArrowEntry(
            plan.sheet.archers[archer].arrows[arrow], at: slot, of: participants[archer])
        }
      }
      try await perform { () async throws(SessionError) in try await scoring.enter(entries) }
      await entered(places.count)
    }
  }

  /// Entries have their ids in the order of the file.
  private func places(_ scoring: ScoringModel) -> [LocalID: Int] {
    Dictionary(
      uniqueKeysWithValues: scoring.participants.enumerated().map { ($1.id, $0) })
  }

  /// After how many operations they are sent.
  private var batchCount: Int { plan.disconnectEvery ?? Self.usualBatchCount }

  /// Operations that may be entered until then.
  private var roomCount: Int { batchCount - enteredCount % batchCount }

  /// Sends the waiting operations from time to time, over a connection that breaks as requested.
  private func entered(_ count: Int) async {
    enteredCount += count
    guard enteredCount % batchCount == 0 else { return }
    if plan.disconnectEvery != nil { way.breakNext() }
    await session.syncNow()
  }

  /// Sends until nothing waits. Throws what the server would not have.
  private func reconcile(_ scoring: ScoringModel) async throws(Failure) {
    var failures = 0
    while true {
      let report = await session.syncNow()
      let waiting = try await perform { () async throws(SessionError) in try await session.outbox()
      }
      if let first = waiting.first(where: { $0.mark != .waiting }) {
        throw .input("\(first.kind) \(first.title): \(first.verdict)")
      }
      guard !waiting.isEmpty || report.error != nil else { return }
      failures += 1
      guard failures < Self.patience else {
        throw .input("the server cannot be reached: \(report.error?.description ?? "")")
      }
      try? await Task.sleep(for: .milliseconds(50 * failures))
    }
  }

  /// Runs a step of the session and turns its error into the command's.
  private func perform<Value>(
    _ body: () async throws(SessionError) -> Value
  ) async throws(Failure) -> Value {
    do throws(SessionError) {
      return try await body()
    } catch {
      guard let code = error.code.status else { throw .input("\(error)") }
      throw access.plainFailure(RPCError(code, error.message))
    }
  }

  private static func request(_ plan: ReplayPlan) -> CreateTournamentRequest {
    var request = CreateTournamentRequest()
    request.name = "Replay of \(plan.title)"
    var format = FormatReference()
    format.codename = plan.codename
    format.arrowLimit = UInt32(clamping: plan.sheet.format.arrowCount)
    request.format = format
    request.maxParticipants = UInt32(clamping: plan.sheet.archers.count)
    request.tiePolicy = QuiverAPI.TiePolicy(rawValue: plan.policy.rawValue)
    return request
  }

  private static func temporaryDirectory() throws(Failure) -> String {
    var template = Array(
      "\(FileManager.default.temporaryDirectory.path)/quiver-replay-XXXXXX".utf8CString)
    guard let path = mkdtemp(&template) else {
      throw .input("no directory can be made: \(String(cString: strerror(errno)))")
    }
    return String(cString: path)
  }
}

extension QuiverRules.RoundFormat {
  /// The place of an arrow in the order of shooting, from 0.
  fileprivate func arrowNumber(end: Int, arrow: Int) -> Int {
    (0..<end).reduce(arrow) { $0 + (self.end($1)?.arrowCount ?? 0) }
  }
}
