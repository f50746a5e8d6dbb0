/// An archer's running handicap: Archery GB, Shooting Administrative Procedures SAP7 (2023), as
/// clubs publish it.
///
/// - The first handicap is the mean of the handicaps of the season's first three rounds.
/// - A better round lowers it to the mean of itself and the round's handicap. It never rises within
///   a season.
/// - When a season ends, it becomes the mean of the three best rounds of that season; a season with
///   fewer rounds leaves it as it was.
///
/// Means are rounded up. Each bowstyle has its own, indoors and outdoors.
public struct RunningHandicap: Sendable, Equatable {
  /// The handicap; nil before the third round.
  public private(set) var current: Int?

  /// The handicaps of the season's rounds so far.
  private var season: [Int] = []
  private var seasonYear: Int32?
  private let venue: RoundVenue

  /// How many rounds the first handicap, and that of a new season, is the mean of.
  public static let roundCount = 3

  /// No rounds yet. Field archery has the seasons of outdoor archery.
  public init(_ venue: RoundVenue) { self.venue = venue }

  /// How many more rounds this season give the first handicap; 0 with a handicap.
  public var missingRounds: Int { current == nil ? Self.roundCount - season.count : 0 }

  /// The handicap before and after a round.
  public struct Step: Sendable, Equatable {
    /// Nil: there was none yet.
    public let before: Int?
    /// Nil: there is none yet.
    public let after: Int?
  }

  /// Adds a round by its day since 1970-01-01 and its handicap; rounds come in the order of days.
  @discardableResult
  public mutating func add(day: Int32, handicap: Int) -> Step {
    beginSeason(ofDay: day)
    let before = current
    season.append(handicap)
    if let before {
      if handicap < before { current = min(before, Self.mean([before, handicap])) }
    } else if season.count == Self.roundCount {
      current = Self.mean(season)
    }
    return Step(before: before, after: current)
  }

  /// Ends the season that lasted until now if the day belongs to a later one.
  public mutating func beginSeason(ofDay day: Int32) {
    let year = Self.seasonYear(ofDay: day, venue)
    guard let known = seasonYear, year > known else {
      if seasonYear == nil { seasonYear = year }
      return
    }
    if current != nil, season.count >= Self.roundCount {
      current = Self.mean(Array(season.sorted().prefix(Self.roundCount)))
    }
    season = []
    seasonYear = year
  }

  /// The year in which the season of a day begins: on 1 January, indoors on 1 July.
  static func seasonYear(ofDay day: Int32, _ venue: RoundVenue) -> Int32 {
    let date = CivilDate(dayNumber: day)
    return venue == .indoor && date.month < 7 ? date.year - 1 : date.year
  }

  private static func mean(_ handicaps: [Int]) -> Int {
    Int((Double(handicaps.reduce(0, +)) / Double(handicaps.count)).rounded(.up))
  }
}

extension RoundDefinition {
  /// Whether rounds of it count for a running handicap: whole rounds of Archery GB and World
  /// Archery, at faces with rings.
  public var countsForHandicap: Bool {
    ["AGB", "AGB-VI", "WA", "WA-VI"].contains(body) && self == RoundLibrary.format(codename)
      && passes.allSatisfy { !$0.face.specification.rings.isEmpty }
  }
}
