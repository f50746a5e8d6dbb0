import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore
import QuiverWire

/// Returns `quiver.v1.Comparison`.
struct ComparisonService {
  let commands: CommandCalls

  var routes: [Route] {
    [
      .reading(Comparison.listComparableSetups, commands, listComparableSetups),
      .reading(Comparison.getSetupPerformance, commands, getSetupPerformance),
      .reading(Comparison.getItemPerformance, commands, getItemPerformance),
      .responding(Comparison.compare, compare),
      .responding(Comparison.getArrowNumbers, getArrowNumbers),
      .reading(Comparison.getRange, commands, getRange),
      .responding(Comparison.setRange, setRange),
      .reading(Comparison.getHandicapScore, commands, getHandicapScore),
      .reading(Comparison.getScoreHandicap, commands, getScoreHandicap),
      .reading(Comparison.getClassification, commands, getClassification),
    ]
  }

  init(_ commands: CommandCalls) { self.commands = commands }

  func listComparableSetups(
    _ request: ListComparableSetupsRequest, _ call: CallContext
  ) throws -> ListComparableSetupsResponse {
    let caller = try call.storeCaller()
    let page = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.bowSetups(
        principal: caller.principal, pageSize: request.pageSize, pageToken: request.pageToken)
    }
    var response = ListComparableSetupsResponse()
    response.setups = page.items.map(ComparableSetup.init)
    response.nextPageToken = page.nextPageToken
    return response
  }

  func getSetupPerformance(
    _ request: GetSetupPerformanceRequest, _ call: CallContext
  ) throws -> PerformanceResponse {
    let caller = try call.storeCaller()
    guard let setup = request.setup else { throw RPCError.invalid("setup", "must be given") }
    let reference = try ObjectReference.given(
      id: setup.id, clientID: setup.clientID, prefix: "setup.")
    let range = try AskedRange(request.range, asOf: request.asOfMilliseconds)
    return try commands.store.read { (snapshot) throws(StoreError) in
      let record = try snapshot.comparedSetup(
        reference, version: Int64(setup.version), principal: caller.principal, path: "setup")
      let question = try snapshot.rangeQuestion(
        range, principal: caller.principal, includesUnfinished: request.includeUnfinished)
      return try snapshot.performance(record.scope, called: record.displayName, question)
    }
  }

  func getItemPerformance(
    _ request: GetItemPerformanceRequest, _ call: CallContext
  ) throws -> PerformanceResponse {
    let caller = try call.storeCaller()
    let reference = try ObjectReference.given(
      id: request.equipmentID, clientID: request.equipmentClientID, prefix: "equipment_")
    let range = try AskedRange(request.range, asOf: request.asOfMilliseconds)
    return try commands.store.read { (snapshot) throws(StoreError) in
      let item = try snapshot.comparedItem(reference, principal: caller.principal)
      let question = try snapshot.rangeQuestion(
        range, principal: caller.principal, includesUnfinished: request.includeUnfinished)
      return try snapshot.performance(
        .item(item.id), called: item.displayName, question)
    }
  }

  func compare(
    _ request: CompareRequest, _ call: CallContext, _ responder: Responder<CompareResponse>
  ) throws {
    let caller = try call.storeCaller()
    let question = try ComparisonQuestion(request)
    let store = commands.store
    guard question.method != nil || question.includesShots else {
      // Reads rollups only, which is short.
      return commands.read(call, responder) {
        try question.answer(store, principal: caller.principal)
      }
    }
    // Not on the reactor, because its other calls would wait.
    let executor = try ComputeExecutor.shared.executor(of: caller.principal)
    let task = Task(executorPreference: executor) {
      do {
        responder.succeed(try question.answer(store, principal: caller.principal))
      } catch {
        responder.fail(RPCError(thrown: error))
      }
    }
    responder.onCancel { task.cancel() }
  }

  func getArrowNumbers(
    _ request: GetArrowNumbersRequest, _ call: CallContext,
    _ responder: Responder<GetArrowNumbersResponse>
  ) throws {
    let principal = try call.storeCaller().principal
    guard let setup = request.setup else { throw RPCError.invalid("setup", "must be given") }
    let reference = try ObjectReference.given(
      id: setup.id, clientID: setup.clientID, prefix: "setup.")
    let range = try AskedRange(request.range, asOf: request.asOfMilliseconds)
    let (store, includesUnfinished) = (commands.store, request.includeUnfinished)
    let byShaft = request.byShaft
    let executor = try ComputeExecutor.shared.executor(of: principal)
    let task = Task(executorPreference: executor) {
      do {
        if Task.isCancelled { throw RPCError(.cancelled, "the call was cancelled") }
        let response = try store.read { (snapshot) throws(StoreError) in
          let record = try snapshot.comparedSetup(
            reference, version: Int64(setup.version), principal: principal, path: "setup")
          let question = try snapshot.rangeQuestion(
            range, principal: principal, includesUnfinished: includesUnfinished)
          return try snapshot.arrowNumbers(record.scope, question, byShaft: byShaft)
        }
        responder.succeed(response)
      } catch {
        responder.fail(RPCError(thrown: error))
      }
    }
    responder.onCancel { task.cancel() }
  }
}

extension ComparableSetup {
  init(_ record: BowSetupItemRecord) {
    self.init()
    id = record.id
    clientID = record.clientID
    displayName = BowSetupText.displayName(record.name)
    isDefault = record.isDefault
    version = UInt32(clamping: record.version)
  }
}
