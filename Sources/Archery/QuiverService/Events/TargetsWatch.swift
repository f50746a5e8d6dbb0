import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

/// What the leases of one holder show: who shoots at its targets, both cards, matches, and the
/// event.
///
/// It does not end when the holder loses its leases: it shows that there are none any more, and
/// nothing else.
struct TargetsWatch: WatchSource {
  let event: Int64
  let holder: Int64

  var key: ChangeFeed.Key { .topic(event) }

  func part(
    _ token: String, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> (message: WatchTargetsResponse, next: String) {
    var response = WatchTargetsResponse()
    let leases = try snapshot.heldLeases(of: holder, in: event)
    response.allTargets = true
    guard !leases.isEmpty else { return (response, "") }
    response.event = try WatchedEvent(try snapshot.tournament(id: event, principal: holder))
    for lease in leases { response.targets.append(try shown(lease, snapshot)) }
    response.notices = try snapshot.notices(event: event, principal: holder)
      .map(EventNotice.init)
    response.calls = try snapshot.openTargetCalls(event: event).filter { isAt($0, leases) }
      .map(TargetCall.init)
    return (response, "")
  }

  func concerns(_ entry: JournalEntry) -> Bool {
    guard entry.topic == event else { return false }
    switch entry.kind {
    case .eventOfficial: return entry.objectID == holder
    case .tournament, .membership, .participant, .eventNotice, .eventPause, .eventSession,
      .eventCategory, .eventStage, .eventMatch, .targetCall:
      return true
    default: return false
    }
  }

  func changes(
    _ entries: [JournalEntry], _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> WatchTargetsResponse? {
    var response = WatchTargetsResponse()
    let leases = try snapshot.heldLeases(of: holder, in: event)
    let kinds = Set(entries.map(\.kind))
    // Places, names and formats can have changed with any of these.
    let isMoved = !kinds.isDisjoint(with: [
      .eventOfficial, .membership, .eventSession, .eventCategory, .tournament,
    ])
    response.allTargets = isMoved
    guard !leases.isEmpty else { return kinds.contains(.eventOfficial) ? response : nil }
    if kinds.contains(.tournament) || kinds.contains(.eventPause) {
      response.event = try WatchedEvent(try snapshot.tournament(id: event, principal: holder))
    }
    let shot = Set(entries.filter { $0.kind == .participant }.map(\.objectID))
    let areMatches = kinds.contains(.eventMatch) || kinds.contains(.eventStage)
    let raised = Set(entries.filter { $0.kind == .targetCall }.map(\.objectID))
    let calls = try snapshot.targetCalls(raised, event: event).filter { isAt($0, leases) }
    // Whose arrows are owed is shown with the archer.
    let owing = calls.filter { $0.content.owedArrows > 0 }
    for lease in leases {
      var isShown = isMoved || (areMatches && lease.session == 0)
      if !isShown { isShown = owing.contains { isAt($0, [lease]) } }
      if !isShown { isShown = try snapshot.isAny(of: shot, at: lease) }
      if isShown { response.targets.append(try shown(lease, snapshot)) }
    }
    let notices = Set(entries.filter { $0.kind == .eventNotice }.map(\.objectID))
    if !notices.isEmpty {
      response.notices = try snapshot.notices(notices, event: event, principal: holder)
        .map(EventNotice.init)
    }
    response.calls = calls.map(TargetCall.init)
    let isEmpty =
      response.event == nil && response.targets.isEmpty && response.notices.isEmpty
      && response.calls.isEmpty && !response.allTargets
    return isEmpty ? nil : response
  }

  private func isAt(_ call: TargetCallRecord, _ leases: [TargetLeaseRecord]) -> Bool {
    leases.contains { $0.session == call.content.session && $0.target == call.content.target }
  }

  private func shown(
    _ lease: TargetLeaseRecord, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> WatchedTarget {
    var target = WatchedTarget()
    target.lease = TargetLease(lease)
    guard lease.session > 0 else {
      let viewer = StageViewer(principal: holder, spectated: nil)
      for id in try snapshot.openMatches(onTarget: lease.target, event: event) {
        target.matches.append(try snapshot.shownMatch(id, to: viewer))
      }
      return target
    }
    target.session = EventSession(try snapshot.watchedSession(lease))
    let entries = try snapshot.watchedEntries(session: lease.session, target: lease.target)
    target.entries = entries.map { WatchedEntry($0, shownTo: lease.card) }
    target.endsAhead = UInt32(
      clamping: try snapshot.endsAhead(session: lease.session, target: lease.target, entries))
    return target
  }
}

extension WatchedEvent {
  init(_ record: TournamentRecord) throws(StoreError) {
    self.init()
    let event = TournamentEvent(record)
    tournamentID = event.id
    name = event.name
    status = event.status
    paused = event.paused
    shootingPause = event.shootingPause
    leasesDemanded = record.demandsLeases
    correctionConsent = event.correctionConsent
    scorersTypePapers = event.scorersTypePapers
  }
}

extension WatchedEntry {
  /// Both cards as the keeper of one may see them: the other card's arrows only where both have the
  /// end, so that two scorers stay independent of each other.
  init(_ record: WatchedEntryRecord, shownTo card: LeasedCard) {
    self.init()
    entry = EventEntry(record.entry, showsLicence: false)
    format = QuiverAPI.RoundFormat(record.format)
    round = QuiverAPI.QualificationRound(record.round)
    self.card = record.card.summary.map(QuiverAPI.CardSummary.init)
    cardRevision = UInt64(clamping: record.card.revision)
    let isConfirmed = self.card?.status == .confirmed
    mayScore = record.card.participant.status.standing == .ranked && !isConfirmed
    let ends = record.round.firstEnd..<(record.round.firstEnd + record.round.endCount)
    let both = ComparedCard(record.card, showsSignatures: false)
    let compared = both.ends.filter { ends.contains(Int($0.endIndex)) }
    let passes = Set(ends.compactMap { record.format.format.end($0)?.passIndex })
    parts = both.parts.filter { $0.part == 0 || passes.contains(Int($0.part) - 1) }
    owed = record.card.owed.filter { ends.contains($0.end) }.map(QuiverAPI.OwedArrows.init)
    switch card {
    case .first:
      score = Score(record.card.participant.tally)
      arrows = record.card.arrows.filter { ends.contains($0.slot.endIndex) }.map(ScoredArrow.init)
      self.ends = compared.map { end in
        var end = end
        if end.state == .waiting || end.state == .unspecified { end.hideSecond() }
        return end
      }
      if record.isComplete { rate(record) }
    case .second:
      parts = parts.map(\.withoutSums)
      self.ends = compared.compactMap { end in
        guard !end.second.isEmpty else { return nil }
        var end = end
        if end.state == .waiting { end.first = [] }
        return end
      }
    }
  }

  /// Adds the handicap and the class of the score; a round without either has none.
  private mutating func rate(_ record: WatchedEntryRecord) {
    let (format, total) = (record.format.format, record.card.participant.tally.total)
    var table = HandicapTable(format.handicapPasses)
    handicap = table?.handicap(total).map { Int32(clamping: $0) }
    guard let category = record.category else { return }
    let known = try? ClassificationScheme.classification(score: total, format, category)
    classCode = known?.code ?? ""
    className = known?.name ?? ""
  }
}

extension QuiverAPI.CardPart {
  /// Who has confirmed it, and nothing that was shot.
  fileprivate var withoutSums: QuiverAPI.CardPart {
    var part = QuiverAPI.CardPart()
    (part.part, part.arrowCount) = (self.part, arrowCount)
    (part.archerConfirmed, part.scorerConfirmed) = (archerConfirmed, scorerConfirmed)
    return part
  }
}

extension ComparedEnd {
  fileprivate mutating func hideSecond() {
    second = []
    operationClientID = []
    (witnessID, judgeID, witnessName) = (0, 0, "")
  }
}
