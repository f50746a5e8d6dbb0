import Foundation
import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Synchronization
import Testing

@testable import torture

/// Clients that make numbered calls one after the other, and record the outcomes.
///
/// A call with an unknown outcome is repeated with its key until the outcome is known, as an app
/// does.
final class RecordedClients: Sendable {
  private let histories: [History]
  private let state = Mutex(State())

  private struct State {
    var isStopping = false
    var acknowledged = 0
    var failures: [RPCError] = []
    var tasks: [Task<Void, Never>] = []
  }

  /// Starts at once; the numbers of consecutive clients differ by 1,000,000.
  init(_ count: Int = 4, of server: RestartableServer) throws {
    histories = (0..<count).map { _ in History() }
    for (index, history) in histories.enumerated() {
      let client = try server.client()
      let task = Task { await self.write(client, history, from: 1 + Int64(index) * 1_000_000) }
      state.withLock { $0.tasks.append(task) }
    }
  }

  /// The events of each client.
  var events: [[History.Event]] { histories.map(\.events) }

  /// The errors after which a call's outcome was unknown, or the call was repeated.
  var failures: [RPCError] { state.withLock { $0.failures } }

  var acknowledgedCount: Int { state.withLock { $0.acknowledged } }

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

  /// Compares the data directory of a stopped server with the recorded events; returns the faults.
  func findings(in directory: String) throws -> [String] {
    try Self.findings(in: directory, events)
  }

  static func findings(in directory: String, _ events: [[History.Event]]) throws -> [String] {
    var checker = HistoryChecker(events.flatMap { $0 })
    let store = try Store(StoreConfiguration(directory: directory))
    defer { store.close() }
    return try checker.check(store) { reply in
      // Each reply starts with its id.
      let riser = reply.withUnsafeBytes { try? MessageCoder().decode(IDOnly.self, from: $0) }
      return torture.Operation.bytes(riser?.id ?? -1)
    }
  }

  private func write(_ client: RPCClient, _ history: History, from first: Int64) async {
    history.append(.run)
    var number = first
    var mayBeThere = false
    while mayBeThere || !state.withLock({ $0.isStopping }) {
      history.append(.begun(number))
      do throws(RPCError) {
        let id = try await torture.Operation(number).call(client)
        history.append(.done(number, torture.Operation.bytes(id)))
        state.withLock { $0.acknowledged += 1 }
      } catch {
        let isFinal = error.code == .notFound
        let isCertain = !mayBeThere && (error.isNotProcessed || isFinal)
        history.append(.refused(number, isCertain: isCertain))
        if !isFinal {
          state.withLock { $0.failures.append(error) }
          if !isCertain { mayBeThere = true }
          try? await client.waitForReady(timeout: .seconds(60))
          continue
        }
      }
      mayBeThere = false
      number += 1
    }
  }
}

/// The common field of the replies.
private struct IDOnly: Message {
  var id: Int64 = 0

  static let schema = Schema<Self>("quiver.test.IDOnly", .int64(1, "id", \.id))
}

extension torture.Operation {
  /// Makes the call; returns the id of the created or changed object. The failing kind is
  /// NOT_FOUND.
  func call(_ client: RPCClient) async throws(RPCError) -> Int64 {
    let options = CallOptions(idempotencyKey: IdempotencyKey(key.key))
    switch kind {
    case .create, .createWithClientID:
      var request = CreateItemRequest<Riser>()
      var riser = Riser()
      riser.brand = "Torture"
      riser.model = "\(number)"
      riser.notes = "n"
      riser.clientID = kind == .create ? [] : Self.clientID(number)
      request.item = riser
      return try await client.call(Equipment.risers.create, request, options: options).id
    case .update:
      var request = UpdateItemRequest<Riser>()
      var riser = Riser()
      riser.clientID = Self.clientID(number - 1)
      riser.revision = 1
      riser.notes = "update \(number)"
      request.item = riser
      request.updateMask = ["notes"]
      return try await client.call(Equipment.risers.update, request, options: options).id
    case .principal:
      var request = CreatePrincipalRequest()
      request.kind = .user
      request.displayName = "\(number)"
      return try await client.call(Admin.createPrincipal, request, options: options).id
    case .failure:
      var request = DeleteItemRequest<Riser>()
      request.id = 999_999_999
      _ = try await client.call(Equipment.risers.delete, request, options: options)
      return 0
    }
  }
}
