import QuiverAPI
import QuiverClient
import QuiverDispatch
import QuiverRPC
import QuiverService
import QuiverWire
import Synchronization
import Testing

@Suite("Streams over a real server", .timeLimit(.minutes(5)))
struct DiagnosticsStreamTests {
  @Test("U03: a server stream delivers every message in order")
  func source() async throws {
    try await TestServer.run { server in
      let client = try server.client().client
      var request = SourceRequest()
      request.sizes = [31_415, 9, 2_653, 58_979, 0]
      var sizes: [UInt32] = []
      var numbers: [UInt64] = []
      for try await message in try client.stream(Diagnostics.source, request) {
        sizes.append(UInt32(message.payload.count))
        numbers.append(message.number)
      }
      #expect(sizes == request.sizes)
      #expect(numbers == [1, 2, 3, 4, 5])
    }
  }

  @Test("A stream delivers a hundred thousand small messages once and in order")
  func manyMessages() async throws {
    try await TestServer.run { server in
      let client = try server.client().client
      var request = SourceRequest()
      request.count = 100_000
      request.size = 48
      var expected: UInt64 = 0
      for try await message in try client.stream(Diagnostics.source, request) {
        expected += 1
        guard message.number == expected, message.payload.count == 48 else {
          Issue.record("message \(expected) was \(message.number)")
          return
        }
      }
      #expect(expected == 100_000)
    }
  }

  @Test("U04: a client stream is counted and has one reply")
  func sink() async throws {
    try await TestServer.run { server in
      let client = try server.client().client
      let call = try client.open(Diagnostics.sink)
      for size in [27_182, 8, 1_828, 45_904] {
        var message = EchoMessage()
        message.payload = [UInt8](repeating: 1, count: size)
        try await call.send(message)
      }
      let answer = try await call.reply().message
      #expect(answer.payloadBytes == 74_922 && answer.messageCount == 4)
    }
  }

  @Test("F01: messages larger than the window pass in both directions")
  func largeMessages() async throws {
    try await TestServer.run { server in
      let client = try server.client().client
      let call = try client.open(Diagnostics.echoStream)
      var replies = call.replies.makeAsyncIterator()
      for size in [271_828, 1, 3_000_000] {
        var message = EchoMessage()
        message.payload = [UInt8](repeating: 7, count: size)
        try await call.send(message)
        let reply = try await replies.next()
        #expect(reply == message, "\(size) bytes")
      }
      call.finish()
      let end = try await replies.next()
      #expect(end == nil)
    }
  }

  @Test("U05: a ping-pong stream continues while both ends send")
  func pingPong() async throws {
    try await TestServer.run { server in
      let client = try server.client().client
      let call = try client.open(Diagnostics.echoStream)
      var replies = call.replies.makeAsyncIterator()
      for number in 1...200 as ClosedRange<UInt64> {
        var message = EchoMessage()
        message.number = number
        try await call.send(message)
        let reply = try await replies.next()
        #expect(reply?.number == number)
      }
      call.finish()
      #expect(try await replies.next() == nil)
    }
  }

  @Test("U06: empty streams of all kinds end with OK")
  func empty() async throws {
    try await TestServer.run { server in
      let client = try server.client().client
      var source = try client.stream(Diagnostics.source, SourceRequest()).makeAsyncIterator()
      let message = try await source.next()
      #expect(message == nil)
      #expect(try await client.open(Diagnostics.sink).reply().message == SinkResponse())
      let call = try client.open(Diagnostics.echoStream)
      call.finish()
      var echo = call.replies.makeAsyncIterator()
      let reply = try await echo.next()
      #expect(reply == nil)
    }
  }

