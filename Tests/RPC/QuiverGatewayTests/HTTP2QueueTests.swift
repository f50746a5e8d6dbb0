import QuiverClient
import QuiverDispatch
import QuiverLoopback
import QuiverRPC
import Testing

@testable import QuiverGateway

@Suite("The queue of frames of an HTTP/2 connection", .timeLimit(.minutes(1)))
struct HTTP2QueueTests {
  private let reactor = LoopbackReactor(.manual(startNanoseconds: 1_000_000_000))
  private let observer = GatewayObserver()
  private let gateway: Gateway
  private let end: any DrivenEnd

  init() throws {
    var configuration = Gateway.Configuration()
    configuration.observer = observer
    let backend = try Backend(
      RPCClient.Configuration(server: "unix:/nowhere"), limits: configuration.limits,
      observer: observer
    ) { nil }
    gateway = Gateway(configuration, backend: backend)
    end = gateway.makeEnd(address: "peer", reactor: reactor)
    feed(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(4, 0, 0))
  }

  private func frame(_ kind: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8] = [])
    -> [UInt8]
  {
    [0, 0, UInt8(payload.count), kind, flags]
      + withUnsafeBytes(of: stream.bigEndian) { Array($0) } + payload
  }

  /// HEADERS of GET http:// without an end.
  private func opening(_ number: UInt32) -> [UInt8] {
    frame(1, 4, 2 * number + 1, [0x82, 0x86, 0x84])
  }

  private func feed(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { end.receive($0, now: reactor.nowNanoseconds) }
  }

  private func count(of limit: GatewayLimit) -> UInt64 { observer.count(of: limit) }

  @Test("A peer that does not read is not read either, until the queue has room again")
  func backPressure() {
    // What a peer does not read fills the output first.
    var pings = 0
    while end.output.count < 131_072 {
      feed(frame(6, 0, 0, [UInt8](repeating: 0, count: 8)))
      pings += 1
    }
    #expect(pings > 5_000 && end.wantsInput)
    var number: UInt32 = 0
    while end.wantsInput, number < 5_000 {
      feed(opening(number))
      number += 1
    }
    // The first 100 streams are answered with a head and a body each, the others are refused.
    #expect(number > 400 && number <= 610, "\(number) streams")
    #expect(count(of: .queuedFrames) == 1 && count(of: .refusedStreams) == 0)
    while !end.output.isEmpty { end.wrote(end.output.count, now: reactor.nowNanoseconds) }
    #expect(end.wantsInput && end.phase == .open)
    end.closed("the test is over")
    reactor.runReady()
    #expect(gateway.kept == (0, 0, 0))
  }

  @Test("Refused streams above their budget end the connection, whatever the peer reads")
  func refusals() {
    var number: UInt32 = 0
    while end.phase == .open, number < 5_000 {
      feed(opening(number))
      number += 1
      // Streams whose response waits for a window stay open.
    }
    #expect(count(of: .refusedStreams) + count(of: .queuedFrames) > 0)
    #expect(number < 1_200)
  }

  @Test("SETTINGS that are not acknowledged in time end the connection, others do not")
  func settings() {
    #expect(end.nextTimer == reactor.nowNanoseconds + 10_000_000_000)
    feed(frame(4, 1, 0))
    #expect(end.nextTimer == reactor.nowNanoseconds + 10_000_000_000, "of the first request")
    reactor.advance(byNanoseconds: 10_000_000_000)
    end.timerFired(now: reactor.nowNanoseconds)
    #expect(count(of: .settings) == 0 && count(of: .firstRequest) == 1)
  }
}
