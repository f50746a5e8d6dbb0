/// The rules that one match is shot under.
package struct MatchRules: Sendable, Hashable {
  /// The system in the form of the event's day.
  package let form: MatchForm
  /// The face on which arrows are valid.
  package let face: TargetFace
  /// The arrow that both sides must have in a first shoot-off for it to be shot again; nil: it is
  /// decided by the distance.
  package let repeatedMaximum: ArrowScore?

  /// Creates a value; each parameter is the property of its name.
  package init(form: MatchForm, face: TargetFace, repeatedMaximum: ArrowScore? = nil) {
    self.form = form
    self.face = face
    self.repeatedMaximum = repeatedMaximum
  }

  /// The rules of a system on a day. A compound's maximum is the X where the face has one.
  package init(
    _ system: MatchSystem, onDay day: Int32, face: TargetFace, outdoors: Bool, isCompound: Bool
  ) {
    form = MatchForm.of(system, onDay: day)
    self.face = face
    let specification = face.specification
    let isShotAgain = FirstShootOffRule.isShotAgain(onDay: day, system, outdoors: outdoors)
    repeatedMaximum =
      isShotAgain
      ? ArrowScore(
        value: specification.topValue, isX: isCompound && specification.xRing != nil)
      : nil
  }

  /// Whether an arrow is the maximum that has a first shoot-off shot again.
  func isRepeatedMaximum(_ arrow: ArrowScore) -> Bool {
    guard let maximum = repeatedMaximum else { return false }
    return arrow.value == maximum.value && (arrow.isX || !maximum.isX)
  }
}

/// What decided a match.
package enum MatchDecision: Int32, Sendable, Hashable {
  /// Set points, or the total of all arrows.
  case arrows = 1
  /// The total of a shoot-off.
  case shootOff = 2
  /// The distance of the arrows of a shoot-off.
  case distance = 3
  /// The mark of a judge in a shoot-off.
  case judgesMark = 4
  /// The other side forfeited.
  case forfeit = 5
  /// There was no opponent.
  case bye = 6
}

/// How far a match is.
package enum MatchProgress: Sendable, Hashable {
  /// Nothing was recorded.
  case scheduled
  /// The end of this index is next.
  case shooting(end: Int)
  /// The shoot-off of this index is next.
  case shootOff(Int)
  /// The shoot-off of this index is tied: a distance or a judge's mark has to be recorded.
  case measuring(Int)
  /// The match is decided; without a winner if both sides forfeited.
  case decided(winner: MatchSide?, MatchDecision)
}

/// The score of a match: a fold over its two cards.
///
/// The cards alone decide, so that any order of their operations leaves the same score. Ends after
/// the one that decided do not count.
package struct MatchScore: Sendable, Hashable {
  /// The set points by side; 0 where totals are compared. The winner of a shoot-off has one more.
  package private(set) var setPoints = [0, 0]
  /// The sum of the arrows that count, without shoot-offs, by side.
  package private(set) var totals = [0, 0]
  /// The ends that count.
  package private(set) var endsCounted = 0
  /// How far the match is.
  package private(set) var progress = MatchProgress.scheduled

  /// The winner; nil if the match is not decided, or both sides forfeited.
  package var winner: MatchSide? {
    guard case .decided(let winner, _) = progress else { return nil }
    return winner
  }

  /// Whether the match is decided.
  package var isDecided: Bool {
    guard case .decided = progress else { return false }
    return true
  }

  /// The score of two cards. `forfeits` are the sides that do not shoot or stopped.
  package init(
    _ rules: MatchRules, _ cards: [MatchCard], forfeits: Set<MatchSide> = []
  ) {
    let isTied = countEnds(rules, cards)
    if isTied { shootOffs(rules, cards) }
    guard !forfeits.isEmpty else { return }
    let left = MatchSide.allCases.filter { !forfeits.contains($0) }
    progress = .decided(winner: left.first, .forfeit)
  }

  /// Adds the ends in their order; returns whether all were shot and the match is tied.
  private mutating func countEnds(_ rules: MatchRules, _ cards: [MatchCard]) -> Bool {
    for end in 0..<rules.form.endCount {
      guard let first = cards[0].total(ofEnd: end), let second = cards[1].total(ofEnd: end) else {
        let isEmpty = cards.allSatisfy(\.isEmpty)
        progress = isEmpty ? .scheduled : .shooting(end: end)
        return false
      }
      totals[0] += first
      totals[1] += second
      endsCounted = end + 1
      guard let winning = rules.form.winningSetPoints else { continue }
      setPoints[0] += first > second ? 2 : first == second ? 1 : 0
      setPoints[1] += second > first ? 2 : first == second ? 1 : 0
      if let winner = MatchSide.allCases.first(where: { setPoints[$0.rawValue] >= winning }) {
        progress = .decided(winner: winner, .arrows)
        return false
      }
    }
    if rules.form.winningSetPoints == nil, totals[0] != totals[1] {
      progress = .decided(winner: totals[0] > totals[1] ? .first : .second, .arrows)
      return false
    }
    return true
  }

  private mutating func shootOffs(_ rules: MatchRules, _ cards: [MatchCard]) {
    var index = 0
    while let first = cards[0].shootOffs[index], let second = cards[1].shootOffs[index] {
      switch Self.verdict(first, second, index: index, rules) {
      case .again: index += 1
      case .tied:
        progress = .measuring(index)
        return
      case .won(let winner, let decision):
        if rules.form.winningSetPoints != nil { setPoints[winner.rawValue] += 1 }
        progress = .decided(winner: winner, decision)
        return
      }
    }
    progress = .shootOff(index)
  }

  private enum ShootOffVerdict {
    case won(MatchSide, MatchDecision)
    case again
    case tied
  }

  /// The higher total wins; then the arrow closest to the centre, then a team's next closest.
  ///
  /// It is shot again where both sides missed, the first one hit the maximum and the rule of the
  /// day says so, or all distances are equal.
  private static func verdict(
    _ first: ShootOffShot, _ second: ShootOffShot, index: Int, _ rules: MatchRules
  ) -> ShootOffVerdict {
    if first.total != second.total {
      return .won(first.total > second.total ? .first : .second, .shootOff)
    }
    if first.total == 0 { return .again }
    let arrows = first.arrows + second.arrows
    if index == 0, arrows.allSatisfy(rules.isRepeatedMaximum) { return .again }
    if first.isMarkedCloser != second.isMarkedCloser {
      return .won(first.isMarkedCloser ? .first : .second, .judgesMark)
    }
    guard !first.distances.isEmpty, !second.distances.isEmpty else { return .tied }
    let (left, right) = (first.closestFirst, second.closestFirst)
    if left == right { return .again }
    return .won(left.lexicographicallyPrecedes(right) ? .first : .second, .distance)
  }
}
