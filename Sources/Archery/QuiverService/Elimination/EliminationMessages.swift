import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore
import QuiverWire

extension MatchSide {
  /// 1 or 2; nil for another number.
  init?(number: UInt32) {
    switch number {
    case 1: self = .first
    case 2: self = .second
    default: return nil
    }
  }
}

extension EliminationStage {
  init(_ record: EliminationStageRecord) {
    self.init()
    id = record.id
    tournamentID = record.event
    categoryID = record.category
    categoryCode = record.categoryCode
    size = UInt32(clamping: record.size)
    entrantCount = UInt32(clamping: record.entrantCount)
    system = QuiverAPI.MatchSystem(rawValue: record.system.rawValue)
    ruleDay = record.ruleDay
    bronzeMatch = record.hasBronzeMatch
    seed = record.seed
    createdAtMilliseconds = record.createdAtMilliseconds
    secondCategoryID = record.secondCategory
    teamGroup = QuiverAPI.TeamGroup(rawValue: record.teamGroup?.rawValue ?? 0)
    groupCount = UInt32(clamping: record.groupCount)
    fromStageID = record.fromStage
    exemptSeeds = UInt32(clamping: record.exempt?.count ?? 0)
    face = QuiverAPI.Face(rawValue: record.face.rawValue)
    repeatedMaximum = record.rules.repeatedMaximum.map(MatchArrow.init)
  }
}

extension TeamMember {
  init(_ record: TeamMemberRecord) {
    self.init()
    participantID = record.participant
    displayName = record.displayName
  }
}

extension EliminationRank {
  init(_ entrant: EntrantRecord, in record: BracketRecord, group: Int) {
    self.init()
    seed = UInt32(clamping: entrant.seed)
    participantID = entrant.participant
    displayName = entrant.displayName
    rank = UInt32(clamping: record.ranks[entrant.seed] ?? 0)
    members = entrant.members.map(TeamMember.init)
    self.group = UInt32(clamping: group)
    guard let row = record.rows[entrant.seed] else { return }
    playedCount = UInt32(clamping: row.played)
    wonCount = UInt32(clamping: row.won)
    points = UInt32(clamping: row.points)
    setPoints = UInt32(clamping: row.setPoints)
    total = UInt32(clamping: row.total)
  }
}

extension QuiverAPI.EliminationBracket {
  init(_ record: BracketRecord) {
    self.init()
    stage = EliminationStage(record.stage)
    revision = record.revision
    matches = record.matches.map { EliminationMatch($0, in: record, showsCards: false) }
    var groups: [Int: Int] = [:]
    for (group, seeds) in record.stage.groups.enumerated() {
      for seed in seeds { groups[seed] = group + 1 }
    }
    ranks = record.entrants.map { entrant in
      EliminationRank(entrant, in: record, group: groups[entrant.seed] ?? 0)
    }.sorted { left, right in
      // Entrants without a rank come last.
      (left.group, left.rank &- 1, left.seed) < (right.group, right.rank &- 1, right.seed)
    }
  }
}

extension EliminationMatch {
  init(_ record: MatchRecord, in bracket: BracketRecord, showsCards: Bool) {
    self.init(record, in: bracket.stageEntrants, showsCards: showsCards)
  }

  init(_ record: MatchRecord, in bracket: StageEntrants, showsCards: Bool) {
    self.init()
    id = record.id
    stageID = record.stage
    tournamentID = record.event
    let isInGroup = bracket.stage.groupCount > 0
    roundSize = isInGroup ? 0 : UInt32(clamping: record.place.roundSize)
    group = isInGroup ? UInt32(clamping: record.place.roundSize) : 0
    groupRound = UInt32(clamping: bracket.stage.groupRound(of: record))
    index = UInt32(clamping: record.place.index)
    revision = record.revision
    startsAtMilliseconds = record.startsAtMilliseconds
    let score = record.score(bracket.stage.rules)
    show(score, of: record)
    if showsCards {
      stage = EliminationStage(bracket.stage)
      correctionConsent = QuiverAPI.CorrectionConsent(
        rawValue: bracket.stage.consent?.rawValue ?? 0)
    }
    sides = MatchSide.allCases.map { side in
      var card = MatchSideCard()
      card.seed = UInt32(clamping: record.seeds[side.rawValue] ?? 0)
      let entrant = bracket.entrant(record.seeds[side.rawValue])
      card.participantID = entrant?.participant ?? 0
      card.displayName = entrant?.displayName ?? ""
      card.setPoints = UInt32(clamping: score.setPoints[side.rawValue])
      card.total = UInt32(clamping: score.totals[side.rawValue])
      card.confirmed = record.confirmations.contains(side)
      card.forfeited = record.forfeits.contains(side)
      card.target = record.targets[side.rawValue]
      if showsCards {
        card.entries = MatchCardEntry.entries(of: side, record)
        card.members = entrant?.members.map(TeamMember.init) ?? []
      }
      return card
    }
  }

