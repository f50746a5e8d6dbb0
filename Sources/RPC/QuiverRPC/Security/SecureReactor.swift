package import QuiverWire

/// What the secure ends of one reactor share: its clock, the limits, and memory that each uses
/// within one of its calls.
package final class SecureReactor {
  /// What a channel has decrypted and its end has not read yet.
  var plain = ByteQueue()
  /// Lent to whichever end has plain output.
  var spareOutput = ByteQueue()
  /// How many bytes an end takes after its channel has failed.
  let mostDiscarded: Int
  private let lingerNanoseconds: UInt64
  // The reactor owns its secure ends, and these this.
  private unowned let reactor: any Reactor

  /// More is given back between calls.
  private static let largestSpare = 1024 * 1024

  package init(_ reactor: any Reactor, limits: Limits) {
    self.reactor = reactor
    mostDiscarded = Int(clamping: limits.initialConnectionCredit)
    lingerNanoseconds = UInt64(max(limits.lingerMilliseconds, 0)) &* 1_000_000
  }

  var nowNanoseconds: UInt64 { reactor.nowNanoseconds }

  /// When a connection that ends now is closed at the latest.
  var closeTime: UInt64 { reactor.nowNanoseconds &+ lingerNanoseconds }

  /// Gives back what one large message has made the memory grow to.
  func trim() {
    if plain.allocatedByteCount > Self.largestSpare { plain.release() }
    if spareOutput.allocatedByteCount > Self.largestSpare { spareOutput.release() }
  }
}

@available(*, unavailable)
extension SecureReactor: Sendable {}

/// Observes the secure ends of connections. Called on their reactors.
package protocol SecureEndObserver: AnyObject {
  /// The handshake is over, with the identity that a client's certificate proves; the plain end has
  /// not seen a byte.
  func opened(_ end: SecureEnd, _ identity: PeerIdentity?)
  /// The channel has failed. Called once.
  func failed(_ end: SecureEnd, _ error: SecureChannelError)
}
