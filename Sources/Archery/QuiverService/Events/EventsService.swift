import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverStore

/// Answers `quiver.v1.Events`.
struct EventsService {
  let commands: CommandCalls
  let codes: CodeAttempts
  let watches: WatchAdmission

  static let longReads = ReadScheduler(.long)

  var routes: [Route] {
    [
      .responding(Events.createEventCategory, createCategory),
      .responding(Events.updateEventCategory, updateCategory),
      .responding(Events.deleteEventCategory, deleteCategory),
      .reading(Events.listEventCategories, commands, listCategories),
      .responding(Events.addQualificationRound, addRound),
      .responding(Events.removeQualificationRound, removeRound),
      .responding(Events.createEventSession, createSession),
      .responding(Events.updateEventSession, updateSession),
      .responding(Events.deleteEventSession, deleteSession),
      .reading(Events.listEventSessions, commands, listSessions),
      .responding(Events.setSessionPlaces, setPlaces),
      .responding(Events.setEventOfficial, setOfficial),
      .responding(Events.removeEventOfficial, removeOfficial),
      .responding(Events.createOfficialCode, createOfficialCode),
      .responding(Events.signInOfficial, signInOfficial),
      .reading(Events.listEventOfficials, commands, listOfficials),
      .keeping(Events.getCategoryStandings, keptStandings, otherwise: getStandings),
      .keeping(Events.getTeamStandings, keptTeamStandings, otherwise: getTeamStandings),
      .reading(Events.getEventProgress, commands, getProgress),
    ] + entryRoutes + cardRoutes + leaseRoutes + deviceRoutes
      + callRoutes + noticeRoutes
      + documentRoutes + templateRoutes
  }

  func createCategory(
    _ request: CreateEventCategoryRequest, _ call: CallContext,
    _ responder: Responder<EventCategory>
  ) throws {
    try commands.submit(call, responder) {
      let category = try EventCategory.given(request.category)
      return try PutCategory(
        category.content, in: category.tournamentID, format: try request.format?.reference(),
        arrowLimit: request.format?.arrowLimit ?? 0)
    }
  }

  func updateCategory(
    _ request: UpdateEventCategoryRequest, _ call: CallContext,
    _ responder: Responder<EventCategory>
  ) throws {
    try commands.submit(call, responder) {
      let category = try EventCategory.given(request.category)
      guard category.id != 0 else { throw RPCError.invalid("category.id", "must be given") }
      return try PutCategory(
        category.id, of: category.tournamentID, revision: category.revision, category.content)
    }
  }

  func deleteCategory(
    _ request: DeleteEventCategoryRequest, _ call: CallContext,
    _ responder: Responder<DeleteEventCategoryResponse>
  ) throws {
    let caller = try call.storeCaller()
    commands.submit(
      DeleteCategory(
        request.categoryID, of: request.tournamentID, expected: request.expectedRevision),
      by: caller, call, responder
    ) { _ in DeleteEventCategoryResponse() }
  }

  func addRound(
    _ request: AddQualificationRoundRequest, _ call: CallContext,
    _ responder: Responder<EventCategory>
  ) throws {
    try commands.submit(call, responder) {
      guard let format = request.format else { throw RPCError.invalid("format", "must be given") }
      return try ChangeQualification(
        .add(
          try format.reference(), arrowLimit: format.arrowLimit, before: request.before),
        of: request.categoryID, in: request.tournamentID, revision: request.revision)
    }
  }

  func removeRound(
    _ request: RemoveQualificationRoundRequest, _ call: CallContext,
    _ responder: Responder<EventCategory>
  ) throws {
    try commands.submit(call, responder) {
      try ChangeQualification(
        .remove(request.number), of: request.categoryID, in: request.tournamentID,
        revision: request.revision)
    }
  }

