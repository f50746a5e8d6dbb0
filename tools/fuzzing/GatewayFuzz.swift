import QuiverLoopback
import QuiverRPC
import QuiverWire

@testable import QuiverGateway

/// Requests of HTTP/1.1 and HTTP/2, whole, cut and changed, for a live connection of the gateway.
/// The tape chooses how each is answered. Whatever comes, nothing is left once it is closed.
final class GatewayFuzz: LiveEndFuzz {
  var tape: Tape
  let reactor = LoopbackReactor(.manual(startNanoseconds: 1_000_000_000))
  let end: HTTPConnection
  private let observer = GatewayObserver()
  private let held: HeldShares
  private var answers: GatewayAnswers
  private var nextStream: UInt32 = 1
  private var reads = true

  init(_ bytes: [UInt8]) {
    tape = Tape(bytes)
    var limits = GatewayLimits()
    limits.maxStreams = 6
    limits.maxRefusedStreams = 20
    limits.resetBurst = 20
    limits.maxQueuedFrames = 12
    limits.maxHeldBytesPerAddress = 400_000
    limits.responseBufferBytes = 20_000
    held = HeldShares(limits)
    let answers = GatewayAnswers(tape.take(16), limits)
    self.answers = answers
    end = HTTPConnection(
      address: "fuzz", reactor: reactor, limits: limits, observer: observer,
      share: { [held] in held.share(of: $0) }, answer: { answers.answer($0) })
  }

  func run() {
    let isHTTP2 = tape.number(below: 2) == 0
    if isHTTP2 {
      feed(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(4, 0, 0, []))
      if tape.number(below: 2) == 0 { feed(frame(4, 1, 0, [])) }
    }
    var steps = 0
    while !tape.isAtEnd, steps < 200, end.phase < .closed {
      step(isHTTP2)
      steps += 1
    }
    close()
  }

  private func step(_ isHTTP2: Bool) {
    switch tape.number(below: 16) {
    case 0: feed(tape.take(tape.number(below: 40)))
    case 1: pass(milliseconds: [1, 900, 2_000, 11_000, 61_000][tape.number(below: 5)])
    case 2: reads.toggle()
    case 3: if tape.number(below: 8) == 0 { end.drain(now: reactor.nowNanoseconds) }
    default: if end.wantsInput { feed(isHTTP2 ? frames() : text()) }
    }
    drainOutput()
  }

  // MARK: HTTP/1.1

  private func text() -> [UInt8] {
    var text: [UInt8]
    switch tape.number(below: 6) {
    case 0, 1:
      let fields = [
        "", "content-length: 5\r\n", "content-length: 70000\r\n", "transfer-encoding: chunked\r\n",
        "content-length: 5\r\ntransfer-encoding: chunked\r\n", "expect: 100-continue\r\n",
        "connection: close\r\n", "transfer-encoding: CHUNKED\r\n",
      ]
      text = Array(
        ("POST /a.B/C HTTP/1.1\r\nhost: x\r\n" + fields[tape.number(below: fields.count)]
          + "\r\n").utf8)
    case 2: text = Array("5\r\n\0\0\0\0\0\r\n".utf8)
    case 3: text = Array("0\r\n\r\n".utf8)
    case 4: text = [0, 0, 0, 0, tape.byte() & 31] + tape.take(tape.number(below: 32))
    default: text = [UInt8](repeating: 120, count: 1 + 300 * tape.number(below: 200))
    }
    if tape.number(below: 12) == 0, !text.isEmpty {
      text[Int(tape.big() % UInt64(text.count))] = tape.byte()
    }
    return text
  }

  // MARK: HTTP/2

