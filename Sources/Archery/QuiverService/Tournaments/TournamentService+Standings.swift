import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverStore
import QuiverWire

extension TournamentService {
  var standingsRoutes: [Route] {
    [
      .keeping(Tournament.getStandings, keptStandings, otherwise: getStandings),
      .asynchronous(Tournament.rankUnderPolicy, rankUnderPolicy),
      .asynchronous(Tournament.explainRank, explainRank),
      .asynchronous(Tournament.getResults, getResults),
      .synchronous(Tournament.listTiePolicies, listTiePolicies),
      .streamResponding(Tournament.watchLeaderboard, watchLeaderboard),
      .streamResponding(Tournament.watchTournament, watchTournament),
    ]
  }

  private static let longReads = ReadScheduler(.long)

  /// The reply to the same question as before, if no row has changed since.
  func keptStandings(_ request: GetStandingsRequest, _ call: CallContext) -> [UInt8]? {
    guard let question = Self.question(request, try? call.viewer(of: request.tournamentID)) else {
      return nil
    }
    return commands.store.existingLeaderboard(request.tournamentID)?.keptReply(for: question)
  }

  /// The question of a request for the current standings under the event's own policy; nil for
  /// another request, or without access.
  private static func question(
    _ request: GetStandingsRequest, _ viewer: Viewer?
  ) -> KeptStandings.Question? {
    guard let viewer, request.asOfMilliseconds == nil, request.policy == .unspecified else {
      return nil
    }
    return KeptStandings.Question(
      principal: viewer.principal, pageSize: request.pageSize, pageToken: request.pageToken)
  }

  /// A short read if the rows are in memory, otherwise a long one. Answers the encoded reply.
  func getStandings(
    _ request: GetStandingsRequest, _ call: CallContext
  ) async throws -> [UInt8] {
    let viewer = try call.viewer(of: request.tournamentID)
    let policy = try Self.policy(request.policy)
    let store = commands.store
    let isQuick =
      request.asOfMilliseconds == nil && policy == nil
      && store.isLeaderboardReady(request.tournamentID)
    let page = try await answer(
      isQuick: isQuick, of: viewer.owner
    ) { () throws(StoreError) in
      guard let instant = request.asOfMilliseconds else {
        return try store.standings(
          request.tournamentID, under: policy, principal: viewer.principal,
          pageSize: request.pageSize, pageToken: request.pageToken)
      }
      return try store.standings(
        request.tournamentID, asOf: instant, under: policy, principal: viewer.principal,
        pageSize: request.pageSize, pageToken: request.pageToken)
    }
    var response = GetStandingsResponse()
    response.rows = LeaderboardRow.list(page.rows, caller: viewer.principal)
    response.nextPageToken = page.nextPageToken
    response.policy = TiePolicyInfo(page.form)
    response.inProgress = page.inProgress
    response.participantCount = UInt32(clamping: page.rows.count)
    response.sequence = page.sequence
    let bytes = response.serializedBytes()
    if let question = Self.question(request, viewer) {
      store.existingLeaderboard(request.tournamentID)?.keep(bytes, for: question, of: page)
    }
    return bytes
  }

  func rankUnderPolicy(
    _ request: RankUnderPolicyRequest, _ call: CallContext
  ) async throws -> RankUnderPolicyResponse {
    let viewer = try call.viewer(of: request.tournamentID)
    guard let policy = try Self.policy(request.policy) else {
      throw RPCError.invalid("policy", "must be given")
    }
    let store = commands.store
    let page = try await answer(
      isQuick: false, of: viewer.owner
    ) { () throws(StoreError) in
      try store.rankMoves(
        request.tournamentID, under: policy, principal: viewer.principal,
        pageSize: request.pageSize, pageToken: request.pageToken)
    }
    var response = RankUnderPolicyResponse()
    response.moves = page.moves.map { move in
      var shown = QuiverAPI.RankMove()
      shown.row = LeaderboardRow(
        move.entry, rank: move.rank, difference: move.difference,
        caller: viewer.principal)
      shown.rankBefore = UInt32(clamping: move.rankBefore)
      return shown
    }
    response.nextPageToken = page.nextPageToken
    response.movedCount = UInt32(clamping: page.count)
    return response
  }

  func explainRank(
    _ request: ExplainRankRequest, _ call: CallContext
  ) async throws -> ExplainRankResponse {
    let viewer = try call.viewer(of: request.tournamentID)
    let policy = try Self.policy(request.policy)
    let store = commands.store
    let (explanation, one, other) = try await answer(
      isQuick: store.isLeaderboardReady(request.tournamentID),
      of: viewer.owner
    ) { () throws(StoreError) in
      try store.explainRank(
        request.tournamentID, request.participantID, over: request.otherParticipantID,
        under: policy, principal: viewer.principal)
    }
    var response = ExplainRankResponse()
    response.order = Int32(clamping: explanation.order)
    response.key = explanation.key.map(QuiverAPI.RankKey.init)
    response.value = UInt32(clamping: explanation.value)
    response.otherValue = UInt32(clamping: explanation.otherValue)
    response.text = explanation.text(one.displayName, other.displayName)
    return response
  }

  func getResults(
    _ request: GetResultsRequest, _ call: CallContext
  ) async throws -> GetResultsResponse {
    let viewer = try call.viewer(of: request.tournamentID)
    let store = commands.store
    let page = try await answer(
      isQuick: store.isLeaderboardReady(request.tournamentID),
      of: viewer.owner
    ) { () throws(StoreError) in
      try store.results(
        request.tournamentID, principal: viewer.principal, pageSize: request.pageSize,
        pageToken: request.pageToken)
    }
    var response = GetResultsResponse()
    response.rows = LeaderboardRow.list(page.rows, caller: viewer.principal)
    response.nextPageToken = page.nextPageToken
    response.policy = TiePolicyInfo(page.form)
    response.finalisedAtMilliseconds = page.head.finalisedAtMilliseconds ?? 0
    response.lateCount = UInt32(clamping: page.head.lateCount)
    response.openSteps = page.openSteps.map(EventStep.init)
    return response
  }

