import QuiverProtobuf
import QuiverWire
import Testing

@testable import QuiverRPC

@Suite("Flow control on the server", .timeLimit(.minutes(5)))
struct ServerFlowTests {
  /// The latest credit of the client, and the bytes that it has sent.
  static func allowance(_ server: ServerHarness, stream: UInt32, initial: UInt64) -> UInt64 {
    server.frames.last { $0.type == .credit && $0.stream == stream }?.number ?? initial
  }

  @Test("F01: a message of four windows passes with the CREDIT that it gets")
  func largerThanTheWindow() {
    let server = ServerHarness()
    let message = blob(encoded: 300_000)
    let call = request(1, Number.hold, [], .more)
    var charged = UInt64(call.count - 8 + 32)
    server.receive(call)
    var sent = 0
    while sent < message.count {
      let allowed = Self.allowance(server, stream: 1, initial: 65_536)
      let part = min(16_384, message.count - sent, Int(allowed - charged) - 32)
      guard part >= 1_024 || part == message.count - sent else {
        Issue.record("the window shut at \(sent) of \(message.count)")
        return
      }
      let isLast = sent + part == message.count
      server.receive(data(1, Array(message[sent..<sent + part]), isLast ? .end : .more))
      charged += UInt64(part + 32)
      sent += part
    }
    #expect(server.held.count == 1)
    #expect(server.held.take().request == (try? Blob(serializedBytes: message)))
  }

  @Test("A stream gets no CREDIT after the client has ended its side")
  func noCreditAfterTheEnd() {
    let server = ServerHarness()
    let part = [UInt8](blob(encoded: 16_000))
    let words = server.receive(
      request(1, Number.hold, [], []),
      data(1, part, .more), data(1, part, .more), data(1, part, .end))
    #expect(words.allSatisfy { !$0.hasPrefix("CREDIT 1") })
  }

  @Test("F03: refused, failed, cancelled and late frames leave the credit exact")
  func balance() {
    let server = ServerHarness()
    var charged: UInt64 = 0
    func send(_ bytes: [UInt8]) {
      charged += UInt64(bytes.count - 8 + 32)
      server.receive(bytes)
    }
    let part = [UInt8](repeating: 0, count: 1_500)
    server.receive(credit(0, 1 << 40))
    var stream: UInt32 = 1
    for round in 0..<2_000 {
      switch round % 5 {
      case 0: send(request(stream, Number.echo, blob(encoded: 700)))
      case 1: send(request(stream, Number.fail, Blob([9]).serializedBytes()))
      case 2:
        send(request(stream, Number.hold, part, .more, timeoutMilliseconds: 1))
        server.receive(cancel(stream))
        send(data(stream, part, .end))
      case 3:
        // A call that is refused because of its metadata, followed by fragments.
        send(
          request(stream, Number.hold, part, .more) {
            $0.metadata = [MetadataMessage("k", [UInt8](repeating: 0, count: 8_192))]
          })
        send(data(stream, part, .more))
        send(data(stream, part, .end))
      default:
        send(request(stream, Number.echo, [], []))
        send(data(stream, blob(encoded: 2_000), .end))
      }
      stream += 2
      server.reactor.nowNanoseconds += 60_000_000
      #expect(server.receivedCharge == charged)
      #expect(server.receiveAllowance >= charged + 524_288)
      #expect(server.receiveAllowance <= charged + 1_048_576)
      guard server.phase == .open else {
        Issue.record("the connection ended in round \(round)")
        return
      }
    }
    #expect(server.openStreams == 0)
    #expect(server.end.connection.pointee.core.reassemblyBytes == 0)
  }

  @Test("F05: one byte above the stream's credit ends the connection")
  func streamOverrun() {
    for extra in 0...1 {
      let server = ServerHarness()
      let head = request(1, Number.bidirectional, [], [])
      server.receive(head)
      // Complete messages that nobody reads: the window does not move, except for the empty
      // REQUEST.
      let window = Int(Self.allowance(server, stream: 1, initial: 65_536)) - (head.count - 8 + 32)
      var left = window
      while left - 16_032 >= 32 {
        #expect(server.receive(data(1, [UInt8](repeating: 0, count: 16_000))) == [])
        left -= 16_032
      }
      let words = server.receive(data(1, [UInt8](repeating: 0, count: left - 32 + extra)))
      #expect(words == (extra == 0 ? [] : ["GOAWAY FLOW_CONTROL_ERROR, last 1"]))
    }
  }

