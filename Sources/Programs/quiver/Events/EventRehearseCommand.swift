import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverSession
import Synchronization

/// `quiver event rehearse`: plays a whole event and checks its results.
enum EventRehearseCommand {
  private static let seed = Flag(
    "--seed", .word("N"), "decides archers, arrows and faults; at random by default")
  private static let archers = Flag(
    "--archers", .word("N"),
    "how many; 200 by default, from \(RehearsalPlan.archerCounts.lowerBound) to"
      + " \(RehearsalPlan.archerCounts.upperBound)")
  private static let days = Flag(
    "--days", .word("1|2"),
    "on how many days the qualification is shot, a round on each; 1 by default")
  private static let faults = Flag(
    "--faults", .word("on|off"), "whether devices lose the network; on by default")
  private static let silence = Flag(
    "--silence", .word("on|off"),
    "whether phones are taken over after 3 minutes, not by the organiser; off by default")
  private static let papers = Flag(
    "--papers", .word("FOLDER"), "write the papers and files of the event to this folder")

  private static let practice = Flag(
    "--practice", .none,
    "play nothing: create an event in which people practise with their phones, and list its codes")

  static let command = Command(
    "event rehearse", summary: "play a whole event, and check its results",
    details: """
      Plays an event of five categories: entries, draw, check-in, qualification by a device for each
      target, second cards with disputes, rulings and leases that are lost, phones without accounts
      that are taken over, archers who move to other targets, calls from the line, owed arrows,
      arrows that somebody else delivers, papers of cards and distances that are compared and papers
      whose sums count, corrections, withdrawals, late arrows, ties, cuts, groups, brackets of
      archers, teams and mixed teams, shoot-offs, matches whose targets are leased, a forfeit, and a
      match that is reopened. Devices lose requests, replies and connections, and send their
      operations again and in any order. Then it compares all results with a computation of its own
      from the operations that it sent, and prints what does not agree.

      From 358 archers on 60 advance in one category, of whom the first 8 start in 1/16.

      Without --silence the organiser takes a phone's target over, and another phone goes on. With
      it the other phone waits until it may take the target over, which lasts 3 minutes.

      With --days 2 each category has a second round on another day, on targets that are drawn
      anew, and the totals of each round are compared too.

      Without --server it starts quiverd from the folder of this program, with temporary data. With
      --server and a token of an administrator it creates an event and accounts there, and deletes
      the accounts afterwards. The exit code is 0 only if there is no difference.

      With --practice volunteers scan the code of a target and enter two ends of invented archers,
      \(PracticeEvent.usualArchers) unless --archers says how many. The event is on your server, and
      nobody else sees it; `quiver tournament cancel` ends it.
      """,
    flags: [
      seed, archers, days, faults, silence, papers, practice, TargetCodes.address,
      TargetCodes.pictures,
    ], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    _ = try arguments.operands(0...0, "no operands")
    if arguments.has(practice) { return try await practise(arguments) }
    if let flag = [TargetCodes.address, TargetCodes.pictures].first(where: arguments.has) {
      throw arguments.usage("\(flag.name) needs \(practice.name)")
    }
    let seed = try number(of: seed, arguments) ?? Int.random(in: 1...999_999)
    let count = try number(of: archers, arguments) ?? 200
    guard RehearsalPlan.archerCounts.contains(count) else {
      throw arguments.usage(
        "--archers expects a number from \(RehearsalPlan.archerCounts.lowerBound) to"
          + " \(RehearsalPlan.archerCounts.upperBound), not \(count)")
    }
    let dayCount = try number(of: days, arguments) ?? 1
    guard RehearsalPlan.dayCounts.contains(dayCount) else {
      throw arguments.usage("--days expects 1 or 2, not \(dayCount)")
    }
    let hasFaults = try isOn(faults, "on", arguments)
    let waitsForSilence = try isOn(silence, "off", arguments)
    do {
      try await rehearse(
        RehearsalPlan(seed: UInt64(seed), archerCount: count, dayCount: dayCount),
        hasFaults: hasFaults, waitsForSilence: waitsForSilence, arguments)
    } catch let failure as Failure {
      throw failure
    } catch let error as RPCError {
      throw Failure.call(error).adding("the rehearsal with --seed \(seed) could not be completed")
    } catch {
      throw Failure.input("\(error)")
        .adding("the rehearsal with --seed \(seed) could not be completed")
    }
  }

