import QuiverAPI
public import QuiverRules

/// What a scorer does.
extension ScoringModel {
  /// Enters an arrow by its value, and goes on to where the next one goes.
  @discardableResult
  public func enter(_ score: ArrowScore) -> Bool {
    entered(ScoringEdits.Entry(score: score))
  }

  /// Enters an arrow by its place, in radii of the nominal face, +x right and +y up. What it is
  /// worth in the end says the server, which knows the arrows that are shot.
  @discardableResult
  public func enter(x: Double, y: Double) -> Bool {
    guard let position, let view else { return refuse("enter an arrow", Self.nobodyIsOpen) }
    let score = view.format.end(position.endIndex).flatMap {
      view.score(x: x, y: y, on: $0.pass, of: position.participant)
    }
    guard let score else {
      return refuse(
        "enter an arrow", SessionError(.invalid, "this face is scored by buttons only", field: "x"))
    }
    return entered(ScoringEdits.Entry(score: score, position: (x, y)))
  }

  /// Puts an arrow into any slot of a participant, and goes on from there.
  @discardableResult
  public func enter(_ score: ArrowScore, at slot: ArrowSlot, of participant: LocalID) -> Bool {
    put("enter an arrow", participant.rawValue, slot.endIndex) {
      (edits, participant, format) throws(SessionError) in
      try edits.record(ScoringEdits.Entry(score: score), at: slot, of: participant, format)
    }
  }

  /// Enters the next arrows of the current end in one write, all or none.
  @discardableResult
  public func enter(_ scores: [ArrowScore]) -> Bool {
    guard let position, let view else { return refuse("enter an end", Self.nobodyIsOpen) }
    let key = position.participant.rawValue
    let open = view.cards[key]?.openSlots(inEnd: position.endIndex) ?? []
    guard scores.count <= open.count else {
      return refuse(
        "enter an end",
        SessionError(.invalid, "must be at most \(open.count) in this end", field: "arrows"))
    }
    return enter(
      zip(scores, open).map { score, slot in
        ArrowEntry(score, at: slot, of: position.participant)
      })
  }

  /// Puts arrows into any slots of any participants in one write, all or none, and goes on from the
  /// last.
  @discardableResult
  public func enter(_ arrows: [ArrowEntry]) -> Bool {
    guard let last = arrows.last else { return true }
    let keys = Set(arrows.map(\.participant.rawValue))
    return changed("enter arrows") { () throws(SessionError) in
      let view = try shownView()
      let cursor = try session.scoring { (transaction) throws(SessionError) in
        let edits = session.scoringEdits(transaction)
        for arrow in arrows {
          let participant = try participant(arrow.participant.rawValue, transaction)
          try edits.record(
            ScoringEdits.Entry(score: arrow.score), at: arrow.slot, of: participant, view.format)
        }
        return try goOn(
          keys, after: last.participant.rawValue, end: last.slot.endIndex, view, transaction)
      }
      show(keys, cursor: cursor)
    }
  }

  /// Puts another value into a slot, with a reason of 1 to 200 characters; the position stays where
  /// it was.
  @discardableResult
  public func correct(
    _ score: ArrowScore, at slot: ArrowSlot, of participant: LocalID, reason: String
  ) -> Bool {
    put("correct an arrow", participant.rawValue, nil) {
      (edits, participant, format) throws(SessionError) in
      try edits.correct(
        ScoringEdits.Entry(score: score), at: slot, of: participant, format, reason: reason)
    }
  }

  /// Empties a slot, with a reason of 1 to 200 characters.
  @discardableResult
  public func retract(at slot: ArrowSlot, of participant: LocalID, reason: String) -> Bool {
    put("take back an arrow", participant.rawValue, nil) {
      (edits, participant, format) throws(SessionError) in
      try edits.retract(at: slot, of: participant, format, reason: reason)
    }
  }

  /// Takes back what was entered last here, and goes to where that was. Arrows of others stay.
  @discardableResult
  public func undo() -> Bool {
    changed("undo") { () throws(SessionError) in
      let event = event
      let (participant, slot, refusal) = try session.scoring {
        (transaction) throws(SessionError) in
        let known = try OfflineSession.event(event, transaction)
        guard let format = known.format else { throw Self.nobodyIsOpen }
        let step = try session.scoringEdits(transaction).undo(in: known, format)
        try transaction.moveCursor(of: known.key, to: step.participant, end: step.slot.endIndex)
        return step
      }
      show([participant], cursor: (participant, slot.endIndex))
      if let refusal { throw refusal }
    }
  }

