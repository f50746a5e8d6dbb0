import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore
import QuiverWire

extension TournamentService {
  var participantRoutes: [Route] {
    [
      .responding(Tournament.joinTournament, joinTournament),
      .responding(Tournament.addGuest, addGuest),
      .responding(Tournament.addEntries, addEntries),
      .reading(Tournament.listParticipants, commands, listParticipants),
      .responding(Tournament.withdrawParticipant, withdrawParticipant),
      .responding(Tournament.disqualifyParticipant, disqualifyParticipant),
      .responding(Tournament.reinstateParticipant, reinstateParticipant),
      .responding(Tournament.appointScorer, appointScorer),
      .responding(Tournament.dismissScorer, dismissScorer),
      .reading(Tournament.listScorers, commands, listScorers),
      .reading(Tournament.getSpectatorToken, commands, getSpectatorToken),
    ]
  }

  /// A wrong code is refused before it reaches the writer.
  func joinTournament(
    _ request: JoinTournamentRequest, _ call: CallContext,
    _ responder: Responder<QuiverAPI.Participant>
  ) throws {
    let caller = try call.storeCaller()
    let setup = try SetupChoice.given(
      id: request.setupID, request.setupClientID, version: request.setupVersion)
    guard request.joinCode.isEmpty != (request.tournamentID == 0) else {
      throw RPCError.invalid("join_code", "must be given, or tournament_id; name one of them")
    }
    guard !request.joinCode.isEmpty else {
      let command = JoinTournament(
        .id(request.tournamentID), clientID: request.clientID, setup: setup)
      return submit(command, by: caller, call, responder)
    }
    let store = commands.store
    try codes.find(request.joinCode, call) { () throws(StoreError) in
      _ = try store.read { (snapshot) throws(StoreError) in
        try snapshot.tournamentHead(joinCode: request.joinCode)
      }
    }
    let command = JoinTournament(
      .joinCode(request.joinCode), clientID: request.clientID, setup: setup)
    commands.submit(
      command, by: caller, call, responder,
      message: { Participant($0, caller: caller.principal) })
  }

  func addGuest(
    _ request: AddGuestRequest, _ call: CallContext,
    _ responder: Responder<QuiverAPI.Participant>
  ) throws {
    let caller = try call.storeCaller()
    let command = try AddGuest(
      name: request.name, clientID: request.clientID, to: request.tournamentID)
    submit(command, by: caller, call, responder)
  }

  func addEntries(
    _ request: AddEntriesRequest, _ call: CallContext,
    _ responder: Responder<AddEntriesResponse>
  ) throws {
    let caller = try call.storeCaller()
    guard (1...AddEntries.maximumCount).contains(request.entries.count) else {
      throw RPCError.invalid("entries", "must be from 1 to \(AddEntries.maximumCount)")
    }
    let drafts = try request.entries.enumerated().map { index, entry in
      try AddEntries.EntryDraft(
        name: entry.name, clientID: entry.clientID, scorer: entry.scorerID,
        path: "entries[\(index)].")
    }
    let slices = try AddEntries.slices(of: drafts, to: request.tournamentID)
    commands.submit(slices, .joined, by: caller, call, responder) { records in
      var response = AddEntriesResponse()
      response.participants = records.map {
        Participant($0, caller: caller.principal, scoresAll: true)
      }
      return response
    }
  }

  func listParticipants(
    _ request: ListParticipantsRequest, _ call: CallContext
  ) throws -> ListParticipantsResponse {
    let caller = try call.storeCaller().principal
    return try commands.store.read { (snapshot) throws(StoreError) in
      let head = try snapshot.visibleTournament(id: request.tournamentID, principal: caller)
      let page = try snapshot.participantPage(
        tournament: head.id, principal: caller, mineOnly: request.mineOnly,
        pageSize: request.pageSize, pageToken: request.pageToken)
      let leased = try snapshot.leasedParticipants(of: caller, in: head.id)
      let scoresAll = try snapshot.scoresAll(
        of: head.id, organiser: head.organiser, principal: caller)
      var response = ListParticipantsResponse()
      response.participants = page.items.map {
        Participant(
          $0, caller: caller, scoresAll: scoresAll, isLeased: leased.contains($0.id))
      }
      response.nextPageToken = page.nextPageToken
      return response
    }
  }

  func withdrawParticipant(
    _ request: WithdrawParticipantRequest, _ call: CallContext,
    _ responder: Responder<QuiverAPI.Participant>
  ) throws {
    try change(
      request.participantID, to: .withdrawn, request.reason, request.expectedRevision, call,
      responder)
  }

