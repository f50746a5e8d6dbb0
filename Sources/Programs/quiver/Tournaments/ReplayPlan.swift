import QuiverRules

/// What is played, and how.
struct ReplayPlan: Sendable {
  let sheet: ScoreSheet
  /// Of the event.
  let title: String
  let codename: String
  var policy = TiePolicy.standard
  /// Of a random order; nil: as the turns go.
  var seed: UInt64?
  /// Whether every operation is sent twice.
  var repeats = false
  /// Operations after which the connection is lost; nil: it never is.
  var disconnectEvery: Int?

  /// Every arrow in an order that the seed alone decides: places of archers and of their arrows.
  func shuffled(seed: UInt64) -> [(archer: Int, arrow: Int)] {
    var random = SplitMix64(seed: seed)
    let all = sheet.archers.indices.flatMap { archer in
      sheet.archers[archer].arrows.indices.map { (archer: archer, arrow: $0) }
    }
    return all.shuffled(using: &random)
  }
}
