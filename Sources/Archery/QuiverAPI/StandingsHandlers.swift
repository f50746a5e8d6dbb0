public import QuiverRPC

/// What answers ``Tournament`` about who is ahead.
public protocol StandingsHandlers: Sendable {
  func getStandings(
    _ request: GetStandingsRequest, _ call: CallContext
  ) async throws -> GetStandingsResponse
  func rankUnderPolicy(
    _ request: RankUnderPolicyRequest, _ call: CallContext
  ) async throws -> RankUnderPolicyResponse
  func explainRank(
    _ request: ExplainRankRequest, _ call: CallContext
  ) async throws -> ExplainRankResponse
  func getResults(
    _ request: GetResultsRequest, _ call: CallContext
  ) async throws -> GetResultsResponse
  func listTiePolicies(
    _ request: ListTiePoliciesRequest, _ call: CallContext
  ) throws(RPCError) -> ListTiePoliciesResponse
  func watchLeaderboard(
    _ request: WatchLeaderboardRequest, _ call: CallContext,
    _ replies: StreamResponder<WatchLeaderboardResponse>)
  func watchTournament(
    _ request: WatchTournamentRequest, _ call: CallContext,
    _ replies: StreamResponder<WatchTournamentResponse>)
}

extension StandingsHandlers {
  @inlinable
  public var standingsRoutes: [Route] {
    [
      .asynchronous(Tournament.getStandings, getStandings),
      .asynchronous(Tournament.rankUnderPolicy, rankUnderPolicy),
      .asynchronous(Tournament.explainRank, explainRank),
      .asynchronous(Tournament.getResults, getResults),
      .synchronous(Tournament.listTiePolicies, listTiePolicies),
      .streamResponding(Tournament.watchLeaderboard, watchLeaderboard),
      .streamResponding(Tournament.watchTournament, watchTournament),
    ]
  }
}
