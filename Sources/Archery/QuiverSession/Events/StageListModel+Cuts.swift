public import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// What organisers change over the server. The server's limits and refusals hold.
extension StageListModel {
  /// Cuts a category to its best archers, 2 to 128, and draws their bracket.
  ///
  /// `system` is one of single archers. Without a bronze match the losers of the semifinals share
  /// rank 3. `seed` repeats the lots of a cut; 0: new ones. With 8 `exemptSeeds` the first 8 of 57
  /// to 104 archers start in 1/16; 0: nobody is exempt. A tie across the cut is refused until
  /// ``CategoryStandingsModel/decide(_:by:)`` has decided it.
  @discardableResult
  public func cut(
    category id: Int64, to size: Int, _ system: MatchSystem, hasBronzeMatch: Bool = true,
    seed: UInt64 = 0, exemptSeeds: Int = 0
  ) async throws(SessionError) -> EliminationBracket {
    try await draw("cut a category", Elimination.cutCategory) { (request) throws(SessionError) in
      (request.tournamentID, request.categoryID, request.system) = (event, id, system)
      request.size = try UInt32(size, field: "size")
      request.exemptSeeds = try UInt32(exemptSeeds, field: "exempt_seeds")
      (request.noBronzeMatch, request.seed) = (!hasBronzeMatch, seed)
    }
  }

  /// Cuts the teams of clubs or countries to the best ones, 2 to 128, and draws their bracket.
  ///
  /// `tie` has the names of all teams that share the rank across the cut, best first, and how that
  /// was decided (``TeamStandingsModel/rowsTied(acrossCutTo:)``); nil if none do. The other
  /// parameters are those of ``cut(category:to:_:hasBronzeMatch:seed:exemptSeeds:)``.
  @discardableResult
  public func cutTeams(
    _ part: TeamStandingsModel.Part, to size: Int, hasBronzeMatch: Bool = true, seed: UInt64 = 0,
    tie: (order: [String], decision: TieDecision)? = nil
  ) async throws(SessionError) -> EliminationBracket {
    try await draw("cut teams", Elimination.cutTeams) { (request) throws(SessionError) in
      (request.tournamentID, request.categoryID) = (event, part.category)
      (request.secondCategoryID, request.system) = (part.secondCategory, part.system)
      (request.group, request.size) = (part.group, try UInt32(size, field: "size"))
      (request.noBronzeMatch, request.seed) = (!hasBronzeMatch, seed)
      (request.tieOrder, request.tieDecision) = (tie?.order ?? [], tie?.decision ?? .unspecified)
    }
  }

  /// Cuts a category to its best archers, 2 to 128, and draws them to groups of 2 to 16, in which
  /// each meets each.
  ///
  /// The other parameters are those of ``cut(category:to:_:hasBronzeMatch:seed:exemptSeeds:)``.
  @discardableResult
  public func drawGroups(
    ofCategory id: Int64, from size: Int, groups count: Int, _ system: MatchSystem,
    seed: UInt64 = 0
  ) async throws(SessionError) -> EliminationBracket {
    try await draw("draw groups", Elimination.drawGroups) { (request) throws(SessionError) in
      (request.tournamentID, request.categoryID) = (event, id)
      request.size = try UInt32(size, field: "size")
      request.groupCount = try UInt32(count, field: "group_count")
      (request.system, request.seed) = (system, seed)
    }
  }

  /// Draws a bracket of the best of each group of a stage, 1 to 16 of each and 2 to 128 of all,
  /// when all matches of the groups are confirmed.
  @discardableResult
  public func cutGroups(
    ofStage id: Int64, bestOfEach count: Int, _ system: MatchSystem, hasBronzeMatch: Bool = true
  ) async throws(SessionError) -> EliminationBracket {
    try await draw("cut groups", Elimination.cutGroups) { (request) throws(SessionError) in
      (request.stageID, request.system, request.noBronzeMatch) = (id, system, !hasBronzeMatch)
      request.perGroup = try UInt32(count, field: "per_group")
    }
  }

  /// Deletes a stage in which nothing was recorded, also from this device.
  public func deleteStage(_ id: Int64) async throws(SessionError) {
    let name = BracketModel.answerName(event, stage: id)
    try await organise(
      "delete a stage", Elimination.deleteStage,
      keep: { (transaction, _) throws(SessionError) in
        try transaction.removeEventAnswer(name)
      }, { $0.stageID = id })
  }

  /// Has a stage drawn, and stores its bracket for ``BracketModel``.
  private func draw<Request: Message>(
    _ operation: String, _ method: UnaryMethod<Request, EliminationBracket>,
    _ fill: (inout Request) throws(SessionError) -> Void
  ) async throws(SessionError) -> EliminationBracket {
    let (event, limits) = (event, session.configuration.limits)
    return try await organise(
      operation, method,
      keep: { (transaction, bracket) throws(SessionError) in
        let name = BracketModel.answerName(event, stage: bracket.stage?.id ?? 0)
        // After a lost reply a later state may be here.
        let known: (answer: EliminationBracket, fetchedAt: Int64)? =
          try transaction.eventAnswer(name)
        guard known == nil else { return }
        try transaction.keepEventAnswer(name, bracket, limits: limits)
      }, fill)
  }
}