  func listCategories(
    _ request: ListEventCategoriesRequest, _ call: CallContext
  ) throws -> ListEventCategoriesResponse {
    let viewer = try call.viewer(of: request.tournamentID)
    var response = ListEventCategoriesResponse()
    response.categories = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.categories(event: request.tournamentID, principal: viewer.principal)
        .map(EventCategory.init)
    }
    return response
  }

  func createSession(
    _ request: CreateEventSessionRequest, _ call: CallContext,
    _ responder: Responder<EventSession>
  ) throws {
    try commands.submit(call, responder) {
      let session = try EventSession.given(request.session)
      return try PutEventSession(0, of: session.tournamentID, revision: 0, session.content)
    }
  }

  func updateSession(
    _ request: UpdateEventSessionRequest, _ call: CallContext,
    _ responder: Responder<EventSession>
  ) throws {
    try commands.submit(call, responder) {
      let session = try EventSession.given(request.session)
      guard session.id != 0 else { throw RPCError.invalid("session.id", "must be given") }
      return try PutEventSession(
        session.id, of: session.tournamentID, revision: session.revision, session.content)
    }
  }

  func setPlaces(
    _ request: SetSessionPlacesRequest, _ call: CallContext,
    _ responder: Responder<EventSession>
  ) throws {
    try commands.submit(call, responder) {
      SetSessionPlaces(
        request.sessionID, of: request.tournamentID, blocked: request.blockedPlaces,
        wheelchairs: request.wheelchairTargets, expected: request.expectedRevision)
    }
  }

  func deleteSession(
    _ request: DeleteEventSessionRequest, _ call: CallContext,
    _ responder: Responder<DeleteEventSessionResponse>
  ) throws {
    let caller = try call.storeCaller()
    commands.submit(
      DeleteEventSession(
        request.sessionID, of: request.tournamentID, expected: request.expectedRevision),
      by: caller, call, responder
    ) { _ in DeleteEventSessionResponse() }
  }

  func listSessions(
    _ request: ListEventSessionsRequest, _ call: CallContext
  ) throws -> ListEventSessionsResponse {
    let viewer = try call.viewer(of: request.tournamentID)
    var response = ListEventSessionsResponse()
    response.sessions = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.eventSessions(event: request.tournamentID, principal: viewer.principal)
        .map(EventSession.init)
    }
    return response
  }

  func setOfficial(
    _ request: SetEventOfficialRequest, _ call: CallContext,
    _ responder: Responder<EventOfficial>
  ) throws {
    let caller = try call.storeCaller()
    let role = try Self.role(request.role)
    let appointee = try Appointee(id: request.principalID, code: request.principalCode)
    commands.submit(
      SetOfficial(
        appointee, of: request.tournamentID, role: role,
        expected: request.expectedRole.map { .role(QuiverStore.EventRole(rawValue: $0.rawValue)) }
          ?? .any), by: caller, call, responder
    ) { EventOfficial($0) }
  }

  func removeOfficial(
    _ request: RemoveEventOfficialRequest, _ call: CallContext,
    _ responder: Responder<RemoveEventOfficialResponse>
  ) throws {
    let caller = try call.storeCaller()
    commands.submit(
      RemoveOfficial(
        request.principalID, of: request.tournamentID,
        expected: QuiverStore.EventRole(rawValue: request.expectedRole.rawValue)
          .map { .role($0) } ?? .any), by: caller, call, responder
    ) { _ in RemoveEventOfficialResponse() }
  }

  func listOfficials(
    _ request: ListEventOfficialsRequest, _ call: CallContext
  ) throws -> ListEventOfficialsResponse {
    let caller = try call.storeCaller().principal
    var response = ListEventOfficialsResponse()
    response.officials = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.officials(event: request.tournamentID, principal: caller)
        .map(EventOfficial.init)
    }
    return response
  }

  /// The reply to the same question as before, if nothing of the event has changed since.
  func keptStandings(_ request: GetCategoryStandingsRequest, _ call: CallContext) -> [UInt8]? {
    guard let viewer = try? call.viewer(of: request.tournamentID),
      let question = Self.question(request, viewer)
    else { return nil }
    return commands.store.existingLeaderboard(request.tournamentID)?.keptReply(for: question)
  }

  /// The question of a request; nil if it is so long that its reply is not kept.
  private static func question(
    _ request: GetCategoryStandingsRequest, _ viewer: Viewer
  ) -> KeptStandings.Question? {
    let question = KeptStandings.Question(
      principal: viewer.principal, part: request.part, pageSize: request.pageSize,
      pageToken: request.pageToken)
    return question.textByteCount <= StoreLimits.keptRequestBytes ? question : nil
  }

  /// It reads the entries of the part, so it is a long read. Answers the encoded reply.
  func getStandings(
    _ request: GetCategoryStandingsRequest, _ call: CallContext
  ) async throws -> [UInt8] {
    let viewer = try call.viewer(of: request.tournamentID)
    let store = commands.store
    let page: CategoryStandings
    do throws(StoreError) {
      page = try await Self.longReads.run(
        of: viewer.owner
      ) { () throws(StoreError) in
        try store.categoryStandings(
          request.tournamentID, request.part, principal: viewer.principal,
          pageSize: request.pageSize,
          pageToken: request.pageToken)
      }
    } catch {
      throw RPCError(error)
    }
    var response = GetCategoryStandingsResponse()
    response.rows = page.rows.map { row in
      var shown = CategoryStandingsRow()
      shown.row = LeaderboardRow(
        row.leaderboard, rank: row.rank, difference: row.difference, caller: viewer.principal)
      shown.entry = EventEntry(row.entry, showsLicence: false)
      if let tie = row.tie {
        shown.tieDecision = TieDecision(rawValue: tie.decision.rawValue)
        shown.decidedBy = tie.decidedByName
        shown.decidedAtMilliseconds = tie.decidedAtMilliseconds
        shown.tieShots = tie.shots.map(QuiverAPI.TieShots.init)
      }
      shown.card = row.card.map(QuiverAPI.CardSummary.init)
      shown.rounds = row.rounds.map(QuiverAPI.RoundTotal.init)
      shown.missingKey = row.missing.map(QuiverAPI.RankKey.init)
      return shown
    }
    response.nextPageToken = page.nextPageToken
    response.policy = TiePolicyInfo(page.form)
    response.provisional = page.isProvisional
    response.rowCount = UInt32(clamping: page.count)
    response.shootingCount = UInt32(clamping: page.shootingCount)
    response.unconfirmedCount = UInt32(clamping: page.unconfirmedCount)
    response.openSteps = page.openSteps.map(EventStep.init)
    let bytes = response.serializedBytes()
    if let question = Self.question(request, viewer) {
      store.existingLeaderboard(request.tournamentID)?.keep(bytes, for: question, of: page)
    }
    return bytes
  }

  func getProgress(
    _ request: GetEventProgressRequest, _ call: CallContext
  ) throws -> GetEventProgressResponse {
    let caller = try call.storeCaller().principal
    let progress = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.progress(event: request.tournamentID, principal: caller)
    }
    var response = GetEventProgressResponse()
    response.steps = progress.steps.map(EventStep.init)
    response.pauses = progress.pauses.map(ShootingPause.init)
    return response
  }
}

