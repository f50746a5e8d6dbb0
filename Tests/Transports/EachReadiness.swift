import QuiverDispatch
package import Testing

/// Runs each test once for each way in which a transport learns that its sockets are ready.
package struct EachReadiness: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    // A suite only has tests; each of them comes here by itself.
    guard testCase != nil else { return try await function() }
    for mechanism in ReadinessMechanism.available {
      try await ReadinessMechanism.$standard.withValue(mechanism) { try await function() }
    }
  }
}

extension Trait where Self == EachReadiness {
  /// Servers and clients of a test use epoll in its first run and Dispatch sources in its second.
  package static var eachReadiness: EachReadiness { EachReadiness() }
}
