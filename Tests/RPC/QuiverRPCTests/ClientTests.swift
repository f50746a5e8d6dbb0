import QuiverProtobuf
import QuiverWire
import Testing

@testable import QuiverRPC

@Suite("The client's calls", .timeLimit(.minutes(5)))
struct ClientTests {
  @Test("C01: the client writes the specification's example")
  func golden() throws {
    let client = ClientHarness()
    let call = client.call(blob(encoded: 40), deadlineMilliseconds: 1_000)
    #expect(client.starts(call) == ["REQUEST 1 END: 47"])
    let bytes = try #require(client.frames.last)
    #expect(bytes.header.bits == 0x0000_2F21_0000_0001)
    #expect(Array(bytes.payload.prefix(7)) == [0x06, 0x08, 0x81, 0x20, 0x18, 0xE8, 0x07])
    #expect(client.receive(frame(.response, stream: 1, blob(encoded: 40))) == [])
    #expect(call.outcomes == ["reply of 40"])
    #expect(client.openStreams == 0)
  }

  @Test("The client starts with its preface, its HELLO with the token, and calls")
  func greeting() throws {
    let client = ClientHarness(greets: false)
    let call = client.call()
    #expect(client.starts(call) == ["HELLO", "REQUEST 1 END: 4"])
    let hello = try Hello(serializedBytes: try #require(client.frames.first).payload)
    #expect(hello.authToken == Array("good".utf8))
    #expect(hello.software == "client/test")
    #expect(hello.maxFrameBytes == 0)
    #expect(client.receive(Preface.bytes, helloBytes(), frame(.response, stream: 1, [])) == [])
    #expect(call.outcomes == ["reply of 0"])
  }

  private func helloBytes() -> [UInt8] { hello() }

  @Test("H04: a client without a token respects the small limits until the HELLO raises them")
  func anonymousLimits() {
    let client = ClientHarness(token: "", greets: false)
    let calls = (0..<3).map { _ in client.call(blob(encoded: 3_000)) }
    let large = client.call(blob(encoded: 5_000))
    #expect(client.starts(calls[0]) == ["HELLO", "REQUEST 1 END: 3004"])
    #expect(client.starts(calls[1]) == [], "one stream at a time")
    #expect(client.starts(large) == [])
    #expect(client.starts(calls[2]) == [])
    let words = client.receive(
      Preface.bytes,
      hello {
        $0.maxConcurrentStreams = 100
        $0.maxFrameBytes = 16_384
        $0.maxMessageBytes = 1 << 20
        $0.initialStreamCredit = 65_536
        $0.initialConnectionCredit = 1 << 20
      })
    #expect(words == ["REQUEST 3 END: 3004", "REQUEST 5 END: 5004", "REQUEST 7 END: 3004"])
  }

  @Test("A HELLO can only raise the limits that the client assumes")
  func onlyRaises() {
    let client = ClientHarness(hello: {
      $0.maxFrameBytes = 4_096
      $0.maxConcurrentStreams = 1
    })
    #expect(client.starts(client.call(blob(encoded: 10_000))) == ["REQUEST 1 END: 10004"])
    #expect(client.starts(client.call()) == ["REQUEST 3 END: 4"])
  }

  @Test("The HELLO raises the credit of open streams")
  func raisesOpenStreams() {
    let client = ClientHarness(greets: false)
    let words = client.starts(client.call(blob(encoded: 200_000)))
    #expect(words.count == 5 && words.last?.hasPrefix("DATA 1 MORE") == true)
    let more = client.receive(Preface.bytes, hello { $0.initialStreamCredit = 1 << 20 })
    #expect(more.last?.hasPrefix("DATA 1 END") == true)
    #expect(client.frames.filter { $0.stream == 1 }.reduce(0) { $0 + $1.payload.count } == 200_004)
  }

  @Test("Calls wait in order for a stream of the server")
  func waitsForStreams() {
    let client = ClientHarness()
    let calls = (0..<102).map { _ in client.call() }
    for call in calls { client.end.submit(call) }
    #expect(client.drainOutput().count == 100)
    #expect(client.receive(frame(.response, stream: 5, [])) == ["REQUEST 201 END: 4"])
    #expect(client.receive(status(1, .aborted)) == ["REQUEST 203 END: 4"])
    #expect(calls[2].outcomes == ["reply of 0"])
    #expect(calls[0].outcomes == ["ABORTED"])
  }

  @Test(
    "U02, F01: a large request is split by frame size and credit, and a large reply gets CREDIT")
  func large() {
    let client = ClientHarness()
    let call = client.call(blob(encoded: 300_000))
    var words = client.starts(call)
    #expect(words.first == "REQUEST 1 MORE: 16384")
    for step in 1...5 as ClosedRange<UInt64> { words += client.receive(credit(1, step * 80_000)) }
    #expect(words.last?.hasPrefix("DATA 1 END") == true)
    let payload = client.frames.filter { $0.stream == 1 }.flatMap(\.payload)
    #expect(Array(payload.dropFirst(4)) == blob(encoded: 300_000))

    let reply = blob(encoded: 250_000)
    words = client.receive(frame(.response, .more, stream: 1, Array(reply[..<16_000])))
    for start in stride(from: 16_000, to: reply.count, by: 16_000) {
      let stop = min(start + 16_000, reply.count)
      words += client.receive(
        data(1, Array(reply[start..<stop]), stop == reply.count ? [] : .more))
    }
    #expect(call.replies == [reply])
    #expect(words.contains { $0.hasPrefix("CREDIT 1: ") })
  }

  @Test("Metadata before and after a single reply reaches the call")
  func metadata() {
    let client = ClientHarness()
    let call = client.call()
    #expect(client.starts(call).count == 1)
    var head = ResponseHead()
    head.metadata = [MetadataMessage("first", [1])]
    client.receive(frame(.headers, stream: 1, head.serializedBytes()), data(1, blob(encoded: 8)))
    #expect(call.outcomes == [], "the STATUS is still to come")
    client.receive(status(1, .ok) { $0.metadata = [MetadataMessage("last", [2])] })
    #expect(call.outcomes == ["reply of 8"])
    #expect(call.initialMetadata.values(of: "first") == [[1]])
    #expect(call.trailingMetadata.values(of: "last") == [[2]])
  }

  @Test("Single replies with a STATUS each that come together are those of their calls")
  func repliesTogether() {
    let client = ClientHarness()
    let calls = (0..<3).map { _ in client.call() }
    for call in calls { _ = client.starts(call) }
    client.receive(
      data(1, blob(encoded: 8)), status(1, .ok), data(3, blob(encoded: 24)), status(3, .ok),
      data(5, blob(encoded: 16)), status(5, .ok))
    #expect(calls.map(\.outcomes) == [["reply of 8"], ["reply of 24"], ["reply of 16"]])
  }

  @Test("U07: a status message with tabs, line ends and characters of every plane is preserved")
  func statusText() {
    let client = ClientHarness()
    let call = client.call()
    let text = "\t\ttest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n"
    #expect(client.starts(call).count == 1)
    client.receive(
      status(1, .unknown) {
        $0.message = text
        $0.retryAfterMilliseconds = -1
        $0.details = [DetailMessage("a.B", [1, 2])]
        $0.notProcessed = true
      })
    #expect(call.errors.first?.message == text)
    #expect(call.errors.first?.retryAfterMilliseconds == -1)
    #expect(call.errors.first?.details == [RPCError.Detail(type: "a.B", value: [1, 2])])
    #expect(call.outcomes == ["UNKNOWN, not processed"])
  }

  @Test("`not processed` is false after HEADERS or DATA")
  func processedAfterHeaders() {
    for begin in [frame(.headers, stream: 1), data(1, [])] {
      let client = ClientHarness()
      let call = client.call()
      #expect(client.starts(call).count == 1)
      client.receive(begin, status(1, .aborted) { $0.notProcessed = true })
      #expect(call.outcomes == ["ABORTED"])
    }
  }

  @Test("A status code that this version does not know keeps its number")
  func unknownCode() {
    let client = ClientHarness()
    let call = client.call()
    #expect(client.starts(call).count == 1)
    var message = StatusMessage()
    message.code = 99
    client.receive(frame(.status, stream: 1, message.serializedBytes()))
    #expect(call.outcomes == ["CODE_99"])
    #expect(call.errors.first?.code.rawValue == 99)
    #expect(call.errors.first?.description == "CODE_99 from the server: ")
  }

  static let wrongReplies: [([[UInt8]], String)] = [
    ([data(1, [1]), data(1, [2])], "UNIMPLEMENTED"),
    ([status(1, .ok)], "UNIMPLEMENTED"),
    ([data(1, [1]), frame(.response, stream: 1, [1])], "UNIMPLEMENTED"),
    (
      [
        frame(
          .headers, stream: 1,
          {
            var head = ResponseHead()
            head.metadata = [MetadataMessage("Bad Key", [])]
            return head.serializedBytes()
          }())
      ], "INTERNAL"
    ),
  ]

  @Test("U11: replies that violate the call's kind fail the call and cancel it at the server")
  func wrongReply() {
    for (index, (frames, code)) in Self.wrongReplies.enumerated() {
      let client = ClientHarness()
      let call = client.call()
      #expect(client.starts(call).count == 1)
      let words = client.receive(frames.flatMap { $0 })
      #expect(words == ["CANCEL 1 CANCELLED"], "case \(index)")
      #expect(call.outcomes == [code], "case \(index)")
      #expect(client.phase == .open)
    }
  }

  @Test("U16: a reply above the client's limit fails the call")
  func replyTooLarge() {
    var limits = Limits()
    limits.maxMessageBytes = 5_000
    let client = ClientHarness(limits: limits)
    let call = client.call()
    #expect(client.starts(call).count == 1)
    let part = [UInt8](repeating: 0, count: 3_000)
    #expect(
      client.receive(frame(.response, .more, stream: 1, part), data(1, part)) == [
        "CANCEL 1 CANCELLED"
      ])
    #expect(call.outcomes == ["RESOURCE_EXHAUSTED"])
  }

