/// The rules of a scenario beyond its schema that need no server.
enum ScenarioRules {
  /// The values of the event for bodies.
  static let eventVariables: Set = ["event_id", "event_code", "event_first_entry_id"]
  /// Those of its bracket.
  static let finalsVariables: Set = ["event_stage_id", "event_match_id"]

  private typealias Fault = ScenarioReader.Fault

  static func check(_ scenario: Scenario) throws(ScenarioReader.Fault) {
    if scenario.needsEvent, scenario.event == nil {
      throw Fault(
        description: "event is missing: the scorers need one; add \"event\": {\"entries\": 100}")
    }
    let scorers = scenario.roles.filter { if case .scorers = $0.work { true } else { false } }
    if scorers.count > 1 {
      throw Fault(
        description: "\(scorers[1].path): there is one event and its scorers are one role; give"
          + " \(scorers[0].path) more actors")
    }
    if let role = scorers.first, case .scorers(_, true) = role.work {
      try checkAccounts(role, scenario.event?.entryCount ?? 0)
    }
    if let stage = scenario.stages.firstIndex(where: { $0.level > 1 }) {
      try checkHighStage(scenario, stage)
    }
    guard scenario.warmUpSeconds < scenario.seconds else {
      throw Fault(
        description: "warm_up is not shorter than all stages together; nothing would count")
    }
    let hasFinals = scenario.event.map { $0.finalistCount > 0 } ?? false
    if !hasFinals, let role = scenario.roles.first(where: { $0.isOfMatches }) {
      throw Fault(
        description: "\(role.path): the event has no bracket; add \"finals\": {\"archers\": 32} to"
          + " event")
    }
    var known = scenario.event == nil ? [] : eventVariables
    if hasFinals { known.formUnion(finalsVariables) }
    try check(scenario.setup, knowing: &known, because: "an earlier step of setup")
    for role in scenario.roles { try check(role, knowing: known) }
    try check(scenario.teardown, knowing: &known, because: "setup or an earlier step")
  }

  /// The server's limits: scorers of an event, and entries of a scorer.
  private static let scorersPerEvent = 500
  private static let entriesPerScorer = 1_000

  private static func checkAccounts(
    _ role: Scenario.Role, _ entryCount: Int
  ) throws(ScenarioReader.Fault) {
    guard role.actors <= scorersPerEvent else {
      throw Fault(
        description: "\(role.path).actors: an event has at most \(scorersPerEvent) scorers with"
          + " accounts; lower it, or leave accounts out")
    }
    guard role.actors <= entryCount, entryCount <= role.actors * entriesPerScorer else {
      throw Fault(
        description: "\(role.path).actors: each scorer with an account has 1 to"
          + " \(entriesPerScorer) of the \(entryCount) entries; make it"
          + " \((entryCount - 1) / entriesPerScorer + 1) to \(min(entryCount, scorersPerEvent))")
    }
  }

  /// The number of scorers is fixed: a level above 1 is for rates and callers.
  private static func checkHighStage(
    _ scenario: Scenario, _ stage: Int
  ) throws(ScenarioReader.Fault) {
    for role in scenario.roles where role.stages == nil {
      if case .scorers = role.work {
        throw Fault(
          description: "stages[\(stage)].share is above 1, and there are no more scorers than"
            + " \(role.path).actors says; give that role stages of its own")
      }
    }
  }

  private static func check(
    _ role: Scenario.Role, knowing known: Set<String>
  ) throws(ScenarioReader.Fault) {
    guard role.connections <= role.actors || role.rate != nil else {
      throw Fault(
        description: "\(role.path).connections is \(role.connections), more than its"
          + " \(role.actors) actors; lower it")
    }
    let because = "setup or an earlier step of the role"
    switch role.work {
    case .mix(let calls):
      for call in calls { try check(call, knowing: known, because: "setup") }
    case .sequence(let steps):
      guard steps.contains(where: { if case .call = $0 { true } else { false } }) else {
        throw Fault(description: "\(role.path).steps makes no call; add one")
      }
      var known = known
      try check(steps, knowing: &known, because: because)
    case .subscribers(let call, _), .slowReaders(let call, _):
      try check(call, knowing: known, because: "setup")
      let room = role.connections * ScenarioReader.callsPerConnection
      guard role.actors <= room else {
        throw Fault(
          description: "\(role.path).connections: \(role.actors) open streams do not fit into"
            + " \(role.connections) connections of \(ScenarioReader.callsPerConnection) calls;"
            + " make it \((role.actors - 1) / ScenarioReader.callsPerConnection + 1)")
      }
    case .reconnectStorm(let call): try check(call, knowing: known, because: "setup")
    case .scorers, .matches, .idle, .misbehaving, .attackers, .gatewayAttackers: break
    }
    if case .scorers = role.work, role.stages?.contains(where: { $0.level > 1 }) ?? false {
      throw Fault(
        description: "\(role.path).stages: there are no more scorers than actors says; keep share"
          + " at 1 or below")
    }
  }

  private static func check(
    _ steps: [Scenario.Step], knowing known: inout Set<String>, because: String
  ) throws(ScenarioReader.Fault) {
    for case .call(let call) in steps {
      try check(call, knowing: known, because: because)
      known.formUnion(call.captures.map(\.name))
    }
  }

  private static func check(
    _ call: Scenario.Call, knowing known: Set<String>, because: String
  ) throws(ScenarioReader.Fault) {
    if let missing = call.body.variables.subtracting(known).sorted().first {
      throw Fault(
        description: "\(call.path).body: ${\(missing)} stands for nothing; capture it in"
          + " \(because), or use \(TemplateFunction.usage)")
    }
  }
}

extension Scenario.Role {
  /// Whether its actors score matches.
  var isOfMatches: Bool { if case .matches = work { true } else { false } }
}
