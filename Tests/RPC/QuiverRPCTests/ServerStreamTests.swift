import QuiverProtobuf
import QuiverWire
import Testing

@testable import QuiverRPC

/// A server's state machine, whose events the test carries out.
private final class MachineHarness {
  var machine: ServerConnection
  private var parser = FrameParser()
  private var now: UInt64 = 1_000_000_000
  /// Delivered messages that were not read.
  var messages: [(stream: UInt32, bytes: [UInt8], charge: UInt64)] = []

  init(hello change: (inout Hello) -> Void = { _ in }) {
    machine = ServerConnection(
      router: testRouter(HeldCalls()), limits: SharedLimits(Limits()),
      identity: ServerIdentity(software: "quiver/test", instanceID: [1]), now: now)
    let events = receive(Preface.bytes, hello(change))
    #expect(events == ["authenticate"])
    #expect(drainOutput() == ["HELLO"])
  }

  /// The events that the machine returns for the bytes; calls are parked at once.
  func receive(_ parts: [UInt8]...) -> [String] {
    var events: [String] = []
    parts.flatMap { $0 }.withUnsafeBytes { chunk in
      var offset = 0
      while true {
        switch machine.next(chunk, at: &offset, now: now) {
        case .needsBytes: return
        case .authenticate:
          machine.authenticated(isKnown: true)
          events.append("authenticate")
        case .call:
          events.append("call \(machine.call.stream)")
          machine.openCurrentCall(owner: nil)
        case .message(let stream):
          events.append("message \(stream): \(machine.message.count)")
          messages.append((stream, Array(machine.message), machine.messageCharge))
        case .requestEnded(let stream): events.append("end \(stream)")
        case .cancelled(let stream): events.append("cancel \(stream)")
        case .closing: events.append("closing")
        case .abort: events.append("abort")
        }
      }
    }
    machine.endTurn(now: now, gotInput: true)
    return events
  }

  func drainOutput() -> [String] {
    machine.endTurn(now: now, gotInput: false)
    var words: [String] = []
    while !machine.core.output.isEmpty {
      let bytes = Array(machine.core.output.bytes)
      words += parser.parse(bytes).map(\.words)
      machine.core.wrote(bytes.count, now: now)
      machine.endTurn(now: now, gotInput: false)
    }
    return words
  }

  func takeAll() {
    for message in messages {
      machine.took(
        stream: message.stream, charge: message.charge, byteCount: message.bytes.count)
    }
    messages = []
  }

  func open(_ stream: UInt32) -> Bool { machine.core.streams.slot(of: stream) != nil }
}

