import QuiverCrypto

/// The position of a list, bound to its method, filter and principal by the store's key.
struct PageToken {
  private static let tagByteCount = 16

  /// The list for which the token is valid; the same values for the same list.
  let scope: [SQLValue]

  /// The token for the position `position`.
  func text(position: Int64, key: [UInt8]) -> String {
    text(place: Self.bytes(position), key: key)
  }

  /// The token for a position in a list that is not ordered by id.
  func text(place: [UInt8], key: [UInt8]) -> String {
    Base64URL.encode(place + tag(place, key))
  }

  /// The position of a row in a list that is ordered by a text, then by id.
  static func place(_ text: String, id: Int64) -> [UInt8] { bytes(id) + Array(text.utf8) }

  /// The position in a token of this list; nil if there is no token.
  func position(in text: String, key: [UInt8]) throws(StoreError) -> Int64? {
    guard let place = try textPlace(in: text, key: key) else { return nil }
    guard place.text.isEmpty else { throw Self.refusal }
    return place.id
  }

  /// The text and the id of the position in a token of this list; nil if there is no token.
  func textPlace(
    in text: String, key: [UInt8]
  ) throws(StoreError) -> (text: String, id: Int64)? {
    if text.isEmpty { return nil }
    guard text.utf8.count <= StoreLimits.pageTokenLength,
      let bytes = Base64URL.decode(text), bytes.count >= 8 + Self.tagByteCount
    else { throw Self.refusal }
    let place = Array(bytes.dropLast(Self.tagByteCount))
    guard ConstantTime.isEqual(tag(place, key), Array(bytes.suffix(Self.tagByteCount))) else {
      throw Self.refusal
    }
    let id = place.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    return (String(decoding: place.dropFirst(8), as: UTF8.self), Int64(bitPattern: id))
  }

  /// A page of the rows; one more than its size was read to detect a further page.
  func page<Item: Sendable>(
    _ rows: [Item], size: Int64, key: [UInt8], position: (Item) -> Int64
  ) -> Page<Item> {
    page(rows, size: size, key: key) { Self.bytes(position($0)) }
  }

  /// The same for a list that is not ordered by id.
  func page<Item: Sendable>(
    _ rows: [Item], size: Int64, key: [UInt8], place: (Item) -> [UInt8]
  ) -> Page<Item> {
    guard rows.count > size, size > 0 else { return Page(items: rows, nextPageToken: "") }
    let items = Array(rows.prefix(Int(clamping: size)))
    let next = items.last.map { text(place: place($0), key: key) } ?? ""
    return Page(items: items, nextPageToken: next)
  }

  private static var refusal: StoreError {
    .invalid("page_token", "belongs to another list; begin again without it")
  }

  private static func bytes(_ position: Int64) -> [UInt8] {
    withUnsafeBytes(of: UInt64(bitPattern: position).bigEndian) { Array($0) }
  }

  private func tag(_ place: [UInt8], _ key: [UInt8]) -> [UInt8] {
    var encoding = CanonicalBytes()
    for value in scope { encoding.append(value) }
    encoding.append(.blob(place))
    let code = HMACSHA256.authenticationCode(for: encoding.bytes, key: key)
    return Array(code.prefix(Self.tagByteCount))
  }
}

/// One page of a list.
package struct Page<Item: Sendable>: Sendable {
  package let items: [Item]

  /// The start of the next page; empty after the last.
  package let nextPageToken: String
}

extension StoreLimits {
  /// The number of rows of a page for the requested size.
  static func pageSize(_ asked: UInt32) -> Int64 {
    Int64(asked == 0 ? defaultPageSize : min(asked, maximumPageSize))
  }
}
