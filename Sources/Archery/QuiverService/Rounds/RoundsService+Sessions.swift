import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

extension RoundsService {
  func createSession(
    _ request: CreateSessionRequest, _ call: CallContext,
    _ responder: Responder<ShootingSession>
  ) throws {
    try submit(call, responder) {
      guard let format = request.format else { throw RPCError.invalid("format", "must be given") }
      var content = CreateSession.Content(try format.reference())
      content.clientID = request.clientID
      content.arrowLimit = format.arrowLimit
      content.notes = request.notes
      content.participantClientID = request.participantClientID
      content.setup = try SetupChoice.given(
        id: request.setupID, request.setupClientID, version: request.setupVersion)
      content.bow = try request.bowstyle.division()
      content.conditions = try request.conditions?.content() ?? .unknown
      content.past = try request.past?.draft()
      guard request.guests.count <= StoreLimits.guestsPerSession else {
        throw RPCError.invalid("guests", "must be at most \(StoreLimits.guestsPerSession)")
      }
      for (index, guest) in request.guests.enumerated() {
        content.guests.append(try guest.draft(path: "guests[\(index)]."))
      }
      return try CreateSession(content)
    }
  }

  func getSession(
    _ request: GetSessionRequest, _ call: CallContext
  ) throws -> ShootingSession {
    let caller = try call.storeCaller()
    let reference = try ObjectReference.given(id: request.id, clientID: request.clientID)
    return try commands.store.read { (snapshot) throws(StoreError) in
      let session = try snapshot.session(reference, principal: caller.principal)
      return ShootingSession(
        try snapshot.isShare(of: caller.principal, readBy: caller.actor)
          ? session.withOwnRounds : session)
    }
  }

  func listSessions(
    _ request: ListSessionsRequest, _ call: CallContext
  ) throws -> ListSessionsResponse {
    let caller = try call.storeCaller()
    return try commands.store.read { (snapshot) throws(StoreError) in
      let page = try snapshot.sessions(
        principal: caller.principal, includesTournaments: request.includeTournaments,
        pageSize: request.pageSize, pageToken: request.pageToken)
      let isShare = try snapshot.isShare(of: caller.principal, readBy: caller.actor)
      let items =
        isShare ? page.items.map(\.withOwnRounds).filter { !$0.rounds.isEmpty } : page.items
      var response = ListSessionsResponse()
      response.sessions = items.map(ShootingSession.init)
      response.nextPageToken = page.nextPageToken
      return response
    }
  }

  func deleteSession(
    _ request: DeleteSessionRequest, _ call: CallContext,
    _ responder: Responder<DeleteSessionResponse>
  ) throws {
    let caller = try call.storeCaller()
    let reference = try ObjectReference.given(id: request.id, clientID: request.clientID)
    commands.submit(DeleteSession(reference), by: caller, call, responder) { _ in
      DeleteSessionResponse()
    }
  }

  func addSessionGuest(
    _ request: AddSessionGuestRequest, _ call: CallContext,
    _ responder: Responder<ShootingSession>
  ) throws {
    try submit(call, responder) {
      let reference = try ObjectReference.given(id: request.id, clientID: request.clientID)
      guard let guest = request.guest else { throw RPCError.invalid("guest", "must be given") }
      return AddSessionGuest(try guest.draft(path: "guest."), to: reference)
    }
  }

  func setSessionConditions(
    _ request: SetSessionConditionsRequest, _ call: CallContext,
    _ responder: Responder<ShootingSession>
  ) throws {
    try submit(call, responder) {
      let reference = try ObjectReference.given(id: request.id, clientID: request.clientID)
      return try SetSessionConditions(reference, request.conditions?.content() ?? .unknown)
    }
  }

  func setRoundStatus(
    _ request: SetRoundStatusRequest, _ call: CallContext, _ responder: Responder<Round>
  ) throws {
    try submit(call, responder) {
      let participant = try ObjectReference.read(
        id: request.participantID, clientID: request.participantClientID,
        prefix: "participant_")
      return try SetRoundStatus(
        participant, revision: request.revision, status: request.status.rawValue)
    }
  }

  func setRoundSetup(
    _ request: SetRoundSetupRequest, _ call: CallContext, _ responder: Responder<Round>
  ) throws {
    try submit(call, responder) {
      let participant = try ObjectReference.read(
        id: request.participantID, clientID: request.participantClientID,
        prefix: "participant_")
      return SetRoundSetup(
        participant, revision: request.revision,
        setup: try .given(
          id: request.setupID, request.setupClientID, version: request.setupVersion),
        bow: try request.bowstyle.division())
    }
  }