  @Test("Messages are sent from a sequence, and replies are read as a sequence")
  func sequences() async throws {
    try await TestServer.run { server in
      let client = try server.client().client
      let (messages, source) = AsyncStream<EchoMessage>.makeStream()
      let reading = Task {
        try await client.stream(Diagnostics.echoStream, sending: messages)
          .reduce(into: [UInt64]()) { $0.append($1.number) }
      }
      for number in 1...50 as ClosedRange<UInt64> {
        var message = EchoMessage()
        message.number = number
        source.yield(message)
      }
      source.finish()
      #expect(try await reading.value == Array(1...50))

      let (more, second) = AsyncStream<EchoMessage>.makeStream()
      for _ in 0..<10 { second.yield(EchoMessage()) }
      second.finish()
      let answer: SinkResponse = try await client.call(Diagnostics.sink, sending: more)
      #expect(answer.messageCount == 10)
    }
  }

  @Test("U08: each status arrives on each kind of call", arguments: 1...16 as ClosedRange<UInt32>)
  func everyStatus(code: UInt32) async throws {
    try await TestServer.run { server in
      let client = try server.client().client
      let wanted = StatusCode(rawValue: code)
      var request = FailRequest()
      request.code = code
      request.message = "status \(code)\t\r\n 🏹"
      let unary = await status { () throws(RPCError) in
        _ = try await client.call(Diagnostics.fail, request)
      }
      let source = await status { () throws(RPCError) in
        var replies = try client.stream(Diagnostics.failSource, request).makeAsyncIterator()
        _ = try await replies.next()
      }
      let sink = await status { () throws(RPCError) in
        let call = try client.open(Diagnostics.failSink)
        try await call.send(request)
        _ = try await call.reply()
      }
      let both = await status { () throws(RPCError) in
        let call = try client.open(Diagnostics.failStream)
        try await call.send(request)
        var replies = call.replies.makeAsyncIterator()
        _ = try await replies.next()
      }
      for error in [unary, source, sink, both] {
        #expect(error?.code == wanted)
        #expect(error?.message == request.message)
        #expect(error?.origin == .server)
      }
    }
  }

  @Test("U09: a status arrives after the messages before it")
  func failsAfterMessages() async throws {
    try await TestServer.run { server in
      let client = try server.client().client
      var request = FailRequest()
      request.code = StatusCode.dataLoss.rawValue
      request.notProcessed = true
      request.afterMessages = 1_000
      var count = 0
      do {
        for try await _ in try client.stream(Diagnostics.failSource, request) { count += 1 }
        Issue.record("the stream ended OK")
      } catch let error as RPCError {
        #expect(error.code == .dataLoss)
        #expect(!error.isNotProcessed, "after DATA a call has been processed")
      }
      #expect(count == 1_000)
    }
  }

  @Test("U12, U15: metadata arrives before and after a reply, unary or streamed")
  func metadata() async throws {
    try await TestServer.run { server in
      let client = try server.client().client
      var metadata = Metadata()
      metadata.append("key", [0, 255, 10])
      metadata.append("other", "text")
      metadata.append("key", [])
      let options = CallOptions(metadata: metadata)
      let reply = try await client.reply(
        to: Diagnostics.echoMetadata, EchoMessage(), options: options)
      #expect(reply.initialMetadata == metadata && reply.trailingMetadata == metadata)

      let call = try client.open(Diagnostics.echoStream, options: options)
      let replies = call.replies
      #expect(try await replies.initialMetadata() == metadata)
      call.finish()
      for try await _ in replies { Issue.record("nothing was sent") }
      #expect(replies.trailingMetadata == metadata)
    }
  }

  @Test("A streaming call reports that its handler has started before a message is sent")
  func started() async throws {
    try await TestServer.run { server in
      let client = try server.client().client
      let call = try client.open(Diagnostics.sink)
      #expect(try await call.replies.initialMetadata() == [:])
      _ = try await call.reply()
    }
  }

