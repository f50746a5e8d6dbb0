import QuiverJSON

/// Reads a scenario from the text of a file; every fault names its path, its limit and what to do.
struct ScenarioReader {
  /// A scenario that is not valid.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  /// The calls that a connection allows at a time; the default of servers.
  static let callsPerConnection = 100
  private static let maximumBytes = 4 << 20

  /// The scenario in a file.
  static func scenario(file: String) throws(Failure) -> Scenario {
    let bytes = try Input.bytes(ofFile: file, limit: maximumBytes)
    do throws(Fault) {
      return try scenario(bytes)
    } catch {
      throw Failure(.usage, "\(file): \(error)")
    }
  }

  /// The scenario in a text in UTF-8.
  static func scenario(_ json: [UInt8]) throws(Fault) -> Scenario {
    let value = try Self.value(json)
    let schema = try Self.value(Array(ScenarioSchema.text.utf8))
    do throws(SchemaCheck.Fault) {
      try SchemaCheck.check(value, against: schema)
    } catch {
      throw Fault(description: error.description)
    }
    return try ScenarioReader().scenario(value)
  }

  private static func value(_ json: [UInt8]) throws(Fault) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(reading: json)
    } catch {
      throw Fault(description: "this is not JSON: \(error)")
    }
  }

  private func scenario(_ value: JSONValue) throws(Fault) -> Scenario {
    let stages = try self.stages(value["stages"], at: "stages", rate: nil)
    var roles: [Scenario.Role] = []
    for (index, role) in (value["roles"]?.elements ?? []).enumerated() {
      let path = "roles[\(index)]"
      let read = try self.role(role, at: path)
      guard !roles.contains(where: { $0.name == read.name }) else {
        throw Fault(description: "\(path).name: another role is \"\(read.name)\"; name them apart")
      }
      roles.append(read)
    }
    let scenario = Scenario(
      name: value["name"]?.text ?? "", seed: UInt64(value["seed"]?.number ?? 1),
      warmUpSeconds: seconds(value["warm_up"]) ?? 0,
      lateSeconds: seconds(value["late_after"]) ?? 0.01, verifies: value["verify"]?.bool ?? false,
      objectives: try objectives(value["objectives"]),
      allSucceed: value["all_succeed"]?.bool ?? false, event: event(value["event"]),
      setup: try steps(value["setup"], at: "setup"),
      teardown: try steps(value["teardown"], at: "teardown"), roles: roles, stages: stages)
    try ScenarioRules.check(scenario)
    return scenario
  }

  private func objectives(_ value: JSONValue?) throws(Fault) -> Objectives? {
    guard let text = value?.text else { return nil }
    do throws(Objectives.Wrong) {
      return try Objectives(text)
    } catch {
      throw Fault(description: "objectives: \(error.description)")
    }
  }

  private func event(_ value: JSONValue?) -> Scenario.Event? {
    guard let value else { return nil }
    return Scenario.Event(
      name: value["name"]?.text ?? "Load test", entryCount: Int(value["entries"]?.number ?? 1),
      format: value["format"]?.text ?? "wa720_70",
      arrowLimit: Int(value["arrow_limit"]?.number ?? 0),
      isPublic: value["public"]?.bool ?? true, isFinalised: value["finalise"]?.bool ?? true,
      finalistCount: Int(value["finals"]?["archers"]?.number ?? 0))
  }

  // MARK: Roles

  private func role(_ value: JSONValue, at path: String) throws(Fault) -> Scenario.Role {
    let rate = value["rate"]?.number
    let actors = Int(value["actors"]?.number ?? 1)
    let isStream = ["subscribers", "slow-readers"].contains(value["kind"]?.text)
    let usual = isStream ? (actors - 1) / Self.callsPerConnection + 1 : 1
    let connections = Int(value["connections"]?.number ?? Double(usual))
    var stages: [Stage]?
    if let own = value["stages"] { stages = try self.stages(own, at: path + ".stages", rate: rate) }
    let work = try work(value, at: path)
    return Scenario.Role(
      path: path, name: value["name"]?.text ?? "", work: work, actors: actors,
      connections: work.attacks ? 1 : connections, stages: stages,
      timeoutSeconds: seconds(value["timeout"]) ?? 10, rate: rate,
      arrivals: value["arrivals"]?.text == "poisson" ? .poisson : .constant,
      maxInFlight: Int(value["max_in_flight"]?.number ?? 1_000),
      think: try think(value["think"], at: path + ".think"),
      isAnonymous: value["anonymous"]?.bool ?? false)
  }

  private func work(_ value: JSONValue, at path: String) throws(Fault) -> Scenario.Work {
    switch value["kind"]?.text {
    case "mix":
      var calls: [Scenario.Call] = []
      for (index, call) in (value["methods"]?.elements ?? []).enumerated() {
        calls.append(try self.call(call, named: "method", at: "\(path).methods[\(index)]"))
      }
      return .mix(calls)
    case "sequence": return .sequence(try steps(value["steps"], at: path + ".steps"))
    case "scorers":
      return .scorers(
        wholeEnds: value["call"]?.text != "RecordArrow",
        hasAccounts: value["accounts"]?.bool ?? false)
    case "matches": return .matches
    case "subscribers":
      return .subscribers(
        try call(value, named: "method", at: path),
        areSpectators: value["spectators"]?.bool ?? false)
    case "slow-readers":
      return .slowReaders(
        try call(value, named: "method", at: path),
        intervalSeconds: seconds(value["interval"]) ?? 1)
    case "reconnect-storm": return .reconnectStorm(try call(value, named: "method", at: path))
    case "misbehaving":
      let acts = value["acts"]?.elements?.compactMap { $0.text.flatMap(Scenario.Misdeed.init) }
      return .misbehaving(acts ?? [])
    case "attackers": return attackers(value)
    case "gateway-attackers": return gatewayAttackers(value)
    default: return .idle
    }
  }

  private func attackers(_ value: JSONValue) -> Scenario.Work {
    let attack = value["attack"]?.text.flatMap(Attack.init) ?? .anonymousConnections
    return .attackers(
      AttackSettings(
        attack: attack,
        connections: value["connections"]?.number.map { Int($0) } ?? attack.usualConnections,
        calls: value["calls"]?.number.map { Int($0) } ?? attack.usualCalls,
        addresses: Int(value["addresses"]?.number ?? 1)))
  }

  private func gatewayAttackers(_ value: JSONValue) -> Scenario.Work {
    let attack = value["attack"]?.text.flatMap(GatewayAttack.init) ?? .anonymousCalls
    return .gatewayAttackers(
      GatewayAttackSettings(
        attack: attack,
        connections: value["connections"]?.number.map { Int($0) } ?? attack.usualConnections,
        rate: value["rate"]?.number ?? attack.usualRate,
        address: Int(value["address"]?.number ?? 2)))
  }

  // MARK: Calls

  private func steps(_ value: JSONValue?, at path: String) throws(Fault) -> [Scenario.Step] {
    var steps: [Scenario.Step] = []
    for (index, step) in (value?.elements ?? []).enumerated() {
      let place = "\(path)[\(index)]"
      if step["think"] != nil {
        steps.append(.think(try think(step["think"], at: place + ".think")))
      } else {
        steps.append(.call(try call(step, named: "call", at: place)))
      }
    }
    return steps
  }

  private func call(
    _ value: JSONValue, named name: String, at path: String
  ) throws(Fault) -> Scenario.Call {
    let body: Template
    do throws(Template.Wrong) {
      body = try Template(value["body"] ?? .object([]), at: path + ".body")
    } catch {
      throw Fault(description: error.description)
    }
    var captures: [(name: String, path: CapturePath)] = []
    for member in value["capture"]?.members ?? [] {
      guard let way = CapturePath(member.value.text ?? "") else {
        throw Fault(
          description: "\(path).capture.\(member.name) is no path; they are like id and items[0].id"
        )
      }
      captures.append((member.name, way))
    }
    return Scenario.Call(
      path: path, method: value[name]?.text ?? "Health/Check", body: body, captures: captures,
      repeats: Int(value["repeat"]?.number ?? 1), messages: Int(value["messages"]?.number ?? 1),
      reads: value["read"]?.number.map { Int($0) },
      timeoutSeconds: name == "call" ? seconds(value["timeout"]) : nil,
      weight: value["weight"]?.number ?? 1)
  }

  private func think(_ value: JSONValue?, at path: String) throws(Fault) -> ThinkTime {
    guard let value else { return .none }
    if let constant = seconds(value["constant"]) { return .constant(constant) }
    if let mean = seconds(value["exponential"]) { return .exponential(mean) }
    let times = value["uniform"]?.elements?.compactMap { seconds($0) } ?? []
    guard times.count == 2, times[0] <= times[1] else {
      throw Fault(description: "\(path).uniform wants the shorter time first")
    }
    return .uniform(times[0], times[1])
  }

  // MARK: Stages

  private func stages(
    _ value: JSONValue?, at path: String, rate: Double?
  ) throws(Fault) -> [Stage] {
    var stages: [Stage] = []
    for (index, stage) in (value?.elements ?? []).enumerated() {
      let place = "\(path)[\(index)]"
      var level = stage["share"]?.number ?? 1
      if let own = stage["rate"]?.number {
        guard let rate else {
          throw Fault(
            description: "\(place).rate: only the stages of a role with a rate have one; say share")
        }
        guard stage["share"] == nil else {
          throw Fault(description: "\(place): rate and share are two words for one; keep one")
        }
        level = own / rate
      }
      guard let shape = Stage.Shape(rawValue: stage["shape"]?.text ?? ""),
        let seconds = seconds(stage["duration"])
      else { continue }
      stages.append(
        Stage(
          name: stage["name"]?.text ?? "\(shape.rawValue) \(index + 1)", shape: shape,
          seconds: seconds, level: level, steps: Int(stage["steps"]?.number ?? 4)))
    }
    return stages
  }

  private func seconds(_ value: JSONValue?) -> Double? {
    value?.text.flatMap { Options.seconds($0, orNone: true) }
  }
}