  private func frame(
    _ kind: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8]
  ) -> [UInt8] {
    FuzzFrames.big(UInt64(payload.count) << 40).prefix(3) + [kind, flags]
      + FuzzFrames.big(UInt64(stream)).suffix(4) + payload
  }

  private func frames() -> [UInt8] {
    switch tape.number(below: 14) {
    case 0, 1, 2, 3:
      // POST https://, with or without a body.
      defer { nextStream += 2 }
      let path = [4, 6] + Array("/a.B/C".utf8)
      return frame(1, tape.number(below: 3) == 0 ? 5 : 4, nextStream, [0x83, 0x87] + path)
    case 4, 5:
      let bytes = [UInt8](repeating: 0, count: [0, 5, 5_000, 16_000][tape.number(below: 4)])
      return frame(0, tape.byte() & 1, stream(), bytes)
    case 6: return frame(3, 0, stream(), FuzzFrames.big(UInt64(tape.byte() & 15)).suffix(4))
    case 7:
      let size: UInt64 = [0, 1, 60_000, 1 << 31 - 1][tape.number(below: 4)]
      return frame(8, 0, tape.number(below: 3) == 0 ? 0 : stream(), FuzzFrames.big(size).suffix(4))
    case 8: return frame(6, tape.byte() & 1, 0, FuzzFrames.big(tape.big()))
    case 9:
      let setting = [0, UInt8(tape.number(below: 8)), 0, 0] + tape.take(2)
      return frame(4, 0, 0, setting.count == 6 ? setting : [])
    case 10: return frame(1, 5, stream(), [0, 1, 97, 1, 98])
    case 11: return frame(9, tape.byte() & 4, stream(), [0, 1, 97, 1, 98])
    case 12: return frame(4, 1, 0, [])
    default:
      return frame(
        tape.byte() & 15, tape.byte() & 63, stream(), tape.take(tape.number(below: 20)))
    }
  }

  private func stream() -> UInt32 {
    let back = UInt32(tape.number(below: 8)) * 2
    return nextStream > back ? nextStream - back : 1
  }

  // MARK: Output

  func drainOutput() {
    reactor.runReady()
    while reads, !end.output.isEmpty {
      end.wrote(min(end.output.count, 30_000), now: reactor.nowNanoseconds)
      reactor.runReady()
    }
    if !reads, !end.output.isEmpty { end.writeBlocked(now: reactor.nowNanoseconds) }
    if end.phase == .closing, end.output.isEmpty { end.didHalfClose(now: reactor.nowNanoseconds) }
    Fuzz.hold(end.output.count < 400_000, "\(end.output.count) bytes wait")
    Fuzz.hold(held.whole.byteCount >= 0, "fewer bytes are held than none")
  }

  private func close() {
    end.closed("the input is over")
    reactor.advance(byNanoseconds: 10_000_000_000)
    let (requests, tasks) = (observer.openRequestCount, observer.taskCount)
    Fuzz.hold(requests == 0, "\(requests) requests are left over")
    Fuzz.hold(tasks == 0, "\(tasks) tasks never end")
    Fuzz.hold(held.whole.byteCount == 0, "\(held.whole.byteCount) bytes are left over")
  }
}

/// Answers requests in all ways in which the gateway does.
// Sendable because one thread fuzzes.
private final class GatewayAnswers: @unchecked Sendable {
  private let choices: [UInt8]
  private let limits: GatewayLimits
  private var count = 0

  init(_ choices: [UInt8], _ limits: GatewayLimits) {
    self.choices = choices
    self.limits = limits
  }

  func answer(_ exchange: HTTPExchange) {
    let choice = choices.isEmpty ? 0 : choices[count % choices.count]
    count += 1
    let limits = limits
    switch choice % 9 {
    case 0: exchange.respond(HTTPResponseHead(200), [1, 2, 3])
    case 1: exchange.respondWithoutBody(HTTPResponseHead(204))
    case 2:
      exchange.collect(
        limit: 60_000, isEnveloped: choice & 64 != 0, for: BodyEcho(exchange))
    case 3:
      // The body is read beside an answer that does not wait for it.
      exchange.run { while (try? await exchange.read()) != nil {} }
      exchange.respond(HTTPResponseHead(400))
    case 4:
      exchange.start {
        while (try? await $0.read()) != nil {}
        $0.respond(HTTPResponseHead(200), [1])
      }
    case 5:
      exchange.start { exchange in
        exchange.begin(HTTPResponseHead(200))
        for _ in 0..<Int(choice) {
          do { try await exchange.waitForRoom() } catch { return }
          exchange.write([UInt8](repeating: 7, count: 9_000))
        }
        exchange.end()
      }
    case 6: exchange.start { _ = try? await $0.read() }
    case 7:
      if choice & 64 != 0 { exchange.decodesBase64() }
      exchange.start { await Self.echo($0, limits) }
    default: exchange.start { _ in }
    }
  }

  private static func echo(_ exchange: HTTPExchange, _ limits: GatewayLimits) async {
    var reader = EnvelopeReader(
      exchange, mostBytes: limits.maxMessageBytes, isGzip: true, keepsMessages: false)
    exchange.begin(HTTPResponseHead(200))
    do {
      while let message = try await reader.next() {
        try await exchange.waitForRoom()
        message.bytes.withUnsafeBytes { exchange.write($0, flags: 0) }
      }
      exchange.end(trailers: ["grpc-status": "0"])
    } catch {
      exchange.end(trailers: ["grpc-status": "13"])
    }
  }
}

/// Answers a request with its body, once it is whole.
private final class BodyEcho: BodyCollector {
  private let exchange: HTTPExchange

  init(_ exchange: HTTPExchange) { self.exchange = exchange }

  func collected(_ body: Result<UnsafeRawBufferPointer, RPCError>) {
    switch body {
    case .success(let bytes): exchange.respond(HTTPResponseHead(200), Array(bytes))
    case .failure: exchange.respond(HTTPResponseHead(429))
    }
  }
}