  /// Goes to a participant's current end; refused for one whom this user does not score.
  @discardableResult
  public func switchTo(_ participant: LocalID) -> Bool {
    changed("switch") { () throws(SessionError) in
      guard let known = view?.participants.first(where: { $0.key == participant.rawValue }) else {
        throw SessionError(.notFound, "there is no such participant here")
      }
      let name = known.message.displayName
      guard known.mayScore else {
        throw SessionError(.notPossible, "\(name) is scored by somebody else")
      }
      guard view?.isActive(known) == true else {
        throw SessionError(.notPossible, "\(name) is out of the event")
      }
      guard let open = view?.cards[known.key]?.firstOpen else {
        throw SessionError(.notPossible, "\(name) has shot all arrows")
      }
      try move(to: known.key, end: open.endIndex)
    }
  }

  /// Goes to an open slot of any end of the current participant.
  @discardableResult
  public func goTo(end index: Int) -> Bool {
    changed("go there") { () throws(SessionError) in
      guard let position else { throw Self.nobodyIsOpen }
      let participant = position.participant.rawValue
      guard view?.cards[participant]?.firstOpen(inEnd: index) != nil else {
        throw SessionError(.notPossible, "end \(index + 1) has no open slot")
      }
      try move(to: participant, end: index)
    }
  }

  static let nobodyIsOpen = SessionError(.notPossible, "all arrows have been shot")

  private func entered(_ entry: ScoringEdits.Entry) -> Bool {
    guard let position else { return refuse("enter an arrow", Self.nobodyIsOpen) }
    let slot = ArrowSlot(endIndex: position.endIndex, arrowIndex: position.arrowIndex)
    return put("enter an arrow", position.participant.rawValue, slot.endIndex) {
      (edits, participant, format) throws(SessionError) in
      try edits.record(entry, at: slot, of: participant, format)
    }
  }

  private func refuse(_ what: String, _ error: SessionError) -> Bool {
    changed(what) { () throws(SessionError) in throw error }
  }

  /// Changes a slot of a participant; goes on behind `end` where that is given.
  private func put(
    _ what: String, _ key: Int64, _ end: Int?,
    _ change: (ScoringEdits, LocalParticipant, QuiverRules.RoundFormat) throws(SessionError) -> Void
  ) -> Bool {
    changed(what) { () throws(SessionError) in
      let view = try shownView()
      let cursor = try session.scoring { (transaction) throws(SessionError) in
        let participant = try participant(key, transaction)
        try change(session.scoringEdits(transaction), participant, view.format)
        guard let end else { return (view.event.cursorParticipant, view.event.cursorEnd) }
        return try goOn([key], after: key, end: end, view, transaction)
      }
      show([key], cursor: cursor)
    }
  }

  private func shownView() throws(SessionError) -> ScoringView {
    guard let view else { throw SessionError(.notFound, "this event is not here any more") }
    return view
  }

  private func participant(
    _ key: Int64, _ transaction: LocalTransaction
  ) throws(SessionError) -> LocalParticipant {
    guard let participant = try transaction.participant(key),
      participant.eventKey == event.rawValue
    else { throw SessionError(.notFound, "there is no such participant here") }
    return participant
  }

  /// Keeps where the scorer is after an end of a participant, the cards of those having changed.
  private func goOn(
    _ changed: Set<Int64>, after key: Int64, end: Int, _ view: ScoringView,
    _ transaction: LocalTransaction
  ) throws(SessionError) -> (participant: Int64, end: Int) {
    var after = view
    for key in changed { after.cards[key] = try transaction.card(of: key, view.format) }
    let next = after.turn(after: key, end: end)
    try transaction.moveCursor(of: event.rawValue, to: next.participant, end: next.end)
    return next
  }

  private func move(to participant: Int64, end: Int) throws(SessionError) {
    let event = event.rawValue
    try session.store().write { (transaction) throws(SessionError) in
      try transaction.moveCursor(of: event, to: participant, end: end)
    }
    show([participant], cursor: (participant, end))
  }
}
