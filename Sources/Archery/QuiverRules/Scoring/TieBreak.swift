/// What orders participants with equal totals, numbered as in `quiver.v1.TiePolicy`.
public enum TieBreak: Int32, CaseIterable, Sendable, Hashable {
  /// Total, X, 10; the default.
  case xFirst = 1
  /// Total, X, 10.
  case waOutdoor2026 = 2
  /// Total, 10 including X, X; World Archery's rule until 2025.
  case waOutdoorLegacy = 3
  /// Total, 10, 9.
  case waIndoor = 4
  /// Total, 6, 5.
  case waField = 5
  /// Total, 11, 10.
  case wa3D = 6
  /// Total, hits, golds.
  case imperial = 7
  /// Only the total.
  case scoreOnly = 8

  /// Of an event that names none.
  public static let standard = TieBreak.xFirst

  /// As in `WA_INDOOR`.
  public var name: String {
    switch self {
    case .xFirst: "X_FIRST"
    case .waOutdoor2026: "WA_OUTDOOR_2026"
    case .waOutdoorLegacy: "WA_OUTDOOR_LEGACY"
    case .waIndoor: "WA_INDOOR"
    case .waField: "WA_FIELD"
    case .wa3D: "WA_3D"
    case .imperial: "IMPERIAL"
    case .scoreOnly: "SCORE_ONLY"
    }
  }

  /// The policy of that name, in any case; nil if there is none.
  public init?(name: String) {
    let name = name.uppercased()
    guard let found = TieBreak.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }
}

/// One thing that a ranking compares, more first.
public enum RankCriterion: Sendable, Hashable {
  /// The total.
  case score
  /// The number of X.
  case x
  /// Arrows of exactly one value, X included in 10.
  case count(Int)
  /// Arrows above 0.
  case hits
  /// Arrows of the face's top value.
  case golds
  /// Ends with all slots filled.
  case endsCompleted

  /// The count of the criterion.
  public func value(in tally: ScoreTally) -> Int {
    switch self {
    case .score: tally.total
    case .x: tally.xCount
    case .count(let value): tally.count(of: value)
    case .hits: tally.hitCount
    case .golds: tally.goldCount
    case .endsCompleted: tally.endsCompleted
    }
  }

  /// Whether nobody knows the count of a part of a card.
  public func isMissing(in tally: ScoreTally) -> Bool {
    switch self {
    case .score, .endsCompleted: false
    case .x: tally.missing.contains(.x)
    case .count(let value): tally.missing.contains(.of(value: value))
    case .hits: tally.missing.contains(.of(value: 0))
    case .golds: tally.missing.contains(.golds)
    }
  }

  /// By which rows are listed: a missing count is listed after all others.
  public func listed(in tally: ScoreTally) -> Int { isMissing(in: tally) ? -1 : value(in: tally) }

  /// What is counted, in English.
  public var label: String {
    switch self {
    case .score: "score"
    case .x: "X"
    case .count(let value): "arrows of \(value)"
    case .hits: "hits"
    case .golds: "golds"
    case .endsCompleted: "ends completed"
    }
  }
}

/// The form of a policy from a day on. It is data, so that an event keeps the form under which it
/// was shot.
public struct TiePolicyForm: Sendable, Hashable {
  /// The policy.
  public let policy: TieBreak
  /// The criteria in order; a larger count ranks higher.
  public let keys: [RankCriterion]

  /// Days since 1970-01-01.
  public let inForceFromDay: Int32

  /// The last day; nil: still. An event may be ranked under it at any time.
  public let inForceUntilDay: Int32?

  /// Creates a value; each parameter is the property of its name.
  public init(
    _ policy: TieBreak, _ keys: [RankCriterion], fromDay: Int32 = 0, untilDay: Int32? = nil
  ) {
    self.policy = policy
    self.keys = keys
    inForceFromDay = fromDay
    inForceUntilDay = untilDay
  }

  /// 2026-01-01, since which World Archery counts X before 10 outdoors.
  private static let newYear2026: Int32 = 20_454

  /// All policies in all their forms. A policy that changes gets another form with a later day;
  /// what stands here is never edited.
  public static let all: [TiePolicyForm] = [
    TiePolicyForm(.xFirst, [.score, .x, .count(10)]),
    TiePolicyForm(.waOutdoor2026, [.score, .x, .count(10)], fromDay: newYear2026),
    TiePolicyForm(.waOutdoorLegacy, [.score, .count(10), .x], untilDay: newYear2026 - 1),
    TiePolicyForm(.waIndoor, [.score, .count(10), .count(9)]),
    TiePolicyForm(.waField, [.score, .count(6), .count(5)]),
    TiePolicyForm(.wa3D, [.score, .count(11), .count(10)]),
    TiePolicyForm(.imperial, [.score, .hits, .golds]),
    TiePolicyForm(.scoreOnly, [.score]),
  ]

  /// The form of a policy that held on a day: the latest that began by then, else the first.
  public static func of(
    _ policy: TieBreak, onDay day: Int32, among forms: [TiePolicyForm] = all
  ) -> TiePolicyForm {
    let own = forms.filter { $0.policy == policy }.sorted { $0.inForceFromDay < $1.inForceFromDay }
    return own.last { $0.inForceFromDay <= day } ?? own.first
      ?? TiePolicyForm(policy, [.score])
  }
}