  /// Creates an event whose targets people score on their phones.
  private static func practise(_ arguments: Arguments) async throws(Failure) {
    if let flag = [seed, days, faults, silence, papers].first(where: arguments.has) {
      throw arguments.usage("\(flag.name) and \(practice.name) exclude each other")
    }
    let count = try number(of: archers, arguments) ?? PracticeEvent.usualArchers
    guard PracticeEvent.archerCounts.contains(count) else {
      throw arguments.usage(
        "with \(practice.name) --archers expects a number from"
          + " \(PracticeEvent.archerCounts.lowerBound) to"
          + " \(PracticeEvent.archerCounts.upperBound), not \(count)")
    }
    _ = try TargetCodes.link(arguments)
    let access = try Access(arguments)
    let made = try await access.attemptPlainly { () async throws(RPCError) in
      try await PracticeEvent.create(archers: count, access.client)
    }
    try TargetCodes.show(made.codes.map { ("\($0.target)", $0.code) }, arguments)
    Terminal.notice(
      "volunteers scan or type a code at the score page; quiver tournament cancel"
        + " \(made.event.id) ends the practice")
  }

  private static func isOn(
    _ flag: Flag, _ preset: String, _ arguments: Arguments
  ) throws(Failure) -> Bool {
    switch arguments.value(of: flag) ?? preset {
    case "on": return true
    case "off": return false
    case let word: throw arguments.usage("\(flag.name) is on or off, not \(word)")
    }
  }

