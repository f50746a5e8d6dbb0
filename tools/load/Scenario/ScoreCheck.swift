import QuiverAPI
import QuiverClient
import QuiverRPC

/// Compares the server's event with what it acknowledged: each arrow is there once, with its value,
/// in the order of the calls, and in the totals.
struct ScoreCheck {
  let scores: ScoreBook
  let client: RPCClient

  /// The number of scorecards that are fetched concurrently.
  private static let width = 16

  func finding() async throws(RPCError) -> Finding {
    var finding = Finding(subject: "arrows")
    let totals = try await standings()
    let scored = scores.participants.indices.filter { !scores.card($0).commits.isEmpty }
    for start in stride(from: 0, to: scored.count, by: Self.width) {
      let places = scored[start..<min(start + Self.width, scored.count)]
      for (place, outcome) in await scorecards(Array(places)) {
        let row = totals[scores.participants[place]]
        Self.check(scores, place, try outcome.get(), row, &finding)
      }
    }
    for place in scores.participants.indices where scores.card(place).commits.isEmpty {
      Self.checkUnscored(scores.participants[place], totals[scores.participants[place]], &finding)
    }
    let commits = scored.flatMap { place in
      scores.card(place).commits.filter { $0.answered > 0 && $0.operation > 0 }
        .map { (place: place, commit: $0) }
    }
    let events = commits.map {
      (began: $0.commit.sent, ended: $0.commit.answered, number: $0.commit.operation)
    }
    for index in Finding.reordered(events) {
      let (place, commit) = commits[index]
      finding.reordered.add(
        "arrow \(commit.arrowCount) of participant \(scores.participants[place])")
    }
    return finding
  }

  private func scorecards(_ places: [Int]) async -> [(Int, Result<Scorecard, RPCError>)] {
    await withTaskGroup(of: (Int, Result<Scorecard, RPCError>).self) { group in
      for place in places {
        group.addTask { [client, scores] in
          var request = GetScorecardRequest()
          request.participantID = scores.participants[place]
          request.includeHistory = true
          do throws(RPCError) {
            return (place, .success(try await client.call(Rounds.getScorecard, request)))
          } catch {
            return (place, .failure(error))
          }
        }
      }
      var cards: [(Int, Result<Scorecard, RPCError>)] = []
      for await card in group { cards.append(card) }
      return cards
    }
  }

  /// The rows of the leaderboard, by participant.
  private func standings() async throws(RPCError) -> [Int64: LeaderboardRow] {
    var rows: [Int64: LeaderboardRow] = [:]
    var request = GetStandingsRequest()
    request.tournamentID = scores.tournament
    request.pageSize = 500
    repeat {
      let page = try await client.call(Tournament.getStandings, request)
      for row in page.rows { rows[row.participantID] = row }
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return rows
  }

  /// Checks a participant without scores.
  static func checkUnscored(
    _ participant: Int64, _ row: LeaderboardRow?, _ finding: inout Finding
  ) {
    guard let row, row.arrowCount > 0 else { return }
    finding.doubled.add(
      "\(row.arrowCount) arrows of participant \(participant), whom nobody scored")
  }

  /// Checks one participant.
  static func check(
    _ scores: ScoreBook, _ place: Int, _ card: Scorecard, _ row: LeaderboardRow?,
    _ finding: inout Finding
  ) {
    let marks = scores.card(place).arrows
    let participant = scores.participants[place]
    var slots: [Int: ScoredArrow] = [:]
    for arrow in card.arrows {
      guard let slot = slot(arrow.endIndex, arrow.arrowIndex, scores) else { continue }
      slots[slot] = arrow
    }
    for (slot, mark) in marks.enumerated() {
      switch mark.state {
      case .open:
        if slots[slot] != nil {
          finding.doubled.add("arrow \(slot) of participant \(participant), which nobody shot")
        }
      case .unclear: finding.unclear += 1
      case .acknowledged:
        finding.acknowledged += 1
        let isThere =
          slots[slot].map { $0.value == UInt32(mark.value) && $0.isX == mark.isX } ?? false
        if !isThere { finding.lost.add("arrow \(slot) of participant \(participant)") }
      }
    }
    var records: [Int: Int] = [:]
    for kept in card.history where !kept.late && !kept.rejected {
      guard let operation = kept.operation, operation.kind == .record,
        let slot = slot(operation.endIndex, operation.arrowIndex, scores)
      else { continue }
      records[slot, default: 0] += 1
    }
    for (slot, count) in records.sorted(by: { $0.key < $1.key }) where count > 1 {
      finding.doubled.add("arrow \(slot) of participant \(participant)")
    }
    let sum = card.arrows.reduce(0) { $0 + $1.value }
    let xCount = UInt32(card.arrows.count { $0.isX })
    let count = UInt32(card.arrows.count)
    let score = card.round?.score
    let isRight =
      score?.total == sum && score?.arrowCount == count && score?.xCount == xCount
      && row?.total == sum && row?.arrowCount == count && row?.xCount == xCount
    if !isRight { finding.wrongTotals.add("participant \(participant)") }
  }

  private static func slot(_ end: UInt32, _ arrow: UInt32, _ scores: ScoreBook) -> Int? {
    guard Int(end) < scores.ends.count, Int(arrow) < scores.ends[Int(end)] else { return nil }
    return scores.slot(end: Int(end), arrow: Int(arrow))
  }
}
