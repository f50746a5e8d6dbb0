import QuiverAPI
import QuiverRules
import QuiverStore

extension ComparedSetup {
  init(_ record: ComparedSetupRecord) {
    self.init()
    id = record.id
    clientID = record.clientID
    version = UInt32(clamping: record.version)
    displayName = record.displayName
  }
}

extension StratumKey {
  init(_ stratum: Stratum) {
    self.init()
    distance = stratum.distance
    unit = QuiverAPI.DistanceUnit(rawValue: stratum.unit.rawValue)
    face = QuiverAPI.Face(rawValue: stratum.face)
    diameterCentimetres = stratum.diameterCM
    place = stratum.conditions.place
    weather = Weather(rawValue: stratum.conditions.weather?.rawValue ?? 0)
    wind = Wind(rawValue: stratum.conditions.wind?.rawValue ?? 0)
    light = Light(rawValue: stratum.conditions.light?.rawValue ?? 0)
  }
}

extension SetupPerformance {
  /// `meanRadii` are by diameter of the face.
  init(_ side: ComparedSide, infers: Bool, meanRadii: [Double: Double] = [:]) {
    self.init(side.performance, meanRadii: meanRadii)
    valueCounts = side.valueCounts.map { UInt64(clamping: $0) }
    if infers { tenRate = TenRate(side.counts).map { TenRateEstimate($0) } }
    let handicaps = side.handicaps
    handicapRoundCount = UInt64(handicaps.count)
    if !handicaps.isEmpty {
      meanHandicap = Double(handicaps.reduce(0, +)) / Double(handicaps.count)
    }
  }

  private init(_ performance: Performance, meanRadii: [Double: Double]) {
    self.init()
    hasData = performance.hasData
    let counts = performance.counts
    totalArrows = UInt64(clamping: counts.arrows)
    averageScore = counts.averageScore
    accuracyPercent = counts.accuracy
    consistencyPercent = counts.consistency
    xCount = UInt64(clamping: counts.x)
    tenCount = UInt64(clamping: counts.tens)
    missCount = UInt64(clamping: counts.misses)
    roundCount = UInt64(clamping: performance.roundCount)
    averageRoundScore = performance.averageRoundScore
    firstShotAtMilliseconds = performance.firstShotAt
    lastShotAtMilliseconds = performance.lastShotAt
    faces = Set(performance.strata.map(\.face)).sorted().map { QuiverAPI.Face(rawValue: $0) }
    groups = performance.positions.map {
      FaceGroup($0, meanRadius: meanRadii[$0.diameterCM])
    }
  }
}

extension FaceGroup {
  init(_ positions: FacePositions, meanRadius: Double?) {
    self.init()
    diameterCentimetres = positions.diameterCM
    positionCount = UInt64(clamping: positions.sums.count)
    meanX = positions.drift?.x ?? 0
    meanY = positions.drift?.y ?? 0
    size = positions.group.map { GroupSize($0, meanRadius: meanRadius) }
  }
}

extension GroupSize {
  init(_ group: ShotGroup, meanRadius: Double?) {
    self.init()
    varianceX = group.varianceX
    varianceY = group.varianceY
    covariance = group.covariance
    self.meanRadius = meanRadius
    let (half, most) = (group.ellipse(holding: 0.5), group.ellipse(holding: 0.95))
    semiMajor50 = half.semiMajor
    semiMinor50 = half.semiMinor
    semiMajor95 = most.semiMajor
    semiMinor95 = most.semiMinor
    axisRatio = group.axisRatio
    angleRadians = group.angle
  }
}

extension TenRateEstimate {
  init(_ rate: TenRate) {
    self.init()
    self.rate = rate.rate
    arrowCount = UInt64(clamping: rate.arrows)
    roundCount = UInt64(clamping: rate.rounds)
    designEffect = rate.designEffect
    lower = rate.interval?.lower
    upper = rate.interval?.upper
  }
}

extension ShownDelta {
  init(_ delta: Delta) {
    self.init()
    value = delta.value
    text = delta.text
    direction = QuiverAPI.DeltaDirection(rawValue: delta.direction.rawValue)
  }
}

extension QuiverAPI.PairDeltas {
  init(_ deltas: QuiverRules.PairDeltas) {
    self.init()
    averageScore = ShownDelta(deltas.averageScore)
    accuracy = ShownDelta(deltas.accuracy)
    consistency = ShownDelta(deltas.consistency)
    arrowCount = Int64(deltas.arrowCount)
    arrowCountText = deltas.arrowCountText
  }
}

extension QuiverAPI.PairInference {
  init(_ inference: QuiverRules.PairInference) {
    self.init()
    metrics = QuiverRules.ComparisonMetric.allCases.map {
      MetricInference(inference[$0], of: $0)
    }
    if let a = inference.tenRateA, let b = inference.tenRateB,
      let found = TenRate.difference(a, b)
    {
      var difference = TenRateDifference()
      difference.difference = found.value
      difference.lower = found.interval.lower
      difference.upper = found.interval.upper
      tenRate = difference
    }
    places = inference.places.map { PlaceInference($0) }
    handicap = inference.handicap.map { MetricInference($0, of: nil) }
    conditionsDiffer = inference.conditionsDiffer
    differing = inference.differingAspects.map { StratumAspect(rawValue: $0.rawValue) }
    pooled = zip(QuiverRules.ComparisonMetric.allCases, inference.pooled).map {
      MetricInference($0.1, of: $0.0)
    }
    pooledStrata = inference.pooledStrata.map { StratumKey($0) }
    overallWords = inference.overall.words
  }
}

extension MetricInference {
  /// `metric` is nil for the handicap.
  init(_ comparison: MetricComparison, of metric: QuiverRules.ComparisonMetric?) {
    self.init()
    self.metric = QuiverAPI.ComparisonMetric(rawValue: metric?.rawValue ?? 0)
    meanA = comparison.meanA
    meanB = comparison.meanB
    roundCountA = UInt32(clamping: comparison.roundsA)
    roundCountB = UInt32(clamping: comparison.roundsB)
    difference = comparison.difference?.difference
    standardError = comparison.difference?.standardError
    degreesOfFreedom = comparison.difference?.degreesOfFreedom
    lower = comparison.difference?.interval?.lower
    upper = comparison.difference?.interval?.upper
    p = comparison.difference?.p
    adjustedP = comparison.adjustedP
    hedgesG = comparison.hedgesG
    detectableDifference = comparison.detectableDifference
    verdict = QuiverAPI.ComparisonVerdict(rawValue: comparison.verdict.rawValue)
    words = comparison.words
  }
}

extension PlaceInference {
  init(_ place: PlaceComparison) {
    self.init()
    diameterCentimetres = place.diameterCM
    roundCountA = UInt32(clamping: place.roundsA)
    roundCountB = UInt32(clamping: place.roundsB)
    tSquared = place.test?.tSquared
    p = place.test?.p
    verdict = QuiverAPI.PlaceVerdict(rawValue: place.verdict.rawValue)
    words = place.verdict.words
  }
}
