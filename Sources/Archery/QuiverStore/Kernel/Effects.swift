/// What a group of commands means to the process once it is committed.
final class Effects {
  /// The latest sequence of the journal; 0 where the group wrote none.
  var lastSequence: Int64 = 0

  /// Whose things, and what topics, the group changed.
  private(set) var changedKeys: [ChangedKey] = []

  func noteChange(principal: Int64, topic: Int64) {
    changedKeys.append(.principal(principal))
    if topic != 0 { changedKeys.append(.topic(topic)) }
  }

  /// Pieces of equipment that are not as they were.
  var changedEquipment: [Int64] = []

  /// Tokens that are good no more, whose connections must go.
  var revokedTokens: [Int64] = []

  /// Rows of leaderboards that are not as they were.
  var changedScores: [(tournament: Int64, participant: Int64)] = []

  /// Events whose leaderboards are others as a whole.
  var changedTournaments: [Int64] = []

  /// What stood at one time, to come back to when a command fails.
  struct Mark {
    fileprivate let lastSequence: Int64
    fileprivate let changedCount: Int
    fileprivate let revokedCount: Int
    fileprivate let keyCount: Int
    fileprivate let scoreCount: Int
    fileprivate let tournamentCount: Int
  }

  var mark: Mark {
    Mark(
      lastSequence: lastSequence, changedCount: changedEquipment.count,
      revokedCount: revokedTokens.count, keyCount: changedKeys.count,
      scoreCount: changedScores.count,
      tournamentCount: changedTournaments.count)
  }

  func goBack(to mark: Mark) {
    lastSequence = mark.lastSequence
    changedEquipment.removeLast(max(0, changedEquipment.count - mark.changedCount))
    revokedTokens.removeLast(max(0, revokedTokens.count - mark.revokedCount))
    changedKeys.removeLast(max(0, changedKeys.count - mark.keyCount))
    changedScores.removeLast(max(0, changedScores.count - mark.scoreCount))
    changedTournaments.removeLast(max(0, changedTournaments.count - mark.tournamentCount))
  }

  /// What a row of the journal that is watched beyond its owner means to leaderboards.
  func noteTopic(_ topic: Int64, _ kind: ObjectKind, _ id: Int64) {
    switch kind {
    case .participant: changedScores.append((topic, id))
    case .tournament, .lateOperation: changedTournaments.append(topic)
    default: break
    }
  }
}

/// What a row of the change journal is found by: whose it is, or its topic.
package enum ChangedKey: Sendable, Hashable {
  case principal(Int64)
  /// Beyond a principal's own things, as a tournament.
  case topic(Int64)
}
