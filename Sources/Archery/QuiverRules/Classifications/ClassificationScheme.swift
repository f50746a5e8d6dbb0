/// The classifications of Archery GB: Shooting Administrative Procedures SAP7, 2023 for target
/// archery, 2025 for field archery.
///
/// A class stands for a handicap, and a round gives it from the score that the tables have for that
/// handicap. These are the scores of single rounds: an archer is awarded a class after rounds of
/// ``arrowsRequired(for:in:)`` arrows together, at events that the class's tier asks for.
public enum ClassificationScheme {
  /// The thresholds of a round for a category, highest class first.
  ///
  /// Throws for a round without classes: only whole rounds of the library have them, target rounds
  /// of Archery GB and World Archery, and the field rounds of World Archery.
  public static func thresholds(
    _ format: RoundDefinition, _ category: ArcherCategory
  ) throws(RuleViolation) -> [ClassThreshold] {
    guard let round = ClassifiedRound(format, category) else {
      throw RuleViolation(field: "format", message: "has no classes of Archery GB")
    }
    return round.thresholds
  }

  /// The highest class that a score gives; nil if it gives none.
  ///
  /// Throws as `thresholds(_:_:)` does, and for a score above the maximum or below 0.
  public static func classification(
    score: Int, _ format: RoundDefinition, _ category: ArcherCategory
  ) throws(RuleViolation) -> Classification? {
    let thresholds = try thresholds(format, category)
    guard (0...format.maximumScore).contains(score) else {
      throw RuleViolation(field: "score", message: "must be from 0 to \(format.maximumScore)")
    }
    return thresholds.first { $0.score.map { score >= $0 } ?? false }?.classification
  }

  /// How many arrows the rounds of an award have together: outdoors 12, 18 and 36 dozen by tier,
  /// indoors 10, 15 and 15 dozen (Archery GB, tables of award requirements 2023); nil in the field,
  /// which asks for rounds.
  public static func arrowsRequired(
    for tier: Classification.Tier, in location: RoundVenue
  ) -> Int? {
    switch (location, tier) {
    case (.outdoor, .archer): 144
    case (.outdoor, .bowman): 216
    case (.outdoor, .master): 432
    case (.indoor, .archer): 120
    case (.indoor, .bowman), (.indoor, .master): 180
    case (.field, _): nil
    }
  }
}

/// A round that gives classes to archers of one category.
struct ClassifiedRound {
  private let format: RoundDefinition
  private var category: ArcherCategory

  /// The codename of the round that was shot; `format` is the one whose table counts.
  private let codename: String

  /// Nil if the round gives no classes.
  init?(_ shot: RoundDefinition, _ category: ArcherCategory) {
    guard !shot.codename.isEmpty, shot == RoundLibrary.format(shot.codename),
      shot.location == .field
        ? shot.codename.hasPrefix("wa_field_") : ["AGB", "WA"].contains(shot.body),
      let counted = RoundLibrary.format(Self.counted(shot, category))
    else { return nil }
    format = counted
    codename = shot.codename
    self.category = category
    // Field archery has no group under 21.
    if shot.location == .field, category.age == .under21 { self.category.age = .adult }
  }

  /// The codename of the round whose table counts: the full face in place of spots and small
  /// faces, the scoring of compounds indoors, and marked distances in the field.
  private static func counted(_ shot: RoundDefinition, _ category: ArcherCategory) -> String {
    var name = shot.codename
    switch shot.location {
    case .field:
      for kind in ["_unmarked", "_mixed"] where name.hasSuffix(kind) {
        name = String(name.dropLast(kind.count)) + "_marked"
      }
      return name
    case .indoor, .outdoor:
      for kind in ["_triple", "_5_centre", "_small"] where name.hasSuffix(kind) {
        name = String(name.dropLast(kind.count))
      }
      let compound = name + "_compound"
      let isCompound = shot.location == .indoor && category.bow.onTarget == .compound
      return isCompound && RoundLibrary.format(compound) != nil ? compound : name
    }
  }

  /// Highest class first.
  var thresholds: [ClassThreshold] {
    let classes = format.location == .indoor ? Classification.indoor : Classification.outdoor
    let steps = steps
    let master = steps.master(category)
    let masterPlace = classes.count { $0.tier == .master } - 1
    let handicaps = classes.indices.map { place in
      master + Double(place - masterPlace) * steps.perClass
    }
    var scores = zip(classes, handicaps).enumerated().map { place, pair in
      isOpen(to: pair.0, place) ? score(ofClassAt: pair.1) : nil
    }
    Self.separate(&scores, maximum: format.maximumScore)
    return classes.indices.map { place in
      ClassThreshold(
        classification: classes[place], handicap: handicaps[place], score: scores[place])
    }
  }

