/// The results of a scenario, with its objectives.
struct ScenarioOutcome: Sendable {
  let scenario: Scenario
  let server: String
  let result: ScenarioRun.Result
  /// Those of the scenario, then those of the command line.
  let verdicts: [Objectives.Verdict]
  /// Why the lines of seconds are not complete; nil: they are.
  var linesFailure: Failure?

  init(
    scenario: Scenario, server: String, result: ScenarioRun.Result, objectives: Objectives?
  ) {
    self.scenario = scenario
    self.server = server
    self.result = result
    verdicts = [scenario.objectives, objectives].compactMap { $0 }
      .flatMap { $0.verdicts(result.conducted.total) }
  }

  /// All calls for whose reply an actor waits.
  var total: Summary { result.conducted.total }

  /// Whether SIGINT ended the load before its time.
  var isInterrupted: Bool { result.conducted.isInterrupted }

  /// Whether verification found no fault; nil if it was not requested.
  var isVerified: Bool? {
    result.findings.map { $0.allSatisfy(\.isClean) && result.readBackFailure == nil }
  }

  var title: String { "quiver-load scenario \(scenario.name) at \(server)" }

  /// The rows of roles with a rate: if calls there were late, the figures are the generator's.
  private var openLoops: Summary {
    var summary = Summary()
    let roles = Set(scenario.roles.filter { $0.rate != nil }.map(\.name))
    for row in result.conducted.tallies where roles.contains(row.role) {
      summary.merge(row.counts.summary)
    }
    return summary
  }

  var lateShare: Double { openLoops.lateShare }

  /// The growth of memory over the soak stages, or the whole run, of this process and the server.
  var growth: [String] {
    result.conducted.stages.filter { $0.stage.shape == .soak }.map { stage in
      var text =
        "\(stage.stage.name): tester \(Self.mebibytes(stage.residentBytesBefore)) to"
        + " \(Self.mebibytes(stage.residentBytes))"
      if let before = stage.serverBytesBefore, let after = stage.serverBytes {
        text += ", server \(Self.mebibytes(before)) to \(Self.mebibytes(after))"
      }
      return text
    }
  }

  /// Whether a role attacks: its failures are refusals of the server.
  func attacks(_ name: String) -> Bool {
    scenario.roles.contains { $0.name == name && $0.work.attacks }
  }

  /// What failed of the roles that do not attack, where nothing of theirs may fail.
  var failuresOfRegularRoles: String? {
    guard scenario.allSucceed else { return nil }
    let failed = result.conducted.tallies.filter { row in
      let summary = row.counts.summary
      return !attacks(row.role) && summary.failed &+ summary.unanswered &+ summary.unsent > 0
    }
    guard !failed.isEmpty else { return nil }
    return failed.map { row in
      let summary = row.counts.summary
      return "\(row.role): \(row.method): \(summary.failed) failed, \(summary.unsent) never sent:"
        + " \(row.firstFailure ?? "without an answer")"
    }.joined(separator: "; ")
  }

  /// How the calls of a role were driven.
  func loop(of name: String) -> String {
    guard let role = scenario.roles.first(where: { $0.name == name }) else { return "" }
    if let rate = role.rate {
      return "open loop at \(Fixed.text(rate, rate < 10 ? 2 : 0)) a second, \(role.arrivals)"
    }
    let actors = "\(role.actors) actor\(role.actors == 1 ? "" : "s")"
    return switch role.work {
    case .mix, .sequence, .scorers, .matches: "closed loop of \(actors)"
    case .subscribers, .slowReaders: "\(actors), a stream each"
    case .idle: "\(actors), a connection each"
    case .reconnectStorm, .misbehaving: actors
    case .attackers(let settings):
      "\(settings.attack.rawValue): \(role.actors) attacker\(role.actors == 1 ? "" : "s"),"
        + " \(settings.connections) connections each"
    case .gatewayAttackers(let settings):
      "\(settings.attack.rawValue): \(role.actors) attacker\(role.actors == 1 ? "" : "s") of"
        + " 127.0.0.\(settings.address), \(settings.connections) connections each, at most"
        + " \(Fixed.text(settings.rate, 0)) requests or lots of frames a second"
    }
  }

  static func mebibytes(_ bytes: Int) -> String {
    Fixed.text(Double(bytes) / 1_048_576, 1) + " MiB"
  }

  /// Why the exit code is not 0; the most severe reason.
  var failure: Failure? {
    if let findings = result.findings, !findings.allSatisfy(\.isClean) { return .writesLost }
    if let failure = result.readBackFailure ?? result.tearDownFailure { return failure }
    if isInterrupted { return .interrupted }
    if lateShare > 0.01 {
      return Failure(
        .generatorLate,
        "the generator was over \(Fixed.text(scenario.lateSeconds * 1_000, 0)) ms late or did not"
          + " send for \(Fixed.text(lateShare * 100, 2)) % of the calls of its open loops; lower"
          + " the rates, or take another machine")
    }
    if result.unrefused > 0 {
      return Failure(
        .objectiveBroken, "the server took \(result.unrefused) times what it must refuse")
    }
    if result.brokenChains > 0 {
      return Failure(
        .objectiveBroken, "\(result.brokenChains) messages of watches had a gap before them")
    }
    if let failures = failuresOfRegularRoles { return Failure(.objectiveBroken, failures) }
    if let broken = verdicts.first(where: { !$0.holds }) {
      return Failure(.objectiveBroken, broken.text)
    }
    return linesFailure
  }

  /// The histograms of a row that have counts.
  static func columns(_ row: Tally.Result) -> [(String, Histogram)] {
    let counts = row.counts
    var columns: [(String, Histogram)] = []
    if counts.summary.latency.count > 0 {
      columns = [("latency", counts.summary.latency)]
      // In a closed loop they are the same.
      if counts.summary.service.counts != counts.summary.latency.counts {
        columns.append(("service", counts.summary.service))
      }
    }
    let others: [(String, Histogram?)] = [
      ("first message", counts.firstMessages), ("gap", counts.gaps),
      ("since answer", counts.sinceAnswer), ("since sending", counts.sinceSending),
    ]
    for case (let name, let histogram?) in others { columns.append((name, histogram)) }
    return columns
  }
}
