import Foundation
import QuiverClient
import QuiverDispatch
import QuiverRPC
import QuiverService
import QuiverStore
import QuiverWire
import TestServers
import TestSupport

@testable import quiver_load

/// A whole server over a store in a directory of its own, and an archer who may do all.
final class TestServer: Sendable {
  let dial: Dial
  let client: RPCClient
  let directory: MethodDirectory

  /// Runs `body` against a server, which is gone with its files afterwards.
  ///
  /// - Parameter isSmall: whether its limits are so low that few callers reach them.
  static func run(
    isSmall: Bool = false, _ body: (TestServer) async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    var choices = ArcheryServer.Choices(directory: directory.path)
    choices.options.leaderboardIntervalMilliseconds = 20
    if isSmall {
      choices.store.queuedCommands = 1_024
      choices.configure = { configuration in
        configuration.limits.processBytes = 32 << 20
        configuration.limits.maxAnonymousConnectionsPerAddress = 100
      }
    }
    let server = try ArcheryServer(choices)
    do {
      guard let endpoint = Endpoint(server.address) else { throw NoEndpoint() }
      try await body(TestServer(endpoint, token: server.token(.administrator)))
    } catch {
      await server.end()
      throw error
    }
    await server.end()
  }

  private struct NoEndpoint: Error {}

  private init(_ endpoint: Endpoint, token: String) async throws {
    dial = Dial(
      transport: try DispatchTransport(), endpoints: Rotation([endpoint]), token: token,
      allowsPlaintextToken: false, security: nil)
    client = dial.client()
    directory = try await MethodDirectory(of: client)
  }

  /// Runs a scenario to its end, without a word.
  func run(_ json: String) async throws -> ScenarioOutcome {
    let scenario = try ScenarioReader.scenario(Array(json.utf8))
    let run = ScenarioRun(scenario, dial, directory, runName: "load-\(UUID().uuidString)")
    let result = try await run.run(serverProcess: nil) { _, _, _ in }
    return ScenarioOutcome(
      scenario: scenario, server: dial.server, result: result, objectives: nil)
  }
}

extension ScenarioOutcome {
  /// What a role's calls of a method came to; of its only method without a name.
  func row(_ role: String, _ method: String = "") -> Tally.Result? {
    result.conducted.tallies.first { $0.role == role && $0.method.hasSuffix(method) }
  }
}
