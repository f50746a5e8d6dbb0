import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

/// Answers `quiver.v1.Elimination`.
struct EliminationService {
  let commands: CommandCalls
  let watches: WatchAdmission

  var routes: [Route] {
    [
      .responding(Elimination.cutCategory, cutCategory),
      .responding(Elimination.decideTie, decideTie),
      .reading(Elimination.listStages, commands, listStages),
      .reading(Elimination.getBracket, commands, getBracket),
      .responding(Elimination.deleteStage, deleteStage),
      .reading(Elimination.getMatch, commands, getMatch),
      .responding(Elimination.applyMatchOperations, applyOperations),
      .responding(Elimination.confirmMatchCard, confirmCard),
      .responding(Elimination.forfeitMatch, forfeitMatch),
      .responding(Elimination.reopenMatch, reopenMatch),
      .streamResponding(Elimination.watchBracket, watchBracket),
      .responding(Elimination.placeMatches, placeMatches),
      .responding(Elimination.placeMatch, placeMatch),
      .responding(Elimination.cutTeams, cutTeams),
      .responding(Elimination.substituteTeamMember, substitute),
      .responding(Elimination.drawGroups, drawGroups),
      .responding(Elimination.cutGroups, cutGroups),
      .streamResponding(Elimination.watchMatch, watchMatch),
    ]
  }

  func cutCategory(
    _ request: CutCategoryRequest, _ call: CallContext,
    _ responder: Responder<QuiverAPI.EliminationBracket>
  ) throws {
    let caller = try call.storeCaller()
    var scope = CutCategory.Scope()
    scope.event = request.tournamentID
    scope.category = request.categoryID
    scope.size = request.size
    scope.hasBronzeMatch = !request.noBronzeMatch
    scope.seed = request.seed
    scope.exemptSeeds = request.exemptSeeds
    let command = try CutCategory(
      scope, QuiverRules.MatchSystem(rawValue: request.system.rawValue))
    commands.submit(command, by: caller, call, responder) { QuiverAPI.EliminationBracket($0) }
  }

  func decideTie(
    _ request: DecideTieRequest, _ call: CallContext, _ responder: Responder<DecideTieResponse>
  ) throws {
    let caller = try call.storeCaller()
    let command = try DecideTie(
      request.participantIDs, of: request.categoryID, in: request.tournamentID,
      DecideTie.Decision(rawValue: request.decision.rawValue),
      shots: try request.shots.enumerated().map { try $1.shots(path: "shots[\($0)]") },
      decidedAt: request.expectedDecidedAtMilliseconds)
    commands.submit(command, by: caller, call, responder) { _ in DecideTieResponse() }
  }

