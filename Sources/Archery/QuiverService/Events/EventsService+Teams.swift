import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverStore

extension EventsService {
  /// The reply to the same question as before, if nothing of the event has changed since.
  func keptTeamStandings(_ request: GetTeamStandingsRequest, _ call: CallContext) -> [UInt8]? {
    guard let viewer = try? call.viewer(of: request.tournamentID),
      let form = try? TeamForm(request.system, request.group)
    else { return nil }
    let question = KeptStandings.Question(principal: viewer.principal, request.scope, form)
    return commands.store.existingLeaderboard(request.tournamentID)?.keptReply(for: question)
  }

  /// It reads the entries of one or two categories, so it is a long read. Answers the encoded
  /// reply.
  func getTeamStandings(
    _ request: GetTeamStandingsRequest, _ call: CallContext
  ) async throws -> [UInt8] {
    let viewer = try call.viewer(of: request.tournamentID)
    let form = try TeamForm(request.system, request.group)
    let scope = request.scope
    let store = commands.store
    let standings: TeamStandings
    do throws(StoreError) {
      standings = try await Self.longReads.run(
        of: viewer.owner
      ) { () throws(StoreError) in
        try store.teamStandings(scope, form, principal: viewer.principal)
      }
    } catch {
      throw RPCError(error)
    }
    var response = GetTeamStandingsResponse()
    response.rows = standings.rows.prefix(Int(StoreLimits.maximumPageSize))
      .map(TeamStandingsRow.init)
    response.rowCount = UInt32(clamping: standings.rows.count)
    response.policy = TiePolicyInfo(standings.form)
    let bytes = response.serializedBytes()
    store.existingLeaderboard(request.tournamentID)?.keep(
      bytes, for: KeptStandings.Question(principal: viewer.principal, scope, form), of: standings)
    return bytes
  }
}

extension GetTeamStandingsRequest {
  /// The teams that it asks for.
  fileprivate var scope: TeamScope {
    var scope = TeamScope()
    scope.event = tournamentID
    scope.category = categoryID
    scope.secondCategory = secondCategoryID
    return scope
  }
}

extension TeamStandingsRow {
  init(_ row: TeamStandings.Row) {
    self.init()
    rank = UInt32(clamping: row.team.rank)
    name = row.team.group
    members = row.members.map(TeamMember.init)
    total = UInt32(clamping: row.team.tally.total)
    xCount = UInt32(clamping: row.team.tally.xCount)
    tenCount = UInt32(clamping: row.team.tally.tenCount)
    typed = row.isTyped
    missingKey = row.team.missing.map(QuiverAPI.RankKey.init)
  }
}
