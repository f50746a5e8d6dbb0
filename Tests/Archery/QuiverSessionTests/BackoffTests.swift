import QuiverClient
import QuiverRPC
import QuiverWire
import Testing

@testable import QuiverSession

@Suite("Back-off and dispositions", .timeLimit(.minutes(5)))
struct BackoffTests {
  @Test("Delays double from the first to the longest, with a jitter of at most a half")
  func doubling() {
    let backoff = SessionLimits().backoff
    for step in 0..<100 {
      let whole = min(0.5 * Double(1 << min(step, 20)), 60)
      let delay = backoff.delay(after: step) / .seconds(1)
      #expect(delay <= whole * 1.5 && delay >= whole / 2)
    }
  }

  @Test("The session waits as long as the server asks, within a limit")
  func pushBack() {
    let limits = SessionLimits()
    #expect(limits.pushBack(.seconds(20)) == .seconds(20))
    #expect(limits.pushBack(.seconds(20_000)) == .seconds(600))
    #expect(limits.pushBack(nil) == nil)
    #expect(limits.backoff.delay(after: 0, pushBack: .seconds(20)) == .seconds(20))
  }

  @Test(
    "Transient failures are distinguished from the server's final answer",
    arguments: [
      (StatusCode.unavailable, nil, true), (.deadlineExceeded, nil, true),
      (.cancelled, nil, true), (.resourceExhausted, 100, true), (.resourceExhausted, nil, false),
      (.unavailable, -1, false), (.aborted, nil, false), (.invalidArgument, nil, false),
      (.failedPrecondition, nil, false), (.internal, nil, false),
    ] as [(StatusCode, Int32?, Bool)])
  func dispositions(_ code: StatusCode, _ retryAfter: Int32?, _ isTransient: Bool) {
    let error = RPCError(code, "", retryAfterMilliseconds: retryAfter)
    if case .transient = Disposition(error) {
      #expect(isTransient)
    } else {
      #expect(!isTransient)
    }
  }

  @Test("Rows stay pending if the token may not be sent, because the server has refused nothing")
  func unsentToken() {
    let error = RPCError(.failedPrecondition, "", isNotProcessed: true, origin: .connection)
    guard case .signedOut = Disposition(error) else {
      Issue.record("it was taken as the server's last word")
      return
    }
  }
}
