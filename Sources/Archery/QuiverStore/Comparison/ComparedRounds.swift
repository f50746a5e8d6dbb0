package import QuiverRules

/// Reads one principal's rounds for comparisons.
extension Snapshot {
  private static let setup = Query(
    "SELECT client_id, name, version FROM bow_setup WHERE id = ?1 AND principal_id = ?2")
  private static let hasVersion = Query(
    "SELECT 1 FROM bow_setup_version WHERE setup_id = ?1 AND version = ?2")
  private static let item = Query(
    """
    SELECT display_brand, display_model FROM equipment
    WHERE id = ?1 AND principal_id = ?2 AND deleted_at_ms IS NULL
    """)
  private static let placed = Query(
    """
    SELECT pass_index, value, x, y FROM scored_arrow
    WHERE round_id = ?1 AND is_retracted = 0 AND x IS NOT NULL AND scored_at_ms >= ?2
      AND scored_at_ms < ?3
    ORDER BY end_index, arrow_index
    """)
  private static let inRange = """
    last_shot_ms >= ?2 AND first_shot_ms < ?3
      AND (status = \(RoundStatus.completed.rawValue) OR (?4 AND status IN (
        \(RoundStatus.inProgress.rawValue), \(RoundStatus.paused.rawValue))))
    """
  private static let ofSetup = Query(
    """
    SELECT \(RollupRow.columns) FROM arrow_rollup
    WHERE setup_id = ?1 AND \(inRange) AND (?5 = 0 OR setup_version = ?5)
    """)
  private static let ofItem = Query(
    """
    SELECT \(RollupRow.columns) FROM (
      SELECT DISTINCT setup_id AS held_id, version AS held_version FROM bow_setup_component
      WHERE equipment_id = ?1
    ) AS held JOIN arrow_rollup ON setup_id = held_id AND setup_version = held_version
    WHERE \(inRange)
    """)

  /// The principal's setup; throws `notFound` with the path that starts with `path`.
  package func comparedSetup(
    _ reference: ObjectReference, version: Int64, principal: Int64, path: String
  ) throws(StoreError) -> ComparedSetupRecord {
    let id = try objectID(reference, kind: .bowSetup, principal: principal)
    let found = try id.flatMap { (id) throws(StoreError) in
      try first(Self.setup, .integer(id), .integer(principal)) { row in
        ComparedSetupRecord(
          id: id, clientID: row.bytes(0), version: version,
          displayName: BowSetupText.displayName(row.text(1)))
      }
    }
    guard let found else {
      throw StoreError(.notFound, "there is no such bow setup", field: path)
    }
    guard version != 0 else { return found }
    let isThere = try first(Self.hasVersion, .integer(found.id), .integer(version)) { _ in true }
    guard isThere != nil else {
      throw StoreError(.notFound, "the setup has no such version", field: path + ".version")
    }
    return found
  }

  /// The id and name of the principal's item; throws `notFound`.
  package func comparedItem(
    _ reference: ObjectReference, principal: Int64
  ) throws(StoreError) -> (id: Int64, displayName: String) {
    let id = try objectID(reference, kind: .equipment, principal: principal)
    let found = try id.flatMap { (id) throws(StoreError) in
      try first(Self.item, .integer(id), .integer(principal)) { row in
        let words = [row.text(0), row.text(1)].filter { !$0.isEmpty }
        return (id: id, displayName: words.joined(separator: " "))
      }
    }
    guard let found else {
      throw StoreError(.notFound, "there is no such item of equipment", field: "equipment_id")
    }
    return found
  }

