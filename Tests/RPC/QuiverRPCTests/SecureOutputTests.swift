import QuiverWire
import Testing

@testable import QuiverRPC

/// A channel that copies: what it encrypts has the length of the plain bytes.
private final class CopyingChannel: SecureChannel {
  var state = SecureChannelState.open
  var peerIdentity: PeerIdentity? { nil }

  func start(wire: inout ByteQueue) {}

  func receive(
    _ encrypted: UnsafeRawBufferPointer, plain: inout ByteQueue, wire: inout ByteQueue
  ) { plain.append(encrypted) }

  func send(_ plain: UnsafeRawBufferPointer, wire: inout ByteQueue) { wire.append(plain) }

  func close(wire: inout ByteQueue) {}

  func endOfInput() -> SecureChannelError? { nil }
}

@Suite("Output over TLS that its peer does not read", .timeLimit(.minutes(5)))
struct SecureOutputTests {
  private let budget = ByteBudget(limits: Limits())
  private let channel = CopyingChannel()
  private let harness: ServerHarness
  private let secure: SecureEnd

  init() {
    harness = ServerHarness(budget: budget) { hello in
      hello.initialStreamCredit = 1 << 30
      hello.initialConnectionCredit = 1 << 40
      hello.maxFrameBytes = 1 << 20
    }
    secure = SecureEnd(
      harness.end, channel, shared: SecureReactor(harness.reactor, limits: Limits()),
      startsHandshake: false)
  }

  /// Sends calls that answer with `size` bytes each.
  private func echo(_ count: Int, size: Int) {
    let payload = blob(encoded: size)
    for number in 0..<count {
      request(UInt32(2 * number + 1), Number.echo, payload).withUnsafeBytes {
        secure.receive($0, now: harness.now)
      }
      harness.reactor.runJobs()
    }
  }

  @Test("It is limited and counted, encrypted or not, until it is written")
  func counted() {
    echo(100, size: 16_000)
    let before = budget.heldBytes
    #expect(before >= 100 * 16_000 - ByteBudget.grain)
    // The socket takes a little, and nothing more.
    #expect(secure.output.count <= SecureEnd.encryptedAtOnce)
    secure.wrote(1_000, now: harness.now)
    secure.writeBlocked(now: harness.now)
    #expect(budget.heldBytes >= before - 1_000 - 2 * ByteBudget.grain)
    #expect(harness.end.connection.pointee.core.outputByteCount >= before - 1_000 - 8_192)
    while !secure.output.isEmpty { secure.wrote(secure.output.count, now: harness.now) }
    #expect(budget.heldBytes == 0)
    #expect(harness.end.connection.pointee.core.outputByteCount == 0)
  }

  @Test("A peer that closes its side gets no more than a limit of it")
  func closed() {
    echo(200, size: 16_000)
    channel.state = .peerClosed
    [UInt8](repeating: 0, count: 0).withUnsafeBytes { secure.receive($0, now: harness.now) }
    let most = SecureEnd.flushedAtClose + SecureEnd.encryptedAtOnce
    #expect(secure.output.count > 0 && secure.output.count <= most)
    #expect(budget.heldBytes == 0)
  }
}
