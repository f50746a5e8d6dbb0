import QuiverAPI
public import QuiverRules

/// Enters, corrects and undoes arrows.
extension ScoringModel {
  /// Enters an arrow by its value and moves to the next slot; `shaft` is the number of its shaft,
  /// 1 to 99, or nil if it is not known.
  public func enter(_ score: ArrowScore, shaft: Int? = nil) async throws(SessionError) {
    try await change("enter an arrow") { () async throws(SessionError) in
      try await self.record(ScoringEdits.Entry(score: score, shaft: shaft))
    }
  }

  /// Enters an arrow by its position in radii of the nominal face: +x is right, +y is up. The
  /// server, which knows the arrows' diameter, computes the final value. `shaft` is the number of
  /// its shaft, 1 to 99, or nil if it is not known.
  public func enter(x: Double, y: Double, shaft: Int? = nil) async throws(SessionError) {
    try await change("enter an arrow") { () async throws(SessionError) in
      guard let position = self.position, let view = self.view else { throw Self.allArrowsShot }
      let format = view.format(of: position.participant.rawValue)
      let score = format?.end(position.endIndex).flatMap {
        view.score(x: x, y: y, on: $0.pass, of: position.participant)
      }
      guard let score else {
        throw SessionError(.invalid, "this face is scored by buttons only", field: "x")
      }
      try await self.record(ScoringEdits.Entry(score: score, position: (x, y), shaft: shaft))
    }
  }

  /// Enters an arrow in any slot of a participant and moves on from there.
  public func enter(
    _ score: ArrowScore, at slot: ArrowSlot, of participant: LocalID, shaft: Int? = nil
  ) async throws(SessionError) {
    try await put("enter an arrow", participant.rawValue, thenAfter: slot.endIndex) {
      (edits, participant, format) throws(SessionError) in
      try edits.record(
        ScoringEdits.Entry(score: score, shaft: shaft), at: slot, of: participant, format)
    }
  }

  /// Enters the next arrows of the current end in one transaction.
  public func enter(_ scores: [ArrowScore]) async throws(SessionError) {
    try await change("enter an end") { () async throws(SessionError) in
      guard let position = self.position, let view = self.view else { throw Self.allArrowsShot }
      let open =
        view.cards[position.participant.rawValue]?.openSlots(inEnd: position.endIndex) ?? []
      guard scores.count <= open.count else {
        throw SessionError(
          .invalid, "must be at most \(open.count) in this end", field: "arrows")
      }
      try await self.record(
        zip(scores, open).map { score, slot in
          ArrowEntry(score, at: slot, of: position.participant)
        })
    }
  }

  /// Enters arrows in any slots of any participants in one transaction, and moves on from the last.
  public func enter(_ arrows: [ArrowEntry]) async throws(SessionError) {
    try await change("enter arrows") { () async throws(SessionError) in
      try await self.record(arrows)
    }
  }

  /// Replaces the value of a slot, with a reason of 1 to 200 characters; the position stays, and so
  /// does the number of the shaft unless `shaft` has another. `witness` is who agreed to it, where
  /// the event demands one.
  public func correct(
    _ score: ArrowScore, at slot: ArrowSlot, of participant: LocalID, shaft: Int? = nil,
    reason: String, witness: CorrectionWitness? = nil
  ) async throws(SessionError) {
    try await put("correct an arrow", participant.rawValue, thenAfter: nil) {
      (edits, participant, format) throws(SessionError) in
      try edits.correct(
        ScoringEdits.Entry(score: score, shaft: shaft), at: slot, of: participant, format,
        reason: reason, witness: witness)
    }
  }

  /// Retracts the arrow of a slot, with a reason of 1 to 200 characters; `witness` is who agreed to
  /// it, where the event demands one.
  public func retract(
    at slot: ArrowSlot, of participant: LocalID, reason: String,
    witness: CorrectionWitness? = nil
  ) async throws(SessionError) {
    try await put("retract an arrow", participant.rawValue, thenAfter: nil) {
      (edits, participant, format) throws(SessionError) in
      try edits.retract(
        at: slot, of: participant, format, reason: reason, witness: witness)
    }
  }

  /// Undoes this device's last entry and moves to its slot. Other scorers' arrows stay. `witness`
  /// is who agreed to it, where the event demands one and the end has all its arrows.
  public func undo(witness: CorrectionWitness? = nil) async throws(SessionError) {
    try await change("undo") { () async throws(SessionError) in
      let (session, event) = (self.session, self.event)
      var refusal: SessionError?
      try await self.show { () async throws(SessionError) in
        let (update, found) = try await session.scoring { (transaction) throws(SessionError) in
          let known = try OfflineSession.event(event, transaction)
          guard let rounds = try transaction.rounds(of: known) else { throw Self.allArrowsShot }
          let step = try session.scoringEdits(transaction).undo(in: known, rounds, witness)
          try transaction.moveCursor(of: known.key, to: step.participant, end: step.slot.endIndex)
          let update = try transaction.scoringUpdate(of: [step.participant], in: known.key, rounds)
          return (update, step.refusal)
        }
        refusal = found
        return update
      }
      if let refusal { throw refusal }
    }
  }

