import Foundation
import QuiverProtobuf
import Synchronization
import Testing

@testable import QuiverObservability

@Suite("Traces", .timeLimit(.minutes(5)))
struct TraceExporterTests {
  private static func context(_ flags: UInt8 = 1) throws -> TraceContext {
    try #require(
      TraceContext([UInt8](repeating: 7, count: 16) + [UInt8](repeating: 9, count: 8) + [flags]))
  }

  @Test("A trace context has its ids and whether it is sampled; zeros and other lengths are none")
  func contexts() throws {
    let sampled = try Self.context()
    #expect(sampled.isSampled && sampled.traceID == [UInt8](repeating: 7, count: 16))
    #expect(sampled.parentID == [UInt8](repeating: 9, count: 8))
    #expect(try !Self.context(0).isSampled)
    #expect(TraceContext([]) == nil)
    #expect(TraceContext([UInt8](repeating: 0, count: 25)) == nil)
    #expect(TraceContext([UInt8](repeating: 1, count: 16) + [UInt8](repeating: 0, count: 9)) == nil)
    #expect(FinishedSpan.newID().count == 8)
  }

  @Test(
    "An address of a collector has the standard port and path unless it names others",
    arguments: [
      ("http://collector", "http://collector:4318/v1/traces"),
      ("http://127.0.0.1:99/", "http://127.0.0.1:99/v1/traces"),
      ("http://[::1]:99/a/b", "http://[::1]:99/a/b"),
      ("http://[::1]", "http://[::1]:4318/v1/traces"),
    ])
  func endpoints(text: String, whole: String) {
    #expect(TraceEndpoint(text)?.description == whole)
  }

  @Test(
    "Other addresses are refused",
    arguments: [
      "", "collector:4318", "https://a", "http://", "http://a:0", "http://a:x", "http://a b",
    ])
  func badEndpoints(text: String) {
    #expect(TraceEndpoint(text) == nil)
  }

  @Test("A response is read with a length, to the end without one, and never half")
  func responses() throws {
    let whole = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabc".utf8)
    #expect(
      try HTTPPost.response(in: whole, isWhole: false)
        == HTTPPost.Response(status: 200, body: Array("ab".utf8)))
    #expect(try HTTPPost.response(in: Array(whole.dropLast(2)), isWhole: true) == nil)
    let open = Array("HTTP/1.0 503 Busy\r\n\r\nlater".utf8)
    #expect(try HTTPPost.response(in: open, isWhole: false) == nil)
    #expect(try HTTPPost.response(in: open, isWhole: true)?.status == 503)
    for length in ["-1", "x", "99999999999999999999", ""] {
      let bytes = Array("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nab".utf8)
      #expect(throws: HTTPFailure.self, "\(length)") {
        try HTTPPost.response(in: bytes, isWhole: true)
      }
    }
    #expect(throws: HTTPFailure.self) {
      try HTTPPost.response(in: Array("SSH-2.0\r\n\r\n".utf8), isWhole: true)
    }
  }

  @Test("A queue takes as many spans as it may hold, counts the others, and gives batches")
  func queue() throws {
    let queue = SpanQueue(capacity: 5)
    let span = try Self.span()
    for _ in 0..<8 { queue.append(span) }
    #expect(queue.counts.dropped == 3)
    #expect(queue.next(3, milliseconds: 1)?.count == 3)
    #expect(queue.next(3, milliseconds: 1)?.count == 2)
    queue.noteEnd()
    queue.stop(milliseconds: 1)
    #expect(queue.next(3, milliseconds: 1) == nil)
    queue.append(span)
    #expect(queue.counts.dropped == 4)
  }

  private static func span() throws -> FinishedSpan {
    FinishedSpan(
      of: try context(), id: FinishedSpan.newID(), parent: [1], "a", .server, from: 5, until: 9)
  }

  @Test("Pauses double up to a minute, and half of each is random")
  func pauses() {
    for attempt in 1...20 {
      let longest = min(60_000, 1_000 << (attempt - 1))
      #expect((longest / 2...longest).contains(TraceExporter.pause(after: attempt)))
    }
  }

  @Test(
    "A collector that cannot be reached is reported once, and its spans are dropped at the stop")
  func unreachable() throws {
    let reasons = Mutex<[String]>([])
    let endpoint = try #require(TraceEndpoint("http://127.0.0.1:1"))
    let failed = DispatchSemaphore(value: 0)
    let exporter = try #require(
      TraceExporter(endpoint, service: "test", version: "1") { event in
        guard case .failed(let reason) = event else { return }
        reasons.withLock { $0.append(reason) }
        failed.signal()
      })
    exporter.record(try Self.span())
    #expect(failed.wait(timeout: .now() + 60) == .success)
    exporter.stop()
    #expect(reasons.withLock { $0.count } == 1)
    #expect(reasons.withLock { $0.first?.contains("127.0.0.1:1") } == true)
    #expect(exporter.counts.sent == 0 && exporter.counts.dropped == 1)
  }
}
