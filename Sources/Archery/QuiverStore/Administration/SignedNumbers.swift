import QuiverCrypto

/// A code that is not stored: numbers with a MAC by the store's key.
struct SignedNumbers {
  /// What the text of a code begins with.
  let prefix: String
  /// What the MAC tells apart from other uses of the key.
  let label: String
  let count: Int

  private static let tagByteCount = 16

  func text(_ numbers: [Int64], key: [UInt8]) -> String {
    let body = numbers.flatMap { value in
      withUnsafeBytes(of: UInt64(bitPattern: value).bigEndian) { Array($0) }
    }
    return prefix + Base64URL.encode(body + tag(body, key))
  }

  /// The numbers of a code of this store; nil for any other text.
  func numbers(in text: String, key: [UInt8]) -> [Int64]? {
    let byteCount = count * 8
    guard text.hasPrefix(prefix), text.utf8.count <= StoreLimits.pageTokenLength,
      let bytes = Base64URL.decode(String(text.dropFirst(prefix.count))),
      bytes.count == byteCount + Self.tagByteCount
    else { return nil }
    let body = Array(bytes.prefix(byteCount))
    guard ConstantTime.isEqual(tag(body, key), Array(bytes.suffix(Self.tagByteCount))) else {
      return nil
    }
    return stride(from: 0, to: byteCount, by: 8).map { first in
      Int64(bitPattern: body[first..<first + 8].reduce(0) { $0 << 8 | UInt64($1) })
    }
  }

  private func tag(_ body: [UInt8], _ key: [UInt8]) -> [UInt8] {
    var encoding = CanonicalBytes()
    encoding.append(.text(label))
    encoding.append(.blob(body))
    return Array(
      HMACSHA256.authenticationCode(for: encoding.bytes, key: key).prefix(Self.tagByteCount))
  }
}