  func listTiePolicies(
    _ request: ListTiePoliciesRequest, _ call: CallContext
  ) throws -> ListTiePoliciesResponse {
    if !call.isOfSpectator { _ = try call.storeCaller() }
    var response = ListTiePoliciesResponse()
    response.policies = TiePolicyForm.all.map(TiePolicyInfo.init)
    return response
  }

  private func answer<Result: Sendable>(
    isQuick: Bool, of owner: ReadScheduler.Owner,
    _ body: @escaping @Sendable () throws(StoreError) -> Result
  ) async throws -> Result {
    do throws(StoreError) {
      let reads = isQuick ? commands.store.reads : Self.longReads
      return try await reads.run(of: owner, body)
    } catch {
      throw RPCError(error)
    }
  }

  /// The policy that a request names; nil if it names none.
  static func policy(
    _ policy: QuiverAPI.TiePolicy
  ) throws -> QuiverRules.TiePolicy? {
    if policy == .unspecified { return nil }
    guard let known = QuiverRules.TiePolicy(rawValue: policy.rawValue) else {
      throw RPCError.invalid("policy", "must be one of the policies that ListTiePolicies answers")
    }
    return known
  }
}

/// The viewer of an event: a principal, or an anonymous spectator.
struct Viewer: Sendable {
  /// Nil for a spectator, who sees the event while it is public.
  let principal: Int64?
  /// Whose share of reads a call uses.
  let owner: ReadScheduler.Owner
}

/// Where the spectators are that share what one of them may take.
struct SpectatorPlace: Hashable, Sendable {
  let event: Int64
  /// The address, of IPv6 its first 64 bits.
  let network: String
}

extension CallContext {
  /// The event whose spectator the caller is; nil: it is none.
  private var spectatedEvent: Int64? {
    caller.flatMap { SpectatorToken.tournament(ofPrincipal: $0.principalID) }
  }

  /// Whether the caller has a spectator's token.
  var isOfSpectator: Bool { spectatedEvent != nil }

  /// Among whom the caller shares, if it is a spectator.
  var spectatorPlace: SpectatorPlace? {
    spectatedEvent.map {
      SpectatorPlace(event: $0, network: CountedNetwork.name(of: connection.address))
    }
  }

  /// The viewer of this event; throws PERMISSION_DENIED for a spectator's token of another event.
  func viewer(of tournament: Int64) throws -> Viewer {
    if let caller, let event = SpectatorToken.tournament(ofPrincipal: caller.principalID) {
      guard event == tournament else {
        throw RPCError(
          .permissionDenied, "tournament_id: this token is valid for another event only")
      }
      return Viewer(principal: nil, owner: owner)
    }
    return Viewer(principal: try storeCaller().principal, owner: owner)
  }
}

extension LeaderboardRow {
  /// The rows of a page for a caller.
  static func list(_ rows: LeaderboardRows, caller: Int64?) -> [LeaderboardRow] {
    var shown: [LeaderboardRow] = []
    shown.reserveCapacity(rows.entries.count)
    for (place, entry) in rows.entries.enumerated() {
      shown.append(
        LeaderboardRow(
          entry, rank: rows.ranks[place],
          difference: Ranking.difference(
            rank: rows.ranks[place], total: entry.contender.tally.total,
            firstTotal: rows.firstTotal), caller: caller))
    }
    return shown
  }

  init(_ entry: LeaderboardEntry, rank: Int, difference: Int, caller: Int64?) {
    self.init()
    let tally = entry.contender.tally
    participantID = entry.id
    self.rank = UInt32(clamping: rank)
    displayName = entry.displayName
    total = UInt32(clamping: tally.total)
    xCount = UInt32(clamping: tally.xCount)
    tenCount = UInt32(clamping: tally.tenCount)
    endsCompleted = UInt32(clamping: tally.endsCompleted)
    lastActiveAtMilliseconds = entry.lastActiveAtMilliseconds
    guest = entry.kind == .guest
    isCaller = entry.kind == .user && entry.principal == caller
    self.difference = Int32(clamping: difference)
    status = QuiverAPI.ParticipantStatus(rawValue: entry.status.rawValue)
    counts = entry.counts
    goldCount = UInt32(clamping: tally.goldCount)
    arrowCount = UInt32(clamping: tally.arrowCount)
    typed = entry.isTyped
    missingCounts = tally.missing.rawValue
  }
}

extension TiePolicyInfo {
  init(_ form: TiePolicyForm) {
    self.init()
    policy = QuiverAPI.TiePolicy(rawValue: form.policy.rawValue)
    name = form.policy.name
    keys = form.keys.map(QuiverAPI.RankKey.init)
    inForceFromDay = form.inForceFromDay
    inForceUntilDay = form.inForceUntilDay
  }
}

extension QuiverAPI.RankKey {
  init(_ key: QuiverRules.RankKey) {
    self.init()
    switch key {
    case .score: kind = .score
    case .x: kind = .x
    case .count(let value):
      kind = .count
      self.value = UInt32(clamping: value)
    case .hits: kind = .hits
    case .golds: kind = .golds
    case .endsCompleted: kind = .endsCompleted
    }
  }
}

extension Store {
  /// Whether the current standings of an event are in memory.
  fileprivate func isLeaderboardReady(_ tournament: Int64) -> Bool {
    existingLeaderboard(tournament)?.isReady ?? false
  }
}
