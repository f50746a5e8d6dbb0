import ServerPrograms
import Testing

@testable import torture

/// Rows 3, 4 and 21 of the fault matrix.
@Suite(.serialized, .timeLimit(.minutes(20))) struct InjectionTests {
  @Test(
    "after an fsync that failed nothing is acknowledged, the process leaves, the next recovers",
    arguments: [1, 3, 9])
  func failedSync(place: Int) async throws {
    let (ending, findings) = try await Self.run("fdatasync:error=EIO:when=\(place)")
    #expect(ending.code == 74)
    let lines = ending.trace.split(separator: "\n")
    let failure = try #require(lines.firstIndex { $0.contains("EIO") })
    #expect(!lines[failure...].contains { $0.contains("\"done ") })
    #expect(lines[failure...].contains { $0.contains("\"refused ") })
    #expect(findings.isEmpty, "\(findings)")
  }

  @Test("A failed write ends the process too", arguments: [12, 40])
  func failedWrite(place: Int) async throws {
    let (ending, findings) = try await Self.run("pwrite64:error=EIO:when=\(place)")
    #expect(ending.code == 74)
    #expect(findings.isEmpty, "\(findings)")
  }

  @Test(
    "A full disk refuses writes and allows reads, and the store recovers", arguments: [12, 40, 77])
  func fullDisk(place: Int) async throws {
    let (ending, findings) = try await Self.run(
      "pwrite64:error=ENOSPC:when=\(place)..\(place + 12)", ["--reads"])
    #expect(ending.code == 0)
    let refused = ending.events.lastIndex { event in
      if case .refused(let number, isCertain: true) = event {
        Operation(number).kind != .failure
      } else {
        false
      }
    }
    let healed = ending.events[(try #require(refused))...].contains { event in
      if case .done = event { true } else { false }
    }
    #expect(healed)
    #expect(Self.mostReads(ending) > 0)
    #expect(findings.isEmpty, "\(findings)")
  }

  @Test("While the disk blocks in a sync, reads continue and nothing is lost")
  func stuckDisk() async throws {
    let (ending, findings) = try await Self.run(
      "fdatasync:delay_enter=1500000:when=5", ["--reads"])
    #expect(ending.code == 0)
    #expect(Self.mostReads(ending) > 50)
    #expect(findings.isEmpty, "\(findings)")
  }

  private static func mostReads(_ ending: Child.Ending) -> Int {
    guard case .reads(let count)? = ending.events.last else { return 0 }
    return count
  }

  /// Writes 20 operations, then 150 with the injection, and checks the result.
  private static func run(
    _ injection: String, _ more: [String] = []
  ) async throws -> (Child.Ending, findings: [String]) {
    try await onThread {
      try Child.requireStrace()
      let scratch = try ScratchDirectory()
      let data = scratch.make()
      let first = try Child(scratch: scratch, arguments: Kills.arguments(data, 1...20)).run()
      let second = try Child(
        scratch: scratch, arguments: Kills.arguments(data, 21...170) + more, injection: injection
      ).run()
      let recovery = Recovery(directory: data, events: first.events + second.events)
      return (second, try recovery.findings())
    }
  }
}
