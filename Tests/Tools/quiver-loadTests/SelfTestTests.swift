import Testing

@testable import quiver_load

@Suite("The tester is honest", .timeLimit(.minutes(5)))
struct SelfTestTests {
  @Test("A server that stalls for a second shows it in the latencies")
  func stall() throws {
    let finding = try SelfTest.run()
    #expect(finding.isHonest, "\(finding.lines.joined(separator: "\n"))")
  }
}
