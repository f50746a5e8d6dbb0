import QuiverRules
import TestSupport
import Testing

@Suite("Matches", .timeLimit(.minutes(5)))
struct MatchScoreTests {
  private static let individual = MatchRules(
    form: MatchForm.of(.individualSets, onDay: 20_000), face: .tenZone)

  static func arrows(_ text: String) -> [ArrowScore] {
    text.split(separator: " ").map { ArrowScore(sheet: $0) ?? ArrowScore(value: 0) }
  }

  private static func card(_ ends: [String], _ shootOffs: [ShootOffShot] = []) -> MatchCard {
    var card = MatchCard()
    for (index, end) in ends.enumerated() { card.set(arrows(end), end: index) }
    for (index, shot) in shootOffs.enumerated() { card.set(shot, shootOff: index) }
    return card
  }

  /// The sums of the sets and the two tens as the Korea Herald published them on 2024-08-04. The
  /// arrows of the fourth set and the distances are examples with the published outcome.
  @Test("the gold match of Paris 2024 ends 6 to 5 by the distance of two tens")
  func paris() {
    let kim = ["10 8 9", "10 8 10", "9 9 9", "9 10 10", "10 10 10"]
    let ellison = ["10 10 9", "9 8 7", "10 10 9", "10 8 9", "10 10 10"]
    let rules = MatchRules(
      .individualSets, onDay: 19_939, face: .tenZone, outdoors: true, isCompound: false)
    let tied = MatchScore(rules, [Self.card(kim), Self.card(ellison)])
    #expect(tied.setPoints == [5, 5] && tied.progress == .shootOff(0))
    let shot = ShootOffShot(Self.arrows("10"), distances: [558])
    let other = ShootOffShot(Self.arrows("10"), distances: [607])
    let score = MatchScore(rules, [Self.card(kim, [shot]), Self.card(ellison, [other])])
    #expect(score.setPoints == [6, 5])
    #expect(score.progress == .decided(winner: .first, .distance))
  }

  @Test("outdoors from 2018-04-01 two first maxima are shot again: a 10, and an X of compounds")
  func firstMaximum() {
    let five = ["10", "10", "10", "10", "10"].map { "\($0) \($0) \($0)" }
    func progress(
      _ shots: [String], day: Int32, outdoors: Bool = true, compound: Bool = false
    ) -> MatchProgress {
      let rules = MatchRules(
        compound ? .individualCumulative : .individualSets, onDay: day, face: .tenZone,
        outdoors: outdoors, isCompound: compound)
      let cards = shots.map { Self.card(five, [ShootOffShot(Self.arrows($0))]) }
      return MatchScore(rules, cards).progress
    }
    #expect(progress(["10", "X"], day: 17_621) == .measuring(0))
    #expect(progress(["10", "X"], day: 17_622) == .shootOff(1))
    #expect(progress(["10", "X"], day: 17_622, outdoors: false) == .measuring(0))
    #expect(progress(["10", "X"], day: 17_622, compound: true) == .measuring(0))
    #expect(progress(["X", "X"], day: 17_622, compound: true) == .shootOff(1))
    #expect(progress(["10", "10"], day: 19_939) == .measuring(0))
    #expect(progress(["9", "9"], day: 17_622) == .measuring(0))
    #expect(progress(["M", "M"], day: 0) == .shootOff(1))
    #expect(progress(["9", "10"], day: 17_622) == .decided(winner: .second, .shootOff))
  }

  @Test("a team's shoot-off is decided by its closest arrow, then by the next one")
  func teamShootOff() {
    let rules = MatchRules(form: MatchForm.of(.teamSets, onDay: 20_000), face: .tenZone)
    let sets = Array(repeating: "10 10 10 10 10 10", count: 4)
    let one = ShootOffShot(Self.arrows("10 9 10"), distances: [200, 650, 310])
    let two = ShootOffShot(Self.arrows("10 10 9"), distances: [300, 200, 400])
    let cards = [Self.card(sets, [one]), Self.card(sets, [two])]
    #expect(MatchScore(rules, cards).progress == .decided(winner: .second, .distance))
    let equal = [Self.card(sets, [one]), Self.card(sets, [one])]
    #expect(MatchScore(rules, equal).progress == .shootOff(1))
    var marked = one
    marked.isMarkedCloser = true
    let decided = [Self.card(sets, [marked]), Self.card(sets, [one])]
    #expect(MatchScore(rules, decided).progress == .decided(winner: .first, .judgesMark))
    #expect(MatchScore(rules, decided).setPoints == [5, 4])
  }

