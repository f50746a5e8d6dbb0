/// One of the two sides of a match.
package enum MatchSide: Int, CaseIterable, Sendable, Hashable {
  /// The side that stands first in the bracket.
  case first = 0
  /// The side that stands second.
  case second = 1

  /// The opponent.
  package var other: MatchSide { self == .first ? .second : .first }
}

/// What one side has shot in a match, as its score card has it.
package struct MatchCard: Sendable, Hashable {
  /// The arrows of complete ends, by their index from 0. Ends may be recorded in any order.
  package private(set) var ends: [Int: [ArrowScore]] = [:]
  /// The shoot-offs, by their index from 0.
  package private(set) var shootOffs: [Int: ShootOffShot] = [:]

  /// A card without arrows.
  package init() {}

  /// Whether nothing has been recorded.
  package var isEmpty: Bool { ends.isEmpty && shootOffs.isEmpty }

  /// The sum of an end; nil if it was not recorded.
  package func total(ofEnd end: Int) -> Int? { ends[end]?.reduce(0) { $0 + $1.value } }

  /// Sets or removes the arrows of an end, without a check.
  package mutating func set(_ arrows: [ArrowScore]?, end: Int) { ends[end] = arrows }

  /// Sets or removes a shoot-off, without a check.
  package mutating func set(_ shot: ShootOffShot?, shootOff: Int) { shootOffs[shootOff] = shot }
}

/// One side's arrows of one shoot-off.
package struct ShootOffShot: Sendable, Hashable {
  /// The arrows: one for each archer of the side.
  package var arrows: [ArrowScore]
  /// The distances of the arrows from the centre, in tenths of a millimetre; empty: not measured.
  package var distances: [Int]
  /// Whether a judge marked this side as closer.
  package var isMarkedCloser: Bool

  /// The largest distance that can be recorded: 2 m.
  package static let maximumDistance = 20_000

  /// Creates a value; each parameter is the property of its name.
  package init(_ arrows: [ArrowScore], distances: [Int] = [], isMarkedCloser: Bool = false) {
    self.arrows = arrows
    self.distances = distances
    self.isMarkedCloser = isMarkedCloser
  }

  /// The sum of the arrows.
  package var total: Int { arrows.reduce(0) { $0 + $1.value } }

  /// The distances, closest first.
  var closestFirst: [Int] { distances.sorted() }
}
