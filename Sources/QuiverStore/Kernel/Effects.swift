/// What a group of commands means to the process once it is committed.
final class Effects {
  /// The latest sequence of the journal; 0 where the group wrote none.
  var lastSequence: Int64 = 0

  /// Tokens whose connections must go.
  var revokedTokens: [Int64] = []

  /// What stands now, to come back to when a command fails.
  var mark: (sequence: Int64, revokedCount: Int) { (lastSequence, revokedTokens.count) }

  func goBack(to mark: (sequence: Int64, revokedCount: Int)) {
    lastSequence = mark.sequence
    revokedTokens.removeLast(max(0, revokedTokens.count - mark.revokedCount))
  }
}
