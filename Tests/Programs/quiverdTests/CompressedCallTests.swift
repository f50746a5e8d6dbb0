import Glibc
import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverZstd
import Synchronization
import TestSupport
import Testing

@Suite("Compressed messages between a client and quiverd", .timeLimit(.minutes(20)))
struct CompressedCallTests {
  @Test("A call and a stream are compressed in both directions and return the same bytes")
  func compressed() async throws {
    let served = try ServedProcess(try TemporaryDirectory(), "--diagnostics")
    let zstd = CountedZstd()
    let client = try await Self.client(of: served, zstd)
    let message = Self.message(200_000)
    #expect(try await client.call(Diagnostics.echo, message) == message)
    #expect(zstd.counts == [1, 1])
    // Too small for compression.
    #expect(try await client.call(Diagnostics.echo, Self.message(40)) == Self.message(40))
    #expect(zstd.counts == [1, 1])

    let messages = [1_500, 70_000, 30, 400_000, 9_000].map(Self.message)
    let (requests, source) = AsyncStream<EchoMessage>.makeStream()
    for message in messages { source.yield(message) }
    source.finish()
    var replies: [EchoMessage] = []
    for try await reply in try client.stream(Diagnostics.echoStream, sending: requests) {
      replies.append(reply)
    }
    #expect(replies == messages)
    #expect(zstd.counts == [5, 5])
    served.process.send(SIGTERM)
    #expect(served.process.end().code == 0)
  }

  @Test("A server without compression receives nothing compressed")
  func plain() async throws {
    let served = try ServedProcess(
      try TemporaryDirectory(), "--diagnostics", "--compression", "none")
    let zstd = CountedZstd()
    let client = try await Self.client(of: served, zstd)
    let message = Self.message(200_000)
    #expect(try await client.call(Diagnostics.echo, message) == message)
    #expect(zstd.counts == [0, 0])
    served.process.send(SIGTERM)
    #expect(served.process.end().code == 0)
  }

  /// A client that has received the server's HELLO: before that nothing is compressed.
  private static func client(
    of served: ServedProcess, _ zstd: CountedZstd
  ) async throws -> RPCClient {
    var configuration = RPCClient.Configuration(server: served.address, token: served.token)
    configuration.compression = zstd
    let client = try RPCClient(configuration)
    try await client.waitForReady(timeout: .seconds(20))
    return client
  }

  private static func message(_ byteCount: Int) -> EchoMessage {
    var message = EchoMessage()
    var line = 0
    while message.text.utf8.count < byteCount {
      message.text += "arrow \(line) of end \(line / 6): ten\n"
      line += 1
    }
    return message
  }
}

/// zstd with counts of the compressed and inflated messages.
private final class CountedZstd: Compressor {
  private let zstd = Zstd()
  private let state = Mutex([0, 0])

  /// The numbers of compressed and inflated messages.
  var counts: [Int] { state.withLock { $0 } }

  var name: String { zstd.name }

  func compress(_ message: UnsafeRawBufferPointer, below byteCount: Int) -> [UInt8]? {
    state.withLock { $0[0] += 1 }
    return zstd.compress(message, below: byteCount)
  }

  func inflate(
    _ frame: UnsafeRawBufferPointer, limit: Int, _ take: (UnsafeRawBufferPointer) -> Void
  ) throws(InflateFault) {
    state.withLock { $0[1] += 1 }
    try zstd.inflate(frame, limit: limit, take)
  }
}
