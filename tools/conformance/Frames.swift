import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// Frames of a client, valid and invalid.
enum Frames {
  static func frame(
    type: UInt8, _ flags: FrameFlags = [], stream: UInt32 = 0, _ payload: [UInt8] = []
  ) -> [UInt8] {
    header(type: type, flags, stream: stream, promising: payload.count) + payload
  }

  static func frame(
    _ type: FrameType, _ flags: FrameFlags = [], stream: UInt32 = 0, _ payload: [UInt8] = []
  ) -> [UInt8] {
    frame(type: type.rawValue, flags, stream: stream, payload)
  }

  static func frame(_ type: FrameType, stream: UInt32 = 0, _ payload: [UInt8]) -> [UInt8] {
    frame(type: type.rawValue, [], stream: stream, payload)
  }

  /// A header without a payload.
  static func header(
    type: UInt8, _ flags: FrameFlags = [], stream: UInt32 = 0, promising length: Int
  ) -> [UInt8] {
    let bits =
      UInt64(length) << 40 | UInt64(type) << 36 | UInt64(flags.rawValue) << 32 | UInt64(stream)
    return big(bits)
  }

  static func big(_ number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  static func hello(token: [UInt8], _ change: (inout Hello) -> Void = { _ in }) -> [UInt8] {
    var hello = Hello()
    hello.versionMin = 1
    hello.versionMax = 1
    hello.software = "quiver-conformance"
    hello.authToken = token
    change(&hello)
    return frame(.hello, hello.serializedBytes())
  }

  static func request(
    _ stream: UInt32, _ method: UInt32, _ message: [UInt8] = [], flags: FrameFlags = .end,
    _ change: (inout RequestHeadMessage) -> Void = { _ in }
  ) -> [UInt8] {
    var head = RequestHeadMessage()
    head.methodID = method
    change(&head)
    return request(stream, head: head.serializedBytes(), message, flags: flags)
  }

  static func request(
    _ stream: UInt32, head: [UInt8], _ message: [UInt8] = [], flags: FrameFlags = .end
  ) -> [UInt8] {
    frame(.request, flags, stream: stream, varint(head.count) + head + message)
  }

  static func varint(_ number: Int) -> [UInt8] {
    var rest = number
    var bytes: [UInt8] = []
    while rest > 127 {
      bytes.append(UInt8(rest & 127 | 128))
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  static func data(_ stream: UInt32, _ bytes: [UInt8], _ flags: FrameFlags = []) -> [UInt8] {
    frame(.data, flags, stream: stream, bytes)
  }

  static func close(_ stream: UInt32) -> [UInt8] { frame(.close, stream: stream) }

  static func cancel(_ stream: UInt32) -> [UInt8] { frame(.cancel, stream: stream) }

  static func credit(_ stream: UInt32, _ allowance: UInt64) -> [UInt8] {
    frame(.credit, stream: stream, big(allowance))
  }

  static func ping(_ number: UInt64, _ flags: FrameFlags = []) -> [UInt8] {
    frame(.ping, flags, big(number))
  }
}
