import QuiverAPI
import QuiverRules
import QuiverStore

/// The latest positions of a side's arrows.
struct ShotPositions: Sendable {
  let passes: [PlacedPass]
  /// The number of positions of the whole side.
  let count: Int
  /// Whether `passes` has all of them.
  let isComplete: Bool

  /// The mean radii by face diameter, of one stratum or of all; empty if positions are missing.
  func meanRadii(in stratum: Stratum? = nil) -> [Double: Double] {
    guard isComplete else { return [:] }
    guard let stratum else { return Self.meanRadii(passes) }
    return Self.meanRadii(passes.filter { $0.stratum == stratum })
  }

  /// The positions of a reply, at most `limit`.
  func messages(atMost limit: Int) -> [ShotPosition] {
    var messages: [ShotPosition] = []
    for pass in passes {
      for shot in pass.shots.prefix(limit - messages.count) {
        messages.append(ShotPosition(shot, diameterCM: pass.stratum.diameterCM))
      }
    }
    return messages
  }

  /// The number of arrows with a position.
  static func count(in rounds: [ComparedRound]) -> Int {
    rounds.reduce(0) { sum, round in
      sum + round.parts.reduce(0) { $0 + $1.rollup.positions.count }
    }
  }

  /// The positions with only those conditions of their strata.
  func keeping(_ aspects: Set<StratumFeature>) -> ShotPositions {
    ShotPositions(
      passes: passes.map { $0.keeping(aspects) }, count: count, isComplete: isComplete)
  }

  static func meanRadii(_ passes: [PlacedPass]) -> [Double: Double] {
    var radii: [Double: Double] = [:]
    for diameter in Set(passes.map(\.stratum.diameterCM)) {
      var points: [ShotPoint] = []
      points.reserveCapacity(passes.reduce(0) { $0 + $1.shots.count })
      for pass in passes where pass.stratum.diameterCM == diameter {
        for shot in pass.shots { points.append(shot.point) }
      }
      radii[diameter] = ShotGroup.meanRadius(of: points)
    }
    return radii
  }
}

extension ShotPosition {
  init(_ shot: PlacedShot, diameterCM: Double) {
    self.init()
    x = shot.point.x
    y = shot.point.y
    value = UInt32(clamping: shot.value)
    diameterCentimetres = diameterCM
  }
}

extension Snapshot {
  /// The largest number of arrows that are read one by one.
  static var numberedArrows: Int { 100_000 }

  /// The performance of a setup or an item, in total and by stratum.
  func performance(
    _ scope: ComparisonScope, called name: String, _ question: RangeQuestion
  ) throws(StoreError) -> PerformanceResponse {
    let found = try comparedRounds(
      scope, question.span, includesUnfinished: question.includesUnfinished, withHandicaps: true)
    let aspects = ComparedRound.statedAspects(found)
    let rounds = found.map { $0.keeping(aspects) }
    let side = ComparedSide(name: name, rounds: rounds)
    let positions = try positions(scope, question, rounds: rounds)?.keeping(aspects)
    var response = PerformanceResponse()
    response.range = question.shown
    response.displayName = name
    response.performance = SetupPerformance(
      side, infers: true, meanRadii: positions?.meanRadii() ?? [:])
    let strata = side.performance.strata.prefix(ComparisonQuestion.strata)
    response.strata = strata.map { stratum in
      var part = StratumPerformance()
      part.stratum = StratumKey(stratum)
      part.performance = SetupPerformance(
        side.part(in: stratum), infers: true, meanRadii: positions?.meanRadii(in: stratum) ?? [:])
      return part
    }
    return response
  }

  /// The positions of the rounds of a scope; nil if there are none, or too many to compute a mean
  /// radius.
  private func positions(
    _ scope: ComparisonScope, _ question: RangeQuestion, rounds: [ComparedRound]
  ) throws(StoreError) -> ShotPositions? {
    let count = ShotPositions.count(in: rounds)
    let limit = ComparisonQuestion.meanRadiusPositions
    guard (1...limit).contains(count) else { return nil }
    let shots = try placedShots(
      scope, question.span, includesUnfinished: question.includesUnfinished, limit: limit)
    return ShotPositions(passes: shots, count: count, isComplete: true)
  }

  /// The statistics of the first, second and further arrows of an end, or of each shaft.
  func arrowNumbers(
    _ scope: ComparisonScope, _ question: RangeQuestion, byShaft: Bool
  ) throws(StoreError) -> GetArrowNumbersResponse {
    var response = GetArrowNumbersResponse()
    response.range = question.shown
    let found = try arrowsByNumber(
      scope, question.span, includesUnfinished: question.includesUnfinished,
      byShaft: byShaft, limit: Self.numberedArrows)
    response.numbers = found.map { shown, rounds, points in
      var number = ArrowNumber()
      number.number = UInt32(clamping: shown)
      number.performance = SetupPerformance(
        ComparedSide(name: "", rounds: rounds), infers: true,
        meanRadii: ShotPositions.meanRadii(points))
      return number
    }
    return response
  }
}
