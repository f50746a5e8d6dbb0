import QuiverCrypto

/// The code with which a scoring device joins a target, for example in a QR code.
///
/// It is not stored: a MAC with the store's key authenticates the target and the serial of the
/// event's codes. A caller with the code may score the target.
struct TargetCode: Sendable, Equatable {
  let event: Int64
  /// 0: the target of matches.
  let session: Int64
  let target: UInt32
  let serial: Int64

  private static let prefix = "qt_"
  private static let bodyByteCount = 32
  private static let tagByteCount = 16

  init(event: Int64, session: Int64, target: UInt32, serial: Int64) {
    self.event = event
    self.session = session
    self.target = target
    self.serial = serial
  }

  /// Reads a code of this store; nil for any other text.
  init?(_ text: String, key: [UInt8]) {
    guard text.hasPrefix(Self.prefix), text.utf8.count <= StoreLimits.pageTokenLength,
      let bytes = Base64URL.decode(String(text.dropFirst(Self.prefix.count))),
      bytes.count == Self.bodyByteCount + Self.tagByteCount
    else { return nil }
    let body = Array(bytes.prefix(Self.bodyByteCount))
    guard ConstantTime.isEqual(Self.tag(body, key), Array(bytes.suffix(Self.tagByteCount))) else {
      return nil
    }
    let numbers = stride(from: 0, to: Self.bodyByteCount, by: 8).map { first in
      Int64(bitPattern: body[first..<first + 8].reduce(0) { $0 << 8 | UInt64($1) })
    }
    event = numbers[0]
    session = numbers[1]
    target = UInt32(clamping: numbers[2])
    serial = numbers[3]
  }

  func text(key: [UInt8]) -> String {
    let body = [event, session, Int64(target), serial].flatMap { value in
      withUnsafeBytes(of: UInt64(bitPattern: value).bigEndian) { Array($0) }
    }
    return Self.prefix + Base64URL.encode(body + Self.tag(body, key))
  }

  private static func tag(_ body: [UInt8], _ key: [UInt8]) -> [UInt8] {
    var encoding = CanonicalBytes()
    encoding.append(.text("target"))
    encoding.append(.blob(body))
    return Array(
      HMACSHA256.authenticationCode(for: encoding.bytes, key: key).prefix(tagByteCount))
  }
}