  private mutating func show(_ score: MatchScore, of record: MatchRecord) {
    if record.isBye {
      state = .bye
      decision = .bye
      winner = record.seeds[0] != nil ? 1 : record.seeds[1] != nil ? 2 : 0
      return
    }
    guard record.seeds.allSatisfy({ $0 != nil }) else {
      state = .waiting
      return
    }
    switch score.progress {
    case .scheduled: state = .scheduled
    case .shooting(let end):
      state = .shooting
      nextEnd = UInt32(clamping: end)
    case .shootOff(let index):
      state = .shootOff
      nextEnd = UInt32(clamping: index)
    case .measuring(let index):
      state = .measuring
      nextEnd = UInt32(clamping: index)
    case .decided(let side, let reason):
      state = record.isConfirmed ? .confirmed : .finished
      winner = side.map { UInt32($0.rawValue + 1) } ?? 0
      decision = QuiverAPI.MatchDecision(rawValue: reason.rawValue)
    }
  }
}

extension MatchCardEntry {
  /// The entries of a card, ends before shoot-offs.
  static func entries(of side: MatchSide, _ record: MatchRecord) -> [MatchCardEntry] {
    record.operations.keys.filter { $0.side == side }.sorted().map { place in
      var shown = MatchCardEntry()
      shown.shootOff = place.isShootOff
      shown.index = UInt32(clamping: place.index)
      switch record.entry(at: place) {
      case .end(_, let arrows)?: shown.arrows = arrows.map(MatchArrow.init)
      case .shootOff(_, let shot)?:
        shown.arrows = shot.arrows.map(MatchArrow.init)
        shown.distances = shot.distances.map { UInt32(clamping: $0) }
        shown.isCloser = shot.isMarkedCloser
      case nil: break
      }
      if let operation = record.operations[place] {
        shown.operationID = operation.id
        shown.operationClientID = operation.clientID
      }
      if let witness = record.witnesses[place] {
        shown.witnessID = witness.participant
        (shown.judgeID, shown.witnessName) = (witness.judge, witness.name)
      }
      return shown
    }
  }
}

extension MatchArrow {
  init(_ score: ArrowScore) {
    self.init()
    value = UInt32(clamping: score.value)
    isX = score.isX
  }

  var score: ArrowScore { ArrowScore(value: Int(value), isX: isX) }
}

extension MatchOperation {
  /// More arrows than any card has in an end, and distances.
  private static let maximumCount = 12

  /// The operation for the store; if it cannot be valid, with the reason.
  func draft(path: String) -> MatchOperationDraft {
    do throws(StoreError) {
      return try validDraft(path)
    } catch {
      var draft = MatchOperationDraft()
      draft.clientID = clientID
      draft.match = matchID
      draft.invalid = error
      return draft
    }
  }

  private func validDraft(_ path: String) throws(StoreError) -> MatchOperationDraft {
    guard let side = MatchSide(number: side) else {
      throw .invalid(path + "side", "must be 1 or 2")
    }
    guard let entry else { throw .invalid(path + "entry", "must be given") }
    guard entry.arrows.count <= Self.maximumCount, entry.distances.count <= Self.maximumCount else {
      throw .invalid(path + "entry.arrows", "must be at most \(Self.maximumCount)")
    }
    guard entry.index < 1_000 else {
      throw .invalid(path + "entry.index", "must be below 1000")
    }
    guard entry.arrows.allSatisfy({ $0.value <= UInt32(ArrowScore.maximumValue) }) else {
      throw .invalid(
        path + "entry.arrows", "must have values up to \(ArrowScore.maximumValue)")
    }
    guard replacesClientID.isEmpty || replacesClientID.count == StoreLimits.keyByteCount else {
      throw .invalid(path + "replaces_client_id", "must be a client_id")
    }
    guard participantID >= 0 else {
      throw .invalid(path + "participant_id", "must not be negative")
    }
    guard scoredAtMilliseconds >= 0 else {
      throw .invalid(path + "scored_at_ms", "must not be negative")
    }
    let index = Int(entry.index)
    let arrows = entry.arrows.map(\.score)
    var draft = MatchOperationDraft()
    draft.clientID = clientID
    draft.match = matchID
    draft.side = side
    draft.participant = participantID
    draft.isShootOff = entry.shootOff
    draft.index = index
    draft.replaces = replacesClientID
    draft.reason = try Self.checked(reason, path + "reason")
    draft.scoredAtMilliseconds = scoredAtMilliseconds
    draft.device = try Self.checked(device, path + "device")
    draft.witness = try CorrectionWitness(participant: witnessID, judge: judgeID, path: path)
    guard !arrows.isEmpty else { return draft }
    draft.entry =
      entry.shootOff
      ? .shootOff(
        index,
        ShootOffShot(
          arrows, distances: entry.distances.map { Int($0) }, isMarkedCloser: entry.isCloser))
      : .end(index, arrows)
    return draft
  }

  private static func checked(_ text: String, _ path: String) throws(StoreError) -> String {
    do throws(RuleViolation) {
      return try TextLimits.checked(text, length: TextLimits.nameLength, path: path)
    } catch {
      throw StoreError.invalid(error.field, error.message)
    }
  }
}

extension MatchOperationVerdict {
  init(_ outcome: MatchOutcome, clientID: [UInt8]) {
    self.init()
    self.clientID = clientID
    verdict = MatchVerdict(rawValue: outcome.verdict.rawValue)
    if let refusal = outcome.refusal {
      let error = RPCError(refusal)
      code = UInt32(clamping: error.code.rawValue)
      message = error.message
    }
    if let match = outcome.match, let bracket = outcome.bracket {
      self.match = EliminationMatch(match, in: bracket, showsCards: true)
    }
  }
}