  @Test("cumulative matches compare the sums of 15, 24 and 16 arrows")
  func cumulative() {
    for (system, count) in [
      (MatchSystem.individualCumulative, 15), (.teamCumulative, 24), (.mixedTeamCumulative, 16),
    ] {
      let form = MatchForm.of(system, onDay: 20_000)
      #expect(form.arrowsPerEnd * form.endCount == count)
      let end = Array(repeating: "9", count: form.arrowsPerEnd).joined(separator: " ")
      let better = Array(repeating: "10", count: form.arrowsPerEnd).joined(separator: " ")
      var first = Array(repeating: end, count: form.endCount)
      let second = first
      let rules = MatchRules(form: form, face: .tenZone)
      let tied = MatchScore(rules, [Self.card(first), Self.card(second)])
      #expect(tied.progress == .shootOff(0) && tied.totals == [count * 9, count * 9])
      first[0] = better
      let score = MatchScore(rules, [Self.card(first), Self.card(second)])
      #expect(score.progress == .decided(winner: .first, .arrows) && score.setPoints == [0, 0])
    }
  }

  @Test("a forfeit decides at any time, and two leave no winner")
  func forfeit() {
    let cards = [Self.card(["9 9 9"]), Self.card(["10 10 10"])]
    let one = MatchScore(Self.individual, cards, forfeits: [.second])
    #expect(one.progress == .decided(winner: .first, .forfeit) && one.setPoints == [0, 2])
    let both = MatchScore(Self.individual, cards, forfeits: [.first, .second])
    #expect(both.progress == .decided(winner: nil, .forfeit))
  }

  @Test("an entry that the rules do not allow is refused with its field")
  func refusals() {
    let won = [
      Self.card(["10 10 10", "10 10 10", "10 10 10"]), Self.card(["9 9 9", "9 9 9", "9 9 9"]),
    ]
    let tied = [
      Self.card(Array(repeating: "9 9 9", count: 5)),
      Self.card(Array(repeating: "9 9 9", count: 5)),
    ]
    let nine = Self.arrows("9 9 9")
    let none = [MatchCard(), MatchCard()]
    let values: [(MatchEntry, String)] = [
      (.end(5, nine), "index"), (.end(-1, nine), "index"), (.end(0, Self.arrows("9 9")), "arrows"),
      (.end(0, Self.arrows("9 9 9 9")), "arrows"), (.end(0, []), "arrows"),
      (.end(0, [ArrowScore(value: 11), nine[0], nine[0]]), "arrows[0].value"),
      (.end(0, [nine[0], ArrowScore(value: 9, isX: true), nine[0]]), "arrows[1].is_x"),
      (.shootOff(-1, ShootOffShot([nine[0]])), "index"),
      (.shootOff(0, ShootOffShot(nine)), "arrows"),
      (.shootOff(0, ShootOffShot([nine[0]], distances: [1, 2])), "distances"),
      (.shootOff(0, ShootOffShot([nine[0]], distances: [-1])), "distances"),
      (.shootOff(0, ShootOffShot([nine[0]], distances: [20_001])), "distances"),
      (.shootOff(0, ShootOffShot([ArrowScore(value: -1)])), "arrows[0].value"),
    ]
    for (entry, field) in values {
      let violation = Self.violation { () throws(RuleViolation) in
        try entry.checkValues(Self.individual)
      }
      #expect(violation?.field == field, "\(entry)")
    }
    let marked = ShootOffShot([nine[0]], isMarkedCloser: true)
    var decided = tied
    decided[1].set(marked, shootOff: 0)
    let states: [(MatchEntry, [MatchCard], String)] = [
      (.end(3, nine), won, "index"), (.shootOff(0, ShootOffShot([nine[0]])), none, "index"),
      (.shootOff(0, ShootOffShot([nine[0]])), won, "index"),
      (.shootOff(1, ShootOffShot([nine[0]])), tied, "index"),
      (.shootOff(0, marked), decided, "is_closer"),
    ]
    for (entry, cards, field) in states {
      let violation = Self.violation { () throws(RuleViolation) in
        try entry.checkState(Self.individual, cards, side: .first)
      }
      #expect(violation?.field == field, "\(entry)")
    }
  }

