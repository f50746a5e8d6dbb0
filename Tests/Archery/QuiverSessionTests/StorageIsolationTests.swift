import Dispatch
import QuiverAPI
import Testing

@testable import QuiverSession

@MainActor
@Suite("The local file and the main actor", .timeLimit(.minutes(5)))
struct StorageIsolationTests {
  @Test("a change is written and flushed away from the main actor")
  func writesAwayFromTheMainActor() async throws {
    try await SessionServer.run { server in
      let session = try await server.session(try server.token())
      await session.syncNow()
      MainQueue.mark()
      #expect(MainQueue.isCurrent())
      let isWrittenOnMainQueue = try await session.edited { (edits) throws(SessionError) in
        _ = try edits.create(
          OfflineSession.kind(Riser.self), OfflineSession.dynamic(Riser("Hoyt", "One")))
        return MainQueue.isCurrent()
      }
      #expect(!isWrittenOnMainQueue)
      await session.close()
    }
  }
}

/// The queue of the main actor, which is the main thread on other systems than Linux.
private enum MainQueue {
  private static let key = DispatchSpecificKey<Bool>()

  static func mark() { DispatchQueue.main.setSpecific(key: key, value: true) }

  static func isCurrent() -> Bool { DispatchQueue.getSpecific(key: key) == true }
}
