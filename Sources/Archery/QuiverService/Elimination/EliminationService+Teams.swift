import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

extension EliminationService {
  func cutTeams(
    _ request: CutTeamsRequest, _ call: CallContext,
    _ responder: Responder<QuiverAPI.EliminationBracket>
  ) throws {
    try submitStage(call, responder) {
      var scope = TeamScope()
      scope.event = request.tournamentID
      scope.category = request.categoryID
      scope.secondCategory = request.secondCategoryID
      let decision = DecideTie.Decision(rawValue: request.tieDecision.rawValue)
      guard decision != nil || request.tieDecision == .unspecified else {
        throw RPCError.invalid("tie_decision", "must be shoot_off or coin_toss")
      }
      return try CutTeams(
        scope, TeamForm(request.system, request.group), size: request.size,
        hasBronzeMatch: !request.noBronzeMatch, seed: request.seed,
        tie: CutTeams.Tie(request.tieOrder, decision))
    }
  }

  func substitute(
    _ request: SubstituteTeamMemberRequest, _ call: CallContext,
    _ responder: Responder<QuiverAPI.EliminationBracket>
  ) throws {
    try submitStage(call, responder) {
      try SubstituteMember(
        stage: request.stageID, seed: request.seed, request.participantID,
        by: request.substituteID, reason: request.reason)
    }
  }

  func drawGroups(
    _ request: DrawGroupsRequest, _ call: CallContext,
    _ responder: Responder<QuiverAPI.EliminationBracket>
  ) throws {
    try submitStage(call, responder) {
      try DrawGroups(
        request.categoryID, of: request.tournamentID, size: request.size,
        groupCount: request.groupCount,
        QuiverRules.MatchSystem(rawValue: request.system.rawValue), seed: request.seed)
    }
  }

  func cutGroups(
    _ request: CutGroupsRequest, _ call: CallContext,
    _ responder: Responder<QuiverAPI.EliminationBracket>
  ) throws {
    try submitStage(call, responder) {
      try CutGroups(
        request.stageID, perGroup: request.perGroup,
        QuiverRules.MatchSystem(rawValue: request.system.rawValue),
        hasBronzeMatch: !request.noBronzeMatch)
    }
  }

  private func submitStage<C: Command>(
    _ call: CallContext, _ responder: Responder<QuiverAPI.EliminationBracket>,
    _ make: () throws -> C
  ) throws where C.Reply == BracketRecord {
    let caller = try call.storeCaller()
    commands.submit(try make(), by: caller, call, responder) { QuiverAPI.EliminationBracket($0) }
  }
}

extension TeamForm {
  /// The form that a request names; throws INVALID_ARGUMENT.
  init(_ system: QuiverAPI.MatchSystem, _ group: QuiverAPI.TeamGroup) throws(StoreError) {
    try self.init(
      QuiverRules.MatchSystem(rawValue: system.rawValue),
      QuiverStore.TeamGroup(rawValue: group.rawValue))
  }
}