  @Test("F11: a reader that stops makes the sender wait for credit, with bounded memory")
  func slowReader() async throws {
    try await TestServer.run { server in
      let client = try server.client().client
      var request = SourceRequest()
      request.count = 1_000_000
      request.size = 1_000
      var replies = try client.stream(Diagnostics.source, request).makeAsyncIterator()
      _ = try await replies.next()
      // Nobody reads: other calls go on, and what waits is a window and a queue.
      for _ in 0..<100 { _ = try await client.call(Diagnostics.echo, EchoMessage()) }
      let waiting = await server.server.connections().map(\.queuedOutputBytes).reduce(0, +)
      let most = Limits().streamOutputBytes + Limits().outputHighWater
      #expect(waiting > 0 && waiting <= most + 8 * 1_024)
      for number in 2...2_000 as ClosedRange<UInt64> {
        let message = try await replies.next()
        #expect(message?.number == number)
      }
    }
  }

  private final class Count: Sendable {
    let value = Mutex(0)
  }

  @Test(
    "F02: a stream that is read as fast as it is written does not starve other connections")
  func hog() async throws {
    try await TestServer.run { server in
      let hog = try server.client().client
      let other = try server.client().client
      var request = SourceRequest()
      request.count = .max
      let source = request
      let read = Count()
      let (beginning, begun) = AsyncStream<Void>.makeStream()
      let reading = Task {
        defer { begun.finish() }
        for try await _ in try hog.stream(Diagnostics.source, source) {
          read.value.withLock { $0 += 1 }
          begun.finish()
        }
      }
      for await _ in beginning {}
      for number in 0..<300 as Range<UInt64> {
        var message = EchoMessage()
        message.number = number
        #expect(try await other.call(Diagnostics.echo, message).number == number)
      }
      #expect(read.value.withLock { $0 } > 1)
      reading.cancel()
      await #expect(throws: RPCError.self) { try await reading.value }
    }
  }

  @Test("Dropping a stream ends its handler")
  func letGo() async throws {
    try await TestServer.run { server in
      let client = try server.client().client
      var request = SourceRequest()
      request.count = .max
      do {
        var replies = try client.stream(Diagnostics.source, request).makeAsyncIterator()
        _ = try await replies.next()
      }
      // The slot is free again once the handler has returned.
      var open: UInt32 = .max
      while open > 1 {
        let answer = try await client.call(Diagnostics.connections, ConnectionsRequest())
        open = answer.connections.first?.openCalls ?? 0
      }
      #expect(open == 1, "only the question itself is open")
    }
  }

  @Test("A deadline ends a stream on both ends")
  func deadline() async throws {
    try await TestServer.run { server in
      let client = try server.client().client
      var request = SourceRequest()
      request.count = 100
      request.intervalMilliseconds = 600_000
      let options = CallOptions(timeout: .milliseconds(50))
      let error = await status { () throws(RPCError) in
        var replies = try client.stream(Diagnostics.source, request, options: options)
          .makeAsyncIterator()
        while try await replies.next() != nil {}
      }
      #expect(error?.code == .deadlineExceeded)
    }
  }

  @Test("Cancelling the reading task cancels the call")
  func cancelledReader() async throws {
    try await TestServer.run { server in
      let client = try server.client().client
      let call = try client.open(Diagnostics.echoStream)
      _ = try await call.replies.initialMetadata()
      let reading = Task { () async -> RPCError? in
        await status { () throws(RPCError) in
          var replies = call.replies.makeAsyncIterator()
          _ = try await replies.next()
        }
      }
      reading.cancel()
      #expect(await reading.value?.code == .cancelled)
      let error = await status { () throws(RPCError) in
        for _ in 0..<1_000 { try await call.send(EchoMessage()) }
      }
      #expect(error?.code == .cancelled)
    }
  }

  /// How `body` failed; nil if it did not.
  private func status(_ body: () async throws(RPCError) -> Void) async -> RPCError? {
    do throws(RPCError) {
      try await body()
      return nil
    } catch {
      return error
    }
  }
}