extension QuiverAPI.TieShots {
  init(_ shots: QuiverStore.TieShots) {
    self.init()
    arrows = shots.arrows.map(MatchArrow.init)
    distances = shots.distances.map { UInt32(clamping: $0) }
  }

  func shots(path: String) throws(StoreError) -> QuiverStore.TieShots {
    QuiverStore.TieShots(
      try arrows.scores(path: path + ".arrows"), distances: distances.map { Int($0) })
  }
}

extension Appointee {
  /// The one that a request names.
  init(id: Int64, code: String) throws(RPCError) {
    guard code.isEmpty || id == 0 else {
      throw .invalid("principal_code", "must not be given with principal_id")
    }
    self = code.isEmpty ? .id(id) : .code(code)
  }
}

extension EventStep {
  init(_ step: EventProgress.Step) {
    self.init()
    kind = EventStepKind(rawValue: step.kind.rawValue)
    done = step.isDone
    missing = step.missing
  }
}

extension OpenEventSteps {
  init(_ steps: [EventProgress.Step]) {
    self.init()
    self.steps = steps.map(EventStep.init)
  }
}

extension GetCategoryStandingsRequest {
  /// The entries that it asks for.
  fileprivate var part: Snapshot.EntryFilter {
    var part = Snapshot.EntryFilter()
    part.category = categoryID
    part.session = sessionID
    part.club = club
    return part
  }
}
