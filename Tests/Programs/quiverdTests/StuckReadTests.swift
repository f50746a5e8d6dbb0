import Foundation
import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire
import Synchronization
import Testing

/// Row 26 of the fault matrix for what reads the disk without a call of its own.
@Suite("Watches and services while reads are stuck", .serialized, .timeLimit(.minutes(20)))
struct StuckReadTests {
  @Test("row 26: while the reads of watches are stuck, a commit delays no other call")
  func watches() async throws {
    let server = try RestartableServer("--shards", "2")
    let writer = try server.client()
    let first = try await writer.call(Equipment.risers.create, .hoyt)
    let clients = try (0..<4).map { _ in try server.client() }
    let snapshots = Counter()
    let changes = Counter()
    let options = CallOptions(timeout: .seconds(120))
    var days = WatchTrainingLogRequest()
    (days.fromDay, days.toDay) = (20_000, 20_010)
    let logRequest = days
    var watches: [Task<Void, any Error>] = []
    for client in clients {
      watches.append(
        Task.immediate {
          for try await message in try client.stream(
            Equipment.watchHub, WatchHubRequest(), options: options)
          {
            if message.span?.isSnapshot == false { return changes.increment() }
            snapshots.increment()
          }
        })
      watches.append(
        Task.immediate {
          for try await _ in try client.stream(
            Logbook.watchTrainingLog, logRequest, options: options)
          {
            snapshots.increment()
          }
        })
    }
    await snapshots.wait(for: 8)
    let tracer = try Tracer(server.process, "pread64:delay_enter=5000000")
    // The pages that this changes are read by every watch of the principal, from the log.
    let made = try await writer.call(Equipment.risers.create, .hoyt)
    for _ in 0..<25 {
      for client in clients + [try server.client(isAnonymous: true)] {
        #expect(try await client.call(Health.check, HealthCheckRequest()).status == .serving)
      }
    }
    #expect(changes.value == 0)
    tracer.detach()
    await changes.wait(for: 4)
    #expect(made.id == first.id + 1)
    for watch in watches { watch.cancel() }
    #expect(server.stop().code == 0)
  }

  @Test("row 26: while the grant of a service is read, its connection and others are served")
  func acting() async throws {
    let server = try RestartableServer("--shards", "2")
    let admin = try server.client()
    let (service, user) = try await Self.service(of: server, admin)
    #expect(server.stop().code == 0)
    // The restarted process has nothing of it in memory.
    try server.start()
    let clients = [service, admin, try server.client(), try server.client()]
    for client in clients { _ = try await client.call(Health.check, HealthCheckRequest()) }
    let ended = Counter()
    let tracer = try Tracer(server.process, "pread64:delay_enter=5000000")
    let acting = Task.immediate {
      defer { ended.increment() }
      // Apart from the grant this call reads nothing.
      return try await service.call(
        Tournament.listTiePolicies, ListTiePoliciesRequest(),
        options: CallOptions(timeout: .seconds(120), metadata: ["quiver-user": "\(user)"]))
    }
    for _ in 0..<25 {
      for client in clients {
        #expect(try await client.call(Health.check, HealthCheckRequest()).status == .serving)
      }
    }
    #expect(ended.value == 0)
    tracer.detach()
    #expect(try await !acting.value.policies.isEmpty)
    #expect(server.stop().code == 0)
  }

  /// A client with the token of a service that may act for a user, and the user's id.
  private static func service(
    of server: RestartableServer, _ admin: RPCClient
  ) async throws -> (RPCClient, user: Int64) {
    func principal(_ kind: PrincipalKind, _ name: String) async throws -> Int64 {
      var request = CreatePrincipalRequest()
      (request.kind, request.displayName) = (kind, name)
      return try await admin.call(Admin.createPrincipal, request).id
    }
    var grant = GrantActingRequest()
    grant.serviceID = try await principal(.service, "Sync")
    grant.userID = try await principal(.user, "Robin")
    _ = try await admin.call(Admin.grantActing, grant)
    var wish = CreateTokenRequest()
    wish.principalID = grant.serviceID
    let secret = try await admin.call(Admin.createToken, wish).secret
    var configuration = RPCClient.Configuration(
      server: "unix:\(server.path)/socket", token: secret)
    configuration.limits.maxAttempts = 1
    return (try RPCClient(configuration), grant.userID)
  }
}

private final class Counter: Sendable {
  private let stored = Mutex(0)

  var value: Int { stored.withLock { $0 } }

  func increment() { stored.withLock { $0 += 1 } }

  /// Returns once it is `count`; the time limit of the suite ends a test for which it never is.
  func wait(for count: Int) async {
    while value < count { try? await Task.sleep(for: .milliseconds(5)) }
  }
}
