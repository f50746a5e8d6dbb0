import QuiverProtobuf
import QuiverWire
import Testing

@testable import QuiverRPC

@Suite("Calls to the server", .timeLimit(.minutes(5)))
struct ServerCallTests {
  @Test("U01: an empty request has an empty reply")
  func emptyMessage() {
    let server = ServerHarness()
    #expect(server.receive(request(1, Number.echo)) == ["RESPONSE 1: 0"])
  }

  @Test("U02: 271,828 bytes are received in parts, and 314,159 are sent within the credit")
  func largeMessages() {
    let server = ServerHarness()
    let up = blob(encoded: 271_828)
    var words = server.receive(request(1, Number.echo, Array(up[..<10_000]), .more))
    for start in stride(from: 10_000, to: up.count, by: 16_000) {
      let end = min(start + 16_000, up.count)
      words += server.receive(data(1, Array(up[start..<end]), end == up.count ? .end : .more))
    }
    #expect(
      words.contains { $0.hasPrefix("CREDIT 1: ") }, "the window opens for what is reassembled")
    #expect(words.last == "RESPONSE 1 MORE: 16384" || words.contains("RESPONSE 1 MORE: 16384"))
    words += server.receive(credit(1, 1 << 20))
    let reply = server.frames.filter { $0.stream == 1 && [.response, .data].contains($0.type) }
    #expect(reply.flatMap(\.payload) == up)
    #expect(reply.first?.type == .response)
    #expect(reply.dropFirst().allSatisfy { $0.type == .data })
    #expect(reply.dropLast().allSatisfy { $0.header.flags == .more && $0.payload.count >= 1_024 })
    #expect(reply.last?.header.flags == [])
    #expect(server.openStreams == 0)

