import Glibc
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Testing

@testable import QuiverTLS

/// A client that sends given bytes inside TLS, or beside it, over a real socket.
final class SecurePeer {
  let descriptor: Int32
  let channel: TLSChannel
  /// The bytes from the server, decrypted.
  private(set) var received: [UInt8] = []
  private(set) var error: SecureChannelError?

  /// Connects and completes the handshake.
  init(_ server: SecureServer, _ client: TLSClient) throws {
    descriptor = try server.connect()
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    channel = try #require(try client.makeChannel(to: "localhost") as? TLSChannel)
    var wire = ByteQueue()
    try channel.start(wire: &wire)
    sendRaw(Array(wire.bytes))
    while channel.state == .handshaking, receive() {}
    try #require(channel.state == .open, "\(error?.description ?? "")")
  }

  deinit { close(descriptor) }

  /// Sends bytes to the socket without encryption.
  func sendRaw(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// The bytes of `plain` on the wire.
  func encrypt(_ plain: [UInt8]) throws -> [UInt8] { try ChannelPair.encrypt(plain, by: channel) }

  /// A close_notify.
  func closeNotify() -> [UInt8] {
    var wire = ByteQueue()
    channel.close(wire: &wire)
    return Array(wire.bytes)
  }

  /// Reads once; returns false if the connection ended or failed, or after the timeout.
  @discardableResult
  func receive() -> Bool {
    var room = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &room, room.count, 0)
    guard count > 0 else {
      error = error ?? channel.endOfInput()
      return false
    }
    var plain = ByteQueue()
    var wire = ByteQueue()
    room[..<count].withUnsafeBytes { bytes in
      do throws(SecureChannelError) {
        try channel.receive(bytes, plain: &plain, wire: &wire)
      } catch let thrown {
        error = thrown
      }
    }
    received += Array(plain.bytes)
    sendRaw(Array(wire.bytes))
    return error == nil
  }

  /// Reads until the server closes; returns the types of its frames.
  func frames() -> [FrameType] {
    while receive() {}
    var rest = received.dropFirst(Preface.bytes.count)
    var types: [FrameType] = []
    while rest.count >= 8 {
      let header = FrameHeader(bits: rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
      header.type.map { types.append($0) }
      rest = rest.dropFirst(8 + header.payloadByteCount)
    }
    return types
  }

  /// The preface and the HELLO.
  static var greeting: [UInt8] {
    var hello = Hello()
    hello.versionMin = 1
    hello.versionMax = 1
    return Preface.bytes + frame(.hello, hello.serializedBytes())
  }

  /// A call of the server's echo method.
  static func echo(_ stream: UInt32) -> [UInt8] {
    var head = RequestHeadMessage()
    head.methodID = SecureServer.echo.info.id
    let bytes = head.serializedBytes()
    precondition(bytes.count < 128, "the length is a varint of one byte")
    return frame(.request, [UInt8(bytes.count)] + bytes, .end, stream)
  }

  private static func frame(
    _ type: FrameType, _ payload: [UInt8], _ flags: FrameFlags = [], _ stream: UInt32 = 0
  ) -> [UInt8] {
    let header = FrameHeader(
      payloadByteCount: payload.count, type: type, flags: flags, stream: stream)
    return (0..<8).map { UInt8(truncatingIfNeeded: header.bits >> (56 - 8 * UInt64($0))) } + payload
  }
}