  @Test(
    "F05: a REQUEST above a stream's window, and one above the connection's, ends the connection"
  )
  func requestOverrun() {
    var limits = Limits()
    limits.maxFrameBytes = 65_536
    let server = ServerHarness(limits: limits)
    #expect(server.receive(request(1, Number.echo, [], .end)) == ["RESPONSE 1: 0"])
    let head = request(3, Number.echo).count - 8
    #expect(
      server.receive(request(3, Number.echo, blob(encoded: 65_536 - 31 - head)))
        == ["GOAWAY FLOW_CONTROL_ERROR, last 3"])

    let anonymous = ServerHarness(.nobody)
    anonymous.reads = false
    for stream in stride(from: UInt32(1), through: 15, by: 2) {
      anonymous.receive(request(stream, Number.open, blob(encoded: 4_000)))
    }
    anonymous.reads = true
    #expect(anonymous.phase == .open, "CREDIT is queued, so the allowance has grown")
  }

  @Test("F04: a CREDIT of 2^63 - 1 is the largest")
  func largestCredit() {
    let server = ServerHarness()
    #expect(server.receive(credit(0, Limits.largestCredit)).isEmpty && server.phase == .open)
    let words = server.receive(credit(0, Limits.largestCredit + 1))
    #expect(words.first?.hasPrefix("GOAWAY PROTOCOL_ERROR") == true, "\(words)")
  }

  @Test("F04: stale and repeated CREDIT has no effect")
  func staleCredit() {
    let server = ServerHarness()
    server.receive(request(1, Number.source, Blob([1, 0x86, 0xA0]).serializedBytes()))
    let before = server.frames.filter { $0.type == .data }.count
    #expect(server.receive(credit(1, 65_536), credit(1, 1), credit(0, 0), credit(1, 65_536)) == [])
    #expect(server.receive(credit(1, 98_304)).isEmpty == false)
    #expect(server.receive(credit(1, 98_304), credit(1, 65_536)) == [])
    #expect(server.frames.filter { $0.type == .data }.count > before)
  }

  @Test("F06: CREDIT of one byte at a time is collected, and DATA has at least 1 KiB")
  func oneByteCredits() {
    let server = ServerHarness(hello: { $0.initialStreamCredit = 4_096 })
    let words = server.receive(request(1, Number.source, Blob([0x20, 0x00]).serializedBytes()))
    #expect(words == ["RESPONSE 1 MORE: 4064"])
    var frames: [String] = []
    for allowance in 4_097...12_000 as ClosedRange<UInt64> {
      frames += server.receive(credit(1, allowance))
    }
    let parts = [String](repeating: "DATA 1 MORE: 1024", count: 4)
    #expect(frames == parts + ["DATA 1: 35"])
    let payload = server.frames.filter { $0.stream == 1 }.flatMap(\.payload)
    #expect((try? Blob(serializedBytes: payload))?.data.count == 8_192)
  }

  @Test("F02: a reply that waits for its stream's credit blocks no other")
  func othersGoOn() {
    let server = ServerHarness(hello: { $0.initialStreamCredit = 4_096 })
    #expect(
      server.receive(request(1, Number.echo, blob(encoded: 10_000))) == ["RESPONSE 1 MORE: 4064"])
    #expect(server.receive(request(3, Number.echo, blob(encoded: 100))) == ["RESPONSE 3: 100"])
    #expect(
      server.receive(credit(1, 1 << 20)) == ["DATA 1: 5936"])
  }

  @Test("F09: PING, STATUS and CREDIT pass while the connection has no credit")
  func controlPasses() {
    let server = ServerHarness(hello: {
      $0.initialStreamCredit = 4_096
      $0.initialConnectionCredit = 4_096
    })
    #expect(
      server.receive(request(1, Number.echo, blob(encoded: 10_000))) == ["RESPONSE 1 MORE: 4064"])
    #expect(server.receive(ping(1)) == ["PING END"])
    #expect(server.receive(request(3, 255)) == ["STATUS 3 UNIMPLEMENTED, not processed"])
    #expect(server.receive(request(5, Number.echo)) == [], "an empty reply is charged as well")
    #expect(server.receive(credit(1, 1 << 20)) == [])
    #expect(server.receive(credit(0, 1 << 20)) == ["DATA 1: 5936", "RESPONSE 5: 0"])
  }

  @Test("Large and small replies alternate, one frame each")
  func roundRobin() {
    let server = ServerHarness(hello: { $0.initialConnectionCredit = 65_536 })
    // The connection's credit is used up first, so that everything after it is queued.
    let filler = Blob([0, 0xFF, 0x00]).serializedBytes()
    #expect(server.receive(request(1, Number.source, filler)).count == 4)
    #expect(server.receive(request(3, Number.source, Blob([1, 0, 0]).serializedBytes())) == [])
    #expect(server.receive(request(5, Number.echo, blob(encoded: 100))) == [])
    #expect(server.receive(request(7, Number.source, Blob([1, 0, 0]).serializedBytes())) == [])
    let words = server.receive(credit(0, 1 << 30))
    let streams = server.frames.suffix(words.count).map(\.stream)
    #expect(Array(streams.prefix(7)) == [3, 5, 7, 3, 7, 3, 7])
    #expect(words[1] == "RESPONSE 5: 100")
  }

  @Test("Control frames are sent before streams")
  func controlFirst() {
    let server = ServerHarness()
    server.reads = false
    server.receive(request(1, Number.source, Blob([4, 0, 0]).serializedBytes()))
    server.receive(request(3, Number.echo, [], .more))
    let part = [UInt8](repeating: 0, count: 16_384)
    for _ in 0..<3 { server.receive(data(3, part, .more)) }
    server.reads = true
    let words = server.drainOutput()
    let creditAt = words.firstIndex { $0.hasPrefix("CREDIT 3") }
    let lastAt = words.lastIndex { $0.hasPrefix("DATA 1") || $0.hasPrefix("RESPONSE 1") }
    #expect(creditAt != nil)
    #expect(lastAt == 3, "only the stream's window is out")
  }

  @Test("F07, A08: a client that never reads uses memory up to its limits")
  func slowReader() {
    var limits = Limits()
    limits.outputBytes = 256 * 1_024
    limits.maxQueuedAnswers = 64
    let server = ServerHarness(limits: limits)
    server.reads = false
    var stream: UInt32 = 1
    while server.end.wantsInput, stream < 100_000 {
      server.receive(request(stream, Number.echo, blob(encoded: 4_000)))
      stream += 2
    }
    let core = server.end.connection.pointee.core.outputByteCount
    #expect(core < 256 * 1_024 + 5_000 + 64 * 200)
    #expect(!server.end.wantsInput, "the reader stops")
    server.reads = true
    let words = server.drainOutput()
    #expect(words.filter { $0.hasPrefix("RESPONSE") }.count >= 60)
    #expect(words.filter { $0.contains("RESOURCE_EXHAUSTED") }.count == 64)
    #expect(server.end.wantsInput)
    #expect(server.receive(request(stream, Number.echo)) == ["RESPONSE \(stream): 0"])
  }

  @Test("A flood in one read stops at the bound, and goes on where it stopped")
  func floodInOneRead() {
    var limits = Limits()
    limits.maxQueuedAnswers = 10
    limits.maxConcurrentStreams = 100
    let server = ServerHarness(.nobody, limits: limits)
    server.reads = false
    server.receive(
      (0..<50).flatMap { request(UInt32(2 * $0 + 1), Number.echo) } + request(201, Number.open))
    #expect(server.end.connection.pointee.core.egress.queuedAnswers == 10)
    server.reads = true
    let words = server.drainOutput()
    #expect(words.count == 51)
    #expect(words.last == "RESPONSE 201: 0")
  }
}
