/// What an outbox row does to its object.
enum OutboxAction: Int64, CaseIterable, Sendable, Hashable {
  case create = 1
  case update = 2
  case delete = 3
  /// Archives an item, or deactivates a setup.
  case archive = 4
  /// Restores an item, or activates a setup.
  case restore = 5
  case makeDefault = 6
  /// Copies an object; the row's object is the copy.
  case copy = 7
  /// Begins a session of rounds without a tournament.
  case startRounds = 8
  case addGuest = 9
  case addEntries = 10
  /// Records, corrects or retracts one arrow.
  case score = 11
  /// Replaces the conditions of a session of rounds.
  case setConditions = 12
  /// Records, corrects or removes an end or a shoot-off of a match.
  case matchEnd = 13
  /// Confirms a card of a match.
  case matchConfirmation = 14
  /// Records, corrects or removes an end of a second card.
  case cardEnd = 15
  /// Confirms the score card of a participant.
  case cardConfirmation = 16

  /// Whether it creates its object on the server.
  var makesObject: Bool { self == .create || self == .copy }

  /// Whether it concerns an event and its participants instead of an object.
  var isScoring: Bool {
    (Self.startRounds.rawValue...Self.setConditions.rawValue).contains(rawValue)
  }
}
