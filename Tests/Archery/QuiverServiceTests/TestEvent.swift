import QuiverAPI
import QuiverRPC
import QuiverRules

/// Short ways to build the structure of an event over the wire.
struct TestEvent {
  let tournament: TestTournament

  var id: Int64 { tournament.event.id }
  var organiser: Client { tournament.organiser }

  init(_ server: TestServer, _ change: (inout CreateTournamentRequest) -> Void = { _ in })
    async throws
  {
    tournament = try await TestTournament(server) { request in
      request.maxParticipants = 500
      change(&request)
    }
  }

  @discardableResult
  func category(_ code: String, round: String = "", arrows: UInt32 = 0) async throws
    -> EventCategory
  {
    var request = CreateEventCategoryRequest()
    request.category = .with { category in
      category.tournamentID = id
      category.code = code
    }
    if !round.isEmpty { request.format = .library(round, arrows: arrows) }
    return try await organiser.call(Events.createEventCategory, request)
  }

  func session(_ name: String, targets: ClosedRange<UInt32>, archers: UInt32) async throws
    -> EventSession
  {
    let request = CreateEventSessionRequest.with { request in
      request.session = .with { session in
        session.tournamentID = id
        session.name = name
        session.firstTarget = targets.lowerBound
        session.lastTarget = targets.upperBound
        session.archersPerTarget = archers
      }
    }
    return try await organiser.call(Events.createEventSession, request)
  }

  static func draft(
    _ bib: String, _ name: String, club: String = "", category: String = "", session: Int64 = 0
  ) -> EventEntryDraft {
    .with { draft in
      draft.bib = bib
      draft.name = name
      draft.club = club
      draft.categoryCode = category
      draft.sessionID = session
    }
  }

  @discardableResult
  func entries(_ drafts: [EventEntryDraft], by client: Client? = nil) async throws -> [EventEntry] {
    let request = ImportEventEntriesRequest.with { request in
      request.tournamentID = id
      request.entries = drafts
    }
    return try await (client ?? organiser).call(Events.importEventEntries, request).entries
  }

  func list(_ change: (inout ListEventEntriesRequest) -> Void = { _ in }) async throws
    -> [EventEntry]
  {
    var request = ListEventEntriesRequest()
    request.tournamentID = id
    request.pageSize = 500
    change(&request)
    return try await organiser.call(Events.listEventEntries, request).entries
  }

  /// The rows as `rank name total`.
  func standings(_ change: (inout GetCategoryStandingsRequest) -> Void = { _ in }) async throws
    -> [String]
  {
    var request = GetCategoryStandingsRequest()
    request.tournamentID = id
    change(&request)
    let page = try await organiser.call(Events.getCategoryStandings, request)
    return page.rows.map { row in
      "\(row.row?.rank ?? 0) \(row.row?.displayName ?? "") \(row.row?.total ?? 0)"
    }
  }

  /// Draws the entries of a session, at random if nothing else is said.
  func drawRequest(
    _ session: Int64, seed: UInt64 = 0, _ change: (inout DrawTargetsRequest) -> Void = { _ in }
  ) -> DrawTargetsRequest {
    var request = DrawTargetsRequest()
    request.tournamentID = id
    request.sessionID = session
    request.method = .random
    request.seed = seed
    change(&request)
    return request
  }

  /// Draws all entries of a session again; returns `target letter name` by target.
  func draw(
    _ session: Int64, seed: UInt64 = 0, _ change: (inout DrawTargetsRequest) -> Void = { _ in }
  ) async throws -> [String] {
    var request = drawRequest(session, seed: seed, change)
    request.redraw = true
    let drawn = try await organiser.call(Events.drawTargets, request)
    return drawn.entries.map { "\($0.target)\($0.letter) \($0.displayName)" }
  }
}
