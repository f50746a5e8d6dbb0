package import QuiverRules

/// Changes the arrows of an end by a rule of shooting.
package struct ApplyEndRule: Command {
  package static var storesContent: Bool { false }

  private let participant: Int64
  private let index: Int
  private let rule: Rule
  private let arrows: [ArrowScore]
  private let count: Int
  private let reason: String

  /// The raw values are those of `quiver.v1.EndRule`.
  package enum Rule: Int32, Sendable, CaseIterable {
    case tooManyArrows = 1
    case outOfTime = 2
    case outOfOrder = 3
    case missedEnds = 4

    /// As the audit names it.
    fileprivate var action: String {
      switch self {
      case .tooManyArrows: "card.too-many"
      case .outOfTime: "card.out-of-time"
      case .outOfOrder: "card.out-of-order"
      case .missedEnds: "card.missed"
      }
    }
  }

  /// `arrows` are all that were shot of too many; `count` is of shots or of ends, and 0 is 1.
  package init(
    _ participant: Int64, end index: Int, _ rule: Rule?, arrows: [ArrowScore], count: Int,
    reason: String
  ) throws(StoreError) {
    guard let rule else {
      throw .invalid(
        "rule", "must be too_many_arrows, out_of_time, out_of_order or missed_ends")
    }
    guard rule == .tooManyArrows || arrows.isEmpty else {
      throw .invalid("arrows", "must be given for too many arrows alone")
    }
    guard rule != .tooManyArrows || count <= 1 else {
      throw .invalid("count", "must not be given for too many arrows")
    }
    self.participant = participant
    self.index = index
    self.rule = rule
    self.arrows = arrows
    self.count = max(1, count)
    self.reason = try TournamentText.reason(reason)
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> ComparedCardRecord {
    let place = try transaction.placeOfMovableEnds(participant)
    let length = rule == .missedEnds ? count : 1
    let ends = try place.ends(index, length, field: "end_index")
    let before = try transaction.endTexts(ends, of: place)
    switch rule {
    case .tooManyArrows: try countLowest(place, transaction)
    case .outOfTime, .outOfOrder: try missHighest(place, transaction)
    case .missedEnds: try missEnds(ends, place, transaction)
    }
    try transaction.endsDidChange(ends, of: place)
    let shot = arrows.isEmpty ? "" : " / \(arrows.sheetText)"
    try transaction.recordCard(
      place.participant, rule.action, before: before + shot,
      after: try transaction.endTexts(ends, of: place), reason: reason)
    return try transaction.snapshot.comparedCard(participant: participant)
  }

  private func countLowest(
    _ place: ScoringPlace, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    guard let end = place.format.end(index) else { return }
    let most = end.arrowCount * 2
    guard arrows.count > end.arrowCount, arrows.count <= most else {
      throw .invalid(
        "arrows", "must be all that were shot, from \(end.arrowCount + 1) to \(most)")
    }
    try ApplyCardOperations.checkValues(arrows, on: end.pass.face, "")
    let counted = EndRules.lowest(end.arrowCount, of: arrows)
    try transaction.write(
      counted.map { EndShot($0) }, end: index, of: participant, reason: reason)
  }

  private func missHighest(
    _ place: ScoringPlace, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    guard let end = place.format.end(index) else { return }
    let shots = try transaction.shots(ofEnd: index, at: place)
    let present = shots.compactMap { $0 }
    guard present.count == end.arrowCount else {
      throw StoreError(
        .failedPrecondition, "the end has \(present.count) of \(end.arrowCount) arrows",
        field: "end_index")
    }
    guard count <= end.arrowCount else {
      throw .invalid("count", "must be at most the \(end.arrowCount) arrows of the end")
    }
    let counted = EndRules.withoutHighest(count, in: present.map(\.score))
    let changed = zip(present, counted).map { shot, score in
      shot.score == score ? shot : EndShot(score)
    }
    try transaction.write(changed, end: index, of: participant, reason: reason)
  }

  private func missEnds(
    _ ends: Range<Int>, _ place: ScoringPlace, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    var missing = 0
    for end in ends {
      let shots = try transaction.shots(ofEnd: end, at: place)
      missing += shots.count { $0 == nil }
      let filled = shots.map { $0 ?? EndShot(ArrowScore(value: 0)) }
      try transaction.write(filled, end: end, of: participant, reason: reason)
    }
    guard missing > 0 else {
      throw StoreError(
        .failedPrecondition, "no arrow of these ends is missing", field: "end_index")
    }
  }
}

/// Exchanges ends of two archers, or moves ends of one by one end.
package struct MoveEnds: Command {
  package static var storesContent: Bool { false }

  private let participant: Int64
  private let other: Int64
  private let first: Int
  private let count: Int
  private let isEarlier: Bool
  private let reason: String

  /// An `other` of 0 is nobody: the ends are moved. A `count` of 0 is 1.
  package init(
    _ participant: Int64, other: Int64, first: Int, count: Int, isEarlier: Bool, reason: String
  ) throws(StoreError) {
    guard other == 0 || !isEarlier else {
      throw .invalid("earlier", "must not be given with another participant")
    }
    guard other != participant else {
      throw .invalid("other_participant_id", "must be another participant")
    }
    self.participant = participant
    self.other = other
    self.first = first
    self.count = max(1, count)
    self.isEarlier = isEarlier
    self.reason = try TournamentText.reason(reason)
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> [ComparedCardRecord] {
    let place = try transaction.placeOfMovableEnds(participant)
    let ends = try place.ends(first, count, field: "first_end")
    guard other != 0 else { return [try move(ends, place, transaction)] }
    let second = try transaction.placeOfMovableEnds(other, field: "other_participant_id")
    guard second.participant.sessionID == place.participant.sessionID,
      second.formatID == place.formatID
    else {
      throw StoreError(
        .failedPrecondition, "it shoots another round, or in another event",
        field: "other_participant_id")
    }
    var written = 0
    for end in ends {
      let own = try transaction.shots(ofEnd: end, at: place)
      let others = try transaction.shots(ofEnd: end, at: second)
      written += (own + others).count { $0 != nil }
      try transaction.write(others, end: end, of: participant, reason: reason)
      try transaction.write(own, end: end, of: other, reason: reason)
    }
    guard written > 0 else { throw Self.empty }
    for (changed, with) in [(place, other), (second, participant)] {
      try transaction.endsDidChange(ends, of: changed)
      try transaction.recordCard(
        changed.participant, "card.exchange", before: "\(with)",
        after: try transaction.endTexts(ends, of: changed), reason: reason)
    }
    var cards: [ComparedCardRecord] = []
    for id in [participant, other] {
      cards.append(try transaction.snapshot.comparedCard(participant: id))
    }
    return cards
  }

  private static var empty: StoreError {
    StoreError(.failedPrecondition, "these ends have no arrows", field: "first_end")
  }

  private func move(
    _ ends: Range<Int>, _ place: ScoringPlace, _ transaction: borrowing Transaction
  ) throws(StoreError) -> ComparedCardRecord {
    let first = isEarlier ? ends.lowerBound - 1 : ends.lowerBound
    let all = first..<first + ends.count + 1
    let target = isEarlier ? all.lowerBound : all.upperBound - 1
    guard all.lowerBound >= 0, all.upperBound <= place.format.endCount,
      try place.isOneDistance(all)
    else {
      throw StoreError(
        .failedPrecondition, "there is no end of the distance to which they could be moved",
        field: "first_end")
    }
    guard try transaction.shots(ofEnd: target, at: place).allSatisfy({ $0 == nil }) else {
      throw StoreError(
        .failedPrecondition, "end \(target + 1) has arrows; empty it first", field: "first_end")
    }
    let before = try transaction.endTexts(all, of: place)
    var shots: [[EndShot?]] = []
    for end in ends { shots.append(try transaction.shots(ofEnd: end, at: place)) }
    guard shots.contains(where: { $0.contains { $0 != nil } }) else { throw Self.empty }
    let step = isEarlier ? -1 : 1
    for (end, moved) in zip(ends, shots) {
      try transaction.write(moved, end: end + step, of: participant, reason: reason)
    }
    let left = isEarlier ? ends.upperBound - 1 : ends.lowerBound
    try transaction.write(
      shots[0].map { _ in nil }, end: left, of: participant, reason: reason)
    try transaction.endsDidChange(all, of: place)
    try transaction.recordCard(
      place.participant, "card.move", before: before,
      after: try transaction.endTexts(all, of: place), reason: reason)
    return try transaction.snapshot.comparedCard(participant: participant)
  }
}

/// An arrow of an end as it is written to another slot.
struct EndShot: Sendable, Equatable {
  let score: ArrowScore
  var position: ArrowPosition?
  var input: InputMode?
  var shaft = 0

  init(_ score: ArrowScore) { self.score = score }

  init(_ arrow: ScoredArrowRecord) {
    score = arrow.score
    (position, input, shaft) = (arrow.position, arrow.input, arrow.shaft)
  }
}

extension ScoringPlace {
  /// Some ends of one distance; throws where the round does not have them.
  fileprivate func ends(
    _ first: Int, _ count: Int, field: String
  ) throws(StoreError) -> Range<Int> {
    guard first >= 0, first < format.endCount else {
      throw .invalid(field, "must be below \(format.endCount)")
    }
    guard count <= format.endCount - first else {
      throw .invalid("count", "must be at most the \(format.endCount - first) ends from there on")
    }
    let ends = first..<first + count
    guard try isOneDistance(ends) else {
      throw .invalid("count", "must be of ends of one distance")
    }
    return ends
  }

  fileprivate func isOneDistance(_ ends: Range<Int>) throws(StoreError) -> Bool {
    let found = ends.compactMap { format.end($0) }
    return found.count == ends.count
      && Set(found.map(\.passIndex)).count == 1 && Set(found.map(\.arrowCount)).count == 1
  }
}

extension Transaction {
  /// A participant whose ends a judge may change; throws for who is none, and for a confirmed card.
  fileprivate func placeOfMovableEnds(
    _ participant: Int64, field: String = "participant_id"
  ) throws(StoreError) -> ScoringPlace {
    let place = try cardPlace(participant, field: field)
    try checkJudge(place)
    try checkShot(place, field: field)
    guard place.cardState != .confirmed else {
      throw StoreError(
        .failedPrecondition, "archer and scorer have confirmed the card; reopen it first",
        field: field)
    }
    return place
  }

  /// The slots of an end of the first card.
  fileprivate func shots(
    ofEnd index: Int, at place: ScoringPlace
  ) throws(StoreError) -> [EndShot?] {
    let present = try snapshot.firstCard(round: place.round, end: index)
    return (0..<(place.format.end(index)?.arrowCount ?? 0)).map { arrow in
      present.first { $0.slot.arrowIndex == arrow }.map { EndShot($0) }
    }
  }

  /// Leaves these arrows in the slots of an end of the first card; nil leaves a slot empty. What is
  /// there already stays.
  fileprivate func write(
    _ shots: [EndShot?], end index: Int, of participant: Int64, reason: String
  ) throws(StoreError) {
    guard let place = try snapshot.scoringPlace(participant: participant) else { return }
    let present = try snapshot.arrows(round: place.round, end: index)
    for (arrow, shot) in shots.enumerated() {
      let current = present.first { $0.slot.arrowIndex == arrow }
      let shown = current.flatMap { $0.isRetracted ? nil : EndShot($0) }
      guard shot != shown else { continue }
      var content = OperationDraft.Content(.id(participant))
      content.kind = shot == nil ? .retract : current == nil ? .record : .correct
      content.endIndex = UInt32(clamping: index)
      content.arrowIndex = UInt32(clamping: arrow)
      if let shot {
        content.value = UInt32(clamping: shot.score.value)
        content.isX = shot.score.isX
        (content.x, content.y) = (shot.position?.x, shot.position?.y)
        content.input = shot.input?.rawValue ?? 0
        content.shaft = UInt32(clamping: shot.shaft)
      }
      if let current { content.replaces = .id(current.operationID) }
      content.reason = reason
      try putQuietly(content, on: participant)
    }
  }

  /// Compares changed ends of both cards, and takes confirmations back.
  fileprivate func endsDidChange(
    _ ends: Range<Int>, of place: ScoringPlace
  ) throws(StoreError) {
    guard place.cardState != .none else { return }
    for end in ends { try compareEnd(end, at: place) }
    try count(place.participant.id)
    try takeConfirmationsBack(place)
  }

  /// The arrows of ends as the audit has them.
  fileprivate func endTexts(
    _ ends: Range<Int>, of place: ScoringPlace
  ) throws(StoreError) -> String {
    var texts: [String] = []
    for end in ends {
      let arrows = try snapshot.firstCard(round: place.round, end: end)
      texts.append("\(end)=\(arrows.map(\.score).sheetText)")
    }
    return texts.joined(separator: ", ")
  }
}