  private static func number(
    of flag: Flag, _ arguments: Arguments
  ) throws(Failure) -> Int? {
    guard let text = arguments.value(of: flag) else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw arguments.usage("\(flag.name) expects a number from 0, not \(text)")
    }
    return number
  }

  private static func rehearse(
    _ plan: RehearsalPlan, hasFaults: Bool, waitsForSilence: Bool, _ arguments: Arguments
  ) async throws {
    let isGiven =
      arguments.value(of: .server) != nil || Access.environment("QUIVER_SERVER") != nil
      || arguments.value(of: .context) != nil
    let server = isGiven ? nil : try ServerProcess.start()
    defer { server?.stop() }
    let configuration: RPCClient.Configuration
    if let server {
      configuration = RPCClient.Configuration(server: server.address, token: server.token)
    } else {
      configuration = try Access(arguments).configuration
    }
    Terminal.notice("seed \(plan.seed), \(plan.archers.count) archers")
    let clock = ContinuousClock()
    let start = clock.now
    let (log, findings) = (RehearsalLog(), Findings())
    let rehearsal = try await Rehearsal(
      plan, configuration, log, findings, hasFaults: hasFaults, waitsForSilence: waitsForSilence)
    let stages = try await play(rehearsal)
    if let folder = arguments.value(of: papers) { try await rehearsal.writePapers(to: folder) }
    let seconds = start.duration(to: clock.now)
    await rehearsal.close()
    if server == nil {
      let left = await rehearsal.staff.deleteAccounts(log)
      if !left.isEmpty {
        Terminal.notice("these accounts stay: \(left.joined(separator: ", "))")
      }
    }
    try report(rehearsal, stages, seconds)
  }

  /// The steps of the day, with their progress.
  private static func play(_ rehearsal: Rehearsal) async throws -> [PlayedStage] {
    let bar = Mutex(ProgressBar())
    let arrows = rehearsal.plan.archers.reduce(0) {
      $0 + $1.recordedEndCount * RehearsalPlan.arrowsPerEnd
    }
    bar.withLock { $0.show(0.02, "check-in") }
    try await rehearsal.open()
    let board = BoardWatch(rehearsal.spectator, rehearsal.event.id)
    rehearsal.log.onProgress { count in
      bar.withLock {
        $0.show(0.05 + 0.6 * min(1, Double(count) / Double(max(1, arrows))), "\(count) arrows")
      }
    }
    try await rehearsal.shootQualification()
    bar.withLock { $0.show(0.7, "standings") }
    try await rehearsal.checkStandings(tiesAreDecided: false)
    try await rehearsal.checkBoard(board)
    board.stop()
    try await rehearsal.decideTies()
    try await rehearsal.checkStandings(tiesAreDecided: true)
    bar.withLock { $0.show(0.75, "finals") }
    let stages = try await rehearsal.shootFinals()
    bar.withLock { $0.show(0.95, "files") }
    try await rehearsal.checkFiles(stages)
    bar.withLock {
      $0.show(1, "done")
      $0.end()
    }
    return stages
  }

  private static func report(
    _ rehearsal: Rehearsal, _ stages: [PlayedStage], _ duration: Duration
  ) throws(Failure) {
    let counts = rehearsal.log.counts
    let seconds =
      Double(duration.components.seconds)
      + Double(duration.components.attoseconds) / 1e18
    let faults = NetworkFault.allCases.map { "\($0.rawValue) \(counts.faults[$0] ?? 0)" }
    let findings = rehearsal.findings
    var lines = [
      "seed           \(rehearsal.plan.seed)",
      "archers        \(rehearsal.plan.archers.count) in \(rehearsal.plan.categories.count)"
        + " categories on \(rehearsal.event.targets(ofDay: 0).count) targets",
      "rounds         \(rehearsal.plan.dayCount), on as many days",
      "stages         \(stages.count)",
      "matches        \(matchText(rehearsal.log))",
      "second cards   \(cardText(rehearsal.log))",
      "phones         \(phoneText(rehearsal))",
      "papers         \(rehearsal.plan.archers.count { $0.paper != nil }) compared,"
        + " \(rehearsal.log.typed.count) typed",
      "calls          \(counts.calls)",
      "operations     \(rehearsal.log.operationCount), sent \(counts.sentOperations) times;"
        + " \(counts.same) were repetitions, \(counts.notYet) waited for others",
      "faults         \(faults.joined(separator: ", "))",
      "seconds        \(DecimalFigure.text(seconds, digits: 1))",
      "comparisons    \(findings.comparisonCount)",
      "disagreements  \(findings.disagreements.count)",
    ]
    lines += findings.disagreements.prefix(shownDisagreements).map { "  \($0)" }
    try Terminal.print(lines.joined(separator: "\n"))
    guard findings.disagreements.isEmpty else {
      throw Failure.input(
        "the results do not agree with the operations; repeat it with --seed"
          + " \(rehearsal.plan.seed) --archers \(rehearsal.plan.archers.count) --days"
          + " \(rehearsal.plan.dayCount)")
    }
  }

  private static func matchText(_ log: RehearsalLog) -> String {
    let sent = log.matches
    let shootOffs = sent.filter { $0.operation.entry?.shootOff == true }.map(\.operation.matchID)
    let corrections = sent.count { !$0.operation.replacesClientID.isEmpty }
    return "\(Set(sent.map(\.operation.matchID)).count), with shoot-offs"
      + " \(Set(shootOffs).count), forfeits \(log.forfeits.count), corrected cards \(corrections),"
      + " voided operations \(sent.count(where: \.isWithoutEffect))"
  }

  private static func cardText(_ log: RehearsalLog) -> String {
    let sent = log.cardOperations
    let ends = log.secondCards.values.reduce(0) { $0 + $1.count }
    return "\(Set(sent.map(\.operation.participantID)).count) with \(ends) ends,"
      + " rulings \(log.rulings.count)"
  }

  private static func phoneText(_ rehearsal: Rehearsal) -> String {
    let troubles = (0..<rehearsal.plan.dayCount).flatMap { rehearsal.troubles(ofDay: $0) }
    let (takeovers, rescues, moves) = troubles.reduce(into: (0, 0, 0)) { counts, trouble in
      switch trouble {
      case .takeover: counts.0 += 1
      case .rescue: counts.1 += 1
      case .move: counts.2 += 1
      }
    }
    return "takeovers \(takeovers), rescues \(rescues), moves \(moves), calls from the line"
      + " \(rehearsal.log.calls.count), rejected arrows \(rehearsal.log.rejected.count)"
  }

  private static let shownDisagreements = 50
}