    server.receive(request(3, Number.source, Blob([4, 203, 47]).serializedBytes()))
    #expect(server.receive(credit(3, 1 << 20)).isEmpty == false)
    let down = server.frames.filter { $0.stream == 3 }.flatMap(\.payload)
    #expect((try? Blob(serializedBytes: down))?.data.count == 314_159)
  }

  @Test(
    "U08: every status code is returned as it was thrown", arguments: StatusCode.known.dropFirst())
  func codes(_ code: StatusCode) {
    let server = ServerHarness()
    let words = server.receive(
      request(1, Number.fail, Blob([UInt8(code.rawValue)]).serializedBytes()))
    #expect(words == ["STATUS 1 \(code.name)"])
    #expect(server.lastStatus?.message == "as asked")
  }

  @Test("U10: unknown methods are refused, by id and by name")
  func unknownMethods() {
    let server = ServerHarness()
    for (index, id) in [1, 255, 65_535, UInt32.max].enumerated() {
      let stream = UInt32(2 * index + 1)
      #expect(
        server.receive(request(stream, id)) == ["STATUS \(stream) UNIMPLEMENTED, not processed"])
    }
    let byName = request(101, 0) { $0.methodName = "quiver.test.Talk/Sing" }
    #expect(server.receive(byName) == ["STATUS 101 UNIMPLEMENTED, not processed"])
  }

  @Test("A method is found by name")
  func byName() {
    let server = ServerHarness()
    let call = request(1, 0, blob(encoded: 5)) { $0.methodName = "quiver.test.Talk/Echo" }
    #expect(server.receive(call) == ["RESPONSE 1: 5"])
  }

  static let badHeads: [@Sendable (inout RequestHeadMessage) -> Void] = [
    { $0.methodID = 0 },
    { $0.methodName = "quiver.test.Talk/Echo" },
    { $0.idempotencyKey = [1, 2, 3] },
    { $0.metadata = [MetadataMessage("Upper", [1])] },
    { $0.metadata = [MetadataMessage("", [1])] },
    { $0.metadata = [MetadataMessage(String(repeating: "k", count: 65), [1])] },
    { $0.metadata = [MetadataMessage("sp ace", [1])] },
  ]

  @Test("Heads with no method or two, a key of a wrong size, or bad metadata keys are refused")
  func invalidHeads() {
    for (index, change) in Self.badHeads.enumerated() {
      let server = ServerHarness()
      #expect(
        server.receive(request(1, Number.echo, [], .end, change))
          == ["STATUS 1 INVALID_ARGUMENT, not processed"], "case \(index)")
      #expect(server.receive(request(3, Number.echo)) == ["RESPONSE 3: 0"])
    }
  }

  @Test("A head that does not decode ends its call only")
  func malformedHead() {
    let server = ServerHarness()
    let words = server.receive(request(1, head: [0xFF, 0xFF]), request(3, Number.echo))
    #expect(words == ["STATUS 1 INVALID_ARGUMENT, not processed", "RESPONSE 3: 0"])
  }

  @Test("A request that does not decode ends its call before the handler runs")
  func malformedMessage() {
    let server = ServerHarness()
    #expect(
      server.receive(request(1, Number.hold, [0x0A, 0x05, 1]))
        == ["STATUS 1 INVALID_ARGUMENT, not processed"])
    #expect(server.held.count == 0)
    #expect(server.receive(request(3, Number.echo)) == ["RESPONSE 3: 0"])
  }

  @Test("U11: a unary method refuses any other number of messages than one")
  func wrongNumberOfMessages() {
    let server = ServerHarness()
    #expect(server.receive(request(1, Number.echo, [], [])) == [])
    #expect(
      server.receive(frame(.close, stream: 1)) == ["STATUS 1 UNIMPLEMENTED, not processed"])
    #expect(server.receive(request(3, Number.echo, [], [])) == [])
    #expect(server.receive(data(3, blob(encoded: 4))) == [])
    #expect(server.receive(data(3, [], .end)) == ["STATUS 3 UNIMPLEMENTED, not processed"])
  }

  @Test("One message may be sent as DATA with END or with CLOSE")
  func messageAsData() {
    let server = ServerHarness()
    #expect(server.receive(request(1, Number.echo, [], []), data(1, [], .end)) == ["RESPONSE 1: 0"])
    let words = server.receive(
      request(3, Number.echo, [], []), data(3, blob(encoded: 9)), frame(.close, stream: 3))
    #expect(words == ["RESPONSE 3: 9"])
    let part = blob(encoded: 3_000)
    let cut = server.receive(
      request(5, Number.echo, [], []), data(5, Array(part[..<2_000]), .more),
      data(5, Array(part[2_000...])), frame(.close, stream: 5))
    #expect(cut == ["RESPONSE 5: 3000"])
  }

  @Test("C11: a message may be split after the head with nothing in the first frame")
  func nothingInTheFirstFrame() {
    let fresh = ServerHarness()
    // A late clock: the time of the message counts, not the clock's start.
    #expect(fresh.advance(milliseconds: 59_000) == [])
    #expect(fresh.receive(ping(1)) == ["PING END"])
    #expect(fresh.advance(milliseconds: 59_000) == [])
    let message = blob(encoded: 1_500)
    #expect(fresh.receive(request(1, Number.echo, [], .more)) == [])
    #expect(fresh.advance(milliseconds: 30_000) == [])
    #expect(fresh.receive(data(1, message, .end)) == ["RESPONSE 1: 1500"])
  }

  @Test("U12: metadata arrives in order, repeated and binary")
  func metadata() {
    let server = ServerHarness()
    let entries = [
      MetadataMessage("a", [1]), MetadataMessage("b.c_d-9", [0, 255]), MetadataMessage("a", []),
    ]
    #expect(server.receive(request(1, Number.hold, [], .end) { $0.metadata = entries }) == [])
    let seen = server.held.take().context.metadata
    #expect(seen.entries.map(\.key) == ["a", "b.c_d-9", "a"])
    #expect(seen.values(of: "a") == [[1], []])
    #expect(seen.values(of: "b.c_d-9") == [[0, 255]])
  }

  @Test("U13, A06: metadata at its limit is accepted, and above it refused")
  func metadataLimits() {
    func call(_ entries: [MetadataMessage]) -> [String] {
      ServerHarness().receive(request(1, Number.echo, [], .end) { $0.metadata = entries })
    }
    let full = MetadataMessage("k", [UInt8](repeating: 0, count: 8_191))
    #expect(call([full]) == ["RESPONSE 1: 0"])
    #expect(
      call([full, MetadataMessage("k", [])]) == ["STATUS 1 RESOURCE_EXHAUSTED, not processed"])
    let many = [MetadataMessage](repeating: MetadataMessage("k", []), count: 64)
    #expect(call(many) == ["RESPONSE 1: 0"])
    #expect(
      call(many + [MetadataMessage("k", [])]) == ["STATUS 1 RESOURCE_EXHAUSTED, not processed"])
  }

  @Test("The handler sees a key of 16 bytes, the trace and the attempt")
  func heads() {
    let server = ServerHarness()
    let key = Array(1...16).map(UInt8.init)
    let message = blob(encoded: 7)
    let call = request(1, Number.hold, message) {
      $0.idempotencyKey = key
      $0.traceparent = [UInt8](repeating: 3, count: 25)
      $0.attempt = 2
    }
    #expect(server.receive(call) == [])
    let context = server.held.take().context
    #expect(context.idempotencyKey?.bytes == key)
    #expect(context.keyedRequest == message)
    #expect(context.traceparent == [UInt8](repeating: 3, count: 25))
  }

  @Test("An idempotency key on a streaming call is refused")
  func keyOnStream() {
    let server = ServerHarness()
    let call = request(1, Number.serverStream) { $0.idempotencyKey = [UInt8](1...16) }
    #expect(server.receive(call) == ["STATUS 1 INVALID_ARGUMENT, not processed"])
  }

  @Test("U14: 64 KiB of details pass")
  func details() throws {
    let server = ServerHarness()
    #expect(server.receive(request(1, Number.hold)) == [])
    let value = [UInt8](repeating: 7, count: 65_536 - 10)
    let detail = RPCError.Detail(type: "quiver.A/B", value: value)
    server.held.take().responder.fail(RPCError(.aborted, "see the detail", details: [detail]))
    #expect(server.drainOutput() == ["STATUS 1 ABORTED"])
    let status = try #require(server.lastStatus)
    #expect(status.details.map(\.value) == [value])
  }

  @Test("U15: a single reply with trailing metadata is sent as DATA and STATUS")
  func trailingMetadata() throws {
    let server = ServerHarness()
    #expect(server.receive(request(1, Number.hold)) == [])
    let machine = server.end.connection
    machine.pointee.sendHeaders(stream: 1, ["first": "one"])
    machine.pointee.sendMessage(stream: 1, blob(encoded: 30))
    machine.pointee.finishStream(stream: 1, trailing: ["last": "two"])
    machine.pointee.endTurn(now: server.now, gotInput: false)
    #expect(server.drainOutput() == ["HEADERS 1", "DATA 1: 30", "STATUS 1 OK"])
    #expect(
      try #require(server.lastStatus).metadata == [MetadataMessage("last", Array("two".utf8))])
    #expect(server.openStreams == 0)
  }

  @Test("U16: a reply above the client's limit fails the call with both sizes")
  func replyTooLarge() throws {
    let server = ServerHarness(hello: { $0.maxMessageBytes = 5_000 })
    #expect(server.receive(request(1, Number.echo, blob(encoded: 5_000))) == ["RESPONSE 1: 5000"])
    #expect(
      server.receive(request(3, Number.echo, blob(encoded: 5_001))) == [
        "STATUS 3 RESOURCE_EXHAUSTED"
      ]
    )
    #expect(try #require(server.lastStatus).message.contains("5001"))
  }

  @Test("A request above the server's limit is refused, whole or in parts")
  func requestTooLarge() {
    var limits = Limits()
    limits.maxMessageBytes = 5_000
    let server = ServerHarness(.knownOtherwise, limits: limits)
    #expect(server.receive(request(1, Number.echo, blob(encoded: 5_000))) == ["RESPONSE 1: 5000"])
    #expect(
      server.receive(request(3, Number.echo, blob(encoded: 5_001)))
        == ["STATUS 3 RESOURCE_EXHAUSTED, not processed"])
    let part = [UInt8](repeating: 0, count: 4_000)
    #expect(server.receive(request(5, Number.echo, part, .more)) == [])
    #expect(
      server.receive(data(5, part, .more), data(5, part, .end))
        == ["STATUS 5 RESOURCE_EXHAUSTED, not processed"])
    #expect(server.openStreams == 0)
  }

  @Test("Replies are sent in the order in which handlers finish")
  func outOfOrder() {
    let server = ServerHarness()
    #expect(server.receive(request(1, Number.hold), request(3, Number.hold)) == [])
    let (first, second) = (server.held.take(), server.held.take())
    second.responder.succeed(Blob())
    #expect(server.drainOutput() == ["RESPONSE 3: 0"])
    first.responder.fail(RPCError(.aborted, "no"))
    #expect(server.drainOutput() == ["STATUS 1 ABORTED"])
  }

  @Test("The first reply of a responder counts")
  func firstAnswer() {
    let server = ServerHarness()
    #expect(server.receive(request(1, Number.hold)) == [])
    let call = server.held.take()
    call.responder.succeed(Blob(count: 1))
    call.responder.fail(RPCError(.aborted, "no"))
    call.responder.succeed(encoded: [1, 2])
    #expect(server.drainOutput() == ["RESPONSE 1: 3"])
  }

  @Test("A responder that is dropped without a reply ends its call with INTERNAL")
  func lostResponder() {
    let server = ServerHarness()
    #expect(server.receive(request(1, Number.hold)) == [])
    _ = server.held.take()
    #expect(server.drainOutput() == ["STATUS 1 INTERNAL"])
    #expect(server.openStreams == 0)
  }

  @Test("The reply of a suspended async handler is sent when it resumes")
  func asyncHandler() {
    let server = ServerHarness()
    #expect(server.receive(request(1, Number.asyncEcho, blob(encoded: 12))) == [])
    #expect(server.openStreams == 1)
    server.held.openGates()
    #expect(server.drainOutput() == ["RESPONSE 1: 12"])
    #expect(server.openStreams == 0)
  }

  @Test("The 101st concurrent call is refused, and the others are not affected")
  func tooManyStreams() {
    let server = ServerHarness()
    for index in 0..<100 {
      #expect(server.receive(request(UInt32(2 * index + 1), Number.hold)) == [])
    }
    #expect(
      server.receive(request(201, Number.echo)) == ["STATUS 201 RESOURCE_EXHAUSTED, not processed"])
    server.held.take().responder.succeed(Blob())
    #expect(server.drainOutput() == ["RESPONSE 1: 0"])
    #expect(server.receive(request(203, Number.echo)) == ["RESPONSE 203: 0"])
  }
}

extension MetadataMessage {
  init(_ key: String, _ value: [UInt8]) {
    self.init()
    self.key = key
    self.value = value
  }
}
