import Foundation
import GatewayCalls
import QuiverClient
import QuiverCommandLine
import ServerPrograms
import Synchronization

/// Clients of several servers on one database of PostgreSQL, which others disturb meanwhile, and
/// the check of what the database has in the end.
struct DisturbedCalls {
  private let servers: [String]
  private let token: String
  private let database: String
  private let clientCount: Int

  /// After so many acknowledged calls a client makes a new connection, to another server first.
  private static let callsPerConnection = 100
  /// The longest time of a call, so that calls end while servers are frozen or cut off.
  private static let callSeconds = 3

  init(_ arguments: Arguments) throws {
    servers = (arguments.value("--servers") ?? "").split(separator: ",").map(String.init)
    guard let file = arguments.value("--token-file"), let database = arguments.value("--database"),
      !servers.isEmpty
    else { throw Complaint("calls requires --servers, --token-file and --database") }
    self.database = database
    token = try String(contentsOfFile: file, encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    clientCount = Int(try arguments.number("--clients", 9))
  }

  /// Calls until the standard input ends.
  func run() async throws -> Kills.Outcome {
    let turns = Atomic(0)
    let clients = try RecordedClients(
      clientCount, callsPerConnection: Self.callsPerConnection
    ) { [servers, token] index -> any CallCarrier in
      let turn = turns.wrappingAdd(1, ordering: .relaxed).oldValue
      let first = turn % servers.count
      var configuration = RPCClient.Configuration(
        servers: Array(servers[first...] + servers[..<first]), token: token)
      configuration.defaultTimeout = .seconds(Self.callSeconds)
      configuration.limits.reconnect.longest = .seconds(1)
      // Half of the clients leave the repetition of cut calls to the library.
      if index.isMultiple(of: 2) { configuration.limits.maxAttempts = 1 }
      return try RPCClient(configuration)
    }
    let isOver = Mutex(false)
    Thread.detachNewThread {
      while !FileHandle.standardInput.availableData.isEmpty {}
      isOver.withLock { $0 = true }
    }
    while !isOver.withLock({ $0 }) {
      StandardOutput.printOrExit("acknowledged \(clients.acknowledgedCount)")
      try await Task.sleep(for: .milliseconds(200))
    }
    await clients.stop()
    let scratch = try ScratchDirectory()
    var outcome = Kills.Outcome()
    outcome.findings =
      try clients.faults
      + RecordedClients.findings(in: scratch.make(), database: database, clients.events)
    outcome.acknowledgedCount = clients.acknowledgedCount
    outcome.killedCount = clients.failures.count
    StandardOutput.printOrExit(
      "\(clients.failures.count) calls were cut or refused, \(clients.readCount) items read back")
    return outcome
  }
}
