/// What an outbox row does to its object.
enum OutboxAction: Int64, CaseIterable, Sendable, Hashable {
  case create = 1
  case update = 2
  case delete = 3
  /// Puts it away: archives a piece, deactivates a setup.
  case putAway = 4
  /// Brings it back.
  case bringBack = 5
  case makeDefault = 6
  /// Makes another one like it; the row's object is the copy.
  case copy = 7

  /// Whether the object is not at the server before it.
  var makesObject: Bool { self == .create || self == .copy }
}
