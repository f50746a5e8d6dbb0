import QuiverRules

/// Updates a participant's tally in the transaction that changes an arrow. The cost does not depend
/// on the number of participants.
extension Transaction {
  private static let keepTally = Query(
    """
    UPDATE participant SET total = ?2, x_count = ?3, gold_count = ?4, arrow_count = ?5,
      ends_completed = ?6, last_active_at_ms = ?7, n0 = ?8, n1 = ?9, n2 = ?10, n3 = ?11,
      n4 = ?12, n5 = ?13, n6 = ?14, n7 = ?15, n8 = ?16, n9 = ?17, n10 = ?18, n11 = ?19,
      operation_count = operation_count + ?20
    WHERE id = ?1
    """)
  private static let moveTurn = Query("UPDATE participant SET next_end = ?2 WHERE id = ?1")
  private static let setRoundStatus = Query(
    """
    UPDATE round SET status = ?2, started_at_ms = coalesce(started_at_ms, ?3),
      completed_at_ms = ?4
    WHERE id = ?1
    """)

  /// Stores the tally after a change of one end, with the first open end and the round's status,
  /// and counts the operations that were stored with it.
  ///
  /// - Parameter place: as it is stored; it gets what is stored.
  func keepTally(
    _ tally: ScoreTally, _ change: TallyChange, at place: inout ScoringPlace
  ) throws(StoreError) {
    var tally = tally
    tally.endsCompleted += (change.isFull ? 1 : 0) - (change.wasFull ? 1 : 0)
    var values: [SQLValue] = []
    values.reserveCapacity(8 + ScoreTally.valueCount)
    values.append(.integer(place.participant.id))
    for number in [
      tally.total, tally.xCount, tally.goldCount, tally.arrowCount, tally.endsCompleted,
    ] {
      values.append(.integer(Int64(number)))
    }
    values.append(.integer(nowMilliseconds))
    for value in 0..<ScoreTally.valueCount {
      values.append(.integer(Int64(tally.count(of: value))))
    }
    values.append(.integer(change.newOperations))
    try run(Self.keepTally, values: values)
    if change.isFull != change.wasFull { try moveTurn(of: &place, change) }
    try keepRoundStatus(tally, at: &place)
    place.participant.tally = tally
    place.participant.lastActiveAtMilliseconds = nowMilliseconds
    place.operationCount += change.newOperations
    try recordScore(of: place.participant, isTournament: place.isTournament)
  }

  /// Records in the journal that a participant's row changed.
  func recordScore(
    of participant: ParticipantRecord, isTournament: Bool,
    _ change: JournalEntry.Change = .updated
  ) throws(StoreError) {
    try record(
      change, of: .participant, id: participant.id, principal: participant.principal,
      topic: isTournament ? participant.sessionID : 0)
  }

  /// Records in the journal that somebody joined an event or changed status there.
  func recordMembership(
    of participant: ParticipantRecord, _ change: JournalEntry.Change
  ) throws(StoreError) {
    try record(
      change, of: .membership, id: participant.id, principal: participant.principal,
      topic: participant.sessionID)
  }

  private func moveTurn(
    of place: inout ScoringPlace, _ change: TallyChange
  ) throws(StoreError) {
    var next = place.participant.nextEnd
    if !change.isFull {
      next = min(next, change.end)
    } else if change.end == next {
      next += 1
      while let following = place.format.end(next) {
        if !place.isTyped(following) {
          let filled = try snapshot.filledCount(round: place.round, end: next)
          guard filled == following.arrowCount else { break }
        }
        next += 1
      }
    }
    let before = place.participant.nextEnd
    guard next != before else { return }
    try run(Self.moveTurn, .integer(place.participant.id), .integer(Int64(next)))
    place.participant.nextEnd = next
    // A round begins with a pass.
    guard place.isTournament, place.format.passes.count > 1,
      place.format.end(next)?.passIndex != place.format.end(before)?.passIndex
    else { return }
    try keepTurn(ofParticipant: place.participant.id)
  }

  func keepRoundStatus(
    _ tally: ScoreTally, at place: inout ScoringPlace
  ) throws(StoreError) {
    let count = place.format.arrowCount
    let isFull = tally.arrowCount == count
    // A round that its owner or the event completed stays completed; one that its last arrow
    // completed may reopen.
    let wasEnded =
      place.event?.status == .completed
      || (place.roundStatus == .completed && place.participant.tally.arrowCount != count)
    let status: RoundStatus = isFull || wasEnded ? .completed : .inProgress
    guard status != place.roundStatus else { return }
    try run(
      Self.setRoundStatus, .integer(place.round), .integer(Int64(status.rawValue)),
      .integer(nowMilliseconds), status == .completed ? .integer(nowMilliseconds) : .null)
    place.roundStatus = status
  }
}
