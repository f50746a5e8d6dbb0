import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

extension EliminationService {
  func watchMatch(
    _ request: WatchMatchRequest, _ call: CallContext,
    _ replies: StreamResponder<WatchMatchResponse>
  ) throws {
    let viewer = try call.viewer(of: request.tournamentID)
    let watch = MatchWatch(
      match: request.matchID, event: request.tournamentID,
      viewer: StageViewer(
        principal: viewer.principal,
        spectated: viewer.principal == nil ? request.tournamentID : nil))
    let store = commands.store
    commands.read(call, replies) { () throws(StoreError) in
      _ = try store.read { (snapshot) throws(StoreError) in try watch.shown(snapshot) }
    } start: { () throws(RPCError) in
      try JournalWatch.start(watch, watches, call, replies)
    }
  }
}

/// A match with its two cards.
struct MatchWatch: EventWatchSource {
  let match: Int64
  let event: Int64
  let viewer: StageViewer

  var principal: Int64? { viewer.principal }

  func part(
    _ token: String, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> (message: WatchMatchResponse, next: String) {
    var response = WatchMatchResponse()
    response.match = try shown(snapshot)
    return (response, "")
  }

  func concerns(_ entry: JournalEntry) -> Bool {
    guard entry.topic == event else { return false }
    switch entry.kind {
    case .eventMatch: return entry.objectID == match
    // Its stage is deleted, or has other members; names and who may score are shown too.
    case .eventStage, .participant, .membership, .eventOfficial: return true
    default: return false
    }
  }

  func changes(
    _ entries: [JournalEntry], _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> WatchMatchResponse? {
    var isShown = entries.contains { $0.kind == .eventMatch || $0.kind == .eventOfficial }
    if !isShown { isShown = try concernsStage(entries, snapshot) }
    guard isShown else { return nil }
    var response = WatchMatchResponse()
    response.match = try shown(snapshot)
    return response
  }

  /// Whether the stage of the match changed, or an entrant of it. Most changes of participants are
  /// arrows of the qualification.
  private func concernsStage(
    _ entries: [JournalEntry], _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> Bool {
    let stage = try snapshot.stage(ofMatch: match)
    if entries.contains(where: { $0.kind == .eventStage && $0.objectID == stage }) { return true }
    let named = Set(
      entries.filter { $0.kind == .participant || $0.kind == .membership }.map(\.objectID))
    return try !snapshot.seeds(of: named, inStage: stage).isEmpty
  }

  /// The match; a match of another event than the one that was asked for is not found.
  func shown(_ snapshot: borrowing Snapshot) throws(StoreError) -> EliminationMatch {
    let shown = try snapshot.shownMatch(match, to: viewer)
    guard shown.tournamentID == event else {
      throw StoreError(.notFound, "there is no such match of this event", field: "match_id")
    }
    return shown
  }
}

extension Snapshot {
  /// A match with its cards, and whether the viewer may score them.
  func shownMatch(
    _ id: Int64, to viewer: StageViewer
  ) throws(StoreError) -> EliminationMatch {
    let found = try match(id: id, principal: viewer.principal, spectated: viewer.spectated)
    var shown = EliminationMatch(found.match, in: found.bracket, showsCards: true)
    guard let principal = viewer.principal else { return shown }
    for side in MatchSide.allCases {
      let entrant = found.bracket.entrant(found.match.seeds[side.rawValue])
      shown.sides[side.rawValue].mayScore = try mayScore(
        side, of: found.match, entrant, principal: principal)
    }
    return shown
  }
}