  /// The rounds of a scope with arrows in the range, each folded by pass, with handicaps on
  /// request. Those of a setup, none of which extends beyond the range, are taken from `kept`, and
  /// kept there. The caller has checked that the scope is the principal's.
  package func comparedRounds(
    _ scope: ComparisonScope, _ span: ShotSpan, includesUnfinished: Bool, withHandicaps: Bool,
    kept: KeptComparisons.Reading? = nil
  ) throws(StoreError) -> [ComparedRound] {
    guard let kept, case .setup(let id, let version) = scope else {
      return try readRounds(
        scope, span, includesUnfinished: includesUnfinished, withHandicaps: withHandicaps
      ).rounds
    }
    let keptScope = KeptRounds.Scope(
      setupID: id, version: version, includesUnfinished: includesUnfinished,
      withHandicaps: withHandicaps)
    if let found = kept.rounds(keptScope, span) { return found.rounds }
    let read = try readRounds(
      scope, span, includesUnfinished: includesUnfinished, withHandicaps: withHandicaps)
    if read.passes.allSatisfy(\.isWhole) {
      kept.keep(try keptRounds(read.rounds, read.passes, of: id, span), of: keptScope)
    }
    return read.rounds
  }

  /// The same from the database, with all passes in the range, in no order.
  private func readRounds(
    _ scope: ComparisonScope, _ span: ShotSpan, includesUnfinished: Bool, withHandicaps: Bool
  ) throws(StoreError) -> (rounds: [ComparedRound], passes: [PassInRange]) {
    var passes: [PassInRange] = []
    var rounds: [Int64: RoundParts] = [:]
    let conditions = try conditions(scope, span)
    for row in try rollups(scope, span, includesUnfinished: includesUnfinished) {
      let isWhole = row.isWhole(in: span)
      var part = row.part.under(conditions[row.key.roundID])
      passes.append(PassInRange(row.key, part, isWhole: isWhole))
      if !isWhole {
        // The round extends beyond the range.
        let shots = try passShots(of: row.key).map(\.shot).filter { span.contains($0.scoredAt) }
        guard !shots.isEmpty else { continue }
        part = RoundPart(
          stratum: part.stratum, floors: part.floors, rollup: ArrowRollup(shots))
      }
      rounds[row.key.roundID, default: RoundParts(status: row.status)].add(part, isWhole: isWhole)
    }
    var tables: [RoundTable.Key: RoundTable] = [:]
    // By id, because the bootstrap needs a fixed order.
    let compared = try rounds.sorted { $0.key < $1.key }.map { (id, round) throws(StoreError) in
      guard withHandicaps, round.status == Int64(RoundStatus.completed.rawValue) else {
        return ComparedRound(parts: round.parts)
      }
      let handicap =
        try round.cutStrata.isEmpty ? handicap(roundID: id, round.parts, of: nil, &tables) : nil
      var byStratum: [Stratum: Int] = [:]
      let strata = Set(round.parts.map(\.stratum))
      if strata.count > 1 || !round.cutStrata.isEmpty {
        for stratum in strata.subtracting(round.cutStrata) {
          let parts = round.parts.filter { $0.stratum == stratum }
          byStratum[stratum] = try self.handicap(roundID: id, parts, of: stratum, &tables)
        }
      }
      return ComparedRound(
        parts: round.parts, handicap: handicap, stratumHandicaps: byStratum)
    }
    return (compared, passes)
  }

  private func rollups(
    _ scope: ComparisonScope, _ span: ShotSpan, includesUnfinished: Bool
  ) throws(StoreError) -> [RollupRow] {
    let start = SQLValue.integer(span.start ?? .min)
    let end = SQLValue.integer(span.end)
    let unfinished = SQLValue.integer(includesUnfinished ? 1 : 0)
    switch scope {
    case .setup(let id, let version):
      return try all(
        Self.ofSetup, .integer(id), start, end, unfinished, .integer(version)
      ) { (row) throws(StoreError) in try RollupRow(row) }
    case .item(let id):
      return try all(Self.ofItem, .integer(id), start, end, unfinished) {
        (row) throws(StoreError) in try RollupRow(row)
      }
    }
  }

