package import QuiverAPI
import QuiverRPC
import QuiverRules
package import QuiverStore
import QuiverWire

/// A validated comparison request and its evaluation; any thread may run it.
struct ComparisonQuestion: Sendable {
  let setups: [(reference: ObjectReference, version: Int64)]
  let range: AskedRange
  let includesUnfinished: Bool
  /// Nil for statistics only.
  let method: QuiverRules.InferenceMethod?
  let includesShots: Bool
  /// Conditions of sessions that make no strata.
  let ignored: Set<StratumFeature>

  static let setupCount = 2...4
  /// The largest number of positions per setup in a reply; the latest ones.
  static let shots = 5_000
  /// The largest number of positions of one setup for a mean radius, which reads each of them.
  static let meanRadiusPositions = 20_000
  /// The largest number of strata in a reply: those with the most arrows.
  static let strata = 50

  init(_ request: CompareRequest) throws {
    guard Self.setupCount.contains(request.setups.count) else {
      throw RPCError.invalid("setups", "must be two to four, not \(request.setups.count)")
    }
    var setups: [(reference: ObjectReference, version: Int64)] = []
    for (place, setup) in request.setups.enumerated() {
      let reference = try ObjectReference.given(
        id: setup.id, clientID: setup.clientID, prefix: "setups[\(place)].")
      setups.append((reference, Int64(setup.version)))
    }
    self.setups = setups
    range = try AskedRange(request.range, asOf: request.asOfMilliseconds)
    includesUnfinished = request.includeUnfinished
    includesShots = request.includeShots
    ignored = try Self.ignored(request.ignoreConditions)
    switch request.method {
    case .unspecified, .welch: method = .welch
    case .bootstrapT: method = .bootstrapT(seed: request.seed)
    case .none: method = nil
    default: throw RPCError.invalid("method", "must be WELCH, BOOTSTRAP_T or NONE")
    }
  }

  private static func ignored(
    _ aspects: [StratumAspect]
  ) throws -> Set<StratumFeature> {
    guard aspects.count <= StratumFeature.allCases.count else {
      throw RPCError.invalid(
        "ignore_conditions", "must be at most \(StratumFeature.allCases.count)")
    }
    var ignored: Set<StratumFeature> = []
    for (place, aspect) in aspects.enumerated() {
      guard let known = StratumFeature(rawValue: aspect.rawValue),
        StratumFeature.conditions.contains(known)
      else {
        throw RPCError.invalid(
          "ignore_conditions[\(place)]", "must be PLACE, WEATHER, WIND or LIGHT")
      }
      ignored.insert(known)
    }
    return ignored
  }

  /// Reads one snapshot of the store, and computes outside of it.
  func answer(_ store: Store, principal: Int64) throws -> CompareResponse {
    // It may have waited in the queue.
    try checkCancellation()
    let kept = store.keptComparisons.reading(of: principal)
    let read = try store.read { (snapshot) throws(StoreError) in
      try self.read(snapshot, principal, kept)
    }
    var response = CompareResponse()
    response.range = read.question.shown
    let sides = read.sides.map { ComparedSide(name: $0.record.displayName, rounds: $0.rounds) }
    for (side, found) in zip(sides, read.sides) {
      try checkCancellation()
      var result = SetupResult()
      result.setup = ComparedSetup(found.record)
      result.performance = SetupPerformance(
        side, infers: method != nil, meanRadii: found.positions?.meanRadii() ?? [:])
      if includesShots, let positions = found.positions {
        result.shots = positions.messages(atMost: Self.shots)
        result.shotsCut = positions.count > Self.shots
      }
      response.setups.append(result)
    }
    response.pairs = try pairs(sides)
    response.strata = try strata(sides, read.sides.map(\.positions), of: response)
    return response
  }

  private struct Side {
    let record: ComparedSetupRecord
    let rounds: [ComparedRound]
    let positions: ShotPositions?

    /// With only those conditions, which all sides state.
    func keeping(_ aspects: Set<StratumFeature>) -> Side {
      Side(
        record: record, rounds: rounds.map { $0.keeping(aspects) },
        positions: positions?.keeping(aspects))
    }
  }

