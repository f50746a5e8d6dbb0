import QuiverProtobuf
import QuiverWire
import QuiverZstd
import Testing

@testable import QuiverRPC

@Suite("Compressed messages", .timeLimit(.minutes(5)))
struct CompressionTests {
  let zstd = Zstd()

  func compressed(_ message: [UInt8]) -> [UInt8] {
    message.withUnsafeBytes { zstd.compress($0, below: .max) } ?? []
  }

  /// A blob of text that compresses within the allowed ratio.
  static func text(_ byteCount: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var line = 0
    while bytes.count < byteCount {
      bytes += Array("arrow \(line) of end \(line / 6): ten\n".utf8)
      line += 1
    }
    return Blob(Array(bytes.prefix(byteCount))).serializedBytes()
  }

  static func noise(_ byteCount: Int) -> [UInt8] {
    var state: UInt64 = 7
    return Blob(
      (0..<byteCount).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1
        return UInt8(truncatingIfNeeded: state >> 33)
      }
    ).serializedBytes()
  }

  func server(
    _ limits: Limits = Limits(), lists: [String] = ["zstd"], compresses: Bool = true
  ) -> ServerHarness {
    ServerHarness(limits: limits, compressor: compresses ? zstd : nil) { $0.compression = lists }
  }

  /// The messages of the received frames of a stream, compressed or not.
  func messages(_ frames: [ReceivedFrame], stream: UInt32) throws -> [(
    isCompressed: Bool, bytes: [UInt8]
  )] {
    var messages: [(isCompressed: Bool, bytes: [UInt8])] = []
    var goesOn = false
    for frame in frames where frame.stream == stream {
      guard frame.type == .response || frame.type == .data else { continue }
      let isCompressed = frame.header.flags.contains(.compressed)
      if goesOn {
        #expect(!isCompressed, "COMPRESSED inside a message")
        messages[messages.count - 1].bytes += frame.payload
      } else {
        messages.append((isCompressed, frame.payload))
      }
      goesOn = frame.header.flags.contains(.more)
    }
    return try messages.map {
      ($0.isCompressed, $0.isCompressed ? try inflated($0.bytes) : $0.bytes)
    }
  }

  func inflated(_ frame: [UInt8]) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try frame.withUnsafeBytes { frame in
      try zstd.inflate(frame, limit: 1 << 24) { bytes += Array($0) }
    }
    return bytes
  }

  // MARK: The server

  @Test("The server's HELLO lists its compression to authenticated clients")
  func serverHello() throws {
    let known = server()
    let said = try #require(known.frames.first { $0.type == .hello })
    #expect(try Hello(serializedBytes: said.payload).compression == ["zstd"])
    let nobody = ServerHarness(.nobody, compressor: zstd)
    let saidToNobody = try #require(nobody.frames.first { $0.type == .hello })
    #expect(try Hello(serializedBytes: saidToNobody.payload).compression == [])
  }

  @Test(
    "A compressed request has the same reply as an uncompressed one, and the reply is compressed"
  )
  func unary() throws {
    let server = server()
    let message = Self.text(200_000)
    server.receive(credit(0, 1 << 40))
    #expect(
      server.receive(request(1, Number.echo, compressed(message), [.end, .compressed])).count > 0)
    server.receive(credit(1, 1 << 40))
    let replies = try messages(server.frames, stream: 1)
    #expect(replies.count == 1)
    #expect(replies.first?.isCompressed == true)
    #expect(replies.first?.bytes == message)
    #expect(server.openStreams == 0)
  }

  @Test("A compressed message in parts has COMPRESSED on the first part, even an empty one")
  func parts() throws {
    let server = server()
    let message = Self.noise(3_000) + Self.text(3_000)
    let frame = compressed(message)
    server.receive(
      request(1, Number.hold, [], [.more, .compressed]), data(1, Array(frame.prefix(1_500)), .more),
      data(1, Array(frame.dropFirst(1_500)), .end))
    #expect(server.held.take().request.data.count > 0)
    // A call that waits for CLOSE.
    server.receive(request(3, Number.hold, [], []), data(3, frame, .compressed))
    #expect(server.held.count == 0)
    server.receive(QuiverRPCTests.frame(.close, stream: 3, []))
    #expect(server.held.take().request.data.count > 0)
  }

  @Test("A small reply, and one that does not get smaller, is not compressed")
  func pays() throws {
    let server = server()
    server.receive(credit(0, 1 << 40))
    for (stream, message, isCompressed) in [
      (1, Self.text(900), false), (3, Self.text(1_100), true), (5, Self.noise(5_000), false),
    ] as [(UInt32, [UInt8], Bool)] {
      server.receive(request(stream, Number.echo, message))
      let replies = try messages(server.frames, stream: stream)
      #expect(replies.map(\.isCompressed) == [isCompressed])
      #expect(replies.first?.bytes == message)
    }
  }

  @Test("A reply is compressed from the configured size on")
  func threshold() {
    for difference in [0, 1] {
      let reply = Self.text(3_000)
      var limits = Limits()
      limits.compressFromBytes = reply.count + difference
      let server = server(limits)
      server.receive(request(1, Number.echo, reply))
      let isCompressed = server.frames.last?.header.flags.contains(.compressed)
      #expect(isCompressed == (difference == 0))
    }
  }

  @Test("After messages that do not get smaller, fewer ones are tried until one does")
  func attempts() {
    var heuristic = CompressionHeuristic()
    var tried: [Int] = []
    for number in 0..<400 where heuristic.shouldTry() {
      tried.append(number)
      heuristic.record(succeeded: false)
    }
    #expect(tried == [0, 3, 8, 17, 34, 67, 132, 197, 262, 327, 392])
    while !heuristic.shouldTry() {}
    heuristic.record(succeeded: true)
    #expect(heuristic.shouldTry() && heuristic.shouldTry())
  }

  @Test("A message that would exceed the inflate ratio is sent uncompressed")
  func ratio() throws {
    let server = server()
    server.receive(credit(0, 1 << 40))
    server.receive(request(1, Number.source, Blob([0x08, 0, 0]).serializedBytes()))
    server.receive(credit(1, 1 << 40))
    // Half a megabyte that repeats after 256 bytes.
    let replies = try messages(server.frames, stream: 1)
    #expect(replies.map(\.isCompressed) == [false])
    #expect(replies.first?.bytes.count ?? 0 > 524_288)
  }

  @Test(
    "Nothing is compressed for a client that lists no known compression",
    arguments: [
      [], ["gzip"],
    ])
  func unlisted(_ list: [String]) throws {
    let server = server(lists: list)
    server.receive(request(1, Number.echo, Self.text(5_000)))
    #expect(try messages(server.frames, stream: 1).map(\.isCompressed) == [false])
  }

  @Test("Messages of a reply stream are compressed separately")
  func replyStream() throws {
    let server = server()
    server.receive(credit(0, 1 << 40))
    server.receive(request(1, Number.serverStream, []))
    let machine = server.end.connection
    let sent = [Self.text(4_000), Self.text(10), Self.text(60_000)]
    for message in sent {
      _ = machine.pointee.sendMessage(stream: 1, message)
      machine.pointee.endTurn(now: server.now, gotInput: false)
      server.drainOutput()
    }
    let frames = try messages(server.frames, stream: 1)
    #expect(frames.map(\.isCompressed) == [true, false, true])
    #expect(frames.map(\.bytes) == sent)
  }

  @Test("A compressed message without negotiation ends the connection")
  func unnegotiated() {
    let server = server(compresses: false)
    let words = server.receive(
      request(1, Number.echo, compressed(Self.text(2_000)), [.end, .compressed]))
    #expect(words == ["GOAWAY PROTOCOL_ERROR, last 0"])
  }

  @Test("COMPRESSED on another frame than the first of a message ends the connection")
  func misplaced() {
    let frame = compressed(Self.noise(3_000) + Self.text(3_000))
    for bytes in [
      request(1, Number.hold, Array(frame.prefix(1_024)), [.more, .compressed])
        + data(1, Array(frame.dropFirst(1_024)), [.end, .compressed]),
      request(1, Number.hold, Array(frame.prefix(1_024)), .more)
        + data(1, Array(frame.dropFirst(1_024)), [.end, .compressed]),
      request(1, Number.bidirectional, [], .compressed),
      QuiverRPCTests.frame(.close, .compressed, stream: 1),
    ] {
      let server = server()
      #expect(server.receive(bytes).last?.hasPrefix("GOAWAY PROTOCOL_ERROR") == true)
    }
  }

  @Test("A message that does not inflate ends its call with INVALID_ARGUMENT, counted as provoked")
  func malformed() {
    let server = server()
    let frame = compressed(Self.text(2_000))
    for (stream, wrong) in [
      (1, Array(frame.dropLast())), (3, frame + [0]), (5, []), (7, Self.text(50)),
      (9, frame + frame),
    ] as [(UInt32, [UInt8])] {
      let words = server.receive(request(stream, Number.echo, wrong, [.end, .compressed]))
      #expect(words == ["STATUS \(stream) INVALID_ARGUMENT, not processed"])
    }
    #expect(server.openStreams == 0)
    var words: [String] = []
    for call in 5..<210 where server.phase == .open {
      words = server.receive(request(UInt32(call) * 2 + 1, Number.echo, [1], [.end, .compressed]))
    }
    #expect(words.last?.hasPrefix("GOAWAY ENHANCE_YOUR_CALM") == true)
  }

  @Test("A07: a compression bomb ends its call while it inflates, by message limit and by ratio")
  func bomb() {
    // Zeros: 16 MiB in about 1.5 KB, 8 MiB over the limit of one message.
    let server = server()
    let huge = compressed([UInt8](repeating: 0, count: 16 << 20))
    #expect(huge.count < 4_096)
    #expect(
      server.receive(request(1, Number.echo, huge, [.end, .compressed]))
        == ["STATUS 1 RESOURCE_EXHAUSTED, not processed"])
    // Below the message limit and above the ratio.
    let steep = compressed(Blob([UInt8](repeating: 0, count: 2 << 20)).serializedBytes())
    #expect(
      server.receive(request(3, Number.echo, steep, [.end, .compressed]))
        == ["STATUS 3 RESOURCE_EXHAUSTED, not processed"])
    #expect(server.lastStatus?.message.contains("256 times") == true)
    // Small messages may have any ratio.
    let small = Blob([UInt8](repeating: 0, count: 60_000)).serializedBytes()
    #expect(
      server.receive(request(5, Number.hold, compressed(small), [.end, .compressed])) == [])
    #expect(server.held.take().request.data.count == 60_000)
    #expect(server.phase == .open)
    #expect(server.end.connection.pointee.core.heldInputBytes == 0)
  }

  @Test("A compression bomb in a stream ends that call only")
  func bombInStream() {
    let server = server()
    let steep = compressed([UInt8](repeating: 0, count: 2 << 20))
    server.receive(request(1, Number.bidirectional, [], []))
    let words = server.receive(data(1, steep, .compressed))
    #expect(words.isEmpty && server.held.cancelledCount == 1)
    server.held.take().responder.fail(RPCError(.cancelled, "given up"))
    #expect(server.drainOutput() == ["STATUS 1 RESOURCE_EXHAUSTED"])
    #expect(server.receive(request(3, Number.echo, [])) == ["RESPONSE 3: 0"])
  }

  @Test("F11: the memory of a compressed message is released when it is read")
  func untaken() {
    let server = server()
    let message = Self.text(20_000)
    let frame = compressed(message)
    server.receive(request(1, Number.bidirectional, [], []))
    for _ in 0..<4 { server.receive(data(1, frame, .compressed)) }
    let machine = server.end.connection
    #expect(machine.pointee.core.heldInputBytes == 4 * message.count)
    for left in [3, 2, 1, 0] {
      machine.pointee.took(
        stream: 1, charge: UInt64(frame.count + Limits.frameCharge), byteCount: message.count)
      #expect(machine.pointee.core.heldInputBytes == left * message.count)
    }
  }

  // MARK: The client

  func client(
    _ limits: Limits = Limits(), lists: [String] = ["zstd"], greets: Bool = true
  ) -> ClientHarness {
    ClientHarness(limits: limits, greets: greets, compressor: zstd) { $0.compression = lists }
  }

  @Test("A client lists its compression, and compresses after the server's HELLO lists it")
  func clientRequests() throws {
    let client = client(greets: false)
    let message = Self.text(9_000)
    let early = client.starts(client.call(message))
    #expect(early == ["HELLO", "REQUEST 1 END: \(message.count + 4)"])
    let said = try #require(client.frames.first { $0.type == .hello })
    #expect(try Hello(serializedBytes: said.payload).compression == ["zstd"])
    client.receive(Preface.bytes, hello { $0.compression = ["zstd"] })
    #expect(client.starts(client.call(message)).count == 1)
    let later = try #require(client.frames.last)
    #expect(later.header.flags == [.end, .compressed])
    #expect(try inflated(Array(later.payload.dropFirst(4))) == message)
    let plain = ClientHarness(compressor: nil) { $0.compression = ["zstd"] }
    #expect(plain.starts(plain.call(message)) == ["REQUEST 1 END: \(message.count + 4)"])
  }

  @Test("A request that is large after compression is sent in parts, the first with COMPRESSED")
  func clientParts() throws {
    let client = client()
    let message = Self.noise(20_000) + Self.text(20_000)
    _ = client.starts(client.call(message))
    let frames = client.frames.filter { $0.stream == 1 }
    #expect(frames.map(\.header.flags) == [[.more, .compressed], .end])
    let bytes = frames[0].payload.dropFirst(4) + frames[1].payload
    #expect(try inflated(Array(bytes)) == message)
  }

  @Test("Messages of a request stream are compressed after the server's HELLO")
  func requestStream() throws {
    let client = client()
    let call = client.call(kind: .clientStreaming)
    _ = client.starts(call)
    client.end.withMachine { _ = $0.send(call, Self.text(4_000)) }
    client.drainOutput()
    let frames = try #require(client.frames.last)
    #expect(frames.header.flags == .compressed)
    #expect(try inflated(frames.payload) == Self.text(4_000))
  }

  @Test("Queued messages of a request stream are compressed as the opening connection allows")
  func earlyMessages() throws {
    let message = Self.text(4_000)
    // The only stream of an anonymous client is in use.
    let full = ClientHarness(token: "", compressor: zstd) { $0.compression = ["zstd"] }
    _ = full.starts(full.call())
    let call = full.call(kind: .clientStreaming)
    _ = full.starts(call)
    full.end.withMachine { _ = $0.send(call, message) }
    #expect(full.drainOutput() == [])
    let other = client(lists: [])
    _ = other.starts(RecordedCall(again: call, attempt: 1))
    #expect(other.frames.last?.payload == message)
    #expect(other.frames.last?.header.flags.contains(.compressed) == false)
    full.receive(QuiverRPCTests.frame(.response, stream: 1, []))
    #expect(full.frames.last?.header.flags == .compressed)
    #expect(try inflated(full.frames.last?.payload ?? []) == message)
  }

  @Test("A sender that waits on a full stream is notified of free space, however small")
  func earlyRoom() {
    let client = ClientHarness(token: "", compressor: zstd) { $0.compression = ["zstd"] }
    _ = client.starts(client.call())
    let call = client.call(kind: .clientStreaming)
    _ = client.starts(call)
    client.end.withMachine { machine in while machine.send(call, Self.text(4_000)) == .room {} }
    #expect(call.roomCount == 0)
    client.receive(QuiverRPCTests.frame(.response, stream: 1, []))
    client.drainOutput()
    #expect(call.roomCount == 1)
  }

  @Test("A call that is used again is sent as its new connection allows")
  func usedAgain() {
    let first = client()
    let call = first.call(Self.text(9_000))
    _ = first.starts(call)
    #expect(first.frames.last?.header.flags == [.end, .compressed])
    first.receive(QuiverRPCTests.frame(.response, stream: 1, []))
    call.reuse(deadlineNanoseconds: 0, idempotencyKey: nil)
    let second = client(lists: [])
    _ = second.starts(call)
    #expect(second.frames.last?.header.flags == .end)
  }

  @Test("Compressed replies reach the call inflated, complete or in parts")
  func clientReplies() {
    let client = client()
    let message = Self.noise(3_000) + Self.text(3_000)
    let frame = compressed(message)
    let calls = [client.call(), client.call()]
    for call in calls { _ = client.starts(call) }
    client.receive(
      QuiverRPCTests.frame(.response, .compressed, stream: 1, frame),
      QuiverRPCTests.frame(
        .response, [.more, .compressed], stream: 3, Array(frame.prefix(1_024))),
      QuiverRPCTests.frame(.data, stream: 3, Array(frame.dropFirst(1_024))))
    #expect(calls.map(\.replies) == [[message], [message]])
  }

  @Test("A reply that does not inflate is INTERNAL; one above the limit is RESOURCE_EXHAUSTED")
  func badReplies() {
    let client = client()
    let calls = [client.call(), client.call()]
    for call in calls { _ = client.starts(call) }
    let steep = compressed([UInt8](repeating: 0, count: 2 << 20))
    let words = client.receive(
      QuiverRPCTests.frame(.response, .compressed, stream: 1, [1, 2, 3]),
      QuiverRPCTests.frame(.response, .compressed, stream: 3, steep))
    #expect(words == ["CANCEL 1 CANCELLED", "CANCEL 3 CANCELLED"])
    #expect(calls.map(\.outcomes) == [["INTERNAL"], ["RESOURCE_EXHAUSTED"]])
    #expect(client.phase == .open)
    #expect(
      ClientHarness().receive(
        QuiverRPCTests.frame(.response, .compressed, stream: 1, [1])
      ).last?.hasPrefix("GOAWAY PROTOCOL_ERROR") == true)
  }

  @Test("Random bytes instead of a compressed message end the call, and the connection stays open")
  func anyBytes() {
    let server = server()
    var random = SystemRandomNumberGenerator()
    let seed = random.next()
    var state = seed
    let frame = compressed(Self.text(3_000))
    for call in 0..<150 {
      var bytes = frame
      for _ in 0..<4 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 25)
      }
      let words = server.receive(
        request(UInt32(call) * 2 + 1, Number.echo, bytes, [.end, .compressed]))
      #expect(words.count >= 1 && server.phase == .open, "seed \(seed)")
    }
  }
}
