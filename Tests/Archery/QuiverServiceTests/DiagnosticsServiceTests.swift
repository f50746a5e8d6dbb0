import QuiverAPI
import QuiverRPC
import QuiverService
import QuiverWire
import Testing

@Suite("Diagnostics", .timeLimit(.minutes(5)))
struct DiagnosticsServiceTests {
  @Test("Both echo methods return the request")
  func echo() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      var message = EchoMessage()
      message.payload = [0, 1, 255]
      message.text = "tab\t CR LF\r\n BMP é non-BMP 🏹"
      message.number = .max
      #expect(try await client.call(Diagnostics.echo, message) == message)
      #expect(try await client.call(Diagnostics.echoAsync, message) == message)
    }
  }

  @Test("Disabled diagnostics fail with UNIMPLEMENTED and name the flag that enables them")
  func off() async throws {
    try await TestServer.run(ServerAssembly.Options()) { server in
      let client = try server.client()
      let refusals = [
        await client.refusal(Diagnostics.echo, EchoMessage()),
        await client.refusal(Diagnostics.echoAsync, EchoMessage()),
        await client.refusal(Diagnostics.delay, DelayRequest()),
        await client.refusal(Diagnostics.fail, FailRequest()),
      ]
      for refusal in refusals {
        #expect(refusal?.code == .unimplemented)
        #expect(refusal?.message.contains("--diagnostics") == true)
      }
    }
  }

  @Test("A delay returns the remaining deadline, and ends when its call is cancelled")
  func delay() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let answer = try await client.call(Diagnostics.delay, DelayRequest())
      let left = try #require(answer.timeLeftMilliseconds)
      #expect(left > 0 && left <= 20_000)

      var long = DelayRequest()
      long.delayMilliseconds = 600_000
      let request = long
      let waiting = Task { try await client.call(Diagnostics.delay, request) }
      _ = try await client.call(Diagnostics.echo, EchoMessage())
      waiting.cancel()
      await #expect(throws: RPCError.self) { try await waiting.value }

      long.delayMilliseconds += 1
      let refusal = await client.refusal(Diagnostics.delay, long)
      #expect(refusal?.code == .invalidArgument)
      #expect(refusal?.message.hasPrefix("delay_ms: ") == true)
    }
  }

  @Test("A failure has the requested code, message and details", arguments: 1...16)
  func fail(code: UInt32) async throws {
    try await TestServer.run { server in
      let client = try server.client()
      var request = FailRequest()
      request.code = code
      request.message = "tab\t CR LF\r\n é 🏹"
      request.notProcessed = code % 2 == 0
      request.retryAfterMilliseconds = code % 3 == 0 ? -1 : 250
      var detail = DetailMessage()
      detail.type = "quiver.v1.EchoMessage"
      detail.value = [1, 2, 3]
      request.details = [detail]
      var entry = MetadataMessage()
      entry.key = "binary-key"
      entry.value = [0, 255]
      request.metadata = [entry, entry]
      let error = try #require(await client.refusal(Diagnostics.fail, request))
      #expect(error.code.rawValue == code && error.message == request.message)
      #expect(error.isNotProcessed == request.notProcessed)
      #expect(error.retryAfterMilliseconds == request.retryAfterMilliseconds)
      #expect(error.details == [.init(type: detail.type, value: detail.value)])
      #expect(error.metadata.values(of: "binary-key") == [[0, 255], [0, 255]])
    }
  }

  @Test("A status code or metadata that is not valid is refused")
  func badFailures() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      var request = FailRequest()
      for code: UInt32 in [0, 17, .max] {
        request.code = code
        let refusal = await client.refusal(Diagnostics.fail, request)
        #expect(refusal?.code == .invalidArgument)
        #expect(refusal?.message.hasPrefix("code: ") == true)
      }
      request.code = 5
      var entry = MetadataMessage()
      entry.key = "Not A Key"
      request.metadata = [entry]
      let refusal = await client.refusal(Diagnostics.fail, request)
      #expect(refusal?.message.hasPrefix("metadata: ") == true)
    }
  }
}
