import QuiverLoopback
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Synchronization
import TestTransports
import Testing

@testable import QuiverClient

@Suite("Closing a client", .timeLimit(.minutes(5)), .eachReadiness)
struct ClosingTests {
  @Test("close returns when the last call has ended and the server has closed the connection")
  func waits() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a") { $0.defaultTimeout = nil }
    let call = network.start { try await client.call(Notes.hold, Note()).text }
    let closing = network.start { await client.close() }
    network.advance(milliseconds: 9_000)
    #expect(closing.result == nil && call.result == nil)
    try network.server("a").release()
    try network.finish(closing)
    #expect(try network.finish(call) == "a")
    #expect(network.serverEnds.isEmpty && client.channel.connectionCount == 0)
  }

  @Test("calls that are open after the grace period end CANCELLED, streams included")
  func gracePeriod() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a") { $0.defaultTimeout = nil }
    let call = network.start { try await client.call(Notes.hold, Note()) }
    let stream = network.start {
      let talk: StreamingCall<Note, Note> = try client.open(Notes.talk)
      for try await _ in talk.replies {}
    }
    let start = network.milliseconds
    try network.run { await client.close(gracePeriod: .seconds(2)) }
    #expect(network.milliseconds - start >= 2_000)
    for error in [try network.failure(call), try network.failure(stream)] {
      #expect(error.code == .cancelled && error.origin == .client)
    }
    #expect(try network.server("a").cancelledCount == 1 && network.serverEnds.isEmpty)
  }

  @Test("cancelling the task that closes ends the grace period")
  func cancelled() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a") { $0.defaultTimeout = nil }
    let call = network.start { try await client.call(Notes.hold, Note()) }
    let closing = network.start { await client.close(gracePeriod: .seconds(600)) }
    #expect(closing.result == nil)
    closing.cancel()
    let start = network.milliseconds
    try network.finish(closing)
    #expect(try network.failure(call).code == .cancelled && network.milliseconds - start < 1_000)
  }

  @Test("closing twice, and closing a client that never connected, return")
  func again() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    #expect(try network.run { try await client.call(Notes.echo, Note()) }.text == "a")
    try network.run {
      await client.close()
      await client.close()
    }
    let unused = network.client("a")
    try network.run { await unused.close() }
  }

  @Test("run returns when its task is cancelled, after the open calls")
  func run() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a") { $0.defaultTimeout = nil }
    let call = network.start { try await client.call(Notes.hold, Note()).text }
    let running = network.start { await client.run() }
    network.advance(milliseconds: 60_000)
    #expect(running.result == nil)
    running.cancel()
    // The client closes in a separate task, on a thread of the pool.
    while !client.channel.state.withLock({ $0.isClosed }) { network.reactor.runReady() }
    let late = try network.failure(network.start { try await client.call(Notes.echo, Note()) })
    #expect(late.code == .unavailable && call.result == nil)
    try network.server("a").release()
    #expect(try network.finish(call) == "a")
    while running.result == nil { network.reactor.runReady() }
  }

  @Test("run returns when the client is closed elsewhere")
  func runClosed() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    let running = network.start { await client.run() }
    try network.run { await client.close() }
    while running.result == nil { network.reactor.runReady() }
  }
}