  /// Moves to a participant's current end; throws if this user does not score the participant.
  public func switchTo(_ participant: LocalID) async throws(SessionError) {
    try await change("switch") { () async throws(SessionError) in
      guard let known = self.view?.participants.first(where: { $0.key == participant.rawValue })
      else { throw SessionError(.notFound, "there is no such participant here") }
      let name = known.message.displayName
      guard known.mayScore else {
        throw SessionError(.notPossible, "\(name) is scored by somebody else")
      }
      guard self.view?.isActive(known) == true else {
        throw SessionError(.notPossible, "\(name) is out of the event")
      }
      guard let open = self.view?.cards[known.key]?.firstOpen else {
        throw SessionError(.notPossible, "\(name) has shot all arrows")
      }
      try await self.move(to: known.key, end: open.endIndex)
    }
  }

  /// Moves to an open slot of any end of the current participant.
  public func goTo(end index: Int) async throws(SessionError) {
    try await change("go there") { () async throws(SessionError) in
      guard let position = self.position else { throw Self.allArrowsShot }
      let participant = position.participant.rawValue
      guard self.view?.cards[participant]?.firstOpen(inEnd: index) != nil else {
        throw SessionError(.notPossible, "end \(index + 1) has no open slot")
      }
      try await self.move(to: participant, end: index)
    }
  }

  nonisolated static let allArrowsShot = SessionError(.notPossible, "all arrows have been shot")

  private func record(_ entry: ScoringEdits.Entry) async throws(SessionError) {
    guard let position else { throw Self.allArrowsShot }
    let slot = ArrowSlot(endIndex: position.endIndex, arrowIndex: position.arrowIndex)
    try await putNow(position.participant.rawValue, thenAfter: slot.endIndex) {
      (edits, participant, format) throws(SessionError) in
      try edits.record(entry, at: slot, of: participant, format)
    }
  }

  private func record(_ arrows: [ArrowEntry]) async throws(SessionError) {
    guard let last = arrows.last else { return }
    let keys = Set(arrows.map(\.participant.rawValue))
    let (session, view) = (session, try shownView())
    try await show { () async throws(SessionError) in
      try await session.scoring { (transaction) throws(SessionError) in
        let edits = session.scoringEdits(transaction)
        for arrow in arrows {
          let participant = try view.participant(arrow.participant.rawValue, transaction)
          try edits.record(
            ScoringEdits.Entry(score: arrow.score, shaft: arrow.shaft), at: arrow.slot,
            of: participant, try view.knownFormat(of: participant))
        }
        return try view.moveOn(
          changed: keys, after: last.participant.rawValue, end: last.slot.endIndex, transaction)
      }
    }
  }

  /// Changes a slot of a participant; moves on after `end` unless it is nil.
  private func put(
    _ operation: String, _ key: Int64, thenAfter end: Int?,
    _ edit: @escaping SlotEdit
  ) async throws(SessionError) {
    try await change(operation) { () async throws(SessionError) in
      try await self.putNow(key, thenAfter: end, edit)
    }
  }

  private typealias SlotEdit =
    @Sendable (ScoringEdits, LocalParticipant, QuiverRules.RoundFormat) throws(SessionError) -> Void

  private func putNow(
    _ key: Int64, thenAfter end: Int?, _ edit: @escaping SlotEdit
  ) async throws(SessionError) {
    let (session, view) = (session, try shownView())
    try await show { () async throws(SessionError) in
      try await session.scoring { (transaction) throws(SessionError) in
        let participant = try view.participant(key, transaction)
        try edit(
          session.scoringEdits(transaction), participant, try view.knownFormat(of: participant))
        guard let end else {
          return try transaction.scoringUpdate(of: [key], in: view.event.key, view.rounds)
        }
        return try view.moveOn(changed: [key], after: key, end: end, transaction)
      }
    }
  }

  private func shownView() throws(SessionError) -> ScoringView {
    guard let view else { throw SessionError(.notFound, "this event is no longer on this device") }
    return view
  }

  private func move(to participant: Int64, end: Int) async throws(SessionError) {
    let view = try shownView()
    let session = session
    try await show { () async throws(SessionError) in
      try await session.store().write { (transaction) throws(SessionError) in
        try transaction.moveCursor(of: view.event.key, to: participant, end: end)
        return try transaction.scoringUpdate(of: [], in: view.event.key, view.rounds)
      }
    }
  }
}

extension ScoringView {
  /// The event's participant from the local file.
  fileprivate func participant(
    _ key: Int64, _ transaction: LocalTransaction
  ) throws(SessionError) -> LocalParticipant {
    guard let participant = try transaction.participant(key), participant.eventKey == event.key
    else { throw SessionError(.notFound, "there is no such participant here") }
    return participant
  }

  fileprivate func knownFormat(
    of participant: LocalParticipant
  ) throws(SessionError) -> QuiverRules.RoundFormat {
    guard let format = rounds.format(of: participant) else {
      throw SessionError(
        .notPossible,
        "this program does not know the round of \(participant.message.displayName); update it")
    }
    return format
  }

  /// Stores the scorer's position after a participant's end, after changes of some scorecards.
  fileprivate func moveOn(
    changed: Set<Int64>, after key: Int64, end: Int, _ transaction: LocalTransaction
  ) throws(SessionError) -> ScoringUpdate {
    var after = self
    after.take(try transaction.scoringUpdate(of: changed, in: event.key, rounds))
    let next = after.turn(after: key, end: end)
    try transaction.moveCursor(of: event.key, to: next.participant, end: next.end)
    return try transaction.scoringUpdate(of: changed, in: event.key, rounds)
  }
}
