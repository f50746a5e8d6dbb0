import Foundation
import QuiverAPI
import QuiverRPC

/// Commands and reads of servers on PostgreSQL, compared with a C program that runs the same
/// statements through libpq.
///
/// All programs of a measure share both cores with PostgreSQL.
struct PostgresMeasures {
  static let prefix = "postgres-"
  private static let commands = prefix + "commands-64"
  private static let servers = prefix + "two-servers"
  private static let reads = prefix + "reads"
  static let names = [commands, servers, reads]

  /// A server makes at least half as many durable commands as the C program.
  private static let commandBound = 2.0
  private static let readBound = 1.5

  let options: Options
  let peers: Peers

  func run() -> [Report.Measure] {
    let wanted = Self.names.filter(options.wants)
    guard !wanted.isEmpty else { return [] }
    var fault: String?
    do {
      try peers.check([peers.path("load")])
      try peers.check([peers.path("postgres_direct")])
      try checkStatements()
    } catch {
      fault = String(describing: error)
    }
    return wanted.map { name -> Report.Measure in
      begin(name)
      return switch name {
      case Self.commands:
        measure(
          name, "durable commands of 64 callers on PostgreSQL beside it, each keyed", fault,
          [
            ("C program to server", "", Self.commandBound),
            ("PostgreSQL's CPU, server to C program", "", nil),
            ("server CPU of a command", "µs", nil),
          ], commands)
      case Self.servers:
        measure(
          name, "durable commands of 64 callers at two servers on one database", fault,
          [("two servers to one", "", nil)], servers)
      default:
        measure(
          name, "reads of one item on PostgreSQL beside it", fault,
          [
            ("bare SELECT to read, 64 callers", "", Self.readBound),
            ("read to bare SELECT, one caller, p50", "", Self.readBound),
          ], reads)
      }
    }
  }

  /// Throws if the C program runs other statements than the store.
  private func checkStatements() throws {
    let own = try PostgresDatabase.statementsOfCreation(root: options.root)
    let direct = try Programs.output([peers.path("postgres_direct"), "--statements"])
      .split(separator: "\0").map(String.init).dropLast()
    guard own == Array(direct) else {
      throw Unmeasured("postgres_direct.c runs other statements than the store, which runs: \(own)")
    }
  }

  /// What one run has found.
  private struct Found {
    var subjects: [(name: String, unit: String, value: Double)] = []
    var figures: [Double] = []

    mutating func subject(_ name: String, _ unit: String, _ value: Double) {
      subjects.append((name, unit, value))
    }
  }

  private func measure(
    _ name: String, _ sentence: String, _ fault: String?,
    _ figures: [(name: String, unit: String, bound: Double?)],
    _ body: (Int, PostgresDatabase) throws -> Found
  ) -> Report.Measure {
    var measure = Report.Measure(name: name, sentence: sentence)
    var samples: [String: [Double]] = [:]
    var units: [(name: String, unit: String)] = []
    if let fault { measure.remarks.append(fault) }
    for number in 0..<(fault == nil ? options.runs : 0) {
      do {
        // A new database for each run, because a store gets slower as it grows.
        let database = try PostgresDatabase(root: options.root)
        defer { database.stop() }
        let found = try body(number, database)
        for (figure, value) in zip(figures, found.figures) {
          samples["figure " + figure.name, default: []].append(value)
        }
        for (name, unit, value) in found.subjects {
          if samples[name] == nil { units.append((name, unit)) }
          samples[name, default: []].append(value)
        }
      } catch {
        measure.remarks.append("run \(number + 1): \(error)")
      }
    }
    measure.subjects = units.map { name, unit in
      Report.Subject(name: name, unit: unit, samples: samples[name] ?? [])
    }
    measure.figures = figures.map { name, unit, bound in
      Report.Figure(name: name, unit: unit, samples: samples["figure " + name] ?? [], bound: bound)
    }
    return measure
  }
}

extension PostgresMeasures {
  /// The C program has as many connections as a server has workers.
  private static let workers = 16
  private static let readers = 12

  private func commands(_ number: Int, _ database: PostgresDatabase) throws -> Found {
    let server = try serve(database)
    defer { server.stop() }
    // The server connects and prepares with its first calls.
    _ = try create(on: server, connections: 64)
    var rates: [Bool: Double] = [:]
    var databaseCPU: [Bool: Double] = [:]
    var serverCPU = 0.0
    var found = Found()
    for isDirect in number % 2 == 0 ? [true, false] : [false, true] {
      let before = database.cpuMicroseconds
      let (count, rate, cpu) =
        try isDirect ? direct(database) : create(on: server, connections: 64)
      rates[isDirect] = rate
      if !isDirect { serverCPU = cpu }
      databaseCPU[isDirect] = (database.cpuMicroseconds - before) / count
      let name = isDirect ? "C program" : "server"
      found.subject(name, "a second", rate)
      found.subject("\(name), its CPU", "µs", cpu)
      found.subject("\(name), PostgreSQL's CPU", "µs", databaseCPU[isDirect] ?? 0)
    }
    found.figures = [
      (rates[true] ?? 0) / max(1, rates[false] ?? 0),
      (databaseCPU[false] ?? 0) / max(1, databaseCPU[true] ?? 0), serverCPU,
    ]
    return found
  }

