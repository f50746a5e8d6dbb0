import Glibc
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// A client on a plain socket, which sends any bytes.
///
/// It blocks while it reads, up to a timeout; then the test fails because of the missing bytes.
final class RawPeer {
  private let descriptor: Int32
  private var bytes: [UInt8] = []
  private var hasPreface = false
  private var isClosed = false
  private static let patienceMilliseconds: Int32 = 20_000

  struct Frame {
    var header: FrameHeader
    var payload: [UInt8]

    var words: String {
      let name = header.type.map { "\($0)".uppercased() } ?? "TYPE\(header.typeBits)"
      switch header.type {
      case .hello, .ping: return name
      case .goAway:
        let message = (try? GoAwayMessage(serializedBytes: payload)) ?? GoAwayMessage()
        return "\(name) \(ConnectionErrorCode(rawValue: message.code).name)"
      case .status:
        let message = (try? StatusMessage(serializedBytes: payload)) ?? StatusMessage()
        return "\(name) \(header.stream) \(StatusCode(rawValue: message.code).name)"
      default: return "\(name) \(header.stream): \(payload.count)"
      }
    }
  }

  init(port: UInt16, receiveBufferBytes: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var size = receiveBufferBytes {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { throw Failure.cannotConnect(errno) }
  }

  init(unixPath: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: unixPath.utf8) }
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isConnected else { throw Failure.cannotConnect(errno) }
  }

  enum Failure: Error { case cannotConnect(Int32) }

  deinit { if !isClosed { Glibc.close(descriptor) } }

  func send(_ parts: [UInt8]...) {
    var rest = parts.flatMap { $0 }[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Sends as much as possible without the peer reading; returns the number of bytes.
  func sendWithoutBlocking(_ bytes: [UInt8], waitMilliseconds: Int32) -> Int {
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    var sent = 0
    while sent < bytes.count {
      var events = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&events, 1, waitMilliseconds) > 0 else { break }
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress, $0.count, flags)
      }
      guard count > 0 else { break }
      sent += count
    }
    return sent
  }

  func halfClose() { shutdown(descriptor, Int32(SHUT_WR)) }

  func close() {
    isClosed = true
    Glibc.close(descriptor)
  }

  /// Ends the connection with a reset.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  /// The next frame; nil at the end of the connection, or after the timeout.
  func readFrame() -> Frame? {
    while true {
      if let frame = takeFrame() { return frame }
      guard read() else { return nil }
    }
  }

  /// Descriptions of the next `count` frames, fewer if the connection ends.
  func readFrames(_ count: Int) -> [String] {
    var words: [String] = []
    while words.count < count, let frame = readFrame() { words.append(frame.words) }
    return words
  }

  /// Descriptions of all frames until the end of the connection; the last is `end` or `silence`.
  func receiveAll() -> [String] {
    var words: [String] = []
    while let frame = readFrame() { words.append(frame.words) }
    return words + [isAtEnd ? "end" : "silence"]
  }

  private(set) var isAtEnd = false

  private func takeFrame() -> Frame? {
    if !hasPreface {
      guard bytes.count >= 8, Array(bytes.prefix(8)) == Preface.bytes else { return nil }
      bytes.removeFirst(8)
      hasPreface = true
    }
    guard bytes.count >= 8 else { return nil }
    let header = FrameHeader(bits: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    guard bytes.count >= 8 + header.payloadByteCount else { return nil }
    defer { bytes.removeFirst(8 + header.payloadByteCount) }
    return Frame(header: header, payload: Array(bytes[8..<8 + header.payloadByteCount]))
  }

  private func read() -> Bool {
    var events = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&events, 1, Self.patienceMilliseconds) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else {
      isAtEnd = count == 0 || errno == ECONNRESET
      return false
    }
    bytes += buffer[..<count]
    return true
  }
}
