import QuiverProtobuf
import QuiverWire
import TestSupport
import Testing

@testable import QuiverRPC

@Suite("Random bytes", .timeLimit(.minutes(5)))
struct RandomBytesTests {
  /// A frame whose header is likely to be valid.
  private func likelyFrame(_ random: inout SeededGenerator, _ stream: UInt32) -> [UInt8] {
    let id = Int.random(in: 0..<5, using: &random) == 0 ? random.next() % 40 : UInt64(stream)
    let near = UInt32(truncatingIfNeeded: id)
    let methods = [Number.echo, Number.hold, Number.bidirectional, Number.clientStream, 9]
    let method = methods.randomElement(using: &random) ?? 9
    let size = [0, 3, 1_024, 5_000].randomElement(using: &random) ?? 0
    let flags: FrameFlags = [[], .end, .more, [.end, .more]].randomElement(using: &random) ?? []
    switch Int.random(in: 0..<12, using: &random) {
    case 0...4:
      return request(
        stream, method, flags.isEmpty ? [] : blob(encoded: max(size, 3)), flags,
        timeoutMilliseconds: UInt32.random(in: 0...50, using: &random))
    case 5: return data(near, random.bytes(size), flags)
    case 6: return cancel(near)
    case 7: return frame(.close, stream: near)
    case 8: return credit(near, random.next() >> UInt64.random(in: 0...63, using: &random))
    case 9: return ping(random.next() % 5, Bool.random(using: &random) ? .end : [])
    case 10: return request(stream, head: random.bytes(size % 60), random.bytes(3))
    default:
      return frame(
        UInt8.random(in: 0...15, using: &random), flags, stream: near, random.bytes(size % 100))
    }
  }

  @Test(
    "After any input the server works and replies as documented",
    arguments: 0..<40 as Range<UInt64>)
  func neverTraps(_ block: UInt64) {
    for seed in block * 100..<block * 100 + 100 {
      var random = SeededGenerator(seed: seed)
      let server = ServerHarness()
      var received = 0
      var stream: UInt32 = 1
      for _ in 0..<60 where server.phase == .open {
        var bytes = likelyFrame(&random, stream)
        stream += 2
        if Int.random(in: 0..<20, using: &random) == 0, !bytes.isEmpty {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
            1 << UInt8.random(in: 0...7, using: &random)
        }
        received += bytes.count
        server.receive(bytes)
        if Bool.random(using: &random) { _ = server.advance(milliseconds: 7) }
        while server.held.count > 3 { server.held.take().responder.succeed(Blob()) }
        let (kept, reassembled) = server.end.connection.pointee.keptBytes
        #expect(kept + reassembled <= received, "seed \(seed)")
      }
      let last = server.frames.last?.words ?? ""
      #expect(server.phase == .open || last.hasPrefix("GOAWAY"), "seed \(seed): \(last)")
      server.end.closed("over")
      while server.held.count > 0 { server.held.take().responder.succeed(Blob()) }
      #expect(server.openStreams == 0, "seed \(seed)")
      #expect(server.end.connection.pointee.keptBytes.reassembled == 0, "seed \(seed)")
    }
  }

  @Test("Random bytes at the start that begin no protocol close the connection without a reply")
  func noise() {
    for seed in 0..<2_000 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let server = ServerHarness(.silent)
      var bytes = random.bytes(200)
      let isNoise = bytes.withUnsafeBytes { OtherProtocol(firstBytes: $0) == nil }
      if bytes[0] == 0x91 || !isNoise { bytes[0] = 0xff }
      #expect(server.receive(bytes) == [], "seed \(seed)")
      #expect(server.phase == .closed, "seed \(seed)")
    }
  }

  @Test("Random bytes after a valid preface cause a GOAWAY, or wait for the rest of a frame")
  func noiseBehindThePreface() {
    for seed in 0..<2_000 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let server = ServerHarness(.silent)
      let words = server.receive(Preface.bytes + random.bytes(100))
      let isAnswered = words.first == "HELLO" && (words.last?.hasPrefix("GOAWAY") ?? false)
      #expect(isAnswered || server.phase == .hello, "seed \(seed): \(words)")
    }
  }

  @Test(
    "Random bytes from a server never trap the client, and every call ends",
    arguments: 0..<10 as Range<UInt64>)
  func client(_ block: UInt64) {
    for seed in block * 100..<block * 100 + 100 {
      var random = SeededGenerator(seed: seed)
      let client = ClientHarness()
      let calls = (0..<5).map { _ in client.call(deadlineMilliseconds: 500) }
      for call in calls { client.end.submit(call) }
      client.drainOutput()
      for _ in 0..<40 where client.phase == .open {
        let stream = UInt32.random(in: 0...10, using: &random)
        let payload = random.bytes(Int.random(in: 0...30, using: &random))
        let types: [FrameType] = [.headers, .data, .response, .status, .cancel, .credit, .goAway]
        let bytes =
          switch Int.random(in: 0..<4, using: &random) {
          case 0: frame(.response, stream: stream | 1, payload)
          case 1: status(stream | 1, StatusCode(rawValue: UInt32(payload.count)))
          case 2: frame(types.randomElement(using: &random) ?? .data, stream: stream, payload)
          default: random.bytes(3)
          }
        client.receive(bytes)
      }
      _ = client.advance(milliseconds: 600)
      #expect(calls.allSatisfy { $0.outcomes.count == 1 }, "seed \(seed)")
    }
  }
}

extension ServerConnection {
  /// The stored bytes of incomplete frames and messages.
  var keptBytes: (frame: Int, reassembled: Int) {
    (core.deframer.keptByteCount, core.reassemblyBytes)
  }
}
