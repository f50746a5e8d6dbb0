import QuiverLoopback
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// Frames and waits for a live server end with handlers of all kinds.
final class ServerFuzz: LiveEndFuzz {
  var tape: Tape
  let reactor = LoopbackReactor(.manual(startNanoseconds: 1_000_000_000))
  private let service: Service
  let end: ServerEnd
  private var checker = OutputChecker(expects: .server)
  private var nextStream: UInt32 = 1
  private var reads = true

  init(_ bytes: [UInt8]) {
    tape = Tape(bytes)
    service = Service(on: reactor)
    var limits = Limits()
    limits.maxConcurrentStreams = 5
    limits.reassemblyBytes = limits.maxMessageBytes
    end = ServerEnd(
      id: 1, address: "fuzz", router: service.router(), limits: SharedLimits(limits),
      identity: ServerIdentity(software: "fuzz", instanceID: [1]), authenticator: AcceptAll(),
      compressor: Packed.zstd, reactor: reactor, coder: ReactorCoder())
  }

  func run() {
    var hello = Hello()
    hello.authToken = [1]
    if tape.number(below: 4) == 0 { hello.initialStreamCredit = 4_096 }
    if tape.number(below: 4) == 0 { hello.initialConnectionCredit = 5_000 }
    if tape.number(below: 2) == 0 { hello.compression = ["zstd"] }
    checker.allow(hello)
    feed(Preface.bytes + FuzzFrames.frame(1, 0, 0, hello.serializedBytes()))
    var steps = 0
    while !tape.isAtEnd, steps < 200, end.phase < .closed {
      step()
      steps += 1
    }
    close()
  }

  private func step() {
    switch tape.number(below: 14) {
    case 0: feed(tape.take(tape.number(below: 40)))
    case 1, 2, 3: feed(request())
    case 4, 5: feed(data())
    case 6: feed(FuzzFrames.frame(7, 0, stream(), []))
    case 7: feed(FuzzFrames.frame(11, 0, stream(), []))
    case 8: credit()
    case 9: feed(FuzzFrames.frame(9, tape.byte() & 1, 0, FuzzFrames.big(tape.big())))
    case 10: pass(milliseconds: [1, 3, 40, 900, 11_000, 61_000][tape.number(below: 6)])
    case 11: reads.toggle()
    case 12:
      feed(
        FuzzFrames.frame(
          tape.byte() & 15, tape.byte() & 15, stream(), tape.take(tape.number(below: 20))))
    default: if tape.number(below: 8) == 0 { end.drain(now: reactor.nowNanoseconds) }
    }
    drainOutput()
  }

  private func stream() -> UInt32 {
    let back = UInt32(tape.number(below: 12))
    return nextStream > back ? nextStream - back : nextStream
  }

  private func request() -> [UInt8] {
    var ask = Ask()
    ask.number = nextStream
    ask.delayMicroseconds = [0, 0, 500, 100_000][tape.number(below: 4)]
    ask.replyBytes = [0, 10, 5_000, 70_000][tape.number(below: 4)]
    ask.count = UInt32(tape.number(below: 5))
    ask.code = tape.number(below: 4) == 0 ? UInt32(tape.byte() & 31) : 0
    ask.padding = [UInt8](repeating: 1, count: [0, 3, 1_100, 15_000][tape.number(below: 4)])
    var head = RequestHeadMessage()
    head.methodID = 4_097 + UInt32(tape.number(below: 7))
    head.timeoutMilliseconds = [0, 0, 1, 50][tape.number(below: 4)]
    var flags = [1, 1, 2, 0][tape.number(below: 4)] as UInt8
    let headBytes = head.serializedBytes()
    var message = flags == 0 ? [] : ask.serializedBytes()
    if flags != 0, tape.number(below: 3) == 0 {
      flags |= 4
      message = Packed.message(message, &tape)
    }
    defer { nextStream += 2 }
    return FuzzFrames.frame(
      2, flags, nextStream, [UInt8(headBytes.count)] + headBytes + message)
  }

  private func data() -> [UInt8] {
    let size = [0, 2, 1_024, 4_000, 16_000][tape.number(below: 5)]
    var ask = Ask()
    ask.number = 1
    ask.padding = [UInt8](repeating: 2, count: size)
    var bytes = tape.number(below: 3) == 0 ? ask.padding : ask.serializedBytes()
    var flags = [0, 1, 2, 0][tape.number(below: 4)] as UInt8
    if tape.number(below: 4) == 0 {
      flags |= 4
      bytes = Packed.message(bytes, &tape)
    }
    return FuzzFrames.frame(4, flags, stream(), bytes)
  }

  private func credit() {
    let allowance = [4_096, 9_000, 1 << 20, 1 << 40, UInt64.max >> 1, tape.big()][
      tape.number(below: 6)]
    let stream = tape.number(below: 3) == 0 ? 0 : stream()
    checker.allow(stream, allowance)
    feed(FuzzFrames.frame(8, 0, stream, FuzzFrames.big(allowance)))
  }

  func drainOutput() {
    reactor.runReady()
    while reads, !end.output.isEmpty {
      let bytes = Array(end.output)
      checker.receive(bytes)
      end.wrote(bytes.count, now: reactor.nowNanoseconds)
      reactor.runReady()
    }
    if !reads, !end.output.isEmpty { end.writeBlocked(now: reactor.nowNanoseconds) }
    if end.phase == .closing, end.output.isEmpty { end.didHalfClose(now: reactor.nowNanoseconds) }
  }

  private func close() {
    end.closed("the input is over")
    reactor.advance(byNanoseconds: 10_000_000_000)
    Fuzz.hold(service.running == 0, "\(service.running) handlers never return")
    let core = end.connection.pointee.core.unreleasedCount
    Fuzz.hold(core == 0, "\(core) streams and bytes are left over")
  }
}
