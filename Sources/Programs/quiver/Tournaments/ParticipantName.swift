import QuiverAPI
import QuiverClient
import QuiverRPC

/// The search for the user with an account who takes part under a name.
enum ParticipantName {
  /// The text as it is compared: in lower case, with one space between two words.
  private static func folded(_ text: String) -> String {
    text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The principal of the only participant with this name.
  static func principal(
    named name: String, in event: Int64, _ access: Access
  ) async throws(Failure) -> Int64 {
    var request = ListParticipantsRequest()
    (request.tournamentID, request.pageSize) = (event, 500)
    var found: [Participant] = []
    repeat {
      let wanted = request
      let page = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Tournament.listParticipants, wanted)
      }
      found += page.participants.filter { participant in
        participant.kind == .user && folded(participant.displayName) == folded(name)
      }
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    guard let first = found.first else {
      throw .input("no participant with an account of tournament \(event) is called \(name)")
    }
    guard found.count == 1 else {
      let ids = found.map { "\($0.principalID)" }.joined(separator: ", ")
      throw .input("\(name) may be any of the principals \(ids); give the id")
    }
    return first.principalID
  }
}
