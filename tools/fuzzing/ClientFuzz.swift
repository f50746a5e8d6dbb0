import QuiverLoopback
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// Calls, cancellations and arbitrary frames of a server for a live client end.
// Sendable because it is touched on its reactor alone.
final class ClientFuzz: LiveEndFuzz, CallRoute, @unchecked Sendable {
  var tape: Tape
  let reactor = LoopbackReactor(.manual(startNanoseconds: 1_000_000_000))
  let end: ClientEnd
  private var checker = OutputChecker(expects: .client)
  private var tasks: [Task<Void, Never>] = []
  private var started = 0
  private var ended = 0

  init(_ bytes: [UInt8]) {
    tape = Tape(bytes)
    end = ClientEnd(
      limits: Limits(), software: "fuzz", token: [1], compressor: Packed.zstd,
      reactor: reactor, coder: ReactorCoder())
  }

  // MARK: CallRoute, of one connection

  func send(_ call: ClientCall) {
    if case .withdrawn = call.place { return }
    call.place = .at(end)
    call.placed(on: end)
    end.submit(call)
  }

  func send(_ call: ClientCall, atNanoseconds due: UInt64) {
    reactor.schedule(atNanoseconds: due) { self.send(call) }
  }

  func giveUp(_ call: ClientCall, _ error: RPCError) {
    switch call.place {
    case .at(let end): end.giveUp(call, error)
    case .withdrawn: break
    case .unsent, .held:
      call.place = .withdrawn
      call.failed(error)
    }
  }

  func resending(
    _ call: ClientCall, after error: RPCError, _ history: inout CallHistory
  ) -> Resending { .no }

  func succeeded() {}

  // MARK: Running

  func run() {
    if tape.number(below: 8) != 0 { greet() }
    var steps = 0
    while !tape.isAtEnd, steps < 200, end.phase < .closed {
      step()
      steps += 1
    }
    end.closed("the input is over")
    reactor.advance(byNanoseconds: 1_000_000_000)
    Fuzz.hold(ended == started, "\(started - ended) of \(started) calls never end")
    let left = end.connection.pointee.core.unreleasedCount
    Fuzz.hold(left == 0, "\(left) streams and bytes are left over")
  }

  private func greet() {
    var hello = Hello()
    hello.versionMax = 1
    if tape.number(below: 4) == 0 { hello.maxConcurrentStreams = 2 }
    if tape.number(below: 2) == 0 { hello.compression = ["zstd"] }
    checker.allow(hello)
    feed(Preface.bytes + FuzzFrames.frame(1, 0, 0, hello.serializedBytes()))
  }

  private func step() {
    switch tape.number(below: 14) {
    case 0: feed(tape.take(tape.number(below: 40)))
    case 1, 2: begin()
    case 3, 4: feed(message(5))
    case 5, 6: feed(message(4))
    case 7: status()
    case 8: feed(FuzzFrames.frame(3, 0, stream(), []))
    case 9: credit()
    case 10: goAway()
    case 11: if !tasks.isEmpty { tasks[tape.number(below: tasks.count)].cancel() }
    case 12: pass(milliseconds: [1, 30, 5_000, 21_000, 61_000][tape.number(below: 5)])
    default:
      feed(
        FuzzFrames.frame(
          tape.byte() & 15, tape.byte() & 15, stream(), tape.take(tape.number(below: 20))))
    }
    drainOutput()
  }

  private func stream() -> UInt32 { UInt32(tape.number(below: 14)) * 2 + 1 }

  private func message(_ type: UInt8) -> [UInt8] {
    var flags = [0, 0, 2][tape.number(below: 3)] as UInt8
    let stream = stream()
    var bytes = payload()
    if tape.number(below: 3) == 0 {
      flags |= 4
      bytes = Packed.message(bytes, &tape)
    }
    return FuzzFrames.frame(type, flags, stream, bytes)
  }

  private func payload() -> [UInt8] {
    var answer = Answer()
    answer.padding = [UInt8](repeating: 3, count: [0, 5, 1_024, 9_000][tape.number(below: 4)])
    return tape.number(below: 4) == 0 ? answer.padding : answer.serializedBytes()
  }

  private func status() {
    var status = StatusMessage()
    status.code = tape.number(below: 2) == 0 ? 0 : UInt32(tape.byte() & 31)
    status.notProcessed = tape.number(below: 2) == 0
    feed(FuzzFrames.frame(6, 0, stream(), status.serializedBytes()))
  }

  private func credit() {
    let allowance = [9_000, 1 << 18, 1 << 40, tape.big()][tape.number(below: 4)]
    let stream = tape.number(below: 3) == 0 ? 0 : stream()
    checker.allow(stream, allowance)
    feed(FuzzFrames.frame(8, 0, stream, FuzzFrames.big(allowance)))
  }

  private func goAway() {
    guard tape.number(below: 6) == 0 else {
      return feed(FuzzFrames.frame(9, tape.byte() & 1, 0, FuzzFrames.big(tape.big())))
    }
    var message = GoAwayMessage()
    message.code = UInt32(tape.number(below: 4) == 0 ? tape.byte() & 15 : 0)
    message.lastStreamID = tape.number(below: 2) == 0 ? Limits.largestStreamID : stream()
    feed(FuzzFrames.frame(10, 0, 0, message.serializedBytes()))
  }

  private func begin() {
    guard started < 60 else { return }
    started += 1
    let kind = tape.number(below: 4)
    let size = [0, 100, 3_000, 90_000][tape.number(below: 4)]
    let timeout = [0, 0, 2, 500][tape.number(below: 4)] as UInt64
    let deadline = timeout == 0 ? 0 : reactor.nowNanoseconds + timeout * 1_000_000
    let count = tape.number(below: 4)
    tasks.append(
      Task(executorPreference: reactor) { [self] in
        var ask = Ask()
        ask.padding = [UInt8](repeating: 4, count: size)
        await call(kind, ask, count: count, deadline)
        ended += 1
      })
  }

  private func call(_ kind: Int, _ ask: Ask, count: Int, _ deadline: UInt64) async {
    guard kind > 0 else {
      let unary = UnaryCall<Answer>(
        Service.task.info, message: ask.serializedBytes(), deadlineNanoseconds: deadline,
        options: ClientCall.HeadOptions(), route: self)
      _ = await unary.outcome()
      return
    }
    let stream = ClientStream(route: self)
    let method = [Service.source.info, Service.sink.info, Service.talk.info][kind - 1]
    stream.start(
      method, message: kind == 1 ? ask.serializedBytes() : [],
      deadlineNanoseconds: deadline, head: ClientCall.HeadOptions())
    let sender = Task(executorPreference: reactor) {
      for _ in 0..<(kind == 1 ? 0 : count) {
        guard (try? await stream.send(ask.serializedBytes())) != nil else { return }
      }
      if kind != 1 { stream.finishRequest() }
    }
    while let message = try? await stream.next() { _ = message.count }
    sender.cancel()
    await sender.value
  }

  func drainOutput() {
    reactor.runReady()
    while !end.output.isEmpty {
      let bytes = Array(end.output)
      checker.receive(bytes)
      end.wrote(bytes.count, now: reactor.nowNanoseconds)
      reactor.runReady()
    }
    if end.phase == .closing { end.didHalfClose(now: reactor.nowNanoseconds) }
  }
}
