import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// A stage of a rehearsal, with what it must contain.
struct PlayedStage: Sendable {
  /// As in `RM` or `RM teams`.
  let name: String
  let id: Int64
  /// The participants or the names of teams that are in it, by seed from 1; nil: not known.
  let expectedSeeds: [[String]]
  /// Whether its matches have shoot-offs, a forfeit and a reopened match.
  let isScripted: Bool
  /// Whether its semifinals have targets, each with a device that holds it.
  var hasTargets = false
}

extension Rehearsal {
  /// Cuts all categories and teams, and has all stages shot at the same time.
  func shootFinals() async throws -> [PlayedStage] {
    let stages = try await cut()
    return try await withThrowingTaskGroup(of: [PlayedStage].self) { group in
      for (index, stage) in stages.enumerated() {
        group.addTask {
          try await play(stage, number: index)
          guard stage.name.hasSuffix("groups") else { return [stage] }
          let next = try await cutGroups(stage)
          try await play(next, number: index)
          return [stage, next]
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }.sorted { $0.id < $1.id }
    }
  }

  private func cut() async throws -> [PlayedStage] {
    var stages: [PlayedStage] = []
    let id = event.id
    for (index, category) in plan.categories.enumerated() {
      let categoryID = event.categories[index]
      let bracket: EliminationBracket
      if category.hasGroups {
        bracket = try await staff.organiser.way.call(
          Elimination.drawGroups,
          .with { request in
            request.tournamentID = id
            request.categoryID = categoryID
            request.size = UInt32(category.cut)
            request.groupCount = 2
            request.system = category.system
            request.seed = plan.seed | 1
          })
      } else {
        bracket = try await staff.organiser.way.call(
          Elimination.cutCategory,
          .with { request in
            request.tournamentID = id
            request.categoryID = categoryID
            request.size = UInt32(category.cut)
            request.system = category.system
            request.seed = plan.seed | 1
            request.exemptSeeds = category.exemptSeeds
          })
      }
      stages.append(
        PlayedStage(
          name: category.hasGroups ? "\(category.code) groups" : category.code,
          id: bracket.stage?.id ?? 0, expectedSeeds: seeds(of: index), isScripted: index == 0,
          hasTargets: index == 1))
    }
    stages += try await cutTeams()
    return stages
  }

  /// The archers who can have each seed of a category: ties are broken by lot.
  private func seeds(of category: Int) -> [[String]] {
    let policy = plan.categories[category].policy
    let ranked = plan.ranking(of: category).map { (archer: $0, tally: plan.archers[$0].tally) }
    let ranks = ranked.map { row in
      policy.rank(of: row.tally, row.archer, among: ranked, ties: plan.ties.map(\.archers))
    }
    return (1...plan.categories[category].cut).map { seed in
      zip(ranked, ranks).filter { _, rank in
        rank <= seed && seed < rank + ranks.count { $0 == rank }
      }.map { row, _ in "\(event.participants[row.archer])" }
    }
  }

  private func cutTeams() async throws -> [PlayedStage] {
    var stages: [PlayedStage] = []
    for (name, system, categories) in [
      ("teams", MatchSystem.teamSets, [0]), ("mixed teams", .mixedTeamSets, [0, 1]),
    ] {
      let teams = try await checkTeams(system, categories)
      var size = min(8, teams.count)
      // A smaller cut where no tie is across it.
      while size >= 2, size < teams.count, teams[size - 1].rank == teams[size].rank { size -= 1 }
      guard size >= 2 else { continue }
      var request = CutTeamsRequest()
      request.tournamentID = event.id
      request.categoryID = event.categories[categories[0]]
      request.secondCategoryID = categories.count > 1 ? event.categories[categories[1]] : 0
      request.size = UInt32(size)
      request.system = system
      request.group = .club
      request.seed = plan.seed | 1
      let bracket = try await staff.organiser.way.call(Elimination.cutTeams, request)
      stages.append(
        PlayedStage(
          name: name, id: bracket.stage?.id ?? 0,
          expectedSeeds: (1...size).map { seed in
            teams.filter { team in
              team.rank <= seed && seed < team.rank + teams.count { $0.rank == team.rank }
            }.map(\.name)
          }, isScripted: false))
    }
    return stages
  }

  /// Cuts the best of each group; checks who they are.
  private func cutGroups(_ groups: PlayedStage) async throws -> PlayedStage {
    let bracket = try await spectator.call(
      Elimination.getBracket, .with { $0.stageID = groups.id })
    let smallest = Dictionary(grouping: bracket.ranks, by: \.group).values.map(\.count).min() ?? 2
    let count = smallest > 2 ? 2 : 1
    let cut = try await staff.organiser.way.call(
      Elimination.cutGroups,
      .with { request in
        request.stageID = groups.id
        request.perGroup = UInt32(count)
        request.system = .individualSets
      })
    let members = Dictionary(grouping: bracket.ranks, by: \.group).values.flatMap { group in
      group.sorted { ($0.rank, $0.seed) < ($1.rank, $1.seed) }.prefix(count).enumerated().map {
        (place: $0, row: $1)
      }
    }
    let order = members.sorted { left, right in
      let keys = [left, right].map { member in
        [
          member.place, -Int(member.row.points), -Int(member.row.setPoints),
          -Int(member.row.total), Int(member.row.seed),
        ]
      }
      return keys[0].lexicographicallyPrecedes(keys[1])
    }
    return PlayedStage(
      name: groups.name.replacing(" groups", with: " finals"), id: cut.stage?.id ?? 0,
      expectedSeeds: order.map { ["\($0.row.participantID)"] }, isScripted: false)
  }

  /// Plays the matches of a stage, the first rounds first.
  private func play(_ stage: PlayedStage, number: Int) async throws {
    let watch = BracketWatch(spectator, event.id, stage.id)
    defer { watch.stop() }
    var isReopened = false
    while true {
      let bracket = try await spectator.call(
        Elimination.getBracket, .with { $0.stageID = stage.id })
      guard let shown = bracket.stage else { throw RehearsalError("a bracket has no stage") }
      let open = bracket.matches.filter { match in
        [.scheduled, .shooting, .shootOff, .measuring, .finished].contains(match.state)
      }
      guard
        let round = open.map({ ($0.roundSize, $0.groupRound) }).max(by: { left, right in
          left.0 != right.0 ? left.0 < right.0 : left.1 > right.1
        })
      else { break }
      if stage.isScripted, !isReopened, round.0 == 2 {
        isReopened = true
        if try await reopen(bracket, shown) { continue }
      }
      var matches = open.filter { $0.roundSize == round.0 && $0.groupRound == round.1 }
      let hasTargets = stage.hasTargets && round.0 == 4
      if hasTargets { matches = try await place(matches, ofStage: stage.id) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for match in matches {
          group.addTask {
            guard hasTargets else { return try await play(match, shown, stage, number) }
            try await playOnTargets(match, shown, stage)
          }
        }
        try await group.waitForAll()
      }
    }
    try await check(stage, watch)
  }

  private func play(
    _ match: EliminationMatch, _ shown: EliminationStage, _ stage: PlayedStage, _ number: Int
  ) async throws {
    let isFirstRound = match.roundSize == shown.size
    if stage.isScripted, isFirstRound, match.index == 3 {
      return try await forfeit(match, side: 2)
    }
    let endings = MatchScript.Ending.allCases
    let ending: MatchScript.Ending? =
      stage.isScripted && isFirstRound && match.index < (shown.size > 8 ? 3 : 2)
      ? endings[Int(match.index)]
      : match.roundSize == 2 && match.index == 0 ? endings[number % endings.count] : nil
    let script = MatchScript(plan, shown, match, stage.name, ending)
    let seed = plan.seed &+ UInt64(bitPattern: match.id) &* 104_729
    let pair = Int(match.index) + number
    let scorers = [0, 1].map { staff.matchScorers[(pair * 2 + $0) % staff.matchScorers.count] }
    // A judge's mark is the judge's; all else can be entered on one device.
    guard pair % 4 == 1, script.judgesMark == nil else {
      var devices = MatchDevices(
        scorers.map(\.way), log, seed: seed, shuffles: hasFaults)
      return try await devices.play(script, of: match, judge: staff.judge.way)
    }
    let phone = try await SessionPhone(
      scorers[0].configuration, log, device: "match \(match.id)", seed: seed,
      hasFaults: hasFaults)
    do {
      try await phone.play(script, of: match.id)
    } catch {
      await phone.close()
      throw error
    }
    await phone.close()
  }

  /// Gives the sides of matches targets.
  private func place(
    _ matches: [EliminationMatch], ofStage stage: Int64
  ) async throws -> [EliminationMatch] {
    _ = try await staff.organiser.way.call(
      Elimination.placeMatches,
      .with { request in
        (request.stageID, request.roundSize) = (stage, matches.first?.roundSize ?? 0)
        (request.firstTarget, request.targetsPerMatch) = (1, 2)
      })
    var placed: [EliminationMatch] = []
    for match in matches {
      let id = match.id
      placed.append(
        try await staff.judge.way.call(Elimination.getMatch, .with { $0.matchID = id }))
    }
    return placed
  }

  /// Plays a match by two devices that hold its targets. The lease of one of them ends before, and
  /// it delivers what it recorded all the same.
  private func playOnTargets(
    _ match: EliminationMatch, _ shown: EliminationStage, _ stage: PlayedStage
  ) async throws {
    let script = MatchScript(plan, shown, match, stage.name, nil)
    let (event, office) = (event.id, staff.organiser.way)
    let numbers = match.sides.map(\.target)
    let codes = try await office.call(
      Events.listTargetCodes,
      .with { request in
        (request.tournamentID, request.firstTarget) = (event, numbers.min() ?? 0)
        request.lastTarget = numbers.max() ?? 0
      }
    ).codes
    let targets = try numbers.map { number in
      guard let code = codes.first(where: { $0.target == number })?.code else {
        throw RehearsalError("target \(number) of a match has no code")
      }
      return MatchDevices.Target(
        number: number, code: code, device: "target \(number) of match \(match.id)")
    }
    let ways = [0, 1].map { side in
      staff.matchScorers[(Int(match.index) * 2 + side) % staff.matchScorers.count].way
    }
    var devices = try await MatchDevices(
      ways, at: targets, log, seed: plan.seed &+ UInt64(bitPattern: match.id) &* 86_028_121,
      shuffles: hasFaults)
    try await devices.refuseOthers(match, findings)
    _ = try await office.call(
      Events.leaveTarget,
      .with { ($0.tournamentID, $0.target, $0.card) = (event, targets[1].number, 1) })
    try await devices.play(script, of: match, judge: staff.judge.way)
    let leases = try await office.call(
      Events.listTargetLeases, .with { $0.tournamentID = event }
    ).leases
    for (target, device) in zip(targets, [targets[0].device, nil]) {
      findings.compare(
        "the device of target \(target.number) in a match",
        leases.first { $0.sessionID == 0 && $0.target == target.number }?.device, device)
    }
  }

  private func forfeit(_ match: EliminationMatch, side: UInt32) async throws {
    log.forfeit(match: match.id, side: side)
    let ruled = try await staff.judge.way.call(
      Elimination.forfeitMatch,
      .with { ($0.matchID, $0.side, $0.reason) = (match.id, side, "not at the line") })
    findings.compare("the state of a forfeited match", ruled.state, .confirmed)
  }

  /// Reopens a quarterfinal whose winner has shot the semifinal, and exchanges the cards, so that
  /// the other archer advances. Returns whether there was one.
  private func reopen(_ bracket: EliminationBracket, _ shown: EliminationStage) async throws -> Bool
  {
    let quarterfinal = bracket.matches.first { $0.roundSize == 8 && $0.decision == .arrows }
    guard let quarterfinal else { return false }
    let judge = staff.judge.way
    let id = quarterfinal.id
    let later = bracket.matches.filter { match in
      match.roundSize == 4 && match.index == quarterfinal.index / 2 || match.roundSize == 2
    }
    do {
      _ = try await judge.call(
        Elimination.reopenMatch, .with { ($0.matchID, $0.reason) = (id, "a wrong card") })
      findings.note("a match was reopened below one that is shot")
    } catch let error as RPCError {
      findings.compare(
        "reopening below a match that is shot", error.code.name, "FAILED_PRECONDITION")
    }
    for match in later { log.void(match: match.id) }
    _ = try await judge.call(
      Elimination.reopenMatch,
      .with { request in
        request.matchID = id
        request.reason = "the cards were exchanged"
        request.voidLater = true
      })
    let cards = try await judge.call(Elimination.getMatch, .with { $0.matchID = id })
    var devices = MatchDevices([judge, judge], log, seed: plan.seed &+ 23, shuffles: false)
    for end in Set(cards.sides.flatMap(\.entries).map(\.index)).sorted(by: >) {
      for side in [0, 1] {
        let other = cards.sides[1 - side].entries.first { $0.index == end && !$0.shootOff }
        let own = cards.sides[side].entries.first { $0.index == end && !$0.shootOff }
        guard let other, other.arrows != own?.arrows else { continue }
        try await devices.correct(
          .with { ($0.index, $0.arrows) = (end, other.arrows) }, side, of: cards, by: judge,
          "the cards were exchanged")
      }
    }
    for side in [0, 1] { try await MatchDevices.confirm(side, of: id, over: judge) }
    let after = try await judge.call(Elimination.getMatch, .with { $0.matchID = id })
    findings.compare("the winner of the reopened match", after.winner, 3 - quarterfinal.winner)
    return true
  }
}
