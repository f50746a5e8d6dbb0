/// What a group of commands means to the process once it is committed.
final class Effects {
  /// The latest sequence of the journal; 0 where the group wrote none.
  var lastSequence: Int64 = 0

  /// Pieces of equipment that are not as they were.
  var changedEquipment: [Int64] = []

  /// Tokens that are good no more, whose connections must go.
  var revokedTokens: [Int64] = []

  /// What stood at one time, to come back to when a command fails.
  struct Mark {
    fileprivate let lastSequence: Int64
    fileprivate let changedCount: Int
    fileprivate let revokedCount: Int
  }

  var mark: Mark {
    Mark(
      lastSequence: lastSequence, changedCount: changedEquipment.count,
      revokedCount: revokedTokens.count)
  }

  func goBack(to mark: Mark) {
    lastSequence = mark.lastSequence
    changedEquipment.removeLast(max(0, changedEquipment.count - mark.changedCount))
    revokedTokens.removeLast(max(0, revokedTokens.count - mark.revokedCount))
  }
}
