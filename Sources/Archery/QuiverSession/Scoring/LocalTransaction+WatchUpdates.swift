import QuiverAPI
import QuiverProtobuf
import QuiverRules

/// Applies messages of an event's watches.
extension LocalTransaction {
  /// Stores a tournament's status, its notices and its participants, which come without scores;
  /// returns whether operations that waited for its start may be sent.
  func take(
    _ update: WatchTournamentResponse, of key: Int64, fetchedAt: Int64, limits: SessionLimits
  ) throws(SessionError) -> Bool {
    guard let known = try event(key), let before = known.tournament else { return false }
    let tournament = update.tournament ?? before
    var event = LocalEvent(content: .tournament(tournament), isOnServer: true)
    event.inherit(known, serverID: tournament.id, fetchedAt: fetchedAt)
    try save(&event, limits: limits)
    try takeNotices(update, of: tournament.id, limits: limits)
    let isPartial = Int(tournament.participantCount) > limits.maxParticipants
    var seen: [Participant] = []
    for var participant in update.participants where !isPartial || participant.mayScore {
      let known = try self.participant(serverID: participant.id, of: key)
      participant.score = known?.message.score
      seen.append(participant)
    }
    try take(seen, of: key, isComplete: false)
    let isUnderWay = { (event: TournamentEvent) in event.status == .inProgress && !event.paused }
    guard isUnderWay(tournament), !isUnderWay(before) else { return false }
    try resumeDeferred(ofEvent: key)
    return true
  }

  /// Stores the state of some participants; returns the server ids of those whose arrows differ
  /// from this device's and have no pending rows.
  func take(
    _ update: WatchLeaderboardResponse, of key: Int64
  ) throws(SessionError) -> [Int64] {
    var changed: [Int64] = []
    for row in update.rows {
      guard var participant = try participant(serverID: row.participantID, of: key) else {
        continue
      }
      participant.message.score = Score(row)
      participant.message.status = row.status
      try save(&participant)
      guard participant.mayScore, try outboxRows(ofParticipant: participant.key).isEmpty else {
        continue
      }
      let scores = try slots(of: participant.key).compactMap(\.score)
      let total = scores.reduce(0) { $0 + $1.value }
      let xCount = scores.count { $0.isX }
      guard
        (scores.count, total, xCount)
          != (Int(row.arrowCount), Int(row.total), Int(row.xCount))
      else { continue }
      changed.append(row.participantID)
    }
    return changed
  }

  /// Replaces the slots of participants with those of their scorecards, unless they have pending
  /// rows.
  func takeCards(_ cards: [Int64: [ScoredArrow]], of key: Int64) throws(SessionError) {
    for (id, arrows) in cards {
      guard let participant = try participant(serverID: id, of: key),
        try outboxRows(ofParticipant: participant.key).isEmpty
      else { continue }
      try take(arrows, of: participant.key)
    }
  }
}

extension Score {
  /// The participant's values in a leaderboard row.
  init(_ row: LeaderboardRow) {
    self.init()
    total = row.total
    xCount = row.xCount
    tenCount = row.tenCount
    arrowCount = row.arrowCount
    endsCompleted = row.endsCompleted
    counts = row.counts
    goldCount = row.goldCount
  }
}