  private func read(
    _ snapshot: borrowing Snapshot, _ principal: Int64, _ kept: KeptComparisons.Reading?
  ) throws(StoreError) -> (question: RangeQuestion, sides: [Side]) {
    var records: [ComparedSetupRecord] = []
    for (place, setup) in setups.enumerated() {
      let path = "setups[\(place)]"
      let record = try snapshot.comparedSetup(
        setup.reference, version: setup.version, principal: principal, path: path)
      guard !records.contains(where: { $0.overlaps(record) }) else {
        throw StoreError(
          .invalidArgument, "is named twice; name another setup", field: path)
      }
      records.append(record)
    }
    let question = try snapshot.rangeQuestion(
      range, principal: principal, includesUnfinished: includesUnfinished)
    var sides: [Side] = []
    for record in records {
      let rounds = try snapshot.comparedRounds(
        record.scope, question.span, includesUnfinished: includesUnfinished,
        withHandicaps: method != nil, kept: kept)
      sides.append(
        Side(
          record: record, rounds: rounds,
          positions: try positions(snapshot, record, rounds, question, kept)))
    }
    let aspects = ComparedRound.statedAspects(sides.flatMap(\.rounds)).subtracting(ignored)
    return (question, sides.map { $0.keeping(aspects) })
  }

  /// The positions of a side, if they are requested and not too many.
  private func positions(
    _ snapshot: borrowing Snapshot, _ record: ComparedSetupRecord, _ rounds: [ComparedRound],
    _ question: RangeQuestion, _ kept: KeptComparisons.Reading?
  ) throws(StoreError) -> ShotPositions? {
    let count = ShotPositions.count(in: rounds)
    let isComplete = count <= Self.meanRadiusPositions
    guard count > 0, includesShots || (method != nil && isComplete) else { return nil }
    let limit = isComplete ? Self.meanRadiusPositions : Self.shots
    let shots = try snapshot.placedShots(
      record.scope, question.span, includesUnfinished: includesUnfinished, limit: limit,
      kept: kept)
    return ShotPositions(passes: shots, count: count, isComplete: isComplete)
  }

  private func pairs(_ sides: [ComparedSide]) throws -> [SetupPair] {
    var places: [(a: Int, b: Int)] = []
    for a in sides.indices { for b in sides.indices where b > a { places.append((a, b)) } }
    var inferences: [QuiverRules.PairInference] = []
    if let method {
      for place in places {
        try checkCancellation()
        inferences.append(
          QuiverRules.PairInference(sides[place.a], sides[place.b], method: method))
      }
      inferences = QuiverRules.PairInference.adjusted(inferences)
    }
    // A cancelled bootstrap has no intervals and must not be shown.
    try checkCancellation()
    return places.enumerated().map { index, place in
      var pair = SetupPair()
      pair.a = UInt32(place.a)
      pair.b = UInt32(place.b)
      pair.deltas = QuiverRules.PairDeltas(sides[place.a].performance, sides[place.b].performance)
        .map { QuiverAPI.PairDeltas($0) }
      if inferences.indices.contains(index) {
        pair.inference = QuiverAPI.PairInference(inferences[index])
      }
      return pair
    }
  }

  private func strata(
    _ sides: [ComparedSide], _ positions: [ShotPositions?], of response: CompareResponse
  ) throws -> [StratumResult] {
    let arrows = Self.arrows(sides)
    let most = arrows.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let kept = most.prefix(Self.strata).map(\.key).sorted()
    return try kept.map { (stratum) throws in
      var result = StratumResult()
      result.stratum = StratumKey(stratum)
      guard kept.count > 1 else {
        // A single stratum equals the whole, which is known already.
        result.performances = response.setups.map { $0.performance ?? SetupPerformance() }
        result.pairs = response.pairs
        return result
      }
      let parts = sides.map { $0.part(in: stratum) }
      result.performances = zip(parts, positions).map { part, positions in
        SetupPerformance(
          part, infers: method != nil, meanRadii: positions?.meanRadii(in: stratum) ?? [:])
      }
      result.pairs = try pairs(parts)
      return result
    }
  }

  /// The number of arrows at each stratum.
  private static func arrows(_ sides: [ComparedSide]) -> [Stratum: Int] {
    var arrows: [Stratum: Int] = [:]
    var latest: (stratum: Stratum, count: Int)?
    for side in sides {
      for round in side.rounds {
        for part in round.parts {
          if latest?.stratum != part.stratum {
            if let latest { arrows[latest.stratum, default: 0] += latest.count }
            latest = (part.stratum, 0)
          }
          latest?.count += part.rollup.arrowCount
        }
      }
    }
    if let latest { arrows[latest.stratum, default: 0] += latest.count }
    return arrows
  }

  private func checkCancellation() throws {
    if Task.isCancelled { throw RPCError(.cancelled, "the call was cancelled") }
  }
}

/// Answers a comparison without a server, for programs that measure it.
package func answer(
  _ request: CompareRequest, of principal: Int64, in store: Store
) throws -> CompareResponse {
  try ComparisonQuestion(request).answer(store, principal: principal)
}
