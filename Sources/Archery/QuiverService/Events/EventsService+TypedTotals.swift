import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

extension EventsService {
  func setTypedTotal(
    _ request: SetTypedTotalRequest, _ call: CallContext, _ responder: Responder<TypedTotal>
  ) throws {
    let caller = try commands.commandCaller(call)
    guard let sums = request.sums else {
      throw RPCError.invalid("sums", "must be given, with the total at least")
    }
    var draft = TypedTotalDraft()
    draft.participant = request.participantID
    draft.part = request.part
    draft.score = TypedScore(sums)
    draft.shotAtMilliseconds = request.shotAtMilliseconds
    draft.paper = request.paper
    draft.replaces = request.replacesID
    draft.reason = request.reason
    commands.submit(
      try SetTypedTotal(draft), by: caller, call, responder
    ) { TypedTotal($0) }
  }

  func listTypedTotals(
    _ request: ListTypedTotalsRequest, _ call: CallContext
  ) throws -> ListTypedTotalsResponse {
    let caller = try call.storeCaller().principal
    return try commands.store.read { (snapshot) throws(StoreError) in
      let page = try snapshot.typedTotals(
        event: request.tournamentID, participant: request.participantID,
        withEnded: request.withEnded, principal: caller, pageSize: request.pageSize,
        pageToken: request.pageToken)
      var response = ListTypedTotalsResponse()
      response.totals = page.items.map(TypedTotal.init)
      response.nextPageToken = page.nextPageToken
      return response
    }
  }

  func removeTypedTotal(
    _ request: RemoveTypedTotalRequest, _ call: CallContext,
    _ responder: Responder<RemoveTypedTotalResponse>
  ) throws {
    let caller = try commands.commandCaller(call)
    let command = try RemoveTypedTotal(
      request.id, of: request.participantID, reason: request.reason)
    commands.submit(command, by: caller, call, responder) { _ in RemoveTypedTotalResponse() }
  }
}

extension TypedScore {
  /// As it was sent.
  init(_ sums: PartSums) {
    self.init(
      total: Int(sums.total), hits: sums.hits.map { Int($0) }, golds: sums.golds.map { Int($0) },
      xCount: sums.xCount.map { Int($0) })
  }
}

extension PartSums {
  /// Nil: nothing is deducted.
  init?(_ lower: SumDeduction) {
    guard !lower.isNone else { return nil }
    self.init(
      TypedScore(
        total: lower.points, hits: lower.hits, golds: lower.golds, xCount: lower.xCount))
  }

  init(_ score: TypedScore, arrowCount: Int = 0) {
    self.init()
    total = UInt32(clamping: score.total)
    hits = score.hits.map { UInt32(clamping: $0) }
    golds = score.golds.map { UInt32(clamping: $0) }
    xCount = score.xCount.map { UInt32(clamping: $0) }
    self.arrowCount = UInt32(clamping: arrowCount)
  }
}

extension TypedTotal {
  init(_ record: TypedTotalRecord) {
    self.init()
    id = record.id
    tournamentID = record.event
    participantID = record.participant
    part = UInt32(clamping: record.part)
    sums = PartSums(record.score)
    shotAtMilliseconds = record.shotAtMilliseconds
    typedBy = record.typedBy
    typedByName = record.typedByName
    typedAtMilliseconds = record.typedAtMilliseconds
    endedAtMilliseconds = record.endedAtMilliseconds
    paper = record.paper
    reason = record.reason
    displayName = record.displayName
  }
}

extension QuiverAPI.CardPart {
  init(_ part: QuiverStore.CardPart) {
    self.init()
    self.part = UInt32(clamping: part.number)
    arrowCount = UInt32(clamping: part.arrowCount)
    maximumScore = UInt32(clamping: part.maximumScore)
    arrows = PartSums(TypedScore(part.arrows), arrowCount: part.arrows.arrowCount)
    typed = part.typed.map { PartSums($0.score, arrowCount: part.arrowCount) }
    typedID = part.typed?.id ?? 0
    differs = part.differs
    if let distance = part.distance {
      archerConfirmed = distance.confirmations.contains(.archer)
      scorerConfirmed = distance.confirmations.contains(.scorer)
      paperTotal = distance.paper.map { UInt32(clamping: $0.total) }
      deducted = UInt32(clamping: distance.deduction.points)
      paper = distance.paper.map { PartSums($0) }
      deductions = PartSums(distance.deduction)
      paperDiffers = part.differsFromPaper
    }
  }
}
