import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

/// An event, its notices and who takes part, without their scores.
struct TournamentWatch: EventWatchSource {
  let event: Int64
  let principal: Int64?

  /// Who watches; of a spectator a principal that has part in nothing.
  private var viewer: Int64 { principal ?? SpectatorToken.principal(ofTournament: event) }

  func part(
    _ token: String, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> (message: WatchTournamentResponse, next: String) {
    var response = WatchTournamentResponse()
    let record = try snapshot.tournament(
      id: event, principal: viewer, field: "tournament_id")
    if token.isEmpty {
      response.tournament = TournamentEvent(record)
      response.notices = try snapshot.notices(event: event, principal: viewer)
        .map(EventNotice.init)
    }
    let page = try snapshot.participantPage(
      tournament: event, principal: viewer, mineOnly: false, pageSize: .max,
      pageToken: token)
    let leased = try snapshot.leasedParticipants(of: viewer, in: event)
    response.participants = page.items.map { shown($0, record, leased) }
    return (response, page.nextPageToken)
  }

  func concerns(_ entry: JournalEntry) -> Bool {
    guard entry.topic == event else { return false }
    switch entry.kind {
    case .tournament, .membership, .lateOperation, .eventNotice, .eventPause: return true
    default: return false
    }
  }

  func changes(
    _ entries: [JournalEntry], _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> WatchTournamentResponse? {
    var response = WatchTournamentResponse()
    let notices = Set(entries.filter { $0.kind == .eventNotice }.map(\.objectID))
    if !notices.isEmpty {
      response.notices = try snapshot.notices(notices, event: event, principal: viewer)
        .map(EventNotice.init)
    }
    guard entries.contains(where: { $0.kind != .eventNotice }) else {
      return response.notices.isEmpty ? nil : response
    }
    let record = try snapshot.tournament(
      id: event, principal: viewer, field: "tournament_id")
    // Its counts change with who takes part.
    response.tournament = TournamentEvent(record)
    let members = entries.filter { $0.kind == .membership }.map(\.objectID)
    let leased = try snapshot.leasedParticipants(of: viewer, in: event)
    for id in Set(members).sorted() {
      if let participant = try snapshot.participant(id: id) {
        response.participants.append(shown(participant, record, leased))
      }
    }
    return response
  }

  private func shown(
    _ record: ParticipantRecord, _ event: TournamentRecord, _ leased: Set<Int64>
  ) -> QuiverAPI.Participant {
    var shown = QuiverAPI.Participant(
      record, caller: viewer, isOrganiser: event.isOrganiser,
      isLeased: leased.contains(record.id))
    shown.score = nil
    return shown
  }
}
