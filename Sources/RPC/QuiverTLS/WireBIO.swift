import CTLS
import QuiverWire

/// What libssl reads and writes during one call of a channel: the caller's input, and the queue
/// that its output is appended to. It exists for the time of the call.
struct WireState {
  /// Input that libssl has not read.
  var input: UnsafeRawBufferPointer
  var output: UnsafeMutablePointer<ByteQueue>
  /// Why a callback has refused the peer; libssl itself reports only the refusal.
  var refusal: Refusal
  /// KeyUpdate messages that the peer has sent.
  var keyUpdateCount: UInt8
  /// When the certificate is valid that libssl has not accepted; nil: it has said nothing of one.
  var refusedValidity: CertificateValidity?
  /// The client whose tickets are kept; nil: it is a server's channel.
  var client: TLSChannel.Client?

  enum Refusal: UInt8 { case none, oldVersion, noApplicationProtocol, keyUpdates }

  /// KeyUpdate messages of a peer in the life of a connection. One lasts for 2^24 records.
  static let maxKeyUpdates: UInt8 = 64

  /// The state of the call in which libssl calls back; nil: there is none.
  static func current(_ ssl: OpaquePointer?) -> UnsafeMutablePointer<WireState>? {
    guard let bio = SSL_get_rbio(ssl) else { return nil }
    return BIO_get_data(bio)?.assumingMemoryBound(to: WireState.self)
  }
}

/// A `BIO_METHOD` over the ``WireState`` of a call: memory to libssl, without a copy of its own.
enum WireBIO {
  /// Made once; `BIO_meth_new` fails only where no memory is left.
  // Immutable once it is made, and libcrypto only reads it.
  nonisolated(unsafe) static let method: OpaquePointer? = {
    guard
      let method = BIO_meth_new(
        BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "quiver wire")
    else { return nil }
    BIO_meth_set_read_ex(method) { bio, bytes, size, count in
      WireBIO.read(bio, bytes, size, count)
    }
    BIO_meth_set_write_ex(method) { bio, bytes, size, count in
      WireBIO.write(bio, bytes, size, count)
    }
    BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
    return method
  }()

  /// A BIO, whose state is its data during a call; nil: no memory is left.
  static func make() -> OpaquePointer? {
    guard let method, let bio = BIO_new(method) else { return nil }
    BIO_set_init(bio, 1)
    return bio
  }

  @inline(__always)
  private static func state(_ bio: OpaquePointer?) -> UnsafeMutablePointer<WireState>? {
    BIO_get_data(bio)?.assumingMemoryBound(to: WireState.self)
  }

  private static func read(
    _ bio: OpaquePointer?, _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int,
    _ count: UnsafeMutablePointer<Int>?
  ) -> Int32 {
    quiver_tls_clear_retry(bio)
    guard let state = state(bio), let bytes, let source = state.pointee.input.baseAddress,
      state.pointee.refusal == .none
    else {
      quiver_tls_retry_read(bio)
      return -1
    }
    let moved = min(size, state.pointee.input.count)
    UnsafeMutableRawPointer(bytes).copyMemory(from: source, byteCount: moved)
    let left = state.pointee.input.count - moved
    state.pointee.input = UnsafeRawBufferPointer(
      start: left > 0 ? source + moved : nil, count: left)
    count?.pointee = moved
    return 1
  }

  private static func write(
    _ bio: OpaquePointer?, _ bytes: UnsafePointer<CChar>?, _ size: Int,
    _ count: UnsafeMutablePointer<Int>?
  ) -> Int32 {
    guard let state = state(bio) else { return 0 }
    state.pointee.output.pointee.append(UnsafeRawBufferPointer(start: bytes, count: size))
    count?.pointee = size
    return 1
  }
}
