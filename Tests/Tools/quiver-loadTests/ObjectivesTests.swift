import QuiverWire
import Testing

@testable import quiver_load

@Suite("Objectives", .timeLimit(.minutes(5)))
struct ObjectivesTests {
  @Test("Objectives are read and checked one by one")
  func checked() throws {
    var summary = Summary()
    for _ in 0..<98 { summary.latency.record(nanoseconds: 1_000_000) }
    summary.latency.record(nanoseconds: 50_000_000)
    summary.succeeded = 99
    summary.fail(.unavailable)
    summary.seconds = 2
    let objectives = try Objectives(
      "p50<2ms, p99 < 1.5ms,max<10ms,errors<1%,errors<2%,rate>49,rate>50")
    let verdicts = objectives.verdicts(summary)
    #expect(verdicts.map(\.holds) == [true, false, false, false, true, true, false])
    #expect(verdicts[2].text == "BROKEN max<10ms: reached by failed calls")
  }

  @Test("A failed call is infinitely late in a latency objective")
  func failures() throws {
    var summary = Summary()
    for _ in 0..<100 { summary.fail(.notFound) }
    #expect(summary.mostlyFailed)
    let late = try Objectives("p50<50ms,max<1s")
    #expect(late.verdicts(summary).allSatisfy { !$0.holds })
    // 98 of 100 are fast: p98 holds and p99 does not.
    summary = Summary()
    for _ in 0..<98 { summary.latency.record(nanoseconds: 1_000_000) }
    summary.succeeded = 98
    for _ in 0..<2 { summary.fail(.notFound) }
    #expect(!summary.mostlyFailed)
    let objectives = try Objectives("p98<2ms,p99<2ms")
    #expect(objectives.verdicts(summary).map(\.holds) == [true, false])
  }

  @Test("No objective holds in a run with an outage")
  func outage() throws {
    var summary = Summary()
    summary.latency.record(nanoseconds: 1_000)
    summary.succeeded = 1
    summary.seconds = 1
    let objectives = try Objectives("p99<5ms,errors<1%,rate>0.1")
    #expect(objectives.verdicts(summary).allSatisfy { $0.holds })
    summary.outageSeconds = 6
    #expect(objectives.verdicts(summary).allSatisfy { !$0.holds })
  }

  @Test("A run in which the generator was late is repeated, and then ends the search")
  func lateGenerator() async throws {
    var late = 2
    let search = RateSearch(objectives: try Objectives("p99<5ms")) { rate async throws(Failure) in
      var summary = Summary()
      summary.latency.record(nanoseconds: 1_000_000)
      summary.succeeded = 1
      guard rate > 1_000 else { return (summary, false) }
      late -= 1
      return (summary, rate > 4_000 || late >= 0)
    } tell: { _ in
    }
    let error = await #expect(throws: Failure.self) { try await search.run(from: 1_000) }
    #expect(error?.code == .generatorLate)
    #expect(error?.sentence.contains("4000 a second holds") == true, "\(error?.sentence ?? "")")
  }

  @Test("A search does not report a rate at which most calls fail")
  func failingMethod() async throws {
    let search = RateSearch(objectives: try Objectives("rate>0.1")) { _ async throws(Failure) in
      var summary = Summary()
      summary.succeeded = 1
      summary.seconds = 1
      for _ in 0..<9 { summary.fail(.notFound) }
      return (summary, false)
    } tell: { _ in
    }
    #expect(try await search.run(from: 100) == nil)
  }

  @Test("None holds to a run in which no call ended")
  func nothing() throws {
    let verdicts = try Objectives("p99<5ms,errors<0.1%,rate>1").verdicts(Summary())
    #expect(verdicts.allSatisfy { !$0.holds })
    #expect(verdicts[1].text == "BROKEN errors<0.1%: no call was answered")
  }

  @Test(
    "What is no objective is refused and named",
    arguments: [
      "", "p99", "p99<", "p99<5", "p0<5ms", "p101<5ms", "p99>5ms", "errors<5", "errors>1%",
      "rate<5", "rate>x", "speed<5ms", "p99<5ms,,errors<1%", "max<-1ms",
    ])
  func refused(text: String) {
    #expect(throws: Objectives.Wrong.self) { try Objectives(text) }
  }

  @Test("A search finds the highest rate that holds to a server of known strength")
  func search() async throws {
    let objectives = try Objectives("p99<5ms")
    var attempts = 0
    let search = RateSearch(objectives: objectives) { rate async throws(Failure) in
      attempts += 1
      var summary = Summary()
      summary.latency.record(nanoseconds: rate > 3_333 ? 9_000_000 : 1_000_000)
      summary.succeeded = 1
      return (summary, false)
    } tell: { _ in
    }
    let found = try #require(try await search.run(from: 100))
    #expect(found <= 3_333 && found > 3_333 * 0.94)
    #expect(attempts < 15)
  }

  @Test("A search says that there is none where not one call a second holds")
  func noRate() async throws {
    let search = RateSearch(objectives: try Objectives("errors<1%")) { _ async throws(Failure) in
      var summary = Summary()
      summary.fail(.internal)
      return (summary, false)
    } tell: { _ in
    }
    #expect(try await search.run(from: 100) == nil)
  }
}
