/// Something that a scorer records in a match, before it is stored.
package enum MatchEntry: Sendable, Hashable {
  /// All arrows of one end of one side.
  case end(Int, [ArrowScore])
  /// One side's arrows of a shoot-off.
  case shootOff(Int, ShootOffShot)
}

extension MatchEntry {
  /// The entry, or the rule that it breaks; `path` is before the names of the fields.
  ///
  /// `cards` are those without the entry. An end or a shoot-off after the match is decided is a
  /// violation, and so is a shoot-off before the match is tied. Ends may come in any order.
  package func validated(
    _ rules: MatchRules, _ cards: [MatchCard], side: MatchSide, path: String = ""
  ) throws(RuleViolation) -> MatchEntry {
    switch self {
    case .end(let index, let arrows):
      let form = rules.form
      guard (0..<form.endCount).contains(index) else {
        throw RuleViolation(
          field: path + "end_index", message: "must be from 0 to \(form.endCount - 1)")
      }
      guard arrows.count == form.arrowsPerEnd else {
        throw RuleViolation(
          field: path + "arrows", message: "must be \(form.arrowsPerEnd) in one end of a side")
      }
      try Self.check(arrows, rules, path)
      let before = MatchScore(rules, cards)
      if before.isDecided, index >= before.endsCounted {
        throw RuleViolation(
          field: path + "end_index",
          message: "the match was decided by end \(before.endsCounted)")
      }
    case .shootOff(let index, let shot):
      try checkShootOff(index, shot, rules, cards, side, path)
    }
    return self
  }

  private static func check(
    _ arrows: [ArrowScore], _ rules: MatchRules, _ path: String
  ) throws(RuleViolation) {
    for (index, arrow) in arrows.enumerated() {
      _ = try arrow.validated(on: rules.face, path: path + "arrows[\(index)].")
    }
  }

  private func checkShootOff(
    _ index: Int, _ shot: ShootOffShot, _ rules: MatchRules, _ cards: [MatchCard],
    _ side: MatchSide, _ path: String
  ) throws(RuleViolation) {
    let count = rules.form.shootOffArrowCount
    guard shot.arrows.count == count else {
      throw RuleViolation(
        field: path + "arrows", message: "must be \(count) in a shoot-off of one side")
    }
    guard shot.distances.isEmpty || shot.distances.count == count else {
      throw RuleViolation(
        field: path + "distances", message: "must be none, or one for each arrow")
    }
    guard shot.distances.allSatisfy({ (0...ShootOffShot.maximumDistance).contains($0) }) else {
      throw RuleViolation(
        field: path + "distances",
        message: "must be from 0 to \(ShootOffShot.maximumDistance) tenths of a millimetre")
    }
    try Self.check(shot.arrows, rules, path)
    if shot.isMarkedCloser, cards[side.other.rawValue].shootOffs[index]?.isMarkedCloser == true {
      throw RuleViolation(
        field: path + "is_closer", message: "is the mark of the other side already")
    }
    // The shoot-off itself is taken away, so that its correction is allowed.
    var without = cards
    for place in without.indices { without[place].set(nil, shootOff: index) }
    switch MatchScore(rules, without).progress {
    case .shootOff(index): return
    case .decided:
      throw RuleViolation(field: path + "shoot_off_index", message: "the match is decided")
    case .shootOff(let next), .judging(let next):
      throw RuleViolation(
        field: path + "shoot_off_index", message: "must be \(next), which is not complete")
    case .scheduled, .shooting:
      throw RuleViolation(
        field: path + "shoot_off_index", message: "comes after all ends, if the match is tied")
    }
  }
}