  func getScorecard(
    _ request: GetScorecardRequest, _ call: CallContext
  ) throws -> Scorecard {
    let caller = try call.storeCaller()
    let participant = try ObjectReference.read(
      id: request.participantID, clientID: request.participantClientID,
      prefix: "participant_")
    return try commands.store.read { (snapshot) throws(StoreError) in
      let card = try snapshot.scorecard(
        participant, principal: caller.principal, withHistory: request.includeHistory)
      // What the archer may see of others in events is not the archer's to share.
      if try snapshot.isShare(of: caller.principal, readBy: caller.actor) {
        try card.checkIsOwn(of: caller.principal)
      }
      return Scorecard(card)
    }
  }

  /// Submits the command that `make` returns, and ends the call with the resulting session.
  private func submit<C: Command>(
    _ call: CallContext, _ responder: Responder<ShootingSession>,
    _ make: () throws -> C
  ) throws where C.Reply == SessionRecord {
    let caller = try call.storeCaller()
    commands.submit(try make(), by: caller, call, responder) { ShootingSession($0) }
  }

  /// The same with a round.
  private func submit<C: Command>(
    _ call: CallContext, _ responder: Responder<Round>, _ make: () throws -> C
  ) throws where C.Reply == RoundRecord {
    let caller = try call.storeCaller()
    commands.submit(
      try make(), by: caller, call, responder
    ) { Round($0) }
  }
}

extension SetupChoice {
  /// The setup that a request names; nil if it names none.
  static func given(
    id: Int64, _ clientID: [UInt8], version: UInt32
  ) throws -> SetupChoice? {
    guard id != 0 || !clientID.isEmpty else { return nil }
    return SetupChoice(
      try .read(id: id, clientID: clientID, prefix: "setup_"), version: Int64(version))
  }
}

extension SessionGuest {
  fileprivate func draft(path: String) throws -> SessionGuestDraft {
    try SessionGuestDraft(name: name, clientID: clientID, path: path)
  }
}

extension ShootingSession {
  init(_ record: SessionRecord) {
    self.init()
    id = record.id
    clientID = record.clientID
    format = QuiverAPI.RoundFormat(record.format)
    notes = record.notes
    conditions = record.conditions == .unknown ? nil : SessionConditions(record.conditions)
    tournament = record.isTournament
    rounds = record.rounds.map(Round.init)
    createdAtMilliseconds = record.createdAtMilliseconds
  }
}

extension PastRound {
  /// The draft for the store; throws without sums or for an unknown status.
  fileprivate func draft() throws -> PastRoundDraft {
    guard let sums else {
      throw RPCError.invalid("past.sums", "must be given, with the total at least")
    }
    let known = QuiverStore.ShootStatus(rawValue: status.rawValue)
    guard known != nil || status == .unspecified else {
      throw RPCError.invalid("past.status", "must be one of the known values")
    }
    return PastRoundDraft(
      TypedScore(sums), shotAtMilliseconds: shotAtMilliseconds, status: known)
  }
}

extension Round {
  init(_ record: RoundRecord) {
    self.init()
    id = record.id
    participantID = record.participant.id
    participantClientID = record.participant.clientID
    sessionID = record.participant.sessionID
    displayName = record.participant.displayName
    guest = record.participant.kind == .guest
    status = QuiverAPI.RoundStatus(rawValue: record.status.rawValue)
    setupID = record.setupID
    setupVersion = UInt32(clamping: record.setupVersion)
    bowstyle = Bowstyle(rawValue: record.bow?.rawValue ?? 0)
    startedAtMilliseconds = record.startedAtMilliseconds ?? 0
    completedAtMilliseconds = record.completedAtMilliseconds ?? 0
    score = Score(record.participant.tally)
    score?.typed = !record.participant.typedPasses.isEmpty
    shootStatus = QuiverAPI.ShootStatus(rawValue: record.shootStatus?.rawValue ?? 0)
    revision = record.revision
  }
}

extension Scorecard {
  init(_ record: ScorecardRecord) {
    self.init()
    round = Round(record.round)
    format = QuiverAPI.RoundFormat(record.format)
    arrows = record.arrows.map(ScoredArrow.init)
    history = record.history.map(KeptOperation.init)
    sequence = record.sequence
  }
}

extension KeptOperation {
  init(_ record: OperationRecord) {
    self.init()
    id = record.id
    operation = QuiverAPI.ScoringOperation(record)
    receivedAtMilliseconds = record.receivedAtMilliseconds
    principalID = record.principal
    late = record.state == .late
    rejected = record.state == .rejected
    ruling = record.ruling
  }
}
