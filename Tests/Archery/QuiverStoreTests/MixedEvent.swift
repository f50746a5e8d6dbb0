import QuiverRules
import TestSupport

@testable import QuiverStore

/// An event whose cards are by arrows in some parts and typed in others, made from a seed, with a
/// recount of its own that uses no rule of the product.
struct MixedEvent {
  static let archerCount = 8
  static let arrowsPerPart = 3

  let bench: EventBench
  let event: TournamentRecord
  let category: Int64
  let archers: [Int64]
  let policy: Policy
  /// What counts, by archer.
  private(set) var expected: [Int64: Sums] = [:]
  private(set) var typedCount = 0

  /// The keys of a policy, as its rules have them.
  enum Policy: Int32, CaseIterable {
    case xThenTens = 1
    case tensThenNines = 4
    case hitsThenGolds = 7
    case totalOnly = 8

    /// The counts that are compared after the total.
    func keys(_ sums: Sums) -> [Int?] {
      switch self {
      case .xThenTens: [sums.x, sums.tens]
      case .tensThenNines: [sums.tens, sums.nines]
      case .hitsThenGolds: [sums.hits, sums.golds]
      case .totalOnly: []
      }
    }
  }

  /// Sums of a card; nil: a paper did not have the count.
  struct Sums: Equatable {
    var total = 0
    var x: Int? = 0
    var tens: Int? = 0
    var nines: Int? = 0
    var hits: Int? = 0
    var golds: Int? = 0

    static func + (left: Sums, right: Sums) -> Sums {
      func sum(_ one: Int?, _ other: Int?) -> Int? {
        if let one, let other { one + other } else { nil }
      }
      return Sums(
        total: left.total + right.total, x: sum(left.x, right.x), tens: sum(left.tens, right.tens),
        nines: sum(left.nines, right.nines), hits: sum(left.hits, right.hits),
        golds: sum(left.golds, right.golds))
    }
  }

  /// A kind of face with the arrows that sheets of it have.
  private struct Sheet {
    let face: TargetFace
    let words: [String]
    let top: Int
    let hasX: Bool

    static let all = [
      Sheet(face: .tenZone, words: ["X", "10", "10", "9", "8", "M"], top: 10, hasX: true),
      Sheet(face: .fiveZone, words: ["9", "9", "7", "5", "M"], top: 9, hasX: false),
    ]

    func sums(_ arrows: [String]) -> Sums {
      var sums = Sums()
      for word in arrows {
        let value = word == "X" ? 10 : Int(word) ?? 0
        sums.total += value
        sums.x? += word == "X" ? 1 : 0
        sums.tens? += value == 10 ? 1 : 0
        sums.nines? += value == 9 ? 1 : 0
        sums.hits? += value > 0 ? 1 : 0
        sums.golds? += value == top ? 1 : 0
      }
      return sums
    }
  }

