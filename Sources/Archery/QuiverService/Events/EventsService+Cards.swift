import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

extension EventsService {
  var cardRoutes: [Route] {
    [
      .responding(Events.applyCardOperations, applyCardOperations),
      .responding(Events.setPaperTotal, setPaperTotal),
      .reading(Events.getComparedCard, commands, getComparedCard),
      .responding(Events.confirmScoreCard, confirmScoreCard),
      .responding(Events.ruleOnEnd, ruleOnEnd),
      .responding(Events.applyEndRule, applyEndRule),
      .responding(Events.moveEnds, moveEnds),
      .responding(Events.reopenScoreCard, reopenScoreCard),
      .reading(Events.listCardDisputes, commands, listDisputes),
      .responding(Events.setTypedTotal, setTypedTotal),
      .reading(Events.listTypedTotals, commands, listTypedTotals),
      .responding(Events.removeTypedTotal, removeTypedTotal),
    ]
  }

  func applyCardOperations(
    _ request: ApplyCardOperationsRequest, _ call: CallContext,
    _ responder: Responder<ApplyCardOperationsResponse>
  ) throws {
    let caller = try commands.commandCaller(call)
    guard request.operations.count <= StoreLimits.operationsPerCommand else {
      throw RPCError.invalid(
        "operations", "must be from 1 to \(StoreLimits.operationsPerCommand)")
    }
    let drafts = request.operations.enumerated().map { index, operation in
      operation.draft(path: "operations[\(index)].")
    }
    let clientIDs = request.operations.map(\.clientID)
    let command = try ApplyCardOperations(drafts)
    commands.submit(command, by: caller, call, responder) { outcomes in
      var response = ApplyCardOperationsResponse()
      response.verdicts = zip(outcomes, clientIDs).map { CardOperationVerdict($0, clientID: $1) }
      return response
    }
  }

  func setPaperTotal(
    _ request: SetPaperTotalRequest, _ call: CallContext, _ responder: Responder<ComparedCard>
  ) throws {
    let counts = [request.hits, request.golds, request.xCount].map { $0.map { Int($0) } }
    guard request.total != nil || counts.allSatisfy({ $0 == nil }) else {
      throw RPCError.invalid("total", "must be given with hits, golds and x_count")
    }
    let paper = request.total.map { total in
      TypedScore(total: Int(total), hits: counts[0], golds: counts[1], xCount: counts[2])
    }
    try submit(call, responder) {
      SetPaperTotal(
        request.participantID, paper, part: Int(request.part), expected: request.expectedRevision)
    }
  }

  func getComparedCard(
    _ request: GetComparedCardRequest, _ call: CallContext
  ) throws -> ComparedCard {
    let caller = try call.storeCaller().principal
    return try commands.store.read { (snapshot) throws(StoreError) in
      let (card, showsSignatures) = try snapshot.comparedCard(
        participant: request.participantID, principal: caller)
      return ComparedCard(card, showsSignatures: showsSignatures)
    }
  }

  func confirmScoreCard(
    _ request: ConfirmScoreCardRequest, _ call: CallContext, _ responder: Responder<ComparedCard>
  ) throws {
    try submit(call, responder) {
      try ConfirmScoreCard(
        request.participantID, QuiverStore.CardRole(rawValue: request.role.rawValue),
        part: Int(request.part), revision: request.revision, signature: request.signature)
    }
  }

  func ruleOnEnd(
    _ request: RuleOnEndRequest, _ call: CallContext, _ responder: Responder<ComparedCard>
  ) throws {
    try submit(call, responder) {
      try RuleOnEnd(
        request.participantID, end: Int(request.endIndex),
        arrows: try request.arrows.scores(path: "arrows"), reason: request.reason)
    }
  }

  func applyEndRule(
    _ request: ApplyEndRuleRequest, _ call: CallContext, _ responder: Responder<ComparedCard>
  ) throws {
    try submit(call, responder) {
      try ApplyEndRule(
        request.participantID, end: Int(request.endIndex),
        ApplyEndRule.Rule(rawValue: request.rule.rawValue),
        arrows: try request.arrows.scores(path: "arrows", ends: 2), count: Int(request.count),
        reason: request.reason)
    }
  }

  func moveEnds(
    _ request: MoveEndsRequest, _ call: CallContext, _ responder: Responder<MoveEndsResponse>
  ) throws {
    let caller = try commands.commandCaller(call)
    let command = try MoveEnds(
      request.participantID, other: request.otherParticipantID, first: Int(request.firstEnd),
      count: Int(request.count), isEarlier: request.earlier, reason: request.reason)
    commands.submit(command, by: caller, call, responder) { cards in
      var response = MoveEndsResponse()
      response.cards = cards.map { ComparedCard($0, showsSignatures: false) }
      return response
    }
  }

  func reopenScoreCard(
    _ request: ReopenScoreCardRequest, _ call: CallContext, _ responder: Responder<ComparedCard>
  ) throws {
    try submit(call, responder) {
      try ReopenScoreCard(
        request.participantID, part: Int(request.part), reason: request.reason,
        expected: request.expectedRevision)
    }
  }

  func listDisputes(
    _ request: ListCardDisputesRequest, _ call: CallContext
  ) throws -> ListCardDisputesResponse {
    let caller = try call.storeCaller().principal
    return try commands.store.read { (snapshot) throws(StoreError) in
      let page = try snapshot.disputes(
        event: request.tournamentID, principal: caller, pageSize: request.pageSize,
        pageToken: request.pageToken)
      var response = ListCardDisputesResponse()
      response.disputes = page.items.map(CardDispute.init)
      response.nextPageToken = page.nextPageToken
      return response
    }
  }

  /// Replies have no signatures, as replies of repeated calls are kept.
  private func submit<C: Command>(
    _ call: CallContext, _ responder: Responder<ComparedCard>, _ make: () throws -> C
  ) throws where C.Reply == ComparedCardRecord {
    let caller = try commands.commandCaller(call)
    commands.submit(try make(), by: caller, call, responder) {
      ComparedCard($0, showsSignatures: false)
    }
  }
}
