import Dispatch
import Glibc
import QuiverRPC
import QuiverWire

/// A server made of a socket, which takes one connection, greets, hears a call and then does as it
/// is told.
final class RawServer: Sendable {
  let address: String
  private let listener: SilentListener

  /// How it leaves.
  enum Ending: CaseIterable, Sendable {
    /// Closes its side in the middle of a frame, and reads on.
    case halfCloses
    /// Resets in the middle of a frame.
    case resets
    /// Closes as soon as the call is there.
    case closes
    /// Says something that is no frame.
    case babbles
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
    var heard: [UInt8] = []
    while !hasRequest(heard) {
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = read(descriptor, &bytes, bytes.count)
      guard count > 0 else { break }
      heard += bytes[..<count]
    }
    let cut = Array(frame(.response, stream: 1, [UInt8](repeating: 1, count: 100))[..<40])
    switch ending {
    case .halfCloses:
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
    case .babbles:
      say(descriptor, [UInt8](repeating: 0, count: 64))
      var byte: UInt8 = 0
      while read(descriptor, &byte, 1) > 0 {}
    }
    close(descriptor)
  }

  /// Whether a frame has begun behind the client's preface and HELLO, which may come by themselves.
  private static func hasRequest(_ heard: [UInt8]) -> Bool {
    guard heard.count > 16 else { return false }
    return heard.count > 16 + heard[8..<11].reduce(0) { $0 << 8 | Int($1) }
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
