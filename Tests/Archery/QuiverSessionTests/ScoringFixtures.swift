import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverRules
import Testing

@testable import QuiverSession

/// A place to shoot: events at a server's server, and short ways to look at them.
extension SessionServer {
  /// A new event of the first arrows of wa18, 3 an end, and the organiser's client.
  func tournament(
    _ organiser: String, arrows: UInt32 = 9,
    _ change: (inout CreateTournamentRequest) -> Void = { _ in }
  ) async throws -> TournamentEvent {
    var request = CreateTournamentRequest()
    request.name = "Club"
    var format = FormatReference()
    format.codename = "wa18"
    format.arrowLimit = arrows
    request.format = format
    request.joins = true
    change(&request)
    return try await client(organiser).call(Tournament.createTournament, request)
  }

  func start(_ event: TournamentEvent, by organiser: String) async throws {
    var request = StartTournamentRequest()
    (request.id, request.anyway) = (event.id, true)
    _ = try await client(organiser).call(Tournament.startTournament, request)
  }

  func finalise(_ event: TournamentEvent, by organiser: String) async throws {
    var request = FinaliseTournamentRequest()
    (request.id, request.anyway) = (event.id, true)
    _ = try await client(organiser).call(Tournament.finaliseTournament, request)
  }

  @discardableResult
  func join(_ event: TournamentEvent, by user: String) async throws -> Participant {
    var request = JoinTournamentRequest()
    request.joinCode = event.joinCode
    return try await client(user).call(Tournament.joinTournament, request)
  }

  /// The values of a participant's arrows by slot, with every operation that was kept.
  func card(_ participant: Int64, by user: String) async throws -> Scorecard {
    var request = GetScorecardRequest()
    request.participantID = participant
    request.includeHistory = true
    return try await client(user).call(Rounds.getScorecard, request)
  }

  /// The rows of an event as `rank name total x`.
  func standings(_ event: TournamentEvent, by user: String) async throws -> [String] {
    var request = GetStandingsRequest()
    request.tournamentID = event.id
    let page = try await client(user).call(Tournament.getStandings, request)
    return page.rows.map { "\($0.rank) \($0.displayName) \($0.total) \($0.xCount)" }
  }
}

@MainActor
extension ScoringModel {
  /// The leaderboard as `rank name total x`.
  var rows: [String] {
    leaderboard.map { "\($0.rank) \($0.name) \($0.tally.total) \($0.tally.xCount)" }
  }

  /// Enters arrows as score sheets have them.
  func enter(_ sheet: String) async throws {
    for text in sheet.split(separator: " ") {
      try await enter(try #require(ArrowScore(sheet: text)))
    }
  }

  /// The current end and arrow, from 1, and whose turn it is.
  var place: String? {
    guard let position, let current else { return nil }
    return "\(current.name) \(position.endIndex + 1).\(position.arrowIndex + 1)"
  }
}

extension Scorecard {
  /// The arrows as score sheets have them, in their order.
  var sheet: String {
    arrows.map { "\(ArrowScore(value: Int($0.value), isX: $0.isX))" }.joined(separator: " ")
  }
}
