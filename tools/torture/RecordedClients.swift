import GatewayCalls
import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Synchronization

/// Clients that make numbered calls one after the other over a network, record the outcomes, and
/// read back what was acknowledged.
///
/// A call with an unknown outcome is repeated with its key until the outcome is known, as an app
/// does. So are most calls that were certainly not processed; the others are given up, and must not
/// have had an effect.
final class RecordedClients: Sendable {
  private let histories: [History]
  /// The acknowledged calls after which a client closes its connection and makes another one; nil:
  /// it keeps its connection.
  private let callsPerConnection: Int?
  private let state = Mutex(State())

  private struct State {
    var isStopping = false
    var acknowledged = 0
    var readCount = 0
    var failures: [RPCError] = []
    var faults: [String] = []
    var tasks: [Task<Void, Never>] = []
  }

  /// The latest acknowledged operation that created an item.
  private struct Created {
    var number: Int64
    var id: Int64
  }

  /// Of so many operations that were not processed, one is given up.
  private static let operationsPerGivenUp: Int64 = 4

  /// Every how many operations a client reads back.
  private static let operationsPerRead: Int64 = 8

  /// Starts at once; the numbers of consecutive clients differ by 1,000,000.
  ///
  /// - Parameter makeClient: makes a client of the given index for a new connection.
  init(
    _ count: Int, callsPerConnection: Int? = nil,
    makeClient: @escaping @Sendable (_ index: Int) throws -> any CallCarrier
  ) throws {
    self.callsPerConnection = callsPerConnection
    histories = (0..<count).map { _ in History() }
    for (index, history) in histories.enumerated() {
      let client = try makeClient(index)
      let task = Task {
        await self.write(client, history, from: 1 + Int64(index) * 1_000_000) {
          try makeClient(index)
        }
      }
      state.withLock { $0.tasks.append(task) }
    }
  }

  /// The events of each client.
  var events: [[History.Event]] { histories.map(\.events) }

  /// The errors after which a call's outcome was unknown, or the call was repeated.
  var failures: [RPCError] { state.withLock { $0.failures } }

  var acknowledgedCount: Int { state.withLock { $0.acknowledged } }

  /// How many acknowledged items were read.
  var readCount: Int { state.withLock { $0.readCount } }

  /// What the clients themselves found: items that were acknowledged and could not be read.
  var faults: [String] { state.withLock { $0.faults } }

  /// Returns after this many further acknowledged calls.
  func waitForAcknowledged(_ count: Int) async throws {
    let until = acknowledgedCount + count
    while acknowledgedCount < until { try await Task.sleep(for: .milliseconds(2)) }
  }

  /// Returns when every client has ended its last call.
  func stop() async {
    let tasks = state.withLock { state in
      state.isStopping = true
      return state.tasks
    }
    for task in tasks { await task.value }
  }

  /// Compares the data directory of a stopped server with the recorded events, and adds what the
  /// clients found; returns the faults.
  func findings(in directory: String) throws -> [String] {
    try faults + Self.findings(in: directory, events)
  }

  /// - Parameter database: the address of a database of PostgreSQL; its servers may run. Then the
  ///   directory is one of its own for this check.
  static func findings(
    in directory: String, database: String? = nil, _ events: [[History.Event]]
  ) throws -> [String] {
    var checker = HistoryChecker(events.flatMap { $0 })
    var configuration = StoreConfiguration(directory: directory)
    configuration.readMilliseconds = StoreLimits.verificationMilliseconds
    configuration.databaseAddress = database
    let store = try Store(configuration)
    defer { store.close() }
    return try checker.check(store) { reply in
      // Each reply starts with its id.
      let riser = reply.withUnsafeBytes { try? MessageCoder().decode(IDOnly.self, from: $0) }
      return Operation.bytes(riser?.id ?? -1)
    }
  }

  private func write(
    _ first: any CallCarrier, _ history: History, from firstNumber: Int64,
    _ makeClient: @Sendable () throws -> any CallCarrier
  ) async {
    var client = first
    var number = firstNumber
    var mayBeThere = false
    var hasFailed = false
    var latest: Created?
    var callsLeft = callsPerConnection ?? .max
    history.append(.run)
    while mayBeThere || !state.withLock({ $0.isStopping }) {
      let operation = Operation(number)
      history.append(.begun(number))
      do throws(RPCError) {
        let id = try await operation.call(client)
        history.append(.done(number, Operation.bytes(id)))
        state.withLock { $0.acknowledged += 1 }
        callsLeft -= 1
        // The item from before a failure is read by a server that has recovered.
        if hasFailed, let latest { await readBack(client, latest) }
        hasFailed = false
        if operation.createsItem {
          latest = Created(number: number, id: id)
          if number % Self.operationsPerRead == 0, let latest { await readBack(client, latest) }
        }
      } catch {
        hasFailed = true
        if await retries(error, number, &mayBeThere, client, history) { continue }
      }
      mayBeThere = false
      number += 1
      if callsLeft <= 0, let other = try? makeClient() {
        await Self.close(client)
        client = other
        callsLeft = callsPerConnection ?? .max
      }
    }
    await Self.close(client)
  }

  /// The connections of a caller of a gateway end with it.
  private static func close(_ client: any CallCarrier) async {
    await (client as? RPCClient)?.close(gracePeriod: .zero)
  }

  /// Returns when the server is ready, or after a minute.
  private static func waitForReady(_ client: any CallCarrier) async {
    if let client = client as? RPCClient {
      try? await client.waitForReady(timeout: .seconds(60))
      return
    }
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
      let reply = try? await client.call(Health.check, HealthCheckRequest())
      if reply?.status == .serving { return }
      try? await Task.sleep(for: .milliseconds(10))
    }
  }

  /// Records the failure of a call; returns whether it must be made again, after a wait until the
  /// server is ready.
  private func retries(
    _ error: RPCError, _ number: Int64, _ mayBeThere: inout Bool, _ client: any CallCarrier,
    _ history: History
  ) async -> Bool {
    let isFinal = error.code == .notFound
    let isCertain = !mayBeThere && (error.isNotProcessed || isFinal)
    history.append(.refused(number, isCertain: isCertain))
    guard !isFinal else { return false }
    state.withLock { $0.failures.append(error) }
    if !isCertain { mayBeThere = true }
    await Self.waitForReady(client)
    return !isCertain || number % Self.operationsPerGivenUp != 1
  }

  /// Reads an acknowledged item.
  private func readBack(_ client: any CallCarrier, _ created: Created) async {
    do throws(RPCError) {
      let fault = try await Operation(created.number).readBack(client, id: created.id)
      state.withLock { state in
        state.readCount += 1
        if let fault { state.faults.append(fault) }
      }
    } catch {
      // The server is gone again: the next failure of a call tells so.
    }
  }
}

/// The common field of the replies.
private struct IDOnly: Message {
  var id: Int64 = 0

  static let schema = Schema<Self>("quiver.torture.IDOnly", .int64(1, "id", \.id))
}
