import QuiverAPI
public import QuiverRules

/// One side of a match, as this device has it.
public struct MatchSideState: Sendable, Equatable, Identifiable {
  /// 1 or 2.
  public let id: Int
  /// The seed of the archer; 0: none, or not known yet.
  public let seed: Int
  /// The id that the server assigned to the participant.
  public let participant: Int64
  /// The name to show; empty: none, or not known yet.
  public let name: String
  /// The set points; 0 where totals are compared.
  public let setPoints: Int
  /// The sum of the arrows of the ends that count.
  public let total: Int
  /// Whether the card is confirmed, at the server or on this device.
  public let isConfirmed: Bool
  /// Whether the server does not have the confirmation yet.
  public let isConfirmationWaiting: Bool
  /// Whether the side does not shoot, or stopped.
  public let isForfeited: Bool
  /// Whether this user may score the card.
  public let mayScore: Bool
  /// The ends in order, then the shoot-offs.
  public let entries: [MatchEntryState]

  static func sides(of view: MatchView) -> [MatchSideState] {
    let score = view.score
    return zip(MatchSide.allCases, view.message.sides).map { side, card in
      MatchSideState(
        id: side.rawValue + 1, seed: Int(card.seed), participant: card.participantID,
        name: card.displayName, setPoints: score?.setPoints[side.rawValue] ?? Int(card.setPoints),
        total: score?.totals[side.rawValue] ?? Int(card.total), isConfirmed: view.isConfirmed(side),
        isConfirmationWaiting: view.isConfirmationWaiting(side), isForfeited: card.forfeited,
        mayScore: card.mayScore,
        entries: view.places(of: side).compactMap { MatchEntryState($0, in: view) })
    }
  }
}

/// The arrows of an end or a shoot-off of one side.
public struct MatchEntryState: Sendable, Equatable {
  /// Whether it is a shoot-off.
  public let isShootOff: Bool
  /// From 0.
  public let index: Int
  /// The arrows.
  public let arrows: [ArrowScore]
  /// Of a shoot-off: from the centre, in tenths of a millimetre; empty: not measured.
  public let distances: [Int]
  /// Of a shoot-off: whether a judge marked this side as closer.
  public let isCloser: Bool
  /// Whether the server does not have it yet.
  public let isWaiting: Bool

  init?(_ place: MatchView.Place, in view: MatchView) {
    (isShootOff, index) = (place.isShootOff, place.index)
    isWaiting = view.waiting.contains(place)
    switch view.entry(at: place) {
    case .end(_, let arrows)?: (self.arrows, distances, isCloser) = (arrows, [], false)
    case .shootOff(_, let shot)?:
      (arrows, distances, isCloser) = (shot.arrows, shot.distances, shot.isMarkedCloser)
    case nil: return nil
    }
  }
}

/// One side's arrows of a shoot-off.
public struct MatchShootOff: Sendable, Equatable {
  /// One arrow for each archer of the side.
  public var arrows: [ArrowScore]
  /// From the centre, in tenths of a millimetre, one for each arrow; empty: not measured.
  public var distances: [Int]
  /// Whether a judge marked this side as closer.
  public var isCloser: Bool

  /// Creates a value; each parameter is the property of its name.
  public init(_ arrows: [ArrowScore], distances: [Int] = [], isCloser: Bool = false) {
    self.arrows = arrows
    self.distances = distances
    self.isCloser = isCloser
  }

  var shot: ShootOffShot {
    ShootOffShot(arrows, distances: distances, isMarkedCloser: isCloser)
  }
}

/// What is next in a match.
public enum MatchStep: Sendable, Hashable {
  /// The match was not loaded, or this version does not know its rules.
  case unknown
  /// Its archers are not known yet.
  case waitingForArchers
  /// One archer has no opponent.
  case bye
  /// The end of this index is next.
  case end(Int)
  /// The shoot-off of this index is next.
  case shootOff(Int)
  /// The shoot-off of this index is tied: a distance or a judge's mark has to be entered.
  case measuring(Int)
  /// The match is decided; the winner is side 1 or 2, nil if both sides forfeited.
  case decided(winner: Int?)

  init(_ view: MatchView) {
    if view.message.state == .bye {
      self = .bye
      return
    }
    guard view.message.sides.count == 2, view.message.sides.allSatisfy({ $0.seed > 0 }) else {
      self = .waitingForArchers
      return
    }
    guard let score = view.score else {
      self = .unknown
      return
    }
    switch score.progress {
    case .scheduled: self = .end(0)
    case .shooting(let end): self = .end(end)
    case .shootOff(let index): self = .shootOff(index)
    case .measuring(let index): self = .measuring(index)
    case .decided(let winner, _): self = .decided(winner: winner.map { $0.rawValue + 1 })
    }
  }
}