  init(in bench: EventBench, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    self.bench = bench
    policy = Policy.allCases.randomElement(using: &random) ?? .xThenTens
    let sheet = Sheet.all.randomElement(using: &random) ?? Sheet.all[0]
    let partCount = Int.random(in: 1...3, using: &random)
    var format = RoundFormat(name: "Mixed", location: .outdoor, passes: [])
    for part in 0..<partCount {
      format.passes.append(
        RoundPass(
          arrowCount: Self.arrowsPerPart, arrowsPerEnd: Self.arrowsPerPart,
          distance: Double(30 + 10 * part), unit: .metre, face: sheet.face,
          diameterCentimetres: 80))
    }
    let own = try bench.perform(try CreateFormat(format))
    var content = CreateTournament.Content(.own(.id(own.id)))
    (content.name, content.tiePolicy) = ("Mixed", policy.rawValue)
    event = try bench.perform(try CreateTournament(content))
    let id = event.head.id
    category = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.categories(event: id, principal: bench.organiser)[0].id
    }
    archers = try bench.entries((1...Self.archerCount).map { "A\($0)" }, event).map(\.id)
    try bench.start(event)
    for archer in archers.shuffled(using: &random) {
      var sums = Sums()
      if partCount > 1, Int.random(in: 0..<5, using: &random) == 0 {
        let arrows = Self.arrows(sheet, partCount * Self.arrowsPerPart, &random)
        sums = try type(archer, 0, arrows, sheet, &random)
      } else {
        for part in 1...partCount {
          let arrows = Self.arrows(sheet, Self.arrowsPerPart, &random)
          if Bool.random(using: &random) {
            sums = sums + (try type(archer, part, arrows, sheet, &random))
          } else {
            try record(archer, part, arrows)
            sums = sums + sheet.sums(arrows)
          }
        }
      }
      expected[archer] = sums
    }
  }

  private static func arrows(
    _ sheet: Sheet, _ count: Int, _ random: inout SeededGenerator
  ) -> [String] {
    (0..<count).map { _ in sheet.words.randomElement(using: &random) ?? "M" }
  }

  private func record(_ archer: Int64, _ part: Int, _ arrows: [String]) throws {
    for (index, word) in arrows.enumerated() {
      try bench.record(archer, part - 1, index, word)
    }
  }

  /// Types a part, corrected at times, with arrows that arrive before or after it.
  private mutating func type(
    _ archer: Int64, _ part: Int, _ arrows: [String], _ sheet: Sheet,
    _ random: inout SeededGenerator
  ) throws -> Sums {
    typedCount += 1
    var sums = sheet.sums(arrows)
    var draft = TypedTotalDraft()
    (draft.participant, draft.part) = (archer, UInt32(part))
    let arrivesBefore = Int.random(in: 0..<3, using: &random) == 0
    if arrivesBefore, part > 0 { try record(archer, part, Array(arrows.prefix(2))) }
    if Int.random(in: 0..<4, using: &random) == 0 {
      // The first paper was misread: it has more than the arrows can show.
      draft.score = TypedScore(total: sheet.top * arrows.count)
      draft.replaces = try bench.perform(try SetTypedTotal(draft)).id
      draft.reason = "misread"
    }
    draft.score = TypedScore(
      total: sums.total, hits: sums.hits, golds: sums.golds, xCount: sums.x)
    // What follows from other sums is known: nothing is missing in a part without points, and X
    // only where there are golds.
    if sums.total > 0 {
      let isKnown = sums.golds == sums.hits
      if sheet.top == 10, !isKnown { sums.nines = nil }
      if Int.random(in: 0..<3, using: &random) == 0 {
        draft.score.xCount = nil
        if sheet.hasX, sums.golds != 0 { sums.x = nil }
      }
      if Int.random(in: 0..<6, using: &random) == 0, sums.golds != arrows.count {
        (draft.score.hits, sums.hits) = (nil, nil)
        if isKnown, sheet.top == 10 { sums.nines = nil }
      }
    }
    try bench.perform(try SetTypedTotal(draft))
    if part > 0, !arrivesBefore, Int.random(in: 0..<3, using: &random) == 0 {
      try record(archer, part, Self.arrows(sheet, Self.arrowsPerPart, &random))
    }
    return sums
  }

  /// The rows of the recount: groups of equal totals, divided by each key that everybody of a group
  /// has, until nobody is alone or a key is missing.
  var rows: [Int64: Int] {
    var ranks: [Int64: Int] = [:]
    func place(_ group: [Int64], _ key: Int, from rank: Int) {
      let counts = group.map { id -> Int? in
        guard let sums = expected[id] else { return nil }
        let keys = [sums.total] + policy.keys(sums)
        return key < keys.count ? keys[key] : nil
      }
      guard group.count > 1, !counts.contains(nil) else {
        for id in group { ranks[id] = rank }
        return
      }
      var next = rank
      let byCount = Dictionary(grouping: zip(group, counts)) { $0.1 ?? 0 }
      for count in byCount.keys.sorted(by: >) {
        let members = (byCount[count] ?? []).map(\.0)
        place(members, key + 1, from: next)
        next += members.count
      }
    }
    place(archers, 0, from: 1)
    return ranks
  }
}
