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
    let place = try transaction.placeOfChangedEnds(participant)
    let ends = try place.ends(index, rule == .missedEnds ? count : 1, field: "end_index")
    try transaction.checkDistance(of: ends, at: place)
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

  /// Leaves the arrows that count where they are, and puts the others that count in place of those
  /// that do not.
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
    var missing = EndRules.lowest(end.arrowCount, of: arrows)
    var shots = try transaction.shots(ofEnd: index, at: place)
    for (slot, shot) in shots.enumerated() {
      let found = shot.flatMap { missing.firstIndex(of: $0.score) }
      if let found { missing.remove(at: found) } else { shots[slot] = nil }
    }
    var others = missing.makeIterator()
    try transaction.write(
      shots.map { $0 ?? others.next().map { EndShot($0) } }, end: index, of: participant,
      reason: reason)
  }

  private func missHighest(
    _ place: ScoringPlace, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    guard let end = place.format.end(index) else { return }
    guard count <= end.arrowCount else {
      throw .invalid("count", "must be at most the \(end.arrowCount) arrows of the end")
    }
    let shots = try transaction.shots(ofEnd: index, at: place).compactMap { $0 }
    guard shots.count == end.arrowCount else {
      throw StoreError(
        .failedPrecondition, "the end has \(shots.count) of \(end.arrowCount) arrows",
        field: "end_index")
    }
    let counted = EndRules.withoutHighest(count, in: shots.map(\.score))
    try transaction.write(
      zip(shots, counted).map { $0.score == $1 ? $0 : EndShot($1) }, end: index, of: participant,
      areSameArrows: true, reason: reason)
  }

  private func missEnds(
    _ ends: Range<Int>, _ place: ScoringPlace, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    var isAnyMissing = false
    for end in ends {
      let shots = try transaction.shots(ofEnd: end, at: place)
      guard shots.contains(where: { $0 == nil }) else { continue }
      isAnyMissing = true
      let filled = shots.map { $0 ?? EndShot(ArrowScore(value: 0)) }
      try transaction.write(filled, end: end, of: participant, reason: reason)
    }
    guard isAnyMissing else {
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
    let place = try transaction.placeOfChangedEnds(participant)
    let ends = try place.ends(first, count, field: "first_end")
    try transaction.checkDistance(of: ends, at: place)
    guard other != 0 else { return [try move(ends, place, transaction)] }
    let second = try transaction.placeOfChangedEnds(other, field: "other_participant_id")
    try place.checkExchange(of: ends, with: second)
    try transaction.checkDistance(of: ends, at: second, field: "other_participant_id")
    let before = [
      try transaction.endTexts(ends, of: place), try transaction.endTexts(ends, of: second),
    ]
    var written = 0
    for end in ends {
      let own = try transaction.shots(ofEnd: end, at: place)
      let others = try transaction.shots(ofEnd: end, at: second)
      written += (own + others).count { $0 != nil }
      try transaction.write(others, end: end, of: participant, reason: reason)
      try transaction.write(own, end: end, of: other, reason: reason)
    }
    guard written > 0 else { throw Self.empty }
    var cards: [ComparedCardRecord] = []
    for (changed, text) in zip([place, second], before) {
      let id = changed.participant.id
      try transaction.endsDidChange(ends, of: changed, areMoved: true)
      try transaction.recordCard(
        changed.participant, "card.exchange",
        before: "\(text) / \(id == participant ? other : participant)",
        after: try transaction.endTexts(ends, of: changed), reason: reason)
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
      place.isOneDistance(all)
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
    try transaction.endsDidChange(all, of: place, areMoved: true)
    try transaction.recordCard(
      place.participant, "card.move", before: before,
      after: try transaction.endTexts(all, of: place), reason: reason)
    return try transaction.snapshot.comparedCard(participant: participant)
  }
}

/// An arrow of an end as it is written to a slot.
struct EndShot: Sendable {
  let score: ArrowScore
  var position: ArrowPosition?
  var input: InputMode?
  var shaft = 0
  /// 0: now.
  var scoredAtMilliseconds: Int64 = 0

  /// One of which no more is known.
  init(_ score: ArrowScore) { self.score = score }

  init(_ arrow: ScoredArrowRecord) {
    score = arrow.score
    (position, input, shaft) = (arrow.position, arrow.input, arrow.shaft)
    scoredAtMilliseconds = arrow.scoredAtMilliseconds
  }

  /// Whether nothing but the time differs.
  func isLike(_ other: EndShot) -> Bool {
    score == other.score && position == other.position && input == other.input
      && shaft == other.shaft
  }
}

extension ScoringPlace {
  /// Some ends of one distance; throws where the round does not have them, or they are typed.
  fileprivate func ends(
    _ first: Int, _ count: Int, field: String
  ) throws(StoreError) -> Range<Int> {
    guard let end = format.end(first) else {
      throw .invalid(field, "must be below \(format.endCount)")
    }
    guard count <= format.endCount - first else {
      throw .invalid("count", "must be at most the \(format.endCount - first) ends from there on")
    }
    let ends = first..<first + count
    guard isOneDistance(ends) else {
      throw .invalid("count", "must be of ends of one distance")
    }
    try checkArrowsCount(end, field: field)
    return ends
  }

  fileprivate func isOneDistance(_ ends: Range<Int>) -> Bool {
    guard let first = format.end(ends.lowerBound) else { return false }
    return ends.allSatisfy { index in
      format.end(index).map {
        $0.passIndex == first.passIndex && $0.arrowCount == first.arrowCount
      } ?? false
    }
  }

  /// Throws unless the arrows of these ends can be those of another archer of the event.
  fileprivate func checkExchange(
    of ends: Range<Int>, with other: ScoringPlace
  ) throws(StoreError) {
    let field = "other_participant_id"
    guard other.participant.sessionID == participant.sessionID else {
      throw StoreError(.failedPrecondition, "is in another event", field: field)
    }
    for index in ends {
      guard let own = format.end(index), let end = other.format.end(index),
        own.arrowCount == end.arrowCount, own.pass.face == end.pass.face
      else {
        throw StoreError(
          .failedPrecondition,
          "shoots end \(index + 1) with another number of arrows, or at another face",
          field: field)
      }
      try other.checkArrowsCount(end, field: field)
    }
  }

  private func checkArrowsCount(_ end: RoundFormat.End, field: String) throws(StoreError) {
    guard !isTyped(end) else {
      throw StoreError(
        .failedPrecondition,
        "the sums of distance \(end.passIndex + 1) are typed, and its arrows do not count",
        field: field)
    }
  }
}

extension Transaction {
  /// A participant whose ends a judge may change; throws for who is none, and for a card that is
  /// closed.
  fileprivate func placeOfChangedEnds(
    _ participant: Int64, field: String = "participant_id"
  ) throws(StoreError) -> ScoringPlace {
    let place = try cardPlace(participant, field: field)
    try checkJudge(place)
    try checkOpen(place, field: field)
    return place
  }

  /// The slots of an end of the first card.
  fileprivate func shots(
    ofEnd index: Int, at place: ScoringPlace
  ) throws(StoreError) -> [EndShot?] {
    var shots = [EndShot?](repeating: nil, count: place.format.end(index)?.arrowCount ?? 0)
    for arrow in try snapshot.firstCard(round: place.round, end: index)
    where shots.indices.contains(arrow.slot.arrowIndex) {
      shots[arrow.slot.arrowIndex] = EndShot(arrow)
    }
    return shots
  }

  /// Leaves these arrows in the slots of an end of the first card, and nothing where there is nil.
  /// What is there already stays.
  ///
  /// Another arrow takes the place of one that is emptied first, so that it has its own shaft and
  /// time; `areSameArrows` states that the values of the same arrows change.
  fileprivate func write(
    _ shots: [EndShot?], end index: Int, of participant: Int64, areSameArrows: Bool = false,
    reason: String
  ) throws(StoreError) {
    guard let place = try snapshot.scoringPlace(participant: participant) else { return }
    let present = try snapshot.firstCard(round: place.round, end: index)
    for (slot, shot) in shots.enumerated() {
      let current = present.first { $0.slot.arrowIndex == slot }
      if let current, let shot, shot.isLike(EndShot(current)) { continue }
      var content = OperationDraft.Content(.id(participant))
      content.endIndex = UInt32(clamping: index)
      content.arrowIndex = UInt32(clamping: slot)
      content.reason = reason
      if let current {
        content.replaces = .id(current.operationID)
        content.kind = areSameArrows && shot != nil ? .correct : .retract
        if let shot, content.kind == .correct { content.put(shot) }
        try putQuietly(content, on: participant)
      }
      guard let shot, current == nil || content.kind == .retract else { continue }
      content.replaces = nil
      content.kind = .record
      content.put(shot)
      try putQuietly(content, on: participant)
    }
  }

  /// Compares changed ends of both cards, and takes confirmations back. A ruling was about the
  /// arrows that were there: where ends are moved it does not hold any more.
  fileprivate func endsDidChange(
    _ ends: Range<Int>, of place: ScoringPlace, areMoved: Bool = false
  ) throws(StoreError) {
    guard place.cardState != .none else { return }
    for end in ends { try compareEnd(end, at: place, keepsRuling: !areMoved) }
    try takeConfirmationsBack(
      place, distance: (place.format.end(ends.lowerBound)?.passIndex ?? -1) + 1)
  }

  /// Throws where archer and scorer have confirmed the distance of ends.
  fileprivate func checkDistance(
    of ends: Range<Int>, at place: ScoringPlace, field: String = "participant_id"
  ) throws(StoreError) {
    guard try snapshot.isConfirmed(distanceOfEnd: ends.lowerBound, at: place),
      let end = place.format.end(ends.lowerBound)
    else { return }
    throw .confirmedDistance(end.passIndex + 1, field)
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

extension OperationDraft.Content {
  /// Takes what is known of an arrow.
  fileprivate mutating func put(_ shot: EndShot) {
    value = UInt32(clamping: shot.score.value)
    isX = shot.score.isX
    (x, y) = (shot.position?.x, shot.position?.y)
    input = shot.input?.rawValue ?? 0
    shaft = UInt32(clamping: shot.shaft)
    scoredAtMilliseconds = shot.scoredAtMilliseconds
  }
}
