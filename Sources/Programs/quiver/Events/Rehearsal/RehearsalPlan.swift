import QuiverAPI
import QuiverRules

/// What a rehearsal shoots: the seed and the number of archers decide it.
struct RehearsalPlan: Sendable {
  let seed: UInt64
  /// On each day an archer shoots one round, on another target.
  let dayCount: Int
  let categories: [Category]
  private(set) var archers: [Archer] = []
  private(set) var ties: [Tie] = []

  static let dayCounts = 1...2
  /// The ends of the round of each day.
  private static let endCounts = [12, 6]
  /// A round has its arrows in distances of so many ends.
  private static let endsPerDistance = 6
  static let arrowsPerEnd = 6
  static let archersPerTarget = 4
  /// The categories need this many archers.
  static let archerCounts = 48...400

  /// One arrow.
  struct Arrow: Sendable, Hashable {
    var value: Int
    var isX = false
  }

  /// A category with its cut.
  struct Category: Sendable {
    let code: String
    let name: String
    /// The codename of its round; nil: that of the event.
    let round: String?
    let bowstyle: QuiverAPI.Bowstyle
    let gender: QuiverAPI.ArcherGender
    let policy: PlainPolicy
    /// The index of its session.
    let session: Int
    let targets: ClosedRange<UInt32>
    let archerCount: Int
    let cut: Int
    /// The first 8 of a cut of 57 to 104 start in 1/16, but not where all start with a match.
    var exemptSeeds: UInt32 { cut > 56 && cut <= 104 && cut != 64 ? 8 : 0 }
    let system: QuiverAPI.MatchSystem
    /// Whether those who are cut shoot in two groups first.
    let hasGroups: Bool
  }

  /// An archer with the arrows that count in the end.
  struct Archer: Sendable {
    let bib: String
    let name: String
    let club: String
    let country: String
    let category: Int
    var ends: [[Arrow]]
    var fate = Fate.shootsAll
    /// What the total on paper is; nil: there is none.
    var paper: PaperCard?
    /// Of which distance the paper is, from 1; 0: of the whole card.
    var paperPart = 0
    /// The ends that are on the paper.
    var paperEnds = 0..<0

    /// The number of ends that are shot.
    var shotEndCount: Int {
      switch fate {
      case .shootsAll, .isDisqualified, .isLate, .isOnPaper: ends.count
      case .doesNotStart: 0
      case .stops(let count), .withdraws(let count): count
      }
    }

    /// The number of ends that devices record.
    var recordedEndCount: Int {
      if case .isOnPaper(let first) = fate { first } else { shotEndCount }
    }

    var tally: PlainTally {
      var tally = PlainTally(ends.prefix(shotEndCount))
      if paper == .isLower { tally.deduct(Deduction(PlainTally(ends[paperEnds]))) }
      return tally
    }

    /// Whether the archer has a rank in the category.
    var isRanked: Bool {
      switch fate {
      case .shootsAll, .stops, .isLate, .isOnPaper: true
      case .doesNotStart, .withdraws, .isDisqualified: false
      }
    }
  }

  /// What becomes of an archer.
  enum Fate: Sendable, Hashable {
    case shootsAll
    case doesNotStart
    case stops(Int)
    case withdraws(Int)
    case isDisqualified
    /// The last end reaches the server after the event was finalised.
    case isLate
    /// A device records so many ends; then an official types the sums of all of them from a paper.
    case isOnPaper(Int)
  }

  /// How the total of a paper card compares with the arrows.
  enum PaperCard: Sendable, CaseIterable {
    case isEqual
    /// The arrows count.
    case isHigher
    /// The paper counts until a judge reopens the card, and the right total is typed.
    case isMisread
    /// The paper counts. It has an X less, too, where the arrows have one.
    case isLower

    /// By how many points a paper differs.
    static let difference = 2
  }

  /// What a lower paper takes away.
  struct Deduction: Sendable, Hashable {
    var points: Int
    var xCount: Int

    init(points: Int = 0, xCount: Int = 0) { (self.points, self.xCount) = (points, xCount) }

    /// What the paper has less than these arrows.
    init(_ tally: PlainTally) {
      points = PaperCard.difference
      xCount = min(1, tally.xCount)
    }
  }

  /// Archers of a category with equal keys, in the order of the decided tie.
  struct Tie: Sendable {
    let category: Int
    /// Indices of archers, best first.
    let archers: [Int]
    let decision: TieDecision
  }

