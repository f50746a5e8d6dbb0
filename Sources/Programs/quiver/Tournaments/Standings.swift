import QuiverAPI
import QuiverClient
import QuiverRPC

/// Standings, all their pages.
enum Standings {
  /// Under a policy; unspecified: the event's own.
  static func all(
    of tournament: Int64, by policy: TiePolicy, _ access: Access
  ) async throws(Failure) -> GetStandingsResponse {
    var request = GetStandingsRequest()
    request.tournamentID = tournament
    request.policy = policy
    request.pageSize = 500
    var found = GetStandingsResponse()
    repeat {
      let wanted = request
      var page = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Tournament.getStandings, wanted)
      }
      request.pageToken = page.nextPageToken
      page.rows = found.rows + page.rows
      page.nextPageToken = ""
      found = page
    } while !request.pageToken.isEmpty
    return found
  }

  /// Participants whose rank under a policy differs from that under the event's own: the latter, by
  /// id.
  static func formerRanks(
    of tournament: Int64, by policy: TiePolicy, _ access: Access
  ) async throws(Failure) -> [Int64: UInt32] {
    var request = RankUnderPolicyRequest()
    request.tournamentID = tournament
    request.policy = policy
    request.pageSize = 500
    var ranks: [Int64: UInt32] = [:]
    repeat {
      let wanted = request
      let page = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Tournament.rankUnderPolicy, wanted)
      }
      for move in page.moves { ranks[move.row?.participantID ?? 0] = move.rankBefore }
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return ranks
  }
}
