import QuiverAPI
import QuiverCrypto
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import Synchronization
import Testing

/// A server with an organiser and an event of 30 arrows, and short ways to score over the wire.
final class TestTournament: Sendable {
  let server: TestServer
  let organiser: Client
  let event: TournamentEvent
  private let milliseconds = Mutex<UInt64>(1_790_000_000_000)

  init(
    _ server: TestServer, _ change: (inout CreateTournamentRequest) -> Void = { _ in }
  ) async throws {
    self.server = server
    organiser = try server.client(named: "Sheriff")
    var request = CreateTournamentRequest()
    request.name = "Club"
    request.format = .library("wa18", arrows: 30)
    request.isPublic = true
    change(&request)
    event = try await organiser.call(Tournament.createTournament, request)
  }

  func clientID() throws -> [UInt8] {
    let now = milliseconds.withLock { milliseconds in
      milliseconds += 1
      return milliseconds
    }
    return try UUIDv7.make(unixMilliseconds: now)
  }

  /// Starts the event, also without participants.
  func start() async throws {
    _ = try await organiser.call(
      Tournament.startTournament, .with { ($0.id, $0.anyway) = (event.id, true) })
  }

  /// Finalises the event, also while steps are open.
  func finalise() async throws {
    _ = try await organiser.call(
      Tournament.finaliseTournament, .with { ($0.id, $0.anyway) = (event.id, true) })
  }

  func join(_ client: Client) async throws -> Participant {
    try await client.call(
      Tournament.joinTournament, .with { $0.joinCode = event.joinCode })
  }

  func entries(_ names: [String]) async throws -> [Participant] {
    let request = AddEntriesRequest.with { request in
      request.tournamentID = event.id
      request.entries = names.map { name in EntryDraft.with { $0.name = name } }
    }
    return try await organiser.call(Tournament.addEntries, request).participants
  }

  static func operation(
    _ participant: Int64, _ end: UInt32, _ arrow: UInt32, _ value: UInt32, isX: Bool = false
  ) -> ScoringOperation {
    .with { operation in
      operation.participantID = participant
      operation.endIndex = end
      operation.arrowIndex = arrow
      operation.value = value
      operation.isX = isX
    }
  }

  @discardableResult
  func record(
    _ participant: Int64, _ end: UInt32, _ arrow: UInt32, _ value: UInt32, isX: Bool = false,
    by client: Client? = nil
  ) async throws -> ScoreResponse {
    let operation = Self.operation(participant, end, arrow, value, isX: isX)
    return try await (client ?? organiser).call(
      Tournament.recordArrow, .with { $0.operation = operation })
  }

  /// The rows as `rank name total x`.
  func standings(
    by client: Client? = nil, _ change: (inout GetStandingsRequest) -> Void = { _ in }
  ) async throws -> [String] {
    var request = GetStandingsRequest()
    request.tournamentID = event.id
    change(&request)
    let page = try await (client ?? organiser).call(Tournament.getStandings, request)
    return page.rows.map { "\($0.rank) \($0.displayName) \($0.total) \($0.xCount)" }
  }
}

extension FormatReference {
  /// The first arrows of one of the library.
  static func library(_ codename: String, arrows: UInt32 = 0) -> FormatReference {
    var reference = FormatReference()
    reference.codename = codename
    reference.arrowLimit = arrows
    return reference
  }
}
