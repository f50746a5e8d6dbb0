import QuiverMetrics
import QuiverProtobuf
import QuiverWire
import Synchronization
import TestSupport
import Testing

@testable import QuiverRPC

@Suite("Counts of calls", .timeLimit(.minutes(5)))
struct CallMetricsTests {
  /// What was handed over for the log.
  private final class Notes: Sendable {
    private let list = Mutex<[ServerOccurrence]>([])
    var all: [ServerOccurrence] { list.withLock { $0 } }
    func add(_ occurrence: ServerOccurrence) { list.withLock { $0.append(occurrence) } }

    var calls: [EndedCall] {
      all.compactMap { if case .callEnded(let call) = $0 { call } else { nil } }
    }
    var limits: [ReachedLimit] {
      all.compactMap { if case .limitReached(let limit) = $0 { limit } else { nil } }
    }
  }

  private let notes = Notes()

  private func server(
    _ client: ServerHarness.Client = .token,
    _ change: (inout CallMetrics.Options) -> Void = { _ in }
  ) -> ServerHarness {
    var options = CallMetrics.Options()
    change(&options)
    let (notes, chosen) = (notes, options)
    return ServerHarness(
      client,
      metrics: { router, reactor in
        CallMetrics(router, chosen, clock: { reactor.nowNanoseconds }) { occurrence, _ in
          notes.add(occurrence)
        }
      })
  }

  private func count(_ server: ServerHarness, _ name: String, _ code: StatusCode) -> UInt64? {
    guard let metrics = server.metrics,
      let place = metrics.methods.firstIndex(where: { $0.name.hasSuffix("/" + name) })
    else { return nil }
    return metrics.handledCount(place, code)
  }

  private func timedCount(_ server: ServerHarness, _ name: String) -> UInt64? {
    guard let metrics = server.metrics,
      let place = metrics.methods.firstIndex(where: { $0.name.hasSuffix("/" + name) })
    else { return nil }
    return metrics.times(place).count
  }

  @Test("Calls that are answered at once count one by one, however many come in one read")
  func atOnce() {
    let server = server()
    let calls = (0..<21).flatMap { request(UInt32(2 * $0 + 1), Number.echo) }
    server.receive(calls, request(43, Number.source, Blob([1]).serializedBytes()))
    #expect(count(server, "Echo", .ok) == 21)
    #expect(timedCount(server, "Echo") == 21)
    #expect(count(server, "Source", .ok) == 1)
    #expect(timedCount(server, "Source") == 1)
    #expect(server.metrics?.openCallCount == 0)
    #expect(notes.all.isEmpty)
  }

  @Test("A failure counts under its code, and a fault of the server is noted with its message")
  func failures() {
    let server = server()
    for (index, code) in StatusCode.known.dropFirst().enumerated() {
      server.receive(
        request(
          UInt32(2 * index + 1), Number.fail, Blob([UInt8(code.rawValue)]).serializedBytes()))
    }
    for code in StatusCode.known.dropFirst() {
      #expect(count(server, "Fail", code) == 1, "\(code)")
    }
    #expect(timedCount(server, "Fail") == 16)
    #expect(notes.calls.map(\.code) == [.unknown, .internal, .dataLoss])
    #expect(notes.calls.allSatisfy { $0.method == "quiver.test.Talk/Fail" })
    #expect(notes.calls.allSatisfy { $0.message == "as asked" })
  }

  @Test("A call that is answered later counts once, with the time that it took")
  func later() {
    let server = server { $0.slowNanoseconds = 5_000_000 }
    let trace = (0..<25).map { UInt8($0) }
    server.receive(request(1, Number.hold) { $0.traceparent = trace })
    #expect(server.metrics?.openCallCount == 1)
    #expect(count(server, "Hold", .ok) == 0)
    _ = server.advance(milliseconds: 7)
    server.held.take().responder.succeed(Blob())
    server.drainOutput()
    #expect(count(server, "Hold", .ok) == 1)
    #expect(server.metrics?.openCallCount == 0)
    #expect(notes.calls.count == 1)
    #expect(notes.calls.first?.isSlow == true)
    #expect(notes.calls.first?.nanoseconds == 7_000_000)
    #expect(notes.calls.first?.traceparent == trace)
  }