  func listStages(
    _ request: ListStagesRequest, _ call: CallContext
  ) throws -> ListStagesResponse {
    let viewer = try call.viewer(of: request.tournamentID)
    var response = ListStagesResponse()
    response.stages = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.stages(event: request.tournamentID, principal: viewer.principal)
        .map(EliminationStage.init)
    }
    return response
  }

  func getBracket(
    _ request: GetBracketRequest, _ call: CallContext
  ) throws -> QuiverAPI.EliminationBracket {
    let viewer = try call.anyViewer()
    return try commands.store.read { (snapshot) throws(StoreError) in
      QuiverAPI.EliminationBracket(
        try snapshot.bracket(
          stage: request.stageID, principal: viewer.principal, spectated: viewer.spectated))
    }
  }

  func deleteStage(
    _ request: DeleteStageRequest, _ call: CallContext,
    _ responder: Responder<DeleteStageResponse>
  ) throws {
    let caller = try call.storeCaller()
    commands.submit(
      DeleteStage(request.stageID, expected: request.expectedRevision), by: caller, call, responder
    ) { _ in DeleteStageResponse() }
  }

  func getMatch(_ request: GetMatchRequest, _ call: CallContext) throws -> EliminationMatch {
    let viewer = try call.anyViewer()
    return try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.shownMatch(request.matchID, to: viewer)
    }
  }

  func applyOperations(
    _ request: ApplyMatchOperationsRequest, _ call: CallContext,
    _ responder: Responder<ApplyMatchOperationsResponse>
  ) throws {
    let caller = try commands.commandCaller(call)
    guard request.operations.count <= StoreLimits.operationsPerCommand else {
      throw RPCError.invalid(
        "operations", "must be from 1 to \(StoreLimits.operationsPerCommand)")
    }
    let drafts = request.operations.enumerated().map { index, operation in
      operation.draft(path: "operations[\(index)].")
    }
    let clientIDs = request.operations.map(\.clientID)
    let command = try ApplyMatchOperations(drafts)
    commands.submit(command, by: caller, call, responder) { outcomes in
      var response = ApplyMatchOperationsResponse()
      response.verdicts = zip(outcomes, clientIDs).map { MatchOperationVerdict($0, clientID: $1) }
      return response
    }
  }

  func confirmCard(
    _ request: ConfirmMatchCardRequest, _ call: CallContext,
    _ responder: Responder<EliminationMatch>
  ) throws {
    try submit(call, responder) {
      try ConfirmMatchCard(
        request.matchID, MatchSide(number: request.side), revision: request.revision)
    }
  }

  func forfeitMatch(
    _ request: ForfeitMatchRequest, _ call: CallContext,
    _ responder: Responder<EliminationMatch>
  ) throws {
    try submit(call, responder) {
      try ForfeitMatch(
        request.matchID, MatchSide(number: request.side), reason: request.reason,
        expected: request.expectedRevision)
    }
  }

  func reopenMatch(
    _ request: ReopenMatchRequest, _ call: CallContext,
    _ responder: Responder<EliminationMatch>
  ) throws {
    try submit(call, responder) {
      try ReopenMatch(
        request.matchID, reason: request.reason, voidsLater: request.voidLater,
        expected: request.expectedRevision)
    }
  }

  private func submit<C: Command>(
    _ call: CallContext, _ responder: Responder<EliminationMatch>, _ make: () throws -> C
  ) throws where C.Reply == MatchInBracket {
    let caller = try call.storeCaller()
    commands.submit(try make(), by: caller, call, responder) {
      EliminationMatch($0.match, in: $0.bracket, showsCards: true)
    }
  }

  func watchBracket(
    _ request: WatchBracketRequest, _ call: CallContext,
    _ replies: StreamResponder<WatchBracketResponse>
  ) throws {
    let viewer = try call.viewer(of: request.tournamentID)
    let watch = BracketWatch(
      stage: request.stageID, event: request.tournamentID,
      viewer: StageViewer(
        principal: viewer.principal,
        spectated: viewer.principal == nil ? request.tournamentID : nil))
    let store = commands.store
    commands.read(call, replies) { () throws(StoreError) in
      let record = try store.read { (snapshot) throws(StoreError) in try watch.record(snapshot) }
      guard record.stage.event == watch.event else {
        throw StoreError(.notFound, "there is no such stage of this event", field: "stage_id")
      }
    } start: { () throws(RPCError) in
      try JournalWatch.start(watch, watches, call, replies)
    }
  }
}

/// The reader of a stage or a match: a principal, or a spectator of an event.
struct StageViewer: Sendable, Hashable {
  let principal: Int64?
  let spectated: Int64?
}

extension CallContext {
  /// The viewer of a stage or a match, whose event is not known yet.
  func anyViewer() throws -> StageViewer {
    if let caller, let event = SpectatorToken.tournament(ofPrincipal: caller.principalID) {
      return StageViewer(principal: nil, spectated: event)
    }
    return StageViewer(principal: try storeCaller().principal, spectated: nil)
  }
}

/// A bracket and its matches, without cards. Its names are those of the participants.
struct BracketWatch: EventWatchSource {
  let stage: Int64
  let event: Int64
  let viewer: StageViewer

  var principal: Int64? { viewer.principal }

  func part(
    _ token: String, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> (message: WatchBracketResponse, next: String) {
    var response = WatchBracketResponse()
    response.bracket = QuiverAPI.EliminationBracket(try record(snapshot))
    return (response, "")
  }

  func concerns(_ entry: JournalEntry) -> Bool {
    guard entry.topic == event else { return false }
    return entry.kind == .eventMatch || entry.kind == .eventStage || entry.kind == .participant
      || entry.kind == .membership
  }

  func changes(
    _ entries: [JournalEntry], _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> WatchBracketResponse? {
    let changed = Set(entries.filter { $0.kind == .eventMatch }.map(\.objectID))
    let isStage = entries.contains { $0.kind == .eventStage && $0.objectID == stage }
    // Most changes of participants are arrows of others, or of the qualification: only those whose
    // names are shown are looked for.
    let named = Set(
      entries.filter { $0.kind == .participant || $0.kind == .membership }.map(\.objectID))
    let seeds = try snapshot.seeds(of: named, inStage: stage)
    guard isStage || !seeds.isEmpty || !changed.isEmpty else { return nil }
    let record = try record(snapshot)
    let shown = record.matches.filter { match in
      changed.contains(match.id) || match.seeds.contains { $0.map(seeds.contains) ?? false }
    }.map(\.id)
    guard isStage || !shown.isEmpty else { return nil }
    var response = WatchBracketResponse()
    var bracket = QuiverAPI.EliminationBracket(record)
    bracket.matches.removeAll { !shown.contains($0.id) }
    response.bracket = bracket
    return response
  }

  func record(_ snapshot: borrowing Snapshot) throws(StoreError) -> BracketRecord {
    try snapshot.bracket(stage: stage, principal: viewer.principal, spectated: viewer.spectated)
  }
}