  func disqualifyParticipant(
    _ request: DisqualifyParticipantRequest, _ call: CallContext,
    _ responder: Responder<QuiverAPI.Participant>
  ) throws {
    try change(
      request.participantID, to: .disqualified, request.reason, request.expectedRevision, call,
      responder)
  }

  func reinstateParticipant(
    _ request: ReinstateParticipantRequest, _ call: CallContext,
    _ responder: Responder<QuiverAPI.Participant>
  ) throws {
    try change(
      request.participantID, to: .active, request.reason, request.expectedRevision, call,
      responder)
  }

  private func change(
    _ id: Int64, to status: QuiverStore.ParticipantStatus, _ reason: String, _ expected: UInt64,
    _ call: CallContext, _ responder: Responder<QuiverAPI.Participant>
  ) throws {
    let caller = try call.storeCaller()
    let command = try ChangeParticipant(id, to: status, reason: reason, expected: expected)
    submit(command, by: caller, call, responder)
  }

  private func submit<C: Command>(
    _ command: C, by caller: CommandCaller, _ call: CallContext,
    _ responder: Responder<QuiverAPI.Participant>
  ) where C.Reply == ParticipantRecord {
    commands.submit(command, by: caller, call, responder) {
      Participant($0, caller: caller.principal)
    }
  }
}

extension TournamentService {
  func appointScorer(
    _ request: AppointScorerRequest, _ call: CallContext, _ responder: Responder<Scorer>
  ) throws {
    let caller = try call.storeCaller()
    guard request.sessionID != 0 || request.targets.isEmpty else {
      throw RPCError.invalid("session_id", "must be given with targets")
    }
    let targets =
      request.sessionID == 0
      ? nil : AppointScorer.Targets(session: request.sessionID, numbers: request.targets)
    let slices = try AppointScorer.slices(
      try Appointee(id: request.principalID, code: request.principalCode),
      of: request.tournamentID, participants: request.participantIDs, on: targets)
    commands.submit(slices, .last, by: caller, call, responder) { Scorer($0) }
  }

  func dismissScorer(
    _ request: DismissScorerRequest, _ call: CallContext,
    _ responder: Responder<DismissScorerResponse>
  ) throws {
    let caller = try call.storeCaller()
    commands.submit(
      DismissScorer(request.principalID, of: request.tournamentID), by: caller, call,
      responder
    ) { _ in DismissScorerResponse() }
  }

  func listScorers(
    _ request: ListScorersRequest, _ call: CallContext
  ) throws -> ListScorersResponse {
    let caller = try call.storeCaller()
    var response = ListScorersResponse()
    response.scorers = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.scorers(tournament: request.tournamentID, principal: caller.principal)
        .map(Scorer.init)
    }
    return response
  }

  func getSpectatorToken(
    _ request: GetSpectatorTokenRequest, _ call: CallContext
  ) throws -> GetSpectatorTokenResponse {
    let store = commands.store
    let token = try codes.find(request.joinCode, call) { () throws(StoreError) in
      try store.spectatorToken(
        joinCode: request.joinCode, network: CountedNetwork.name(of: call.connection.address))
    }
    var response = GetSpectatorTokenResponse()
    response.token = token.text
    response.expiresAtMilliseconds = token.expiresAtMilliseconds
    response.tournamentID = token.tournament
    response.name = token.name
    return response
  }
}

extension QuiverAPI.Participant {
  /// `scoresAll`: the caller made the event, or is one of its scorers; `isLeased`: it holds the
  /// lease on the target of the participant.
  init(
    _ record: ParticipantRecord, caller: Int64, scoresAll: Bool = false, isLeased: Bool = false
  ) {
    self.init()
    id = record.id
    clientID = record.principal == caller ? record.clientID : []
    tournamentID = record.sessionID
    kind = QuiverAPI.ParticipantKind(rawValue: record.kind.rawValue)
    displayName = record.displayName
    principalID = record.principal
    scorerID = record.scorer
    status = QuiverAPI.ParticipantStatus(rawValue: record.status.rawValue)
    joinedAtMilliseconds = record.joinedAtMilliseconds
    score = Score(record.tally)
    score?.typed = !record.typedPasses.isEmpty
    mayScore =
      scoresAll || isLeased || (record.principal == caller)
      || (record.scorer == caller && caller != 0)
  }
}

extension Scorer {
  init(_ record: ScorerRecord) {
    self.init()
    tournamentID = record.tournament
    principalID = record.principal
    displayName = record.displayName
    assignedCount = UInt32(clamping: record.assignedCount)
  }
}