  private var steps: ClassificationSteps {
    switch format.location {
    case .outdoor: .outdoor(category.bow)
    case .indoor: .indoor(category.bow)
    case .field: .field(category.bow)
    }
  }

  /// The lowest score that only handicaps up to this one have; nil if there is none.
  private func score(ofClassAt handicap: Double) -> Int? {
    let passes = format.handicapPasses
    func table(_ handicap: Double) -> Int {
      Int(HandicapScheme.expectedScore(handicap: handicap, passes: passes).rounded(.up))
    }
    let score = table(handicap)
    guard table(handicap.rounded(.down) + 1) == score else { return score }
    return score == format.maximumScore ? nil : score + 1
  }

  /// Each class needs at least one point more than the next lower one; nothing is above a class
  /// that cannot be reached.
  private static func separate(_ scores: inout [Int?], maximum: Int) {
    for place in scores.indices.dropFirst().reversed() {
      guard let lower = scores[place] else {
        scores[place - 1] = nil
        continue
      }
      guard let higher = scores[place - 1], higher <= lower else { continue }
      scores[place - 1] = lower == maximum ? nil : lower + 1
    }
  }

  /// Whether the round is long enough for a class and one of those that the class's tier asks for.
  private func isOpen(to known: Classification, _ place: Int) -> Bool {
    let longest = format.passes.map(\.distance).max() ?? 0
    switch format.location {
    case .indoor: return true
    case .outdoor:
      if isForMasters { return true }
      return known.tier != .master && longest >= leastDistance(place)
    case .field:
      let hasSight = [.compound, .recurve, .compoundLimited].contains(category.bow)
      let allowed = category.age.fieldDistances(hasSight: hasSight)
      // A tier of archers may stand 10 m nearer with each class.
      let nearer = known.tier == .archer ? Double(place - 5) * 10 : 0
      let least = nearer > 0 ? max(allowed.lowerBound - nearer, 30) : allowed.lowerBound
      let isWhole = known.tier != .master || codename.hasPrefix("wa_field_24_")
      return isWhole && (least...allowed.upperBound).contains(longest)
    }
  }

  /// The least longest distance outdoors for the class at a place.
  private func leastDistance(_ place: Int) -> Double {
    let distances: [Double] = [90, 70, 60, 50, 40, 30, 20, 15]
    let first = distances.firstIndex(of: category.age.longestDistance(category.gender)) ?? 0
    // The first four classes need the longest distance of the category, and for all but older open
    // archers the fifth, too.
    let isStrict = category.gender == .open && !category.age.isUnder15
    let nearer = max(0, place - (isStrict ? 3 : 4))
    return distances[min(first + nearer, distances.count - 1)]
  }

  /// Whether the round is one on which this category can become masters outdoors.
  private var isForMasters: Bool {
    let longest = format.passes.map(\.distance).max() ?? 0
    let isFar = longest >= category.age.longestDistance(category.gender)
    let families: [String]
    let always: [String]
    switch category.bow.onTarget {
    case .compound:
      families = ["wa720_50_c", "metric_80_50", "wa720_40_c", "metric_80_40", "metric_80_30"]
      always = Array(families.prefix(category.age.isUnder15 ? 4 : 2))
    case .barebow:
      families = [
        "wa720_50_b", "metric_122_50", "wa720_40", "metric_122_40", "wa720_30_b", "metric_122_30",
      ]
      always = category.age.isUnder15 ? families.filter { $0 != "metric_122_50" } : ["wa720_50_b"]
    default:
      families = [
        "wa720_70", "wa720_60", "metric_122_50", "wa720_40", "metric_122_40", "metric_122_30",
      ]
      always = ["wa720_70"] + shorterForOpen
    }
    if always.contains(codename) { return true }
    let isLong =
      ["york", "hereford"].contains(codename) || codename.hasPrefix("bristol_")
      || codename.hasPrefix("wa1440_") || format.family == "metric1440"
    return isFar && (isLong || families.contains(codename))
  }

  /// The rounds of 72 arrows that some groups of recurves and longbows shoot below their longest
  /// distance.
  private var shorterForOpen: [String] {
    switch category.age {
    case .under15, .under14, .under12: ["wa720_40", "metric_122_40"]
    case .over50, .under18: category.gender == .open ? ["wa720_60"] : []
    case .under16: category.gender == .open ? ["metric_122_50"] : []
    case .adult, .under21: []
    }
  }
}

extension AgeDivision {
  /// Whether the group is under 15 or younger.
  fileprivate var isUnder15: Bool { stepsFromAdult >= AgeDivision.under15.stepsFromAdult }
}