  private func servers(_ number: Int, _ database: PostgresDatabase) throws -> Found {
    let first = try serve(database)
    defer { first.stop() }
    let second = try serve(database, firstArcher: PostgresDatabase.archers / 2)
    defer { second.stop() }
    for server in [first, second] { _ = try create(on: server, connections: 32) }
    var one = 0.0
    var two = 0.0
    for isOne in number % 2 == 0 ? [true, false] : [false, true] {
      if isOne {
        one = try create(on: first, connections: 64).rate
      } else {
        two = try createAtBoth(first, second, database)
      }
    }
    var found = Found()
    found.subject("one server", "a second", one)
    found.subject("two servers", "a second", two)
    found.figures = [two / max(1, one)]
    return found
  }

  /// Half of the callers at each server, the archers of one beside those of the other.
  private func createAtBoth(
    _ first: Server, _ second: Server, _ database: PostgresDatabase
  ) throws -> Double {
    let log = first.folder.appendingPathComponent("beside")
    let beside = try Programs.start(
      Programs.unpinned(load(second, connections: 32, isReading: false)), log: log)
    let sample = try sample(load(first, connections: 32, isReading: false))
    beside.waitUntilExit()
    let other = try JSONDecoder().decode(
      StoreMeasures.Sample.self, from: try Data(contentsOf: log))
    return sample.rate + other.rate
  }

  private func reads(_ number: Int, _ database: PostgresDatabase) throws -> Found {
    let server = try serve(database)
    defer { server.stop() }
    _ = try read(server, callers: 64)
    var found = Found()
    // Throughput at 64 callers, and the latency of one.
    for (callers, connections) in [(64, Self.readers), (1, 1)] {
      var values: [Bool: Double] = [:]
      for isDirect in number % 2 == 0 ? [true, false] : [false, true] {
        let name = isDirect ? "bare SELECT" : "read"
        let (rate, latency) =
          try isDirect
          ? select(database, connections: connections) : read(server, callers: callers)
        values[isDirect] = callers == 1 ? latency : rate
        if callers == 1 {
          found.subject("\(name), one caller, p50", "µs", latency)
        } else {
          found.subject("\(name), \(isDirect ? connections : callers) callers", "a second", rate)
        }
      }
      let (direct, own) = (values[true] ?? 0, values[false] ?? 0)
      found.figures.append(callers == 1 ? own / max(1, direct) : direct / max(1, own))
    }
    return found
  }
}

extension PostgresMeasures {
  /// What the C program prints.
  private struct Direct: Decodable {
    var commands: Double
    var seconds: Double
    var p50Nanoseconds: Double
    var cpuNanoseconds: Double
  }

  /// Starts a server whose load begins with the token of this archer.
  private func serve(_ database: PostgresDatabase, firstArcher: Int = 0) throws -> Server {
    guard var subject = Subject.all(peers).first(where: { $0.server == "quiverd" }) else {
      throw Unmeasured("no server to call")
    }
    let serve = subject.serve
    subject.serve = { port, folder in
      Programs.unpinned(serve(port, folder) + ["--database", database.address])
    }
    let server = try Server(subject)
    let secrets = database.secrets[firstArcher...] + database.secrets[..<firstArcher]
    try Data(secrets.joined(separator: "\n").utf8)
      .write(to: server.folder.appendingPathComponent(StoreServers.tokens))
    try Data((secrets.first ?? "").utf8)
      .write(to: server.folder.appendingPathComponent(StoreServers.firstToken))
    return server
  }

  private func load(_ server: Server, connections: Int, isReading: Bool) -> [String] {
    let words =
      isReading
      ? ["--method", "\(Equipment.risers.get.info.id)", "--request", "0801"]
      : [
        "--method", "\(Equipment.risers.create.info.id)", "--keys", "--request",
        StoreRun.Call.creation,
      ]
    let tokens = isReading ? StoreServers.firstToken : StoreServers.tokens
    return [peers.path("load")] + words + [
      "--token-file", server.folder.appendingPathComponent(tokens).path, "--connect",
      "127.0.0.1:\(server.port)", "--connections", "\(connections)", "--seconds",
      "\(options.seconds)", "--warmup", "0", "--timeout-ms", "20000", "--pid", "\(server.pid)",
    ]
  }

  private func sample(_ words: [String]) throws -> StoreMeasures.Sample {
    let sample = try Programs.json(StoreMeasures.Sample.self, words)
    guard sample.errors == 0, sample.calls > 0 else {
      throw Unmeasured("\(sample.errors) of \(sample.calls) calls failed")
    }
    return sample
  }

  private func create(
    on server: Server, connections: Int
  ) throws -> (count: Double, rate: Double, cpu: Double) {
    let sample = try sample(load(server, connections: connections, isReading: false))
    return (sample.calls, sample.rate, sample.cpuMicroseconds)
  }

  private func read(
    _ server: Server, callers: Int
  ) throws -> (rate: Double, latency: Double) {
    let sample = try sample(load(server, connections: callers, isReading: true))
    return (sample.rate, sample.p50Nanoseconds / 1000)
  }

  private func direct(
    _ database: PostgresDatabase
  ) throws -> (count: Double, rate: Double, cpu: Double) {
    let sample = try Programs.json(
      Direct.self,
      [
        peers.path("postgres_direct"), "write", database.address, "\(PostgresDatabase.archers)",
        "\(Self.workers)", "\(options.seconds)",
      ])
    return (
      sample.commands, sample.commands / sample.seconds,
      sample.cpuNanoseconds / sample.commands / 1000
    )
  }

  private func select(
    _ database: PostgresDatabase, connections: Int
  ) throws -> (rate: Double, latency: Double) {
    let sample = try Programs.json(
      Direct.self,
      [
        peers.path("postgres_direct"), "read", database.address, "\(connections)",
        "\(options.seconds)", "\(database.riser)", "\(database.archer)",
      ])
    return (sample.commands / sample.seconds, sample.p50Nanoseconds / 1000)
  }
}
