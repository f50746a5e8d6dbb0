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
        makesNewCodes: request.newCodes), by: caller, call, responder
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

  func joinTarget(
    _ request: JoinTargetRequest, _ call: CallContext, _ responder: Responder<TargetLease>
  ) throws {
    let caller = try commands.commandCaller(call)
    let command = try JoinTarget(
      code: request.code, LeasedCard(rawValue: Int32(clamping: request.card)),
      device: request.device, takesOver: request.takeOver)
    commands.submit(command, by: caller, call, responder) { joined in
      var lease = TargetLease(joined.lease)
      lease.entries = joined.entries.map { EventEntry($0, showsLicence: false) }
      return lease
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
    (response.leases, response.demanded) = try commands.store.read {
      (snapshot) throws(StoreError) in
      let found = try snapshot.leases(event: request.tournamentID, principal: caller)
      return (found.leases.map(TargetLease.init), found.isDemanded)
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
  }
}
