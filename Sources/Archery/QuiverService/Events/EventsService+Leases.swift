import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverStore

extension EventsService {
  var leaseRoutes: [Route] {
    [
      .responding(Events.setEventLeases, setLeases),
      .reading(Events.listTargetCodes, commands, listCodes),
      .responding(Events.joinTarget, joinTarget),
      .responding(Events.leaveTarget, leaveTarget),
      .reading(Events.listTargetLeases, commands, listLeases),
    ]
  }

  func setLeases(
    _ request: SetEventLeasesRequest, _ call: CallContext,
    _ responder: Responder<SetEventLeasesResponse>
  ) throws {
    let caller = try commands.commandCaller(call)
    commands.submit(
      DemandLeases(
        event: request.tournamentID, isDemanded: request.demanded,
        makesNewCodes: request.newCodes, expected: request.expectedRevision), by: caller, call,
      responder
    ) { _ in SetEventLeasesResponse() }
  }

  func listCodes(
    _ request: ListTargetCodesRequest, _ call: CallContext
  ) throws -> ListTargetCodesResponse {
    let caller = try call.storeCaller().principal
    guard request.firstTarget <= request.lastTarget else {
      throw RPCError.invalid("last_target", "must not be below first_target")
    }
    var response = ListTargetCodesResponse()
    response.codes = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.targetCodes(
        event: request.tournamentID, session: request.sessionID,
        targets: request.firstTarget...request.lastTarget, principal: caller
      ).map { found in
        TargetCode.with { ($0.target, $0.code) = (found.target, found.code) }
      }
    }
    return response
  }

  /// A wrong code is refused before it reaches the writer.
  func joinTarget(
    _ request: JoinTargetRequest, _ call: CallContext,
    _ responder: Responder<JoinTargetResponse>
  ) throws {
    guard let who = try device(request, call) else {
      return try joinAsCaller(request, call, responder)
    }
    let command = try JoinAsDevice(
      code: request.code, LeasedCard(rawValue: Int32(clamping: request.card)),
      device: request.device, as: who, takesOver: request.takeOver, session: request.sessionID,
      match: request.matchID, presence: commands.store.devicePresence)
    try checkCode(request.code, call)
    let caller = CommandCaller(principal: call.caller?.principalID ?? 0)
    // The same secret is the same device, however often it joins. Its reply is not stored: a call
    // that is repeated under its key would be refused.
    commands.submit(
      command, by: caller, call, responder, keepsKey: false, message: JoinTargetResponse.init)
  }

  private func joinAsCaller(
    _ request: JoinTargetRequest, _ call: CallContext,
    _ responder: Responder<JoinTargetResponse>
  ) throws {
    let caller = try commands.commandCaller(call)
    guard request.deviceSecret.isEmpty else {
      throw RPCError.invalid("device_secret", "must not be given with a token")
    }
    let command = try JoinTarget(
      code: request.code, LeasedCard(rawValue: Int32(clamping: request.card)),
      device: request.device, takesOver: request.takeOver, session: request.sessionID,
      match: request.matchID)
    try checkCode(request.code, call)
    commands.submit(command, by: caller, call, responder, message: JoinTargetResponse.init)
  }

  /// The device that joins; nil: another caller does.
  private func device(
    _ request: JoinTargetRequest, _ call: CallContext
  ) throws -> JoinAsDevice.Who? {
    guard let caller = call.caller else {
      guard !request.deviceSecret.isEmpty else { throw RPCError.needsToken }
      return .secret(try DeviceSecret(request.deviceSecret))
    }
    guard caller.kind == .device else { return nil }
    guard request.deviceSecret.isEmpty else {
      throw RPCError.invalid("device_secret", "must not be given with a token")
    }
    return .principal(caller.principalID)
  }

  /// Throws NOT_FOUND for a code that is none, and RESOURCE_EXHAUSTED after many of them.
  private func checkCode(_ code: String, _ call: CallContext) throws {
    let store = commands.store
    try codes.find(code, call) { () throws(StoreError) in
      try store.read { (snapshot) throws(StoreError) in try snapshot.checkTargetCode(code) }
    }
  }

  func leaveTarget(
    _ request: LeaveTargetRequest, _ call: CallContext,
    _ responder: Responder<LeaveTargetResponse>
  ) throws {
    let caller = try commands.commandCaller(call)
    let command = try LeaveTarget(
      event: request.tournamentID, session: request.sessionID, target: request.target,
      LeasedCard(rawValue: Int32(clamping: request.card)))
    commands.submit(command, by: caller, call, responder) { _ in LeaveTargetResponse() }
  }

  func listLeases(
    _ request: ListTargetLeasesRequest, _ call: CallContext
  ) throws -> ListTargetLeasesResponse {
    let caller = try call.storeCaller().principal
    var response = ListTargetLeasesResponse()
    (response.leases, response.demanded, response.revision) = try commands.store.read {
      (snapshot) throws(StoreError) in
      let found = try snapshot.leases(event: request.tournamentID, principal: caller)
      return (found.leases.map(TargetLease.init), found.isDemanded, found.revision)
    }
    return response
  }
}

extension TargetLease {
  init(_ record: TargetLeaseRecord) {
    self.init()
    tournamentID = record.event
    sessionID = record.session
    target = record.target
    card = UInt32(clamping: record.card.rawValue)
    principalID = record.principal
    displayName = record.displayName
    device = record.device
    joinedAtMilliseconds = record.joinedAtMilliseconds
    expiresAtMilliseconds = record.expiresAtMilliseconds
    takenOverAtMilliseconds = record.takenOverAtMilliseconds
    takenOverFrom = record.takenOverFrom
  }
}

extension JoinTargetResponse {
  init(_ joined: JoinedTarget) {
    self.init()
    choices = joined.choices.map(TargetChoice.init)
    guard let record = joined.lease else { return }
    var lease = TargetLease(record)
    lease.entries = joined.entries.map { EventEntry($0, showsLicence: false) }
    self.lease = lease
    tournamentID = lease.tournamentID
    sessionID = lease.sessionID
    target = lease.target
    card = lease.card
    principalID = lease.principalID
    displayName = lease.displayName
    device = lease.device
    joinedAtMilliseconds = lease.joinedAtMilliseconds
    expiresAtMilliseconds = lease.expiresAtMilliseconds
    entries = lease.entries
  }
}

extension TargetChoice {
  init(_ record: TargetChoiceRecord) {
    self.init()
    sessionID = record.session
    matchID = record.match
    name = record.name
    startsAtMilliseconds = record.startsAtMilliseconds
  }
}
