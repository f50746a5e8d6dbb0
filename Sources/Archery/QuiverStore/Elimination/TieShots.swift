package import QuiverRules

/// What one archer shot in a shoot-off that decided a tie of the qualification.
package struct TieShots: Sendable, Equatable {
  /// In their order: the archer of a lower one stops.
  package let arrows: [ArrowScore]
  /// From the centre, in tenths of a millimetre, of as many arrows from the first on as were
  /// measured; 0: not measured.
  package let distances: [Int]

  package static let maximumCount = 20

  package init(_ arrows: [ArrowScore], distances: [Int]) {
    self.arrows = arrows
    self.distances = distances
  }

  /// Those of a stored row.
  init(arrows: [UInt8], distances: [UInt8]) {
    self.init(CardBytes.arrows(of: arrows), distances: CardBytes.distances(of: distances))
  }

  /// Throws unless the shots of archers, the best first, can have decided their order.
  static func check(_ shots: [TieShots], on face: Face, field: String) throws(StoreError) {
    for (index, one) in shots.enumerated() {
      let path = "\(field)[\(index)]"
      guard (1...maximumCount).contains(one.arrows.count) else {
        throw .invalid(path + ".arrows", "must be from 1 to \(maximumCount)")
      }
      for (place, arrow) in one.arrows.enumerated() {
        _ = try validating { () throws(RuleViolation) in
          try arrow.validated(on: face, path: path + ".arrows[\(place)].")
        }
      }
      guard one.distances.count <= one.arrows.count else {
        throw .invalid(path + ".distances", "must not be more than the arrows")
      }
      guard one.distances.allSatisfy({ (0...10_000_000).contains($0) }) else {
        throw .invalid(path + ".distances", "must be at most 10000000 tenths of a millimetre")
      }
      guard index > 0, one.isBetter(than: shots[index - 1]) else { continue }
      throw .invalid(path, "is better than the one before, whom the order has in front")
    }
  }

  /// Whether the first arrow that tells them apart is its own.
  private func isBetter(than other: TieShots) -> Bool {
    for place in 0..<min(arrows.count, other.arrows.count) {
      let (own, others) = (arrows[place].value, other.arrows[place].value)
      if own != others { return own > others }
      let (near, far) = (distance(of: place), other.distance(of: place))
      if near > 0, far > 0, near != far { return near < far }
    }
    return false
  }

  private func distance(of place: Int) -> Int {
    distances.indices.contains(place) ? distances[place] : 0
  }
}
