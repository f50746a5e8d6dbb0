import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

/// Answers `quiver.v1.Tournament`.
struct TournamentService {
  let commands: CommandCalls
  /// Codes of events that addresses have tried.
  let codes: CodeAttempts
  let watches: WatchAdmission
  let leaderboards: LeaderboardTopics

  var scoring: ScoringCalls { ScoringCalls(commands: commands) }

  var routes: [Route] {
    [
      .responding(Tournament.createTournament, createTournament),
      .reading(Tournament.getTournament, commands, getTournament),
      .reading(Tournament.listTournaments, commands, listTournaments),
      .responding(Tournament.updateTournament, updateTournament),
      .responding(Tournament.deleteTournament, deleteTournament),
      .responding(Tournament.startTournament, startTournament),
      .responding(Tournament.pauseTournament, pauseTournament),
      .responding(Tournament.finaliseTournament, finaliseTournament),
      .responding(Tournament.reopenTournament, reopenTournament),
      .responding(Tournament.cancelTournament, cancelTournament),
    ] + participantRoutes + tournamentScoringRoutes + standingsRoutes
  }

  var tournamentScoringRoutes: [Route] {
    [
      .responding(Tournament.recordArrow, recordArrow),
      .responding(Tournament.recordEnd, recordEnd),
      .responding(Tournament.correctArrow, correctArrow),
      .responding(Tournament.retractArrow, retractArrow),
      .responding(Tournament.applyOperations, applyOperations),
      .bidirectional(Tournament.syncOperations, syncOperations),
      .reading(Tournament.listLateOperations, commands, listLateOperations),
      .responding(Tournament.admitOperations, admitOperations),
      .responding(Tournament.rejectOperations, rejectOperations),
    ]
  }

  func createTournament(
    _ request: CreateTournamentRequest, _ call: CallContext,
    _ responder: Responder<TournamentEvent>
  ) throws {
    try submit(call, responder) {
      guard let format = request.format else { throw RPCError.invalid("format", "must be given") }
      var content = CreateTournament.Content(try format.reference())
      content.clientID = request.clientID
      content.name = request.name
      content.arrowLimit = format.arrowLimit
      content.visibility = try request.visibility()
      content.maxParticipants = request.maxParticipants
      content.tiePolicy = request.tiePolicy.rawValue
      content.guestsPerUser = request.guestsPerUser
      content.guestLimit = request.guestLimit
      content.joins = request.joins
      content.consent = request.correctionConsent.rawValue
      content.scorersTypePapers = request.scorersTypePapers
      return try CreateTournament(content)
    }
  }

  func getTournament(
    _ request: GetTournamentRequest, _ call: CallContext
  ) throws -> TournamentEvent {
    let caller = try call.storeCaller()
    return try commands.store.read { (snapshot) throws(StoreError) in
      TournamentEvent(
        try snapshot.listedTournament(id: request.id, principal: caller.principal))
    }
  }

