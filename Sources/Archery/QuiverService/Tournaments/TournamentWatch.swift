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
    let due = try scored(record, snapshot)
    response.participants = page.items.map { shown($0, due) }
    return (response, page.nextPageToken)
  }

  func concerns(_ entry: JournalEntry) -> Bool {
    guard entry.topic == event else { return false }
    switch entry.kind {
    case .tournament, .membership, .lateOperation, .eventNotice, .eventPause, .eventCategory,
      .eventSession, .eventOfficial, .eventStage:
      return true
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
    let reader = try snapshot.nameReader(event: event, principal: principal)
    try addStructure(of: entries, to: &response, reader, snapshot)
    // Whom the viewer may score has changed with its leases, or with its role.
    if entries.contains(where: { $0.kind == .eventOfficial && $0.objectID == viewer }) {
      response.participants = try allParticipants(snapshot)
    }
    let eventKinds: Set<ObjectKind> = [
      .tournament, .membership, .lateOperation, .eventPause, .eventStage,
    ]
    guard entries.contains(where: { eventKinds.contains($0.kind) }) else {
      return response.isEmpty ? nil : response
    }
    let record = try snapshot.tournament(
      id: event, principal: viewer, field: "tournament_id")
    // Its counts change with who takes part.
    response.tournament = TournamentEvent(record)
    let members = entries.filter { $0.kind == .membership }.map(\.objectID)
    let due = try scored(record, snapshot)
    let listed = Set(response.participants.map(\.id))
    for id in Set(members).subtracting(listed).sorted() {
      if let participant = try snapshot.participant(id: id) {
        response.participants.append(shown(participant.shown(to: reader), due))
      }
    }
    return response
  }

  private func allParticipants(
    _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> [QuiverAPI.Participant] {
    let record = try snapshot.tournament(id: event, principal: viewer, field: "tournament_id")
    let due = try scored(record, snapshot)
    var (found, token): ([QuiverAPI.Participant], String) = ([], "")
    repeat {
      let page = try snapshot.participantPage(
        tournament: event, principal: viewer, mineOnly: false, pageSize: .max, pageToken: token)
      found += page.items.map { shown($0, due) }
      token = page.nextPageToken
    } while !token.isEmpty
    return found
  }

  /// The places, names, categories, sessions and leases that have changed.
  private func addStructure(
    of entries: [JournalEntry], to response: inout WatchTournamentResponse,
    _ reader: NameReader, _ snapshot: borrowing Snapshot
  ) throws(StoreError) {
    func ids(_ kind: ObjectKind) -> [Int64] {
      Set(entries.lazy.filter { $0.kind == kind && $0.change != .deleted }.map(\.objectID)).sorted()
    }
    for id in ids(.membership) {
      guard let entry = try snapshot.watchedEntry(id, of: event) else { continue }
      response.entries.append(EventEntry(entry.shown(to: reader), showsLicence: false))
    }
    for id in ids(.eventCategory) {
      guard let category = try snapshot.watchedCategory(id) else { continue }
      response.categories.append(EventCategory(category))
    }
    for id in ids(.eventSession) {
      guard let session = try snapshot.watchedSession(id, of: event) else { continue }
      response.sessions.append(EventSession(session))
    }
    let holders = Set(ids(.eventOfficial))
    guard !holders.isEmpty, try snapshot.isOfficial(viewer, of: event) else { return }
    response.leases = try snapshot.leases(event: event, principal: viewer).leases
      .filter { holders.contains($0.principal) }.map(TargetLease.init)
  }

  /// Whom the viewer scores besides its own participants and those who are assigned to it.
  private struct Scored {
    let isEverybody: Bool
    let byLease: Set<Int64>
  }

  private func scored(
    _ event: TournamentRecord, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> Scored {
    Scored(
      isEverybody: try snapshot.scoresAll(
        of: event.head.id, organiser: event.head.organiser, principal: viewer),
      byLease: try snapshot.leasedParticipants(of: viewer, in: event.head.id))
  }

  private func shown(_ record: ParticipantRecord, _ scored: Scored) -> QuiverAPI.Participant {
    var shown = QuiverAPI.Participant(
      record, caller: viewer, scoresAll: scored.isEverybody,
      isLeased: scored.byLease.contains(record.id))
    shown.score = nil
    return shown
  }
}

extension WatchTournamentResponse {
  /// Whether it shows nothing besides an event that is unchanged.
  fileprivate var isEmpty: Bool {
    notices.isEmpty && participants.isEmpty && entries.isEmpty && categories.isEmpty
      && sessions.isEmpty && leases.isEmpty
  }
}