  @Test("U13: a request or metadata that can never be sent fails at once and blocks no other call")
  func neverFits() {
    let client = ClientHarness()
    let bad = client.call(metadata: ["Key": "value"])
    let heavy = client.call(metadata: ["k": String(repeating: "v", count: 8_192)])
    let large = client.call([UInt8](repeating: 0, count: 4 * 1_024 * 1_024 + 1))
    for call in [bad, heavy, large] { #expect(client.starts(call) == []) }
    #expect(bad.outcomes == ["INVALID_ARGUMENT, not processed"])
    #expect(heavy.outcomes == ["RESOURCE_EXHAUSTED, not processed"])
    #expect(large.outcomes == ["RESOURCE_EXHAUSTED, not processed"])
    #expect(client.starts(client.call()) == ["REQUEST 1 END: 4"])
  }

  @Test("A head that never fits a REQUEST fails and blocks no later call")
  func headNeverFits() {
    let client = ClientHarness(token: "")
    let heavy = client.call(metadata: ["k": String(repeating: "v", count: 5_000)])
    #expect(client.starts(heavy) == [])
    #expect(heavy.outcomes == ["RESOURCE_EXHAUSTED, not processed"])
    #expect(client.starts(client.call()) == ["REQUEST 1 END: 4"])
    #expect(client.receive(frame(.response, stream: 1)) == [])
    // A head that almost fills its frame is sent, with the message after it.
    let tight = client.call(
      blob(encoded: 2_000), metadata: ["k": String(repeating: "v", count: 4_060)])
    #expect(client.starts(tight) == ["REQUEST 3 MORE: 4096", "DATA 3 END: 1978"])
  }

  @Test("K01: a call that is cancelled before it is written sends nothing")
  func givenUpBefore() {
    let client = ClientHarness(token: "", greets: false)
    #expect(client.starts(client.call()).count == 2)
    let waiting = client.call()
    #expect(client.starts(waiting) == [])
    client.end.giveUp(waiting, RPCError(.cancelled, "enough"))
    #expect(client.drainOutput() == [])
    #expect(waiting.outcomes == ["CANCELLED, not processed"])
    #expect(client.receive(Preface.bytes, hello(), frame(.response, stream: 1)) == [])
  }

  @Test("K01: a cancelled call sends CANCEL; its late frames are dropped but use credit")
  func givenUp() {
    let client = ClientHarness()
    let call = client.call()
    #expect(client.starts(call).count == 1)
    client.end.giveUp(call, RPCError(.cancelled, "enough"))
    #expect(client.drainOutput() == ["CANCEL 1 CANCELLED"])
    client.end.giveUp(call, RPCError(.cancelled, "enough"))
    #expect(client.drainOutput() == [])
    let before = client.end.connection.pointee.core.window.received
    #expect(client.receive(frame(.response, stream: 1, [1, 2, 3]), status(1, .ok)) == [])
    #expect(client.end.connection.pointee.core.window.received == before + 35)
    #expect(call.outcomes == ["CANCELLED"])
  }

  @Test("K01: cancelling a call that is partly written stops it")
  func givenUpHalfWritten() {
    let client = ClientHarness()
    let call = client.call(blob(encoded: 200_000))
    #expect(client.starts(call).last?.hasPrefix("DATA 1 MORE") == true)
    client.end.giveUp(call, RPCError(.cancelled, "enough"))
    #expect(client.drainOutput() == ["CANCEL 1 CANCELLED"])
    #expect(client.receive(credit(1, 1 << 30)) == [])
    #expect(client.end.connection.pointee.core.queuedMessageBytes == 0)
  }

  @Test("D01: the client's deadline ends the call and sends CANCEL")
  func deadline() {
    let client = ClientHarness()
    let call = client.call(deadlineMilliseconds: 1)
    #expect(client.starts(call).count == 1)
    #expect(client.advance(milliseconds: 1) == ["CANCEL 1 DEADLINE_EXCEEDED"])
    #expect(call.outcomes == ["DEADLINE_EXCEEDED"])
    #expect(client.receive(frame(.response, stream: 1)) == [])
    #expect(call.outcomes.count == 1, "D06: one outcome")
  }

  @Test("D04: deadlines apply while connecting, and while waiting for a stream or credit")
  func deadlineWhileWaiting() {
    let connecting = ClientHarness(greets: false)
    connecting.reads = false
    let early = connecting.call(deadlineMilliseconds: 100)
    #expect(connecting.starts(early) == [])
    #expect(connecting.advance(milliseconds: 99) == [])
    #expect(early.outcomes == [])
    #expect(connecting.advance(milliseconds: 1) == [])
    #expect(early.outcomes == ["DEADLINE_EXCEEDED"])

    let full = ClientHarness()
    for _ in 0..<100 { #expect(full.starts(full.call()).count == 1) }
    let waiting = full.call(deadlineMilliseconds: 50)
    #expect(full.starts(waiting) == [])
    #expect(full.advance(milliseconds: 50) == [])
    #expect(waiting.outcomes == ["DEADLINE_EXCEEDED, not processed"])

    let poor = ClientHarness()
    let large = poor.call(blob(encoded: 200_000), deadlineMilliseconds: 50)
    #expect(poor.starts(large).isEmpty == false)
    #expect(poor.advance(milliseconds: 50) == ["CANCEL 1 DEADLINE_EXCEEDED"])
    #expect(large.outcomes == ["DEADLINE_EXCEEDED"])
  }

  @Test("D04: a call whose deadline has passed is not sent; the remaining time is rounded up")
  func deadlineRounding() throws {
    let client = ClientHarness()
    let call = client.call(deadlineMilliseconds: 10)
    client.reactor.nowNanoseconds += 9_999_999
    #expect(client.starts(call) == ["REQUEST 1 END: 6"])
    let head = try RequestHeadMessage(
      serializedBytes: Array(try #require(client.frames.last).payload.dropFirst()))
    #expect(head.timeoutMilliseconds == 1)
    let late = client.call(deadlineMilliseconds: 10)
    client.reactor.nowNanoseconds += 10_000_000
    #expect(client.starts(late).filter { $0.hasPrefix("REQUEST") } == [])
    #expect(late.outcomes == ["DEADLINE_EXCEEDED, not processed"])
  }

  @Test("Calls above the waiting limit are refused, and cancelled calls free their places")
  func tooManyWaiting() {
    var limits = Limits()
    limits.maxWaitingCalls = 3
    let client = ClientHarness(token: "", limits: limits, greets: false)
    #expect(client.starts(client.call()).count == 2)
    let waiting = (0..<3).map { _ in client.call() }
    for call in waiting { #expect(client.starts(call) == []) }
    let refused = client.call()
    #expect(client.starts(refused) == [])
    #expect(refused.outcomes == ["RESOURCE_EXHAUSTED, not processed"])
    client.end.giveUp(waiting[1], RPCError(.cancelled, "enough"))
    let accepted = client.call()
    #expect(client.starts(accepted) == [])
    #expect(accepted.outcomes == [])
  }
}
