import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverStore

extension EventsService {
  var callRoutes: [Route] {
    [
      .responding(Events.raiseTargetCall, raiseCall),
      .reading(Events.listTargetCalls, commands, listCalls),
      .streamResponding(Events.watchTargetCalls, watchCalls),
      .responding(Events.resolveTargetCall, resolveCall),
      .streamResponding(Events.watchTargets, watchTargets),
    ]
  }

  func raiseCall(
    _ request: RaiseTargetCallRequest, _ call: CallContext, _ responder: Responder<TargetCall>
  ) throws {
    let caller = try commands.commandCaller(call)
    guard let kind = QuiverStore.TargetCallKind(rawValue: request.kind.rawValue) else {
      throw RPCError.invalid("kind", "must be given")
    }
    var content = TargetCallContent()
    (content.clientID, content.kind) = (request.clientID, kind)
    (content.session, content.target) = (request.sessionID, request.target)
    (content.participant, content.owedArrows) = (request.participantID, request.owedArrows)
    content.text = request.text
    content.endIndex = request.endIndex.map { Int($0) }
    let command = try RaiseTargetCall(content, of: request.tournamentID)
    commands.submit(command, by: caller, call, responder) { TargetCall($0) }
  }

  func listCalls(
    _ request: ListTargetCallsRequest, _ call: CallContext
  ) throws -> ListTargetCallsResponse {
    let caller = try call.storeCaller().principal
    return try commands.store.read { (snapshot) throws(StoreError) in
      let page = try snapshot.targetCalls(
        event: request.tournamentID, principal: caller, includesResolved: request.includeResolved,
        pageSize: request.pageSize, pageToken: request.pageToken)
      var response = ListTargetCallsResponse()
      response.calls = page.items.map(TargetCall.init)
      response.nextPageToken = page.nextPageToken
      return response
    }
  }

  func resolveCall(
    _ request: ResolveTargetCallRequest, _ call: CallContext, _ responder: Responder<TargetCall>
  ) throws {
    let caller = try commands.commandCaller(call)
    let command = try ResolveTargetCall(
      request.callID, of: request.tournamentID, decision: request.decision)
    commands.submit(command, by: caller, call, responder) { TargetCall($0) }
  }

  func watchCalls(
    _ request: WatchTargetCallsRequest, _ call: CallContext,
    _ replies: StreamResponder<WatchTargetCallsResponse>
  ) throws {
    let caller = try call.storeCaller().principal
    let store = commands.store
    commands.read(call, replies) { () throws(StoreError) in
      try store.read { (snapshot) throws(StoreError) in
        try snapshot.checkOfficial(caller, of: request.tournamentID)
      }
    } start: { () throws(RPCError) in
      try JournalWatch.start(
        TargetCallsWatch(event: request.tournamentID, principal: caller), watches, call, replies)
    }
  }

  func watchTargets(
    _ request: WatchTargetsRequest, _ call: CallContext,
    _ replies: StreamResponder<WatchTargetsResponse>
  ) throws {
    let caller = try call.storeCaller().principal
    let store = commands.store
    commands.read(call, replies) { () throws(StoreError) in
      try store.read { (snapshot) throws(StoreError) in
        _ = try snapshot.visibleTournament(id: request.tournamentID, principal: caller)
        guard try !snapshot.heldLeases(of: caller, in: request.tournamentID).isEmpty else {
          throw StoreError(
            .permissionDenied, "only who has joined a target of the event may",
            field: "tournament_id")
        }
      }
    } start: { () throws(RPCError) in
      try JournalWatch.start(
        TargetsWatch(event: request.tournamentID, holder: caller), watches, call, replies)
    }
  }
}

/// The calls from the targets of an event.
struct TargetCallsWatch: EventWatchSource {
  let event: Int64
  let principal: Int64?

  func part(
    _ token: String, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> (message: WatchTargetCallsResponse, next: String) {
    try checkAccess(snapshot)
    var response = WatchTargetCallsResponse()
    response.calls = try snapshot.openTargetCalls(event: event).map(TargetCall.init)
    return (response, "")
  }

  func concerns(_ entry: JournalEntry) -> Bool {
    entry.topic == event && entry.kind == .targetCall
  }

  func checkAccess(
    after entries: [JournalEntry], _ snapshot: borrowing Snapshot
  ) throws(StoreError) {
    guard entries.contains(where: { $0.topic == event && $0.kind.changesAccess }) else { return }
    try checkAccess(snapshot)
  }

  private func checkAccess(_ snapshot: borrowing Snapshot) throws(StoreError) {
    try snapshot.checkOfficial(principal ?? 0, of: event)
  }

  func changes(
    _ entries: [JournalEntry], _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> WatchTargetCallsResponse? {
    var response = WatchTargetCallsResponse()
    response.calls = try snapshot.targetCalls(Set(entries.map(\.objectID)), event: event)
      .map(TargetCall.init)
    return response.calls.isEmpty ? nil : response
  }
}

extension TargetCall {
  init(_ record: TargetCallRecord) {
    self.init()
    id = record.id
    tournamentID = record.event
    sessionID = record.content.session
    target = record.content.target
    kind = QuiverAPI.TargetCallKind(rawValue: record.content.kind.rawValue)
    participantID = record.content.participant
    displayName = record.displayName
    owedArrows = record.content.owedArrows
    text = record.content.text
    raisedAtMilliseconds = record.raisedAtMilliseconds
    raisedByID = record.raisedBy
    raisedBy = record.raisedByName
    resolvedAtMilliseconds = record.resolvedAtMilliseconds
    resolvedBy = record.resolvedByName
    decision = record.decision
    clientID = record.content.clientID
    endIndex = record.content.endIndex.map { UInt32(clamping: $0) }
  }
}
