/// What an outbox row does to its object.
enum OutboxAction: Int64, CaseIterable, Sendable, Hashable {
  case create = 1
  case update = 2
  case delete = 3
  /// Puts it away: archives an item, deactivates a setup.
  case archive = 4
  /// Brings it back.
  case restore = 5
  case makeDefault = 6
  /// Makes another one like it; the row's object is the copy.
  case copy = 7
  /// Begins a session of rounds alone.
  case startRounds = 8
  case addGuest = 9
  case addEntries = 10
  /// Records, corrects or retracts one arrow.
  case score = 11

  /// Whether the object is not at the server before it.
  var makesObject: Bool { self == .create || self == .copy }

  /// Whether it is about an event and its participants instead of an object.
  var isScoring: Bool { rawValue >= Self.startRounds.rawValue }
}
