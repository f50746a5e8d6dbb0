import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

extension TournamentService {
  func recordArrow(
    _ request: RecordArrowRequest, _ call: CallContext, _ responder: Responder<ScoreResponse>
  ) throws {
    try scoring.record(request.operation, as: .record, call, responder)
  }

  func recordEnd(
    _ request: RecordEndRequest, _ call: CallContext, _ responder: Responder<ScoreResponse>
  ) throws {
    try scoring.recordEnd(request, call, responder)
  }

  func correctArrow(
    _ request: CorrectArrowRequest, _ call: CallContext, _ responder: Responder<ScoreResponse>
  ) throws {
    try scoring.record(request.operation, as: .correct, call, responder)
  }

  func retractArrow(
    _ request: RetractArrowRequest, _ call: CallContext, _ responder: Responder<ScoreResponse>
  ) throws {
    try scoring.record(request.operation, as: .retract, call, responder)
  }

  func applyOperations(
    _ request: ApplyOperationsRequest, _ call: CallContext,
    _ responder: Responder<ApplyOperationsResponse>
  ) throws {
    try scoring.apply(request, call, responder)
  }

  func listLateOperations(
    _ request: ListLateOperationsRequest, _ call: CallContext
  ) throws -> ListLateOperationsResponse {
    let caller = try call.storeCaller()
    let page = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.lateOperations(
        tournament: request.tournamentID, principal: caller.principal,
        pageSize: request.pageSize, pageToken: request.pageToken)
    }
    var response = ListLateOperationsResponse()
    response.operations = page.items.map { record in
      var late = LateOperation()
      late.id = record.operation.id
      late.operation = QuiverAPI.ScoringOperation(record.operation)
      late.receivedAtMilliseconds = record.operation.receivedAtMilliseconds
      late.principalID = record.operation.principal
      late.arrow = record.arrow.flatMap { $0.isRetracted ? nil : ScoredArrow($0) }
      return late
    }
    response.nextPageToken = page.nextPageToken
    return response
  }

  func admitOperations(
    _ request: AdmitOperationsRequest, _ call: CallContext,
    _ responder: Responder<ApplyOperationsResponse>
  ) throws {
    let caller = try call.storeCaller()
    let slices = try RuleOnOperations.slices(
      of: request.operationIDs, tournament: request.tournamentID, admits: true,
      reason: request.reason)
    commands.submit(slices, .joined, by: caller, call, responder) { rulings in
      ApplyOperationsResponse(
        rulings.map(\.outcome), rulings.map(\.operation.clientID))
    }
  }

  func rejectOperations(
    _ request: RejectOperationsRequest, _ call: CallContext,
    _ responder: Responder<RejectOperationsResponse>
  ) throws {
    let caller = try call.storeCaller()
    let slices = try RuleOnOperations.slices(
      of: request.operationIDs, tournament: request.tournamentID, admits: false,
      reason: request.reason)
    commands.submit(slices, .last, by: caller, call, responder) { _ in
      RejectOperationsResponse()
    }
  }
}
