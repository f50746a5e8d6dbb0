import Dispatch
import Glibc
import QuiverRPC
import QuiverWire
import Synchronization

/// A server on a plain socket that accepts one connection, sends HELLO, receives a call and then
/// ends the connection as requested.
final class RawServer: Sendable {
  let address: String
  private let listener: SilentListener

  /// How it ends the connection.
  enum Ending: CaseIterable, Sendable {
    /// Closes its direction within a frame, and continues to read.
    case closesDirection
    /// Resets the connection within a frame.
    case resets
    /// Closes when the call arrives.
    case closes
    /// Sends bytes that are not a frame.
    case sendsGarbage
  }

  init(_ ending: Ending) throws {
    listener = try SilentListener()
    address = listener.address
    let listening = listener.descriptor
    DispatchQueue.global().async { Self.serve(listening, ending) }
  }

  private static func serve(_ listening: Int32, _ ending: Ending) {
    let descriptor = accept(listening, nil, nil)
    guard descriptor >= 0 else { return }
    say(descriptor, Preface.bytes + frame(.hello, stream: 0, []))
    var received: [UInt8] = []
    while !hasRequest(received) {
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = read(descriptor, &bytes, bytes.count)
      guard count > 0 else { break }
      received += bytes[..<count]
    }
    let cut = Array(frame(.response, stream: 1, [UInt8](repeating: 1, count: 100))[..<40])
    switch ending {
    case .closesDirection:
      say(descriptor, cut)
      shutdown(descriptor, Int32(SHUT_WR))
      var byte: UInt8 = 0
      while read(descriptor, &byte, 1) > 0 {}
    case .resets:
      say(descriptor, cut)
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    case .closes: break
    case .sendsGarbage:
      say(descriptor, [UInt8](repeating: 0, count: 64))
      var byte: UInt8 = 0
      while read(descriptor, &byte, 1) > 0 {}
    }
    close(descriptor)
  }

  /// Whether a frame follows the client's preface and HELLO, which may arrive alone.
  private static func hasRequest(_ received: [UInt8]) -> Bool {
    guard received.count > 16 else { return false }
    return received.count > 16 + received[8..<11].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func say(_ descriptor: Int32, _ bytes: [UInt8]) {
    _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  private static func frame(_ type: FrameType, stream: UInt32, _ payload: [UInt8]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: FrameHeader.byteCount)
    bytes.withUnsafeMutableBytes { room in
      guard let base = room.baseAddress else { return }
      FrameHeader(payloadByteCount: payload.count, type: type, flags: .none, stream: stream)
        .write(to: base)
    }
    return bytes + payload
  }
}

/// A server of another protocol, which answers the first bytes of each connection and closes it.
final class OtherServer: Sendable {
  let address: String
  private let listener: SilentListener
  private let accepted = Atomic<Int>(0)

  init(answering answer: [UInt8]) throws {
    listener = try SilentListener()
    address = listener.address
    let listening = listener.descriptor
    DispatchQueue.global().async { [weak self] in
      while true {
        let descriptor = accept(listening, nil, nil)
        guard descriptor >= 0, let self else { return }
        accepted.wrappingAdd(1, ordering: .sequentiallyConsistent)
        var bytes = [UInt8](repeating: 0, count: 4_096)
        _ = read(descriptor, &bytes, bytes.count)
        _ = send(descriptor, answer, answer.count, Int32(MSG_NOSIGNAL))
        shutdown(descriptor, Int32(SHUT_WR))
        while read(descriptor, &bytes, bytes.count) > 0 {}
        close(descriptor)
      }
    }
  }

  var connectionCount: Int { accepted.load(ordering: .sequentiallyConsistent) }

  func stop() { shutdown(listener.descriptor, Int32(SHUT_RDWR)) }
}
