/// Something that a scorer records in a match, before it is stored.
package enum MatchEntry: Sendable, Hashable {
  /// All arrows of one end of one side.
  case end(Int, [ArrowScore])
  /// One side's arrows of a shoot-off.
  case shootOff(Int, ShootOffShot)
}

extension MatchEntry {
  /// Throws unless the entry can be on a card at all: its index, the number of its arrows, their
  /// values on the face, and distances. `path` is before the names of the fields.
  package func checkValues(_ rules: MatchRules, path: String = "") throws(RuleViolation) {
    let form = rules.form
    let (arrows, count): ([ArrowScore], Int)
    switch self {
    case .end(let index, let end):
      guard (0..<form.endCount).contains(index) else {
        throw RuleViolation(
          field: path + "index", message: "must be from 0 to \(form.endCount - 1)")
      }
      (arrows, count) = (end, form.arrowsPerEnd)
    case .shootOff(let index, let shot):
      guard index >= 0 else {
        throw RuleViolation(field: path + "index", message: "must not be negative")
      }
      try shot.checkDistances(form, path: path)
      (arrows, count) = (shot.arrows, form.shootOffArrowCount)
    }
    guard arrows.count == count else {
      throw RuleViolation(field: path + "arrows", message: "must be \(count) of one side")
    }
    for (index, arrow) in arrows.enumerated() {
      _ = try arrow.validated(on: rules.face, path: path + "arrows[\(index)].")
    }
  }

  /// Throws unless the match has a place for the entry: an end or a shoot-off after the match is
  /// decided has none, nor a shoot-off before the match is tied. Ends may come in any order.
  ///
  /// `cards` may have the entry that this one corrects.
  package func checkState(
    _ rules: MatchRules, _ cards: [MatchCard], side: MatchSide, path: String = ""
  ) throws(RuleViolation) {
    switch self {
    case .end(let index, _):
      let score = MatchScore(rules, cards)
      guard !score.isDecided || index < score.endsCounted else {
        throw RuleViolation(
          field: path + "index", message: "the match was decided by end \(score.endsCounted)")
      }
    case .shootOff(let index, let shot):
      let opposite = cards[side.other.rawValue].shootOffs[index]
      guard !shot.isMarkedCloser || opposite?.isMarkedCloser != true else {
        throw RuleViolation(
          field: path + "is_closer", message: "is the mark of the other side already")
      }
      try Self.checkNext(index, rules, cards, path)
    }
  }

  /// Throws unless the shoot-off is the next one, or one that decided until now.
  private static func checkNext(
    _ index: Int, _ rules: MatchRules, _ cards: [MatchCard], _ path: String
  ) throws(RuleViolation) {
    var without = cards
    for place in without.indices { without[place].set(nil, shootOff: index) }
    let field = path + "index"
    switch MatchScore(rules, without).progress {
    case .shootOff(index): return
    case .decided: throw RuleViolation(field: field, message: "the match is decided")
    case .shootOff(let next), .measuring(let next):
      throw RuleViolation(field: field, message: "must be \(next), which is not complete")
    case .scheduled, .shooting:
      throw RuleViolation(
        field: field, message: "a shoot-off comes after all ends, if the match is tied")
    }
  }
}

extension ShootOffShot {
  fileprivate func checkDistances(_ form: MatchForm, path: String) throws(RuleViolation) {
    let field = path + "distances"
    guard distances.isEmpty || distances.count == form.shootOffArrowCount else {
      throw RuleViolation(field: field, message: "must be none, or one for each arrow")
    }
    guard distances.allSatisfy({ (0...Self.maximumDistance).contains($0) }) else {
      throw RuleViolation(
        field: field,
        message: "must be from 0 to \(Self.maximumDistance) tenths of a millimetre")
    }
  }
}