  private static func violation(
    _ body: () throws(RuleViolation) -> Void
  ) -> RuleViolation? {
    do throws(RuleViolation) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test("an end before the decision can be corrected, and then the match goes on")
  func correction() throws {
    var won = [
      Self.card(["10 10 10", "10 10 10", "10 10 10"]), Self.card(["9 9 9", "9 9 9", "9 9 9"]),
    ]
    let entry = MatchEntry.end(2, Self.arrows("8 8 8"))
    try entry.checkValues(Self.individual)
    try entry.checkState(Self.individual, won, side: .first)
    won[0].set(Self.arrows("8 8 8"), end: 2)
    #expect(MatchScore(Self.individual, won).progress == .shooting(end: 3))
  }

  @Test("the score is that of a naive model for any cards, in any order of their ends")
  func naive() {
    let seed = TestSeed.value
    var random = SeededGenerator(seed: seed)
    for round in 0..<3_000 {
      let system = MatchSystem.allCases.randomElement(using: &random)!
      let match = NaiveMatch(system, &random)
      let form = MatchForm.of(system, onDay: 20_000)
      let rules = MatchRules(
        form: form, face: .tenZone, repeatedMaximum: match.repeats ? ArrowScore(value: 10) : nil)
      var cards = [MatchCard(), MatchCard()]
      for side in 0..<2 {
        for (end, arrows) in Array(match.ends[side].enumerated()).shuffled(using: &random) {
          cards[side].set(arrows.map { ArrowScore(value: $0) }, end: end)
        }
        for (index, shot) in match.shots[side].enumerated() {
          cards[side].set(
            ShootOffShot(shot.arrows.map { ArrowScore(value: $0) }, distances: shot.distances),
            shootOff: index)
        }
      }
      let score = MatchScore(rules, cards)
      let place: Comment = "seed \(seed), round \(round), \(system)"
      #expect(score.winner?.rawValue == match.winner, place)
      #expect(score.setPoints == match.setPoints, place)
      #expect(score.totals == match.totals, place)
    }
  }
}

/// A match as a scorer would reckon it on paper, written without the rules of the module. Ends go
/// on after the decision, and must not count.
private struct NaiveMatch {
  var ends: [[[Int]]] = [[], []]
  var shots: [[(arrows: [Int], distances: [Int])]] = [[], []]
  let repeats: Bool
  var setPoints = [0, 0]
  var totals = [0, 0]
  var winner: Int?

  init(_ system: MatchSystem, _ random: inout SeededGenerator) {
    repeats = Bool.random(using: &random)
    // Archers, arrows of an end, ends, set points to win.
    let (archers, arrows, count, target): (Int, Int, Int, Int) =
      switch system {
      case .individualSets: (1, 3, 5, 6)
      case .teamSets: (3, 6, 4, 5)
      case .mixedTeamSets: (2, 4, 4, 5)
      case .individualCumulative: (1, 3, 5, .max)
      case .teamCumulative: (3, 6, 4, .max)
      case .mixedTeamCumulative: (2, 4, 4, .max)
      }
    let lowest = Int.random(in: 0...10, using: &random)
    func shoot(_ count: Int, _ random: inout SeededGenerator) -> [Int] {
      (0..<count).map { _ in Int.random(in: lowest...10, using: &random) }
    }
    for _ in 0..<count {
      for side in 0..<2 { ends[side].append(shoot(arrows, &random)) }
      guard winner == nil else { continue }
      let (one, two) = (ends[0].last!.reduce(0, +), ends[1].last!.reduce(0, +))
      totals = [totals[0] + one, totals[1] + two]
      guard target != .max else { continue }
      if one > two { setPoints[0] += 2 }
      if two > one { setPoints[1] += 2 }
      if one == two { setPoints = setPoints.map { $0 + 1 } }
      winner = setPoints.firstIndex { $0 >= target }
    }
    if target == .max, totals[0] != totals[1] { winner = totals[0] > totals[1] ? 0 : 1 }
    let isShootOff = winner == nil
    var number = 0
    while winner == nil {
      for side in 0..<2 {
        shots[side].append(
          (
            shoot(archers, &random),
            (0..<archers).map { _ in Int.random(in: 0...2, using: &random) }
          ))
      }
      let (one, two) = (shots[0].last!, shots[1].last!)
      let (sum, otherSum) = (one.arrows.reduce(0, +), two.arrows.reduce(0, +))
      let isMaximum = repeats && number == 0 && sum == 10 * archers
      if sum > otherSum { winner = 0 }
      if otherSum > sum { winner = 1 }
      if sum == otherSum, sum > 0, !isMaximum {
        for (near, otherNear) in zip(one.distances.sorted(), two.distances.sorted())
        where near != otherNear && winner == nil {
          winner = near < otherNear ? 0 : 1
        }
      }
      number += 1
    }
    if isShootOff, target != .max { setPoints[winner!] += 1 }
  }
}
