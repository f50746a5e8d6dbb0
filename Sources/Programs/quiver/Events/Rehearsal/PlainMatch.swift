import QuiverAPI

/// The score of a match from its arrows, written anew for the rehearsal.
struct PlainMatch: Sendable, Hashable {
  /// The index of the winning side; nil: not decided.
  private(set) var winner: Int?
  private(set) var setPoints = [0, 0]
  private(set) var totals = [0, 0]
  private(set) var decision = MatchDecision.unspecified
  /// The ends that count.
  private(set) var endCount = 0

  /// The numbers of a system.
  struct Form: Sendable {
    let archers: Int
    let arrowsPerEnd: Int
    let ends: Int
    /// Nil: the totals are compared.
    let winningSetPoints: Int?

    init(_ system: MatchSystem) {
      switch system {
      case .teamSets, .teamCumulative: (archers, arrowsPerEnd, ends) = (3, 6, 4)
      case .mixedTeamSets, .mixedTeamCumulative: (archers, arrowsPerEnd, ends) = (2, 4, 4)
      default: (archers, arrowsPerEnd, ends) = (1, 3, 5)
      }
      switch system {
      case .individualSets: winningSetPoints = 6
      case .teamSets, .mixedTeamSets: winningSetPoints = 5
      default: winningSetPoints = nil
      }
    }
  }

  /// A side's part of a shoot-off.
  struct Shot: Sendable, Hashable {
    var arrows: [RehearsalPlan.Arrow]
    var distances: [Int] = []
    var isCloser = false
  }

  /// `cards` are the ends by side and index, `shootOffs` the shoot-offs by side and index.
  init(
    _ system: MatchSystem, _ cards: [[Int: [RehearsalPlan.Arrow]]], _ shootOffs: [[Int: Shot]],
    forfeits: Set<Int> = []
  ) {
    let form = Form(system)
    count(form, cards)
    if winner == nil, endCount == form.ends { decide(form, shootOffs) }
    if !forfeits.isEmpty {
      winner = [0, 1].first { !forfeits.contains($0) }
      decision = .forfeit
    }
  }

  private mutating func count(_ form: Form, _ cards: [[Int: [RehearsalPlan.Arrow]]]) {
    for end in 0..<form.ends {
      guard let one = cards[0][end], let other = cards[1][end] else { return }
      let sums = [one, other].map { $0.reduce(0) { $0 + $1.value } }
      endCount += 1
      for side in [0, 1] {
        totals[side] += sums[side]
        guard form.winningSetPoints != nil else { continue }
        setPoints[side] += sums[side] > sums[1 - side] ? 2 : sums[side] == sums[1 - side] ? 1 : 0
      }
      guard let needed = form.winningSetPoints else { continue }
      if let side = [0, 1].first(where: { setPoints[$0] >= needed }) {
        (winner, decision) = (side, .arrows)
        return
      }
    }
    if form.winningSetPoints == nil, totals[0] != totals[1] {
      (winner, decision) = (totals[0] > totals[1] ? 0 : 1, .arrows)
    }
  }

  private mutating func decide(_ form: Form, _ shootOffs: [[Int: Shot]]) {
    var index = 0
    while let one = shootOffs[0][index], let other = shootOffs[1][index] {
      index += 1
      let sums = [one, other].map { $0.arrows.reduce(0) { $0 + $1.value } }
      if sums[0] != sums[1] {
        win(sums[0] > sums[1] ? 0 : 1, .shootOff, form)
      } else if sums[0] == 0 {
        continue
      } else if one.isCloser != other.isCloser {
        win(one.isCloser ? 0 : 1, .judgesMark, form)
      } else if !one.distances.isEmpty, !other.distances.isEmpty {
        let sorted = [one.distances.sorted(), other.distances.sorted()]
        if sorted[0] == sorted[1] { continue }
        win(sorted[0].lexicographicallyPrecedes(sorted[1]) ? 0 : 1, .distance, form)
      }
      return
    }
  }

  private mutating func win(_ side: Int, _ by: MatchDecision, _ form: Form) {
    (winner, decision) = (side, by)
    if form.winningSetPoints != nil { setPoints[side] += 1 }
  }
}

/// What both sides of a match shoot.
struct MatchScript: Sendable {
  /// By side, then by end.
  var ends: [[[RehearsalPlan.Arrow]]]
  /// By index, then by side.
  var shootOffs: [[PlainMatch.Shot]] = []
  /// The side that a judge marks as closer in the last shoot-off; nil: none.
  var judgesMark: Int?

  /// How a match that is tied is decided.
  enum Ending: Sendable, CaseIterable {
    case higherArrow
    case distance
    case judgesMark
    case secondShootOff
  }

  /// The ends up to the decision; `ending` has both sides shoot the same arrows in all ends.
  init(
    _ plan: RehearsalPlan, _ stage: EliminationStage, _ match: EliminationMatch, _ key: String,
    _ ending: Ending?
  ) {
    let form = PlainMatch.Form(stage.system)
    let seeds = match.sides.map { Int($0.seed) }
    let group = Int(match.group * 100 + match.groupRound * 10)
    func arrows(_ side: Int, _ end: Int, _ count: Int) -> [RehearsalPlan.Arrow] {
      plan.matchArrows(
        key, round: Int(match.roundSize) + group, index: Int(match.index),
        seed: seeds[ending == nil ? side : 0], end: end, count: count)
    }
    ends = [[], []]
    for end in 0..<form.ends {
      for side in [0, 1] { ends[side].append(arrows(side, end, form.arrowsPerEnd)) }
      if score(stage.system).winner != nil { return }
    }
    shootOff(form, ending ?? .higherArrow)
  }

  /// The score of what is in the script.
  func score(_ system: MatchSystem) -> PlainMatch {
    PlainMatch(
      system, ends.map { Dictionary(uniqueKeysWithValues: $0.enumerated().map { ($0, $1) }) },
      [0, 1].map { side in
        Dictionary(uniqueKeysWithValues: shootOffs.enumerated().map { ($0, $1[side]) })
      })
  }

  private mutating func shootOff(_ form: PlainMatch.Form, _ ending: Ending) {
    func shot(_ value: Int) -> PlainMatch.Shot {
      PlainMatch.Shot(
        arrows: Array(repeating: RehearsalPlan.Arrow(value: value), count: form.archers))
    }
    switch ending {
    case .higherArrow: shootOffs = [[shot(8), shot(9)]]
    case .distance:
      var shots = [shot(10), shot(10)]
      for side in [0, 1] {
        shots[side].distances = (0..<form.archers).map { 120 + 35 * $0 - 40 * side }
      }
      shootOffs = [shots]
    case .judgesMark:
      shootOffs = [[shot(9), shot(9)]]
      judgesMark = 1
    case .secondShootOff: shootOffs = [[shot(0), shot(0)], [shot(10), shot(9)]]
    }
  }
}
