import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

/// Returns `quiver.v1.Rounds`.
struct RoundsService {
  let commands: CommandCalls

  var scoring: ScoringCalls { ScoringCalls(commands: commands) }

  var roundScoringRoutes: [Route] {
    [
      .responding(Rounds.recordArrow, recordArrow),
      .responding(Rounds.recordEnd, recordEnd),
      .responding(Rounds.correctArrow, correctArrow),
      .responding(Rounds.retractArrow, retractArrow),
      .responding(Rounds.applyOperations, applyOperations),
    ]
  }

  var routes: [Route] {
    [
      .reading(Rounds.listFormats, commands, listFormats),
      .reading(Rounds.getFormat, commands, getFormat),
      .responding(Rounds.createFormat, createFormat),
      .responding(Rounds.deleteFormat, deleteFormat),
      .synchronous(Rounds.listFaces, listFaces),
      .responding(Rounds.createSession, createSession),
      .reading(Rounds.getSession, commands, getSession),
      .reading(Rounds.listSessions, commands, listSessions),
      .responding(Rounds.deleteSession, deleteSession),
      .responding(Rounds.addSessionGuest, addSessionGuest),
      .responding(Rounds.setRoundStatus, setRoundStatus),
      .reading(Rounds.getScorecard, commands, getScorecard),
      .responding(Rounds.setRoundSetup, setRoundSetup),
      .responding(Rounds.setSessionConditions, setSessionConditions),
      .reading(Rounds.getPersonalBests, commands, getPersonalBests),
      .reading(Rounds.getRunningHandicap, commands, getRunningHandicap),
    ] + roundScoringRoutes
  }

  func listFormats(
    _ request: ListFormatsRequest, _ call: CallContext
  ) throws -> ListFormatsResponse {
    let caller = try call.storeCaller()
    let own = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.ownFormats(principal: caller.principal)
    }
    var response = ListFormatsResponse()
    if !request.ownOnly { response.formats = Self.library }
    response.formats += own.map(QuiverAPI.RoundFormat.init)
    return response
  }

  /// Ids are omitted: clients name library formats by codename.
  private static let library = RoundLibrary.formats.map { format in
    QuiverAPI.RoundFormat(
      RoundFormatRecord(id: 0, clientID: [], format: format, createdAtMilliseconds: 0))
  }

  func getFormat(
    _ request: GetFormatRequest, _ call: CallContext
  ) throws -> QuiverAPI.RoundFormat {
    let caller = try call.storeCaller()
    guard let format = request.format else { throw RPCError.invalid("format", "must be given") }
    let reference = try format.reference()
    let record = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.format(reference, principal: caller.principal)
    }
    let limit = Int(format.arrowLimit)
    guard limit > 0, limit < record.format.arrowCount else {
      return QuiverAPI.RoundFormat(record)
    }
    return QuiverAPI.RoundFormat(
      RoundFormatRecord(
        id: 0, clientID: [], format: record.format.cut(toArrows: limit),
        createdAtMilliseconds: record.createdAtMilliseconds))
  }

  func createFormat(
    _ request: CreateFormatRequest, _ call: CallContext,
    _ responder: Responder<QuiverAPI.RoundFormat>
  ) throws {
    let caller = try call.storeCaller()
    guard let format = request.format else { throw RPCError.invalid("format", "must be given") }
    let content = try format.content()
    let command = try CreateFormat(content, clientID: format.clientID)
    commands.submit(command, by: caller, call, responder) { QuiverAPI.RoundFormat($0) }
  }

  func deleteFormat(
    _ request: DeleteFormatRequest, _ call: CallContext,
    _ responder: Responder<DeleteFormatResponse>
  ) throws {
    let caller = try call.storeCaller()
    let reference = try ObjectReference.given(id: request.id, clientID: request.clientID)
    commands.submit(DeleteFormat(reference), by: caller, call, responder) { _ in
      DeleteFormatResponse()
    }
  }

  func listFaces(
    _ request: ListFacesRequest, _ call: CallContext
  ) throws -> ListFacesResponse {
    _ = try call.storeCaller()
    var response = ListFacesResponse()
    response.faces = QuiverRules.Face.allCases.map { FaceInfo($0.specification) }
    return response
  }
}

extension RoundsService {
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
}