  /// The positions of a scope's arrows in the range by pass, the latest rounds first, at most
  /// `limit`. Those of whole rounds are taken from `kept`, and kept there.
  package func placedShots(
    _ scope: ComparisonScope, _ span: ShotSpan, includesUnfinished: Bool, limit: Int,
    kept: KeptComparisons.Reading? = nil
  ) throws(StoreError) -> [PlacedPass] {
    var placed: [PlacedPass] = []
    var room = limit
    // The passes of a round mostly follow each other, and one query reads them all.
    var read: (roundID: Int64, isWhole: Bool, shots: [Int: [PlacedShot]])?
    let passes = try passes(scope, span, includesUnfinished: includesUnfinished, kept)
    for pass in passes where pass.positionCount > 0 {
      guard room > 0 else { break }
      let id = pass.key.roundID
      if read?.roundID != id || read?.isWhole != pass.isWhole {
        let shots = try pass.isWhole ? wholeRound(id, kept) : placedShots(ofRound: id, span)
        read = (id, pass.isWhole, shots)
      }
      guard let shots = read?.shots[pass.key.passIndex]?.prefix(room) else { continue }
      room -= shots.count
      placed.append(PlacedPass(stratum: pass.stratum, shots: Array(shots)))
    }
    return placed
  }

  /// The passes of a scope with arrows in the range, the latest first.
  private func passes(
    _ scope: ComparisonScope, _ span: ShotSpan, includesUnfinished: Bool,
    _ kept: KeptComparisons.Reading?
  ) throws(StoreError) -> [PassInRange] {
    if let kept, case .setup(let id, let version) = scope {
      for withHandicaps in [true, false] {
        let scope = KeptRounds.Scope(
          setupID: id, version: version, includesUnfinished: includesUnfinished,
          withHandicaps: withHandicaps)
        if let found = kept.rounds(scope, span) { return found.passes }
      }
    }
    let conditions = try conditions(scope, span)
    return try rollups(scope, span, includesUnfinished: includesUnfinished).map { row in
      PassInRange(
        row.key, row.part.under(conditions[row.key.roundID]), isWhole: row.isWhole(in: span))
    }.sorted { $0.isLater(than: $1) }
  }

  /// All arrows of a round with a position.
  private func wholeRound(
    _ id: Int64, _ kept: KeptComparisons.Reading?
  ) throws(StoreError) -> [Int: [PlacedShot]] {
    if let round = kept?.round(id) { return round }
    let round = try placedShots(ofRound: id, ShotSpan(start: nil, end: .max))
    kept?.keep(round, of: id)
    return round
  }

  /// The arrows of a round with a position in the range, by pass and in their order.
  private func placedShots(
    ofRound id: Int64, _ span: ShotSpan
  ) throws(StoreError) -> [Int: [PlacedShot]] {
    var shots: [Int: [PlacedShot]] = [:]
    var (passIndex, ofPass) = (0, [PlacedShot]())
    try session.forEach(
      Self.placed, [.integer(id), .integer(span.start ?? .min), .integer(span.end)]
    ) { row in
      let index = Int(clamping: row.int64(0))
      if index != passIndex {
        shots[passIndex, default: []] += ofPass
        (passIndex, ofPass) = (index, [])
      }
      ofPass.append(
        PlacedShot(
          point: ShotPoint(x: row.double(2), y: row.double(3)),
          value: min(max(Int(clamping: row.int64(1)), 0), ArrowRollup.highestValue)))
    }
    shots[passIndex, default: []] += ofPass
    return shots
  }