  init(seed: UInt64, archerCount: Int, dayCount: Int = 1) {
    self.seed = seed
    self.dayCount = dayCount
    categories = Self.categories(archerCount)
    var random = SplitMix64(seed: seed)
    let clubCount = max(3, archerCount / 12)
    for (index, category) in categories.enumerated() {
      for _ in 0..<category.archerCount {
        archers.append(archer(archers.count + 1, of: index, clubCount, &random))
      }
    }
    chooseFates()
    tieArchers()
    findTies(&random)
  }

  /// The ends of a card that are shot on a day, from 0.
  func ends(ofDay day: Int) -> Range<Int> {
    let first = Self.endCounts.prefix(day).reduce(0, +)
    return first..<first + Self.endCounts[day]
  }

  /// The number of ends of a card.
  var endCount: Int { Self.endCounts.prefix(dayCount).reduce(0, +) }

  /// The arrows of the round of a day.
  func arrowCount(ofDay day: Int) -> Int { Self.endCounts[day] * Self.arrowsPerEnd }

  /// The indices of the ranked archers of a category, best first.
  func ranking(of category: Int) -> [Int] {
    let keys = categories[category].policy
    return archers.indices.filter { archers[$0].category == category && archers[$0].isRanked }
      .sorted { left, right in
        let (leftKeys, rightKeys) = (
          keys.keys(archers[left].tally), keys.keys(archers[right].tally)
        )
        return leftKeys == rightKeys
          ? left < right : rightKeys.lexicographicallyPrecedes(leftKeys)
      }
  }

  private static func categories(_ count: Int) -> [Category] {
    let counts = [36, 28, 20, 10].map { count * $0 / 100 }
    let last = count - counts.reduce(0, +)
    var next: [UInt32] = [1, 1]
    func targets(_ archers: Int, _ session: Int) -> ClosedRange<UInt32> {
      let first = next[session]
      next[session] += UInt32((archers + archersPerTarget - 1) / archersPerTarget)
      return first...(next[session] - 1)
    }
    func category(
      _ code: String, _ name: String, _ round: String?, _ bowstyle: QuiverAPI.Bowstyle,
      _ gender: QuiverAPI.ArcherGender, _ policy: PlainPolicy, _ session: Int, _ count: Int,
      cut: Int,
      _ system: QuiverAPI.MatchSystem, hasGroups: Bool = false
    ) -> Category {
      Category(
        code: code, name: name, round: round, bowstyle: bowstyle, gender: gender, policy: policy,
        session: session, targets: targets(count, session), archerCount: count, cut: cut,
        system: system, hasGroups: hasGroups)
    }
    return [
      category(
        "RM", "Recurve Men", nil, .recurve, .open, .xFirst, 0, counts[0],
        cut: powerOfTwo(atMost: counts[0] * 3 / 5), .individualSets),
      category(
        "RW", "Recurve Women", nil, .recurve, .female, .xFirst, 0, counts[1],
        cut: counts[1] >= 100 ? 60 : counts[1] * 3 / 7, .individualSets),
      category(
        "CM", "Compound Men", "wa720_50_c", .compound, .open, .tensFirst, 1, counts[2],
        cut: powerOfTwo(atMost: counts[2] * 3 / 5), .individualCumulative),
      category(
        "CW", "Compound Women", "wa720_50_c", .compound, .female, .xFirst, 1, counts[3],
        cut: max(2, counts[3] * 2 / 5), .individualCumulative),
      category(
        "BB", "Barebow", "wa720_50_b", .barebow, .unspecified, .xFirst, 1, last,
        cut: max(4, last / 3 * 2), .individualSets, hasGroups: true),
    ]
  }

  private static func powerOfTwo(atMost bound: Int) -> Int {
    var power = 2
    while power * 2 <= bound { power *= 2 }
    return power
  }

  private static let givenNames = [
    "Anna", "Brady", "Casey", "Deepika", "Élodie", "Φωτεινή", "Юлия", "李", "سارة", "Jana", "Kim",
    "Łukasz", "Mete", "Nora", "Åsa",
  ]
  private static let familyNames = [
    "Adams", "Bernard", "Çelik", "D'Almeida", "Ellison", "Παπαδοπούλου", "Иванова", "小明", "العلي",
    "Kaufhold", "San", "Wójcik", "Gazoz", "O’Brien", "van den Berg", "Öberg",
  ]
  private static let clubs = [
    "Bowmen of Ash", "Clickers AC", "Les Archers de Lyon", "Bogenclub Süd", "Τοξότες Αθήνας",
    "Стрела", "东京射手", "نادي السهم", "Golden Ends", "Kestrels", "Longshots", "Northern Vanes",
    "Oak & Yew", "Pinwheel", "Quiver Club", "Red Feathers",
  ]
  private static let countries = ["GBR", "FRA", "GER", "GRE", "KAZ", "JPN", "QAT", "USA"]

