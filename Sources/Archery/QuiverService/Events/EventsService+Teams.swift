import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

extension EventsService {
  /// It reads the entries of one or two categories, so it is a long read.
  func getTeamStandings(
    _ request: GetTeamStandingsRequest, _ call: CallContext
  ) async throws -> GetTeamStandingsResponse {
    let viewer = try call.viewer(of: request.tournamentID)
    let form = try TeamForm(request.system, request.group)
    var scope = TeamScope()
    scope.event = request.tournamentID
    scope.category = request.categoryID
    scope.secondCategory = request.secondCategoryID
    let asked = scope
    let store = commands.store
    let standings: TeamStandings
    do throws(StoreError) {
      standings = try await Self.longReads.run(
        of: viewer.owner
      ) { () throws(StoreError) in
        try store.read { (snapshot) throws(StoreError) in
          try snapshot.teamStandings(asked, form, principal: viewer.principal)
        }
      }
    } catch {
      throw RPCError(error)
    }
    var response = GetTeamStandingsResponse()
    response.rows = standings.rows.prefix(Int(StoreLimits.maximumPageSize))
      .map(TeamStandingsRow.init)
    response.rowCount = UInt32(clamping: standings.rows.count)
    response.policy = TiePolicyInfo(standings.form)
    return response
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
  }
}
