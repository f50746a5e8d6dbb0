/// One class of the classifications of Archery GB.
public struct Classification: Sendable, Hashable {
  /// As in `B1`; indoors with a prefix, as in `I-B1`.
  public let code: String
  /// As in `Bowman 1st Class`.
  public let name: String
  /// The tier that the class belongs to.
  public let tier: Tier

  /// A group of classes with the same conditions.
  public enum Tier: Int32, CaseIterable, Sendable, Hashable {
    /// Any event, club practice among them.
    case archer = 1
    /// Any competitive event.
    case bowman = 2
    /// Competitions of record status, and outdoors and in the field only certain rounds.
    case master = 3
  }

  /// The classes of target archery outdoors and of field archery, highest first.
  static let outdoor: [Classification] = [
    Classification(code: "EMB", name: "Elite Master Bowman", tier: .master),
    Classification(code: "GMB", name: "Grand Master Bowman", tier: .master),
    Classification(code: "MB", name: "Master Bowman", tier: .master),
    Classification(code: "B1", name: "Bowman 1st Class", tier: .bowman),
    Classification(code: "B2", name: "Bowman 2nd Class", tier: .bowman),
    Classification(code: "B3", name: "Bowman 3rd Class", tier: .bowman),
    Classification(code: "A1", name: "Archer 1st Class", tier: .archer),
    Classification(code: "A2", name: "Archer 2nd Class", tier: .archer),
    Classification(code: "A3", name: "Archer 3rd Class", tier: .archer),
  ]

  /// The classes of target archery indoors, highest first.
  static let indoor: [Classification] = outdoor.dropFirst().map { known in
    Classification(code: "I-" + known.code, name: "Indoor " + known.name, tier: known.tier)
  }
}

/// The score from which a round gives a class.
public struct ClassThreshold: Sendable, Hashable {
  /// The class.
  public let classification: Classification
  /// The handicap that the class stands for.
  public let handicap: Double
  /// The lowest score of the class; nil if the round cannot give it.
  public let score: Int?
}