  @Test("A call counts once when it is cancelled, late, or its connection ends")
  func endedBefore() {
    let server = server()
    server.receive(request(1, Number.hold), request(3, Number.hold) { $0.timeoutMilliseconds = 5 })
    server.receive(request(5, Number.hold))
    server.receive(cancel(1))
    #expect(count(server, "Hold", .cancelled) == 1)
    server.held.take().responder.succeed(Blob())
    _ = server.advance(milliseconds: 6)
    #expect(count(server, "Hold", .deadlineExceeded) == 1)
    server.held.take().responder.succeed(Blob())
    server.drainOutput()
    server.end.closed("the test ends it")
    server.held.take().responder.succeed(Blob())
    server.drainOutput()
    #expect(count(server, "Hold", .cancelled) == 2)
    #expect(count(server, "Hold", .ok) == 0)
    #expect(timedCount(server, "Hold") == 3)
    #expect(server.metrics?.openCallCount == 0)
  }

  @Test("Calls that no handler sees count by their method, or as those of no method")
  func refused() {
    let server = server(.nobody)
    server.receive(request(1, Number.echo), request(3, 65_535))
    #expect(count(server, "Echo", .unauthenticated) == 1)
    #expect(timedCount(server, "Echo") == 0)
    #expect(server.metrics?.handledCount(nil, .unimplemented) == 1)
  }

  @Test("A limit that is reached counts and is noted")
  func limits() {
    let server = server()
    let limit = Limits().maxConcurrentStreams
    for index in 0...limit { server.receive(request(UInt32(2 * index + 1), Number.hold)) }
    server.receive(request(UInt32(2 * limit + 3), Number.echo))
    #expect(count(server, "Hold", .resourceExhausted) == 1)
    #expect(count(server, "Echo", .resourceExhausted) == 1)
    #expect(server.metrics?.count(of: .maxConcurrentStreams) == 2)
    #expect(notes.limits == [.maxConcurrentStreams, .maxConcurrentStreams])
    for _ in 0..<limit { server.held.take().responder.succeed(Blob()) }
  }

  @Test("Input that waits until answers are written counts as a limit")
  func queuedAnswers() {
    let server = server()
    server.reads = false
    let notFound = Blob([UInt8(StatusCode.notFound.rawValue)]).serializedBytes()
    let count = Limits().maxQueuedAnswers + 10
    server.receive((0..<count).flatMap { request(UInt32(2 * $0 + 1), Number.fail, notFound) })
    #expect(server.metrics?.count(of: .maxQueuedAnswers) == 1)
    #expect(notes.limits.isEmpty, "it is routine")
    server.reads = true
    server.drainOutput()
    #expect(self.count(server, "Fail", .notFound) == UInt64(count))
  }

  @Test("Each limit that can be reached has the name of a property of Limits")
  func limitNames() {
    let properties = Set(Mirror(reflecting: Limits()).children.compactMap(\.label))
    for limit in ReachedLimit.allCases { #expect(properties.contains(limit.name), "\(limit)") }
  }

  @Test("A refused token is noted with its reason")
  func refusedToken() {
    let server = server(.silent)
    server.receive(Preface.bytes, hello { $0.authToken = Array("bad".utf8) })
    let reasons = notes.all.compactMap {
      if case .authenticationFailed(let reason) = $0 { reason } else { nil }
    }
    #expect(reasons == ["the token is not known"])
  }

  @Test("Every so many calls one is noted for the access log")
  func sampled() {
    let server = server { $0.sampledEvery = 3 }
    server.receive((0..<7).flatMap { request(UInt32(2 * $0 + 1), Number.echo) })
    #expect(notes.calls.map(\.isSampled) == [true, true])
    #expect(notes.calls.allSatisfy { $0.count == 1 && $0.code == .ok && !$0.isSlow })
  }

  @Test("Whatever bytes come, every call that was taken counts once", arguments: 0..<20)
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let server = server()
    var stream: UInt32 = 1
    var sent: UInt64 = 0
    for _ in 0..<200 where server.phase == .open {
      switch Int.random(in: 0..<6, using: &generator) {
      case 0, 1: server.receive(request(stream, Number.echo))
      case 2: server.receive(request(stream, Number.hold))
      case 3: server.receive(request(stream, Number.fail, Blob([5]).serializedBytes()))
      case 4: server.receive(request(stream, Number.hold) { $0.timeoutMilliseconds = 3 })
      default:
        if stream > 2 { server.receive(cancel(stream - 2)) }
        if server.held.count > 0 { server.held.take().responder.succeed(Blob()) }
        _ = server.advance(milliseconds: 1)
        continue
      }
      stream += 2
      sent += 1
    }
    server.end.closed("the test ends it")
    while server.held.count > 0 { server.held.take().responder.succeed(Blob()) }
    server.drainOutput()
    let metrics = server.metrics
    let counted = StatusCode.known.reduce(UInt64(0)) { sum, code in
      (0..<(metrics?.methods.count ?? 0)).reduce(sum) {
        $0 + (metrics?.handledCount($1, code) ?? 0)
      }
    }
    #expect(counted == sent)
    #expect(metrics?.openCallCount == 0)
  }
}
