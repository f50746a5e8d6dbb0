import QuiverAPI
import QuiverClient
import QuiverJSON
import QuiverRPC

/// Creates the scenario's event, enters its archers and starts it.
struct EventSetup {
  let event: Scenario.Event
  let client: RPCClient

  private static let entriesPerCall = 1_000

  /// A started event.
  struct Made {
    let scores: ScoreBook
    let matches: MatchBook?
    /// The values for bodies.
    let variables: [String: JSONValue]
  }

  /// Creates the event with its bracket, and starts it.
  func make() async throws(RPCError) -> Made {
    var request = CreateTournamentRequest()
    request.name = event.name
    var format = FormatReference()
    format.codename = event.format
    format.arrowLimit = UInt32(event.arrowLimit)
    request.format = format
    request.isPublic = event.isPublic
    request.maxParticipants = UInt32(event.entryCount + event.finalistCount)
    let made = try await client.call(Tournament.createTournament, request)
    var participants: [Int64] = []
    for start in stride(from: 0, to: event.entryCount, by: Self.entriesPerCall) {
      var batch = AddEntriesRequest()
      batch.tournamentID = made.id
      for number in start..<min(start + Self.entriesPerCall, event.entryCount) {
        var entry = EntryDraft()
        entry.name = "Archer \(number + 1)"
        batch.entries.append(entry)
      }
      let answer = try await client.call(Tournament.addEntries, batch)
      participants += answer.participants.map(\.id)
    }
    let finals =
      event.finalistCount > 0
      ? FinalsSetup(tournament: made.id, archerCount: event.finalistCount, client: client) : nil
    try await finals?.enter()
    var start = StartTournamentRequest()
    start.id = made.id
    _ = try await client.call(Tournament.startTournament, start)
    let (values, top) = try await values(of: made.format)
    let scores = ScoreBook(
      tournament: made.id, participants: participants, ends: Self.ends(of: made.format),
      values: values, topWithX: top)
    var variables: [String: JSONValue] = [
      "event_id": .string("\(made.id)"), "event_code": .string(made.joinCode),
      "event_first_entry_id": .string("\(participants.first ?? 0)"),
    ]
    let matches = try await finals?.draw()
    if let matches {
      variables["event_stage_id"] = .string("\(matches.stage)")
      variables["event_match_id"] = .string("\(matches.gold)")
    }
    return Made(scores: scores, matches: matches, variables: variables)
  }

  /// Creates an account for each scorer and appoints it for its entries; returns their tokens.
  func appoint(_ count: Int, _ scores: ScoreBook) async throws(RPCError) -> [String] {
    var tokens: [String] = []
    for number in 0..<count {
      var principal = CreatePrincipalRequest()
      principal.kind = .user
      principal.displayName = Self.scorerName(number)
      let scorer = try await client.call(Admin.createPrincipal, principal)
      var token = CreateTokenRequest()
      token.principalID = scorer.id
      token.label = "quiver-load"
      tokens.append(try await client.call(Admin.createToken, token).secret)
      var appointment = AppointScorerRequest()
      appointment.tournamentID = scores.tournament
      appointment.principalID = scorer.id
      appointment.participantIDs = scores.places(of: number, among: count)
        .map { scores.participants[$0] }
      _ = try await client.call(Tournament.appointScorer, appointment)
    }
    return tokens
  }

  static func scorerName(_ number: Int) -> String { "Scorer \(number + 1)" }

  /// Ends the event.
  func finalise(_ scores: ScoreBook) async throws(RPCError) {
    guard event.isFinalised else { return }
    var request = FinaliseTournamentRequest()
    request.id = scores.tournament
    // Players may have stopped before the last arrow, or its confirmation.
    request.anyway = true
    _ = try await client.call(Tournament.finaliseTournament, request)
  }

  /// The scores that are valid on all faces of a format, including a miss.
  private func values(
    of format: RoundFormat?
  ) async throws(RPCError) -> (values: [UInt32], topWithX: UInt32?) {
    let faces = try await client.call(Rounds.listFaces, ListFacesRequest()).faces
    let shot = Set((format?.passes ?? []).map(\.face))
    let used = faces.filter { shot.contains($0.face) }
    guard let first = used.first else { return ([0], nil) }
    let common = used.dropFirst().reduce(Set(first.values)) { $0.intersection($1.values) }
    let hasX = used.allSatisfy { $0.xRing > 0 && $0.topValue == first.topValue }
    return (common.union([0]).sorted(), hasX ? first.topValue : nil)
  }

  /// The number of arrows of each end; the last end of a pass may be short.
  static func ends(of format: RoundFormat?) -> [Int] {
    var ends: [Int] = []
    for pass in format?.passes ?? [] {
      let usual = format?.location == .outdoor ? 6 : 3
      let size = pass.arrowsPerEnd == 0 ? usual : Int(pass.arrowsPerEnd)
      var rest = Int(pass.arrows)
      while rest > 0 {
        ends.append(min(size, rest))
        rest -= size
      }
    }
    return ends
  }
}