  func listTournaments(
    _ request: ListTournamentsRequest, _ call: CallContext
  ) throws -> ListTournamentsResponse {
    let caller = try call.storeCaller()
    let page = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.tournaments(
        principal: caller.principal, publicOnly: request.publicOnly,
        pageSize: request.pageSize, pageToken: request.pageToken)
    }
    var response = ListTournamentsResponse()
    response.tournaments = page.items.map(TournamentEvent.init)
    response.nextPageToken = page.nextPageToken
    return response
  }

  func updateTournament(
    _ request: UpdateTournamentRequest, _ call: CallContext,
    _ responder: Responder<TournamentEvent>
  ) throws {
    try submit(call, responder) {
      guard let event = request.tournament else {
        throw RPCError.invalid("tournament", "must be given")
      }
      let mask = request.updateMask
      try NamedFields.check(
        mask, changeable: UpdateTournament.fields, of: TournamentEvent.self, called: "tournament")
      var change = UpdateTournament.Change()
      if mask.contains("name") { change.name = event.name }
      if mask.contains("is_public") { change.isPublic = event.isPublic }
      if mask.contains("listed") { change.isListed = event.listed }
      if mask.contains("watchable") { change.isWatchable = event.watchable }
      if mask.contains("joinable") { change.isJoinable = event.joinable }
      if mask.contains("public_names") { change.publicNames = event.publicNames.rawValue }
      if mask.contains("junior_names") { change.juniorNames = event.juniorNames.rawValue }
      if mask.contains("last_board_day") { change.lastBoardDay = event.lastBoardDay }
      if mask.contains("max_participants") { change.maxParticipants = event.maxParticipants }
      if mask.contains("guests_per_user") { change.guestsPerUser = event.guestsPerUser }
      if mask.contains("guest_limit") { change.guestLimit = event.guestLimit }
      if mask.contains("correction_consent") {
        change.consent = event.correctionConsent.rawValue
      }
      if mask.contains("scorers_type_papers") { change.scorersTypePapers = event.scorersTypePapers }
      if mask.contains("tie_policy") { change.tiePolicy = event.tiePolicy.rawValue }
      return try UpdateTournament(event.id, revision: event.revision, change)
    }
  }

  func deleteTournament(
    _ request: DeleteTournamentRequest, _ call: CallContext,
    _ responder: Responder<DeleteTournamentResponse>
  ) throws {
    let caller = try call.storeCaller()
    commands.submit(DeleteTournament(request.id), by: caller, call, responder) { _ in
      DeleteTournamentResponse()
    }
  }

  func startTournament(
    _ request: StartTournamentRequest, _ call: CallContext,
    _ responder: Responder<TournamentEvent>
  ) throws {
    try change(
      request.id, .start, request.expectedRevision, anyway: request.anyway, call, responder)
  }

  func pauseTournament(
    _ request: PauseTournamentRequest, _ call: CallContext,
    _ responder: Responder<TournamentEvent>
  ) throws {
    try change(request.id, .pause, request.expectedRevision, call, responder)
  }

  func finaliseTournament(
    _ request: FinaliseTournamentRequest, _ call: CallContext,
    _ responder: Responder<TournamentEvent>
  ) throws {
    try change(
      request.id, .finalise, request.expectedRevision, anyway: request.anyway, call, responder)
  }

  func reopenTournament(
    _ request: ReopenTournamentRequest, _ call: CallContext,
    _ responder: Responder<TournamentEvent>
  ) throws {
    try change(
      request.id, .reopen, request.expectedRevision, reason: request.reason, call, responder)
  }

  func cancelTournament(
    _ request: CancelTournamentRequest, _ call: CallContext,
    _ responder: Responder<TournamentEvent>
  ) throws {
    try change(
      request.id, .cancel, request.expectedRevision, reason: request.reason, call, responder)
  }

  private func change(
    _ id: Int64, _ step: ChangeTournamentState.Step, _ expected: UInt64, reason: String = "",
    anyway: Bool = false, _ call: CallContext, _ responder: Responder<TournamentEvent>
  ) throws {
    try submit(call, responder) {
      try ChangeTournamentState(
        id, step, reason: reason, anyway: anyway, expected: expected)
    }
  }

  /// Submits the command that `make` answers, and ends the call with the event that it leaves.
  private func submit<C: Command>(
    _ call: CallContext, _ responder: Responder<TournamentEvent>,
    _ make: () throws -> C
  ) throws where C.Reply == TournamentRecord {
    let caller = try call.storeCaller()
    commands.submit(
      try make(), by: caller, call, responder
    ) { TournamentEvent($0) }
  }
}

extension CreateTournamentRequest {
  /// What it says itself comes before `is_public`.
  fileprivate func visibility() throws(StoreError) -> EventVisibility {
    var visibility = EventVisibility(isPublic: isPublic)
    if let listed { visibility.isListed = listed }
    if let watchable { visibility.isWatchable = watchable }
    if let joinable { visibility.isJoinable = joinable }
    (visibility.names, visibility.juniorNames, visibility.lastBoardDay) =
      try EventVisibility.checked(
        names: publicNames.rawValue, juniorNames: juniorNames.rawValue,
        lastBoardDay: lastBoardDay, prefix: "")
    return visibility
  }
}

extension TournamentEvent {
  init(_ record: TournamentRecord) {
    self.init()
    let head = record.head
    id = head.id
    clientID = record.clientID
    name = head.name
    format = QuiverAPI.RoundFormat(record.format)
    status = QuiverAPI.TournamentStatus(rawValue: head.status.rawValue)
    paused = head.isPaused
    isPublic = head.isPublic
    listed = head.visibility.isListed
    watchable = head.visibility.isWatchable
    joinable = head.visibility.isJoinable
    publicNames = QuiverAPI.PublicName(rawValue: head.visibility.names?.rawValue ?? 0)
    juniorNames = QuiverAPI.PublicName(rawValue: head.visibility.juniorNames?.rawValue ?? 0)
    lastBoardDay = head.visibility.lastBoardDay
    correctionConsent = QuiverAPI.CorrectionConsent(rawValue: head.consent?.rawValue ?? 0)
    scorersTypePapers = head.scorersTypePapers
    joinCode = record.isOrganiser ? InviteCode.grouped(head.joinCode) : ""
    maxParticipants = UInt32(clamping: head.maxParticipants)
    participantCount = UInt32(clamping: head.participantCount)
    tiePolicy = QuiverAPI.TiePolicy(rawValue: head.tiePolicy.rawValue)
    tiePolicyDay = head.tiePolicyDay
    organiserID = head.organiser
    organiserName = record.organiserName
    guestsPerUser = UInt32(clamping: head.guestsPerUser)
    guestLimit = UInt32(clamping: head.guestLimit)
    lateCount = UInt32(clamping: head.lateCount)
    createdAtMilliseconds = record.createdAtMilliseconds
    startedAtMilliseconds = head.startedAtMilliseconds ?? 0
    finalisedAtMilliseconds = head.finalisedAtMilliseconds ?? 0
    revision = head.revision
    participantID = record.ownParticipant
    shootingPause = record.pause.map(ShootingPause.init)
  }
}