@Suite("Streams in the server's state machine", .timeLimit(.minutes(5)))
struct ServerStreamTests {
  @Test("U04: a client stream delivers each message and its end, and has one reply")
  func clientStream() {
    let talk = MachineHarness()
    var events = talk.receive(request(1, Number.clientStream, [], []))
    for size in [27_182, 8, 1_828, 45_904] {
      let message = [UInt8](repeating: 9, count: size)
      for start in stride(from: 0, to: size, by: 16_000) {
        let end = min(start + 16_000, size)
        events += talk.receive(data(1, Array(message[start..<end]), end == size ? [] : .more))
        talk.takeAll()
        _ = talk.drainOutput()
      }
    }
    events += talk.receive(frame(.close, stream: 1))
    #expect(
      events == [
        "call 1", "message 1: 27182", "message 1: 8", "message 1: 1828", "message 1: 45904",
        "end 1",
      ])
    let room = talk.machine.beginReply(3)
    room.copyMemory(from: [1, 2, 3], byteCount: 3)
    talk.machine.commitReply(stream: 1, 3)
    #expect(talk.drainOutput() == ["RESPONSE 1: 3"])
    #expect(!talk.open(1))
  }

  @Test("A REQUEST may have the first message and END")
  func firstMessage() {
    let talk = MachineHarness()
    #expect(
      talk.receive(request(1, Number.clientStream, [1, 2, 3], .end))
        == ["call 1", "message 1: 3", "end 1"])
    let part = [UInt8](repeating: 4, count: 1_024)
    #expect(talk.receive(request(3, Number.bidirectional, part, .more)) == ["call 3"])
    #expect(talk.receive(data(3, [5])) == ["message 3: 1025"])
    #expect(talk.messages.last?.bytes == part + [5])
    #expect(talk.receive(data(3, [], .end)) == ["message 3: 0", "end 3"])
    #expect(talk.receive(data(3, [])) == ["closing", "cancel 1", "cancel 3"])
    #expect(talk.drainOutput() == ["HEADERS 1", "HEADERS 3", "GOAWAY PROTOCOL_ERROR, last 3"])
  }

  @Test("U03: a server stream sends its messages in order, then OK")
  func serverStream() {
    let talk = MachineHarness(hello: {
      $0.initialStreamCredit = 1 << 20
      $0.initialConnectionCredit = 1 << 20
    })
    #expect(talk.receive(request(1, Number.serverStream)) == ["call 1"])
    talk.machine.sendHeaders(stream: 1, [:])
    for size in [31_415, 9, 2_653, 58_979] {
      talk.machine.sendMessage(stream: 1, [UInt8](repeating: 1, count: size))
    }
    talk.machine.finishStream(stream: 1, trailing: ["a": "b"])
    #expect(
      talk.drainOutput() == [
        "HEADERS 1", "DATA 1 MORE: 16384", "DATA 1: 15031", "DATA 1: 9", "DATA 1: 2653",
        "DATA 1 MORE: 16384", "DATA 1 MORE: 16384", "DATA 1 MORE: 16384", "DATA 1: 9827",
        "STATUS 1 OK",
      ])
    #expect(!talk.open(1))
  }

  @Test("U06, U09: an empty stream ends with OK, and an error arrives after three messages")
  func emptyAndFailing() {
    let talk = MachineHarness()
    #expect(talk.receive(request(1, Number.serverStream)) == ["call 1"])
    talk.machine.finishStream(stream: 1, trailing: [:])
    #expect(talk.drainOutput() == ["HEADERS 1", "STATUS 1 OK"])
    #expect(talk.receive(request(3, Number.serverStream)) == ["call 3"])
    for number in 0..<3 as Range<UInt8> { talk.machine.sendMessage(stream: 3, [number]) }
    #expect(talk.drainOutput() == ["HEADERS 3", "DATA 3: 1", "DATA 3: 1", "DATA 3: 1"])
    talk.machine.failReply(3, RPCError(.dataLoss, "lost", isNotProcessed: true))
    #expect(talk.drainOutput() == ["STATUS 3 DATA_LOSS"], "after DATA nothing is unprocessed")
  }

  @Test("U05: a ping-pong stream gets CREDIT for what the handler has read")
  func pingPong() {
    let talk = MachineHarness()
    #expect(talk.receive(request(1, Number.bidirectional, [], [])) == ["call 1"])
    var credits = 0
    for round in 0..<100 {
      let message = [UInt8](repeating: UInt8(round), count: 1_000)
      #expect(talk.receive(data(1, message)) == ["message 1: 1000"])
      talk.takeAll()
      talk.machine.sendMessage(stream: 1, [UInt8(round)])
      let words = talk.drainOutput()
      #expect(words.contains("DATA 1: 1"))
      credits += words.filter { $0.hasPrefix("CREDIT 1") }.count
    }
    #expect(credits == 3, "half a window at a time")
    #expect(talk.receive(frame(.close, stream: 1)) == ["end 1"])
    talk.machine.finishStream(stream: 1, trailing: [:])
    #expect(talk.drainOutput() == ["STATUS 1 OK"])
  }

  @Test("F11: messages that nobody reads stop the sender, even with a large one after them")
  func unread() {
    let talk = MachineHarness()
    #expect(talk.receive(request(1, Number.bidirectional, [], [])) == ["call 1"])
    #expect(talk.receive(data(1, [1])) == ["message 1: 1"])
    let part = [UInt8](repeating: 0, count: 16_000)
    for _ in 0..<3 { #expect(talk.receive(data(1, part, .more)) == []) }
    #expect(talk.drainOutput().filter { $0.hasPrefix("CREDIT 1") } == [], "one waits before it")
    talk.takeAll()
    #expect(talk.drainOutput().filter { $0.hasPrefix("CREDIT 1") }.count == 1)
  }

  @Test("Messages of a failed stream are dropped, and its handler is notified once")
  func failedStream() {
    let talk = MachineHarness()
    let call = request(1, Number.bidirectional, [], [], timeoutMilliseconds: 5)
    #expect(talk.receive(call) == ["call 1"])
    talk.machine.timerFired(now: 1_005_000_000)
    #expect(talk.receive(data(1, [1])) == ["cancel 1"])
    #expect(talk.drainOutput() == ["HEADERS 1"], "its handler had started")
    let waiting = talk.machine.sendMessage(stream: 1, [1])
    #expect(waiting == .over)
    talk.machine.finishStream(stream: 1, trailing: [:])
    #expect(talk.drainOutput() == ["STATUS 1 DEADLINE_EXCEEDED"])
    #expect(!talk.open(1))
  }

  @Test("A message above the limit ends a streaming call when its handler has returned")
  func messageTooLarge() {
    let talk = MachineHarness()
    #expect(talk.receive(request(1, Number.bidirectional, [], [])) == ["call 1"])
    let part = [UInt8](repeating: 0, count: 16_000)
    var events: [String] = []
    for _ in 0..<270 where events.isEmpty { events += talk.receive(data(1, part, .more)) }
    #expect(events == ["cancel 1"])
    #expect(talk.drainOutput().filter { $0.hasPrefix("STATUS") } == [])
    talk.machine.failReply(1, RPCError(.cancelled, "the call was cancelled"))
    #expect(talk.drainOutput() == ["STATUS 1 RESOURCE_EXHAUSTED"])
  }

  @Test("Metadata above the limit is not sent, and the call fails")
  func replyMetadata() {
    let talk = MachineHarness()
    var metadata = Metadata()
    metadata.append("k", [UInt8](repeating: 0, count: 8_192))
    #expect(talk.receive(request(1, Number.serverStream)) == ["call 1"])
    talk.machine.finishStream(stream: 1, trailing: metadata)
    #expect(talk.drainOutput() == ["HEADERS 1", "STATUS 1 RESOURCE_EXHAUSTED"])
    #expect(talk.receive(request(3, Number.hold)) == ["call 3"])
    talk.machine.sendHeaders(stream: 3, metadata)
    talk.machine.finishStream(stream: 3, trailing: [:])
    #expect(talk.drainOutput() == ["STATUS 3 RESOURCE_EXHAUSTED"])
  }

  @Test("K08: CANCEL ends a stream that waits for credit, and others continue")
  func cancelWhileBlocked() {
    let talk = MachineHarness(hello: { $0.initialStreamCredit = 4_096 })
    #expect(talk.receive(request(1, Number.serverStream)) == ["call 1"])
    talk.machine.sendMessage(stream: 1, [UInt8](repeating: 0, count: 10_000))
    #expect(talk.drainOutput() == ["HEADERS 1", "DATA 1 MORE: 4064"])
    #expect(talk.receive(cancel(1)) == ["cancel 1"])
    #expect(talk.receive(credit(1, 1 << 20)) == [])
    #expect(talk.drainOutput() == [])
    talk.machine.failReply(1, RPCError(.cancelled, "the call was cancelled"))
    #expect(!talk.open(1))
    let queued = talk.machine.core.queuedMessageBytes
    #expect(queued == 0)
  }
}