  private func archer(
    _ number: Int, of category: Int, _ clubCount: Int, _ random: inout SplitMix64
  ) -> Archer {
    let club = Int.random(in: 0..<min(clubCount, Self.clubs.count), using: &random)
    let compound = categories[category].bowstyle == .compound
    let spread = Double.random(in: compound ? 1.2...2.6 : 2...6.5, using: &random)
    let ends = (0..<endCount).map { _ in
      (0..<Self.arrowsPerEnd).map { _ in
        Self.arrow(spread, lowest: compound ? 6 : 1, &random)
      }
    }
    let given = Self.givenNames[Int.random(in: Self.givenNames.indices, using: &random)]
    let family = Self.familyNames[Int.random(in: Self.familyNames.indices, using: &random)]
    return Archer(
      bib: "\(number)", name: "\(given) \(family)", club: Self.clubs[club],
      country: Self.countries[club % Self.countries.count], category: category, ends: ends)
  }

  private static func arrow(
    _ spread: Double, lowest: Int, _ random: inout SplitMix64
  ) -> Arrow {
    let miss = (0..<3).reduce(0.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
    let value = 10 - Int(miss / 3 * spread)
    guard value >= lowest else { return Arrow(value: 0) }
    return Arrow(value: value, isX: value == 10 && Bool.random(using: &random))
  }

  /// Of the last ones of some categories, so that no cut depends on them.
  private mutating func chooseFates() {
    func last(_ category: Int, _ place: Int) -> Int {
      let ranking = ranking(of: category)
      return ranking[ranking.count - 1 - place]
    }
    let fates: [(Int, Fate)] = [
      (last(0, 0), .doesNotStart), (last(0, 1), .doesNotStart), (last(0, 2), .withdraws(7)),
      (last(1, 0), .stops(dayCount > 1 ? 14 : 8)), (last(2, 0), .isDisqualified),
      (last(4, 0), .isLate),
    ]
    let papers = PaperCard.allCases.enumerated().map { (last(0, $0 + 3), $1) }
    let typed = dayCount > 1 ? nil : last(1, 1)
    for (archer, fate) in fates { archers[archer].fate = fate }
    for (number, (archer, paper)) in papers.enumerated() {
      archers[archer].paper = paper
      // Some papers are of one distance.
      let part = (number + Int(seed % 2)) % (endCount / Self.endsPerDistance + 1)
      archers[archer].paperPart = part
      let first = (part - 1) * Self.endsPerDistance
      archers[archer].paperEnds = part == 0 ? 0..<endCount : first..<first + Self.endsPerDistance
    }
    if let typed { archers[typed].fate = .isOnPaper(endCount / 2) }
  }

  /// Gives archers across a cut, and the first two of a category, the same arrows in other ends.
  private mutating func tieArchers() {
    let places = [
      (0, categories[0].cut - 2, 3), (1, 0, 2), (2, categories[2].cut - 1, 2),
    ]
    for (category, first, count) in places {
      let ranking = ranking(of: category)
      for place in (first + 1)..<(first + count) {
        let shift = place - first
        let ends = archers[ranking[first]].ends
        archers[ranking[place]].ends = Array(ends[shift...] + ends[..<shift])
      }
    }
  }

  /// All ties at rank 1 and across a cut, decided at random.
  private mutating func findTies(_ random: inout SplitMix64) {
    for (index, category) in categories.enumerated() {
      let ranking = ranking(of: index)
      func keys(_ place: Int) -> [Int] { category.policy.keys(archers[ranking[place]].tally) }
      var places: [Int] = []
      if keys(0) == keys(1) { places.append(0) }
      if keys(category.cut - 1) == keys(category.cut),
        places.isEmpty || keys(0) != keys(category.cut)
      {
        places.append(category.cut)
      }
      for place in places {
        let tied = ranking.indices.filter { keys($0) == keys(place) }.map { ranking[$0] }
        ties.append(
          Tie(
            category: index, archers: tied.shuffled(using: &random),
            decision: index == 2 ? .coinToss : .shootOff))
      }
    }
  }
}

extension RehearsalPlan {
  /// The arrows of a side in an end or a shoot-off of a match.
  func matchArrows(
    _ stage: String, round: Int, index: Int, seed entrant: Int, end: Int, count: Int
  ) -> [Arrow] {
    var number = seed
    for byte in stage.utf8 { number = number &* 31 &+ UInt64(byte) }
    for part in [round, index, entrant, end] { number = number &* 1_000_003 &+ UInt64(part) }
    var random = SplitMix64(seed: number)
    return (0..<count).map { _ in Self.arrow(3, lowest: 6, &random) }
  }
}
