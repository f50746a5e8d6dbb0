import Foundation
import QuiverRules
import QuiverStore

/// A server of PostgreSQL in a directory of its own, with a store in it, until ``stop()``.
final class PostgresDatabase {
  /// The address over its Unix socket.
  let address: String
  /// The tokens of the archers.
  let secrets: [String]
  /// A riser of the first archer, for reads.
  let riser: Int64
  let archer: Int64

  private let server: PostgresServer
  private let postmaster: Int32

  /// The writing archers; a load gives each connection one of them.
  static let archers = 64

  /// Starts PostgreSQL, which waits for the disk, and makes the store with its archers.
  init(root: String) throws {
    server = try PostgresServer(root: root, ["--durable"])
    address = server.address
    postmaster = server.processID
    do {
      let store = try Store(Self.configuration(server))
      defer { store.close() }
      let nobody = CommandOptions(caller: CommandCaller(principal: 0))
      var secrets: [String] = []
      var first: Int64 = 0
      for number in 0..<Self.archers {
        let archer = try store.perform(
          CreatePrincipal(kind: .user, displayName: "Archer \(number)"), nobody)
        if number == 0 { first = archer.id }
        secrets.append(
          try store.perform(CreateToken(principal: archer.id, label: ""), nobody).secret)
      }
      (archer, self.secrets) = (first, secrets)
      riser = try store.perform(
        Self.riserCommand(), CommandOptions(caller: CommandCaller(principal: first))
      ).id
    } catch {
      server.stop()
      throw error
    }
  }

  func stop() {
    server.stop()
  }

  static func riserCommand() throws -> CreateEquipment {
    try CreateEquipment(
      EquipmentContent(type: .riser, values: [.text("Hoyt"), .text("Formula Xi")]))
  }

  /// The CPU that PostgreSQL's processes have used, in microseconds.
  ///
  /// That of ended ones counts with the first process, which waits for them.
  var cpuMicroseconds: Double {
    let tick = 1_000_000 / Double(sysconf(Int32(_SC_CLK_TCK)))
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    var ticks = 0.0
    for process in processes.compactMap({ Int32($0) }) {
      guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
        let end = text.lastIndex(of: ")")
      else { continue }
      // Behind the name: the state, the parent, and from the 12th on four times.
      let fields = text[text.index(after: end)...].split(separator: " ").map { Double($0) ?? 0 }
      guard fields.count > 14, process == postmaster || Int32(fields[1]) == postmaster else {
        continue
      }
      ticks += fields[11] + fields[12]
      if process == postmaster { ticks += fields[13] + fields[14] }
    }
    return ticks * tick
  }

  /// The statements of a creation with a key, in order, as PostgreSQL logs them: the one before the
  /// transaction, its begin and its COMMIT are among them.
  static func statementsOfCreation(root: String) throws -> [String] {
    let server = try PostgresServer(
      root: root, ["--set", "log_statement=all", "--set", "log_line_prefix=@@%p "])
    defer { server.stop() }
    var configuration = configuration(server)
    configuration.databaseWorkers = 1
    let store = try Store(configuration)
    let target = Answered()
    let archer = try store.perform(
      CreatePrincipal(kind: .user, displayName: "Archer"),
      CommandOptions(caller: CommandCaller(principal: 0)))
    for number in 1...2 {
      let key = CommandKey(
        key: [UInt8](repeating: UInt8(number), count: 16),
        requestHash: [UInt8](repeating: 7, count: 32))
      store.submit(
        try riserCommand(),
        CommandOptions(caller: CommandCaller(principal: archer.id), idempotency: key),
        target: target, encode: { _ in [] }, completion: { _ in })
      target.wait()
    }
    store.close()
    let log = try String(contentsOfFile: server.directory + "/log", encoding: .utf8)
    return lastCreation(log.split(separator: "@@").compactMap(statement))
  }

  /// The process of the database and the statement of an entry of the log; nil for other entries.
  private static func statement(_ entry: Substring) -> (process: Substring, text: String)? {
    guard let process = entry.split(separator: " ", maxSplits: 1).first,
      let head = entry.range(of: "LOG:  execute quiver_"),
      let colon = entry[head.upperBound...].range(of: ": ")
    else { return nil }
    // Further lines of a statement begin with a tab.
    let text = entry[colon.upperBound...].split(separator: "\n").map { line in
      line.hasPrefix("\t") ? line.dropFirst() : line
    }.joined(separator: "\n")
    return (process, text)
  }

  /// From the last question for a key on, on its connection; other threads of the store read
  /// meanwhile.
  private static func lastCreation(_ entries: [(process: Substring, text: String)]) -> [String] {
    guard let question = entries.last(where: { $0.text.contains("FROM idempotency_key WHERE key") })
    else { return [] }
    let statements = entries.filter { $0.process == question.process }.map(\.text)
    guard
      let first = statements.lastIndex(where: { $0.contains("FROM idempotency_key WHERE key") }),
      let last = statements[first...].firstIndex(of: "COMMIT")
    else { return [] }
    return statements[first...last].filter { !$0.contains("journal_horizon") }
  }

  private static func configuration(_ server: PostgresServer) -> StoreConfiguration {
    var configuration = StoreConfiguration.unlimited(server.directory + "/store")
    configuration.databaseAddress = server.address
    return configuration
  }
}

/// What `tools/postgres serve` runs, until ``stop()`` or the end of this program.
private final class PostgresServer {
  let address: String
  let directory: String
  private let input = Pipe()

  init(root: String, _ flags: [String]) throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("quiver-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: root + "/tools/postgres")
    process.arguments = ["serve", "--set", "max_connections=200"] + flags
    process.standardInput = input
    process.standardOutput = try FileHandle(forWritingTo: file)
    process.standardError = process.standardOutput
    try process.run()
    var values: [Substring: String] = [:]
    var printed = ""
    // A minute; the server would keep a pipe open.
    for _ in 0..<600 where !printed.hasSuffix("ready\n") {
      usleep(100_000)
      printed = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }
    for line in printed.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1)
      if parts.count == 2 { values[parts[0]] = String(parts[1]) }
    }
    guard let address = values["socket"], let directory = values["directory"] else {
      throw Unmeasured("tools/postgres serve printed: \(printed)")
    }
    (self.address, self.directory) = (address, directory)
  }

  /// The server's first process.
  var processID: Int32 {
    let text = try? String(contentsOfFile: directory + "/data/postmaster.pid", encoding: .utf8)
    return text?.split(separator: "\n").first.flatMap { Int32($0) } ?? 0
  }

  /// Ends it, and waits until its directory is gone.
  func stop() {
    try? input.fileHandleForWriting.close()
    for _ in 0..<100 where FileManager.default.fileExists(atPath: directory) { usleep(100_000) }
  }
}