  /// The arrows of a scope in the range with their rounds, by their number in the end, from 1; or
  /// by the number of their shaft, without arrows whose shaft is not known.
  ///
  /// Throws `resourceExhausted` if there are more than `limit` arrows.
  package func arrowsByNumber(
    _ scope: ComparisonScope, _ span: ShotSpan, includesUnfinished: Bool, byShaft: Bool = false,
    limit: Int
  ) throws(StoreError) -> [(number: Int, rounds: [ComparedRound], points: [PlacedPass])] {
    var rounds: [Int: [Int64: [RoundPart]]] = [:]
    var points: [Int: [PlacedPass]] = [:]
    var count = 0
    for row in try latestFirst(scope, span, includesUnfinished: includesUnfinished) {
      var folded: [Int: ArrowRollup] = [:]
      var placed: [Int: [PlacedShot]] = [:]
      for found in try passShots(of: row.key) where span.contains(found.shot.scoredAt) {
        count += 1
        let number = byShaft ? found.shaft : found.arrowIndex + 1
        guard number > 0 else { continue }
        folded[number, default: ArrowRollup()].add(found.shot)
        guard let point = found.shot.position else { continue }
        placed[number, default: []].append(PlacedShot(point: point, value: found.shot.value))
      }
      guard count <= limit else {
        throw StoreError(
          .resourceExhausted, "there are more than \(limit) arrows; name a shorter range",
          field: "range")
      }
      for (number, shots) in placed {
        points[number, default: []].append(PlacedPass(stratum: row.part.stratum, shots: shots))
      }
      for (number, rollup) in folded {
        rounds[number, default: [:]][row.key.roundID, default: []].append(
          RoundPart(stratum: row.part.stratum, floors: row.part.floors, rollup: rollup))
      }
    }
    return rounds.sorted { $0.key < $1.key }.map { number, byRound in
      let compared = byRound.sorted { $0.key < $1.key }.map { ComparedRound(parts: $0.value) }
      return (number, compared, points[number] ?? [])
    }
  }

  private func latestFirst(
    _ scope: ComparisonScope, _ span: ShotSpan, includesUnfinished: Bool
  ) throws(StoreError) -> [RollupRow] {
    try rollups(scope, span, includesUnfinished: includesUnfinished).sorted { one, two in
      (one.part.rollup.lastShotAt ?? 0, one.key.id) > (two.part.rollup.lastShotAt ?? 0, two.key.id)
    }
  }

  private struct RoundParts {
    let status: Int64
    var parts: [RoundPart] = []
    /// The strata with arrows before or after the range.
    var cutStrata: Set<Stratum> = []

    mutating func add(_ part: RoundPart, isWhole: Bool) {
      parts.append(part)
      if !isWhole { cutStrata.insert(part.stratum) }
    }
  }
}

extension RollupRow {
  /// Whether all arrows of the pass lie in the range.
  fileprivate func isWhole(in span: ShotSpan) -> Bool {
    let rollup = part.rollup
    return span.contains(rollup.firstShotAt ?? 0) && span.contains(rollup.lastShotAt ?? 0)
  }
}

/// A pass of a round with arrows in a range.
struct PassInRange: Sendable {
  let key: RollupKey
  /// With the conditions of the round's session.
  let stratum: Stratum
  /// The number of its arrows with a position, those outside of the range included.
  let positionCount: Int
  let lastShotAt: Int64
  /// Whether all its arrows lie in the range.
  let isWhole: Bool

  init(_ key: RollupKey, _ part: RoundPart, isWhole: Bool) {
    self.key = key
    stratum = part.stratum
    positionCount = part.rollup.positions.count
    lastShotAt = part.rollup.lastShotAt ?? 0
    self.isWhole = isWhole
  }

  /// The order of passes, the latest first.
  func isLater(than other: PassInRange) -> Bool {
    (lastShotAt, key.id) > (other.lastShotAt, other.key.id)
  }
}

/// One arrow on the face.
package struct PlacedShot: Sendable, Equatable {
  package let point: ShotPoint
  package let value: Int
}

/// The arrows of one pass of a round on the face.
package struct PlacedPass: Sendable, Equatable {
  package let stratum: Stratum
  package let shots: [PlacedShot]

  /// The pass with only those conditions of its stratum.
  package func keeping(_ aspects: Set<StratumFeature>) -> PlacedPass {
    PlacedPass(stratum: stratum.keeping(aspects), shots: shots)
  }
}

extension RoundPart {
  /// The part with the conditions of its session; the same if nothing is known of them.
  fileprivate func under(_ conditions: ShootingConditions?) -> RoundPart {
    guard let conditions else { return self }
    return RoundPart(
      stratum: Stratum(
        distance: stratum.distance, unit: stratum.unit, face: stratum.face,
        diameterCM: stratum.diameterCM, conditions: conditions),
      floors: floors, rollup: rollup)
  }
}
