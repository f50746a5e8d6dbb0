import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import Synchronization

/// Follows a bracket as a spectator.
final class BracketWatch: Sendable {
  private let state = Mutex(State())
  private let task = Mutex<Task<Void, Never>?>(nil)

  private struct State {
    var matches: [Int64: EliminationMatch] = [:]
    var ranks: [EliminationRank] = []
    var error: String?
  }

  init(_ client: RPCClient, _ tournament: Int64, _ stage: Int64) {
    let task = Task { [weak self] in
      let request = WatchBracketRequest.with { request in
        request.tournamentID = tournament
        request.stageID = stage
      }
      do {
        for try await message in client.watch(Elimination.watchBracket, request) {
          self?.take(message)
        }
      } catch {
        self?.state.withLock { $0.error = "\(error)" }
      }
    }
    self.task.withLock { $0 = task }
  }

  func stop() { task.withLock { $0 }?.cancel() }

  private func take(_ message: WatchBracketResponse) {
    guard let bracket = message.bracket else { return }
    state.withLock { state in
      for match in bracket.matches { state.matches[match.id] = match }
      if !bracket.ranks.isEmpty { state.ranks = bracket.ranks }
    }
  }

  /// Waits until the watch shows the matches and ranks of a bracket; returns whether it does.
  func shows(_ bracket: EliminationBracket) async throws -> Bool {
    for _ in 0..<500 {
      let (matches, ranks) = state.withLock { ($0.matches, $0.ranks) }
      let same = bracket.matches.allSatisfy { match in
        matches[match.id]?.revision == match.revision && matches[match.id]?.state == match.state
          && matches[match.id]?.winner == match.winner
      }
      if same, ranks.map(\.rank) == bracket.ranks.map(\.rank) { return true }
      try await Task.sleep(for: .milliseconds(20))
    }
    return false
  }
}

extension Rehearsal {
  /// Compares a stage with what follows from the operations on its matches.
  func check(_ stage: PlayedStage, _ watch: BracketWatch) async throws {
    let bracket = try await spectator.call(
      Elimination.getBracket, .with { $0.stageID = stage.id })
    guard let shown = bracket.stage else { throw RehearsalError("a bracket has no stage") }
    findings.compare(
      "a spectator's watch of \(stage.name) shows its end", try await watch.shows(bracket), true)
    let seeds = bracket.ranks.sorted { $0.seed < $1.seed }
    findings.compare("the entrants of \(stage.name)", seeds.count, stage.expectedSeeds.count)
    for (row, possible) in zip(seeds, stage.expectedSeeds) {
      let own = row.participantID == 0 ? row.displayName : "\(row.participantID)"
      findings.compare(
        "whether \(own) can have seed \(row.seed) of \(stage.name)", possible.contains(own), true)
    }
    var scores: [Int64: PlainMatch] = [:]
    let operations = Dictionary(
      grouping: log.matches.filter { !$0.isWithoutEffect }, by: \.operation.matchID)
    for match in bracket.matches {
      let sent = operations[match.id] ?? []
      let score = score(sent, of: match, shown.system)
      scores[match.id] = score
      guard match.state != .bye else {
        findings.compare("operations on a bye", sent.count, 0)
        continue
      }
      let name = "match \(match.id) of \(stage.name)"
      findings.compare("the state of \(name)", match.state, .confirmed)
      findings.compare("the winner of \(name)", Int(match.winner), (score.winner ?? -1) + 1)
      findings.compare("the decision of \(name)", match.decision, score.decision)
      findings.compare(
        "the set points of \(name)", match.sides.map { Int($0.setPoints) }, score.setPoints)
      findings.compare("the totals of \(name)", match.sides.map { Int($0.total) }, score.totals)
    }
    if shown.groupCount > 0 {
      checkGroups(bracket, scores, stage.name)
    } else {
      checkRanks(bracket, scores, stage.name)
    }
  }

  private func score(
    _ sent: [RehearsalLog.Sent<MatchOperation, MatchVerdict>], of match: EliminationMatch,
    _ system: MatchSystem
  ) -> PlainMatch {
    var ends: [[Int: [RehearsalPlan.Arrow]]] = [[:], [:]]
    var shots: [[Int: PlainMatch.Shot]] = [[:], [:]]
    let replaced = Set(sent.map(\.operation.replacesClientID))
    for item in sent where !replaced.contains(item.operation.clientID) {
      guard let entry = item.operation.entry else { continue }
      if item.verdict != .stored, item.verdict != .same {
        findings.note("an operation on match \(match.id) was not stored")
      }
      let side = Int(item.operation.side) - 1
      let arrows = entry.arrows.map {
        RehearsalPlan.Arrow(value: Int($0.value), isX: $0.isX)
      }
      if entry.shootOff {
        shots[side][Int(entry.index)] = PlainMatch.Shot(
          arrows: arrows, distances: entry.distances.map { Int($0) }, isCloser: entry.isCloser)
      } else {
        ends[side][Int(entry.index)] = arrows
      }
    }
    let forfeits = Set((log.forfeits[match.id] ?? []).map { Int($0) - 1 })
    return PlainMatch(system, ends, shots, forfeits: forfeits)
  }

  private func checkRanks(
    _ bracket: EliminationBracket, _ scores: [Int64: PlainMatch], _ name: String
  ) {
    var places: [[Int]: EliminationMatch] = [:]
    for match in bracket.matches { places[[Int(match.roundSize), Int(match.index)]] = match }
    let exempt = Int(bracket.stage?.exemptSeeds ?? 0)
    let expected = PlainBracket(entrants: bracket.ranks.count, exempt: exempt) { round, index in
      places[[round, index]].flatMap { scores[$0.id] }
    }
    for (place, match) in places {
      let pair =
        place == [2, 1]
        ? expected.bronze
        : exempt > 0 && place[0] == 128
          ? expected.first[place[1]] ?? [] : expected.pairs[place[0]].map { $0[place[1]] } ?? []
      findings.compare(
        "the seeds of match \(place[1]) of \(place[0]) of \(name)",
        match.sides.map { Int($0.seed) }, pair.map { $0 ?? 0 })
    }
    for row in bracket.ranks {
      findings.compare(
        "the rank of seed \(row.seed) of \(name)", Int(row.rank),
        expected.ranks[Int(row.seed)] ?? 0)
    }
  }

  private func checkGroups(
    _ bracket: EliminationBracket, _ scores: [Int64: PlainMatch], _ name: String
  ) {
    for (group, rows) in Dictionary(grouping: bracket.ranks, by: \.group) {
      let matches = bracket.matches.filter { $0.group == group }.compactMap { match in
        scores[match.id].map { (seeds: match.sides.map { Int($0.seed) }, score: $0) }
      }
      let seeds = rows.map { Int($0.seed) }
      findings.compare(
        "the matches of group \(group) of \(name)",
        Set(matches.map { Set($0.seeds) }).count, seeds.count * (seeds.count - 1) / 2)
      let table = PlainGroup(seeds, matches)
      for row in rows {
        guard let own = table.rows[Int(row.seed)] else { continue }
        findings.compare(
          "seed \(row.seed) of group \(group) of \(name)",
          [row.rank, row.playedCount, row.wonCount, row.points, row.setPoints, row.total]
            .map { Int($0) },
          [own.rank, own.played, own.won, own.points, own.setPoints, own.total])
      }
    }
  }
}
