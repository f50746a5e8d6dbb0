import QuiverAPI
import QuiverProtobuf
import QuiverRPC

extension OfflineSession {
  private static let pageSize: UInt32 = 500
  /// The number of scorecards that are requested concurrently.
  private static let concurrentCards = 16

  /// Fetches an event's state, with the scorecards of those that this user may score.
  func fetchEvent(_ key: Int64, _ store: LocalStore) async throws(SessionError) {
    let known = try await store.read { (transaction) throws(SessionError) in
      try transaction.event(key)
    }
    // An event that the server does not have yet is fetched after it was sent.
    guard let known, known.isOnServer else { return }
    guard !known.isTournament else { return try await fetchTournament(known.serverID, store) }
    var request = GetSessionRequest()
    request.id = known.serverID
    try await fetchRounds(request, store)
  }

  /// A tournament with its participants and scorecards.
  func fetchTournament(_ id: Int64, _ store: LocalStore) async throws(SessionError) {
    var request = GetTournamentRequest()
    request.id = id
    let tournament = try await call(Tournament.getTournament, request)
    let limit = configuration.limits.maxParticipants
    let isPartial = Int(tournament.participantCount) > limit
    let participants = try await participants(of: id, mineOnly: isPartial)
    let cards = try await cards(
      of: participants.filter { $0.mayScore && $0.score?.arrowCount ?? 0 > 0 }.map(\.id))
    let plan = try await fetchedPlan(
      of: id, onlyOf: isPartial ? Set(participants.map(\.id)) : nil)
    let now = WallClock.nowMilliseconds()
    try await store.write { (transaction) throws(SessionError) in
      let key = try transaction.take(
        tournament, participants, fetchedAt: now, limits: store.limits)
      if let plan { try transaction.take(plan, of: id, fetchedAt: now, limits: store.limits) }
      try transaction.take(cards, of: key)
    }
  }

  /// A session of rounds without a tournament, with its scorecards.
  func fetchRounds(
    _ request: GetSessionRequest, _ store: LocalStore
  ) async throws(SessionError) {
    let session = try await call(Rounds.getSession, request)
    let scored = session.rounds.filter { $0.score?.arrowCount ?? 0 > 0 }
    let cards = try await cards(of: scored.map(\.participantID))
    let now = WallClock.nowMilliseconds()
    try await store.write { (transaction) throws(SessionError) in
      let key = try transaction.take(session, fetchedAt: now, limits: store.limits)
      try transaction.take(cards, of: key)
    }
  }

  private func participants(
    of tournament: Int64, mineOnly: Bool
  ) async throws(SessionError) -> [Participant] {
    let limit = configuration.limits.maxParticipants
    var request = ListParticipantsRequest()
    request.tournamentID = tournament
    request.pageSize = Self.pageSize
    request.mineOnly = mineOnly
    var found: [Participant] = []
    repeat {
      let page = try await call(Tournament.listParticipants, request)
      found += page.participants
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty && found.count < limit
    return Array(found.prefix(limit))
  }

  /// The scorecards of participants by id, fetched concurrently.
  func cards(
    of participants: [Int64]
  ) async throws(SessionError) -> [Int64: [ScoredArrow]] {
    var cards: [Int64: [ScoredArrow]] = [:]
    var ids = participants[...]
    while !ids.isEmpty {
      let batch = ids.prefix(Self.concurrentCards)
      ids = ids.dropFirst(Self.concurrentCards)
      let results = await withTaskGroup(of: Result<Scorecard, SessionError>.self) { group in
        for id in batch {
          group.addTask {
            var request = GetScorecardRequest()
            request.participantID = id
            do throws(SessionError) {
              return .success(try await self.call(Rounds.getScorecard, request))
            } catch {
              return .failure(error)
            }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      for result in results {
        let card = try result.get()
        cards[card.round?.participantID ?? 0] = card.arrows
      }
    }
    return cards
  }
}

extension LocalTransaction {
  /// Replaces the slots of an event's participants with those of the server's scorecards.
  /// Participants without one have no arrows on the server.
  fileprivate func take(
    _ cards: [Int64: [ScoredArrow]], of event: Int64
  ) throws(SessionError) {
    for participant in try participants(of: event) where participant.isOnServer {
      try take(cards[participant.message.id] ?? [], of: participant.key)
    }
  }
}
