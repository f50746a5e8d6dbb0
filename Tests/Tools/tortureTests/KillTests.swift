import ServerPrograms
import Testing

@testable import torture

/// Rows 1 and 17 of the fault matrix.
@Suite(.serialized, .timeLimit(.minutes(20))) struct KillTests {
  @Test("After a kill at the N-th write or sync, each acknowledged operation is there once")
  func points() async throws {
    let outcome = try await onThread {
      try Kills(scratch: try ScratchDirectory(), seed: 1).points(12)
    }
    #expect(outcome.findings.isEmpty, "\(outcome.findings)")
    #expect(outcome.killedCount >= 9)
  }

  @Test("After repeated kills under load with repeated operations, none is duplicated")
  func rounds() async throws {
    let outcome = try await onThread {
      try Kills(scratch: try ScratchDirectory(), seed: 1).rounds(10)
    }
    #expect(outcome.findings.isEmpty, "\(outcome.findings)")
    #expect(outcome.killedCount == 10)
    #expect(outcome.acknowledgedCount > 100)
  }

  @Test("If strace cannot run, the test reports that")
  func withoutStrace() throws {
    let complaint = #expect(throws: Complaint.self) {
      try Child.requireStrace(searching: "/nonexistent")
    }
    #expect(complaint?.description.contains("apt-get install strace") == true)
  }
}
