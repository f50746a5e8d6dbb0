import QuiverLoopback
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Synchronization
import Testing

@testable import QuiverClient

@Suite("Watches, on a virtual clock", .timeLimit(.minutes(5)))
struct WatchTests {
  private static let lost = RPCError(.unavailable, "the server restarts")

  /// Reads from a watch until it fails; returns the sequence numbers and the failure.
  private static func read(
    _ watch: ResumingStream<Tick>, into seen: Seen
  ) async throws -> Never {
    for try await tick in watch { seen.append(tick.span?.upto ?? -1) }
    preconditionFailure("a watch does not end by itself")
  }

  @Test("An interrupted watch continues after the last message, with growing delays")
  func resumes() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a") { $0.limits.resume.jitter = 0 }
    let denied = RPCError(.permissionDenied, "the share was revoked")
    try network.server("a").script(Self.lost, nil, Self.lost, denied)
    let seen = Seen()
    let watch = client.watch(Notes.watch, Note(number: 2))
    let reading = network.start { try await Self.read(watch, into: seen) }
    #expect(try network.failure(reading).code == .permissionDenied)
    #expect(seen.numbers == [1, 2, 3, 4, 5, 6, 7, 8])
    let calls = try network.server("a").handledCalls
    #expect(calls.map(\.method) == ["watch 0", "watch 2", "watch 4", "watch 6"])
  }

  @Test("delays between attempts that bring no message double up to the longest")
  func backsOff() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a") {
      $0.limits.resume = Backoff(first: .seconds(1), longest: .seconds(3), jitter: 0)
      $0.limits.maxAttempts = 1
    }
    try network.server("a").script(
      Self.lost, Self.lost, Self.lost, Self.lost, RPCError(.notFound, "gone"))
    let watch = client.watch(Notes.watch, Note(number: 0))
    let reading = network.start { try await Self.read(watch, into: Seen()) }
    #expect(try network.failure(reading).code == .notFound)
    let times = try network.server("a").handledCalls.map { $0.nanoseconds / 1_000_000 }
    #expect(zip(times, times.dropFirst()).map { $1 - $0 } == [1_000, 2_000, 3_000, 3_000])
  }

  @Test("the server's push-back replaces a shorter delay")
  func pushBack() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a") { $0.limits.maxAttempts = 1 }
    var busy = RPCError(.resourceExhausted, "too many watches")
    busy.retryAfterMilliseconds = 7_000
    try network.server("a").script(busy, RPCError(.notFound, "gone"))
    let watch = client.watch(Notes.watch, Note(number: 0))
    let reading = network.start { try await Self.read(watch, into: Seen()) }
    #expect(try network.failure(reading).code == .notFound)
    let times = try network.server("a").handledCalls.map { $0.nanoseconds / 1_000_000 }
    #expect(times[1] - times[0] == 7_000)
  }

  @Test("OUT_OF_RANGE starts a snapshot at once, and is thrown if there was no position")
  func outOfRange() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    let gone = RPCError(.outOfRange, "the history does not reach that far")
    try network.server("a").script(gone, gone)
    let options = CallOptions(after: WatchPosition(sequence: 9, storeEpoch: 7))
    let watch = client.watch(Notes.watch, Note(number: 0), options: options)
    let reading = network.start { try await Self.read(watch, into: Seen()) }
    #expect(try network.failure(reading).code == .outOfRange)
    #expect(try network.server("a").handledCalls.map(\.method) == ["watch 9", "watch 0"])
  }

  @Test("A watch's timeout covers the whole watch, including its resumptions")
  func timeout() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    try network.server("a").failAlways(Self.lost)
    let watch = client.watch(
      Notes.watch, Note(number: 1), options: CallOptions(timeout: .seconds(5)))
    let start = network.milliseconds
    let reading = network.start { try await Self.read(watch, into: Seen()) }
    let error = try network.failure(reading)
    #expect(error.code == .deadlineExceeded && error.origin == .client)
    #expect(error.message == "the watch's deadline passed")
    #expect(network.milliseconds - start == 5_000)
    let calls = try network.server("a").handledCalls
    // At the deadline itself the stream is not opened again.
    let end = (start + 5_000) * 1_000_000
    #expect(calls.count > 2 && calls.allSatisfy { $0.nanoseconds < end })
  }

  @Test("a stream with a timeout ends while the server sends nothing")
  func streamTimeout() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    let start = network.milliseconds
    let reading = network.start {
      let talk: StreamingCall<Note, Note> = try client.open(
        Notes.talk, options: CallOptions(timeout: .seconds(3)))
      for try await _ in talk.replies {}
    }
    #expect(try network.failure(reading).code == .deadlineExceeded)
    #expect(network.milliseconds - start == 3_000)
  }

  @Test("every call of a watch carries the metadata of its options")
  func metadata() throws {
    let recorder = MetadataRecorder()
    let network = VirtualNetwork("a")
    let client = network.client("a") { $0.interceptors = [recorder] }
    try network.server("a").script(Self.lost, RPCError(.notFound, "gone"))
    let watch = client.watch(
      Notes.watch, Note(number: 1), options: CallOptions(metadata: ["trace": "abc"]))
    let reading = network.start { try await Self.read(watch, into: Seen()) }
    #expect(try network.failure(reading).code == .notFound)
    #expect(recorder.values.numbers == [1, 1])
  }

  @Test("Cancelling the reading task ends a watch that waits to resume")
  func cancelled() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a") {
      $0.limits.resume = Backoff(first: .seconds(3_000), longest: .seconds(3_000))
      $0.limits.maxAttempts = 1
    }
    try network.server("a").failAlways(Self.lost)
    let watch = client.watch(Notes.watch, Note(number: 1))
    let reading = network.start { try await Self.read(watch, into: Seen()) }
    network.advance(milliseconds: 1_000)
    let start = network.milliseconds
    reading.cancel()
    #expect(try network.failure(reading).code == .cancelled)
    #expect(network.milliseconds == start)
  }
}

/// Numbers in the order of their arrival.
final class Seen: Sendable {
  private let state = Mutex<[Int64]>([])
  var numbers: [Int64] { state.withLock { $0 } }
  func append(_ number: Int64) { state.withLock { $0.append(number) } }
}

/// Records 1 for each call with the test's metadata, 0 for others.
private struct MetadataRecorder: ClientInterceptor {
  let values = Seen()

  func start(
    _ call: inout OutgoingCall
  ) throws(RPCError) -> (@Sendable (CallOutcome) -> Void)? {
    values.append(call.options.metadata["trace"] == "abc" ? 1 : 0)
    return nil
  }
}
