import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore
import QuiverWire

extension [MatchArrow] {
  /// The arrows of an end, or of `ends` of them; throws `invalidArgument`.
  func scores(path: String, ends: Int = 1) throws(StoreError) -> [ArrowScore] {
    let most = RoundPass.arrowsPerEndRange.upperBound * ends
    guard count <= most else { throw .invalid(path, "must be at most \(most)") }
    guard allSatisfy({ $0.value <= UInt32(ArrowScore.maximumValue) }) else {
      throw .invalid(path, "must have values up to \(ArrowScore.maximumValue)")
    }
    return map(\.score)
  }
}

extension CardOperation {
  /// The operation for the store; if it cannot be valid, with the reason.
  func draft(path: String) -> CardOperationDraft {
    do throws(StoreError) {
      return try validDraft(path)
    } catch {
      var draft = CardOperationDraft()
      draft.clientID = clientID
      draft.participant = participantID
      draft.endIndex = Int(endIndex)
      draft.invalid = error
      return draft
    }
  }

  private func validDraft(_ path: String) throws(StoreError) -> CardOperationDraft {
    guard replacesClientID.isEmpty || replacesClientID.count == StoreLimits.keyByteCount else {
      throw .invalid(path + "replaces_client_id", "must be a client_id")
    }
    guard scoredAtMilliseconds >= 0 else {
      throw .invalid(path + "scored_at_ms", "must not be negative")
    }
    var draft = CardOperationDraft()
    draft.clientID = clientID
    draft.participant = participantID
    draft.endIndex = Int(endIndex)
    draft.arrows = try arrows.scores(path: path + "arrows")
    draft.replaces = replacesClientID
    draft.reason = reason
    draft.device = device
    draft.witness = try CorrectionWitness(participant: witnessID, judge: judgeID, path: path)
    draft.scoredAtMilliseconds = scoredAtMilliseconds
    return draft
  }
}

extension CardOperationVerdict {
  init(_ outcome: CardOutcome, clientID: [UInt8]) {
    self.init()
    self.clientID = clientID
    verdict = Verdict(rawValue: outcome.verdict.rawValue)
    if let refusal = outcome.refusal {
      let error = RPCError(refusal)
      code = UInt32(error.code.rawValue)
      message = error.message
    }
    end = outcome.end.map { ComparedEnd($0, first: []) }
  }
}

extension ComparedEnd {
  init(_ record: CardEndRecord, first: [ArrowScore]) {
    self.init()
    endIndex = UInt32(clamping: record.index)
    self.first = first.map(MatchArrow.init)
    second = record.arrows.map(MatchArrow.init)
    state = QuiverAPI.CardEndState(rawValue: record.state.rawValue)
    operationClientID = record.operationClientID
    ruledBy = record.ruledByName
    ruledAtMilliseconds = record.ruledAtMilliseconds
    reason = record.reason
    if let witness = record.witness {
      (witnessID, judgeID, witnessName) = (witness.participant, witness.judge, witness.name)
    }
  }

  /// An end that only the first card has.
  fileprivate init(index: Int, first: [ArrowScore]) {
    self.init()
    endIndex = UInt32(clamping: index)
    self.first = first.map(MatchArrow.init)
  }
}

extension QuiverAPI.CardSummary {
  init(_ record: QuiverStore.CardSummary) {
    self.init()
    status = CardStatus(rawValue: record.status.rawValue)
    confirmedEnds = UInt32(clamping: record.agreed + record.ruled)
    disputedEnds = UInt32(clamping: record.disputed)
    ruledEnds = UInt32(clamping: record.ruled)
    secondEnds = UInt32(clamping: record.ends)
    archerConfirmed = record.confirmations.contains(.archer)
    scorerConfirmed = record.confirmations.contains(.scorer)
    paperTotal = record.paper.map { UInt32(clamping: $0.total) }
    deducted = UInt32(clamping: record.deduction.points)
    paper = record.paper.map { PartSums($0) }
    deductions = PartSums(record.deduction)
  }
}

extension CardConfirmation {
  init(_ record: CardConfirmationRecord, showsSignature: Bool) {
    self.init()
    role = QuiverAPI.CardRole(rawValue: record.role.rawValue)
    principalID = record.principal
    displayName = record.displayName
    confirmedAtMilliseconds = record.atMilliseconds
    signed = record.signature != nil
    signature = showsSignature ? record.signature ?? [] : []
    part = UInt32(clamping: record.part)
  }
}

extension ComparedCard {
  init(_ record: ComparedCardRecord, showsSignatures: Bool) {
    self.init()
    participantID = record.participant.id
    tournamentID = record.participant.sessionID
    displayName = record.participant.displayName
    paperDiffers = record.differsFromPaper
    revision = UInt64(clamping: record.revision)
    total = UInt32(clamping: record.participant.tally.total)
    secondTotal = UInt32(
      clamping: record.ends.reduce(0) { $0 + $1.arrows.reduce(0) { $0 + $1.value } })
    summary = record.summary.map(QuiverAPI.CardSummary.init)
    let first = Dictionary(grouping: record.arrows, by: \.slot.endIndex)
      .mapValues { $0.map(\.score) }
    let compared = record.ends.map { ComparedEnd($0, first: first[$0.index] ?? []) }
    let indices = Set(record.ends.map(\.index))
    let others = first.filter { !indices.contains($0.key) }
      .map { ComparedEnd(index: $0.key, first: $0.value) }
    ends = (compared + others).sorted { $0.endIndex < $1.endIndex }
    let all = record.confirmations.map { CardConfirmation($0, showsSignature: showsSignatures) }
    confirmations = all.filter { $0.part == 0 }
    partConfirmations = all.filter { $0.part > 0 }
    rule = record.rule
    parts = record.parts.map(QuiverAPI.CardPart.init)
    correctionConsent = QuiverAPI.CorrectionConsent(rawValue: record.consent?.rawValue ?? 0)
    owed = record.owed.map(QuiverAPI.OwedArrows.init)
  }
}

extension QuiverAPI.OwedArrows {
  init(_ record: QuiverStore.OwedArrows) {
    self.init()
    (endIndex, arrowCount) = (UInt32(clamping: record.end), UInt32(clamping: record.count))
    callID = record.call
  }
}

extension CardDispute {
  init(_ record: CardDisputeRecord) {
    self.init()
    participantID = record.entry.participant
    displayName = record.entry.displayName
    bib = record.entry.content.bib
    sessionID = record.entry.session
    target = UInt32(clamping: record.entry.place?.target ?? 0)
    letter = record.entry.place?.letterText ?? ""
    endIndex = UInt32(clamping: record.index)
    first = record.first.map(MatchArrow.init)
    second = record.second.map(MatchArrow.init)
  }
}
