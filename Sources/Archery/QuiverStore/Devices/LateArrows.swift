import QuiverRules

/// Arrows of a second card or of a match that a device sent which had lost its lease, where others
/// are: they count nothing until an official enters them.
struct LateArrows {
  /// What the operation stands for in its table: none has this id.
  static let standsFor: Int64 = -2

  /// The index of the end or of the shoot-off, from 0.
  let place: Int
  let isShootOff: Bool
  /// The arrows as on a score sheet; empty: it empties the place.
  let sent: String
  let stored: String
  let device: String

  /// What officials read; as long as the text of a call may be.
  fileprivate func text(of card: String) -> String {
    let end = isShootOff ? "shoot-off \(place + 1)" : "end \(place + 1)"
    let text =
      "\(card), \(end): a device that was taken over sent \(sent.isEmpty ? "nothing" : sent);"
      + " \(stored.isEmpty ? "nothing" : stored) is there"
    return String(text.prefix(StoreLimits.callLength))
  }
}

extension Transaction {
  /// Shows late arrows of the second card of a participant to officials.
  func keepLate(_ late: LateArrows, ofCardAt place: ScoringPlace) throws(StoreError) {
    let participant = place.participant
    try recordCard(
      participant, "card.late", before: "\(late.place)=\(late.stored)",
      after: "\(late.place)=\(late.sent)", device: late.device)
    guard let head = try snapshot.tournamentHead(id: participant.sessionID) else { return }
    let found = try snapshot.leasedPlace(of: place, end: late.place)
    var call = TargetCallContent()
    (call.kind, call.participant) = (.lateArrows, participant.id)
    (call.session, call.target) = (found?.session ?? 0, found?.target ?? 0)
    call.text = late.text(of: "second card")
    _ = try raise(call, in: head)
  }

  /// Shows late arrows of a side of a match to officials.
  func keepLate(
    _ late: LateArrows, of match: MatchRecord, _ side: MatchSide
  ) throws(StoreError) {
    try auditMatch(match, "match.late", before: late.stored, after: late.sent)
    guard let head = try snapshot.tournamentHead(id: match.event) else { return }
    var call = TargetCallContent()
    (call.kind, call.target) = (.lateArrows, match.targets[side.rawValue])
    call.text = late.text(of: "match \(match.id), side \(side.rawValue + 1)")
    _ = try raise(call, in: head)
  }
}
