/// The metadata of a head: calls of one caller state the same.
final class KnownMetadata: Sendable {
  /// As they stand in the head; empty: they are not kept.
  let bytes: [UInt8]
  let metadata: Metadata
  let stated: StatedKeys
  /// The same without the address of a caller; nil: it states none.
  let withoutAddress: KnownMetadata?

  private static let maxBytes = 256

  init(
    _ metadata: Metadata, stated: StatedKeys, _ head: UnsafeRawBufferPointer? = nil,
    _ bounds: Range<Int>? = nil
  ) {
    self.metadata = metadata
    self.stated = stated
    if let head, let bounds, bounds.count <= Self.maxBytes {
      bytes = Array(UnsafeRawBufferPointer(rebasing: head[bounds]))
    } else {
      bytes = []
    }
    var rest = stated
    (rest.hasAddress, rest.address) = (false, nil)
    withoutAddress =
      stated.hasAddress
      ? KnownMetadata(metadata.without(StatedCaller.addressKey), stated: rest) : nil
  }

  /// Whether the bytes stand in a head at an offset.
  func stands(in head: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    let count = bytes.count
    guard count <= head.count &- offset else { return false }
    return bytes.withUnsafeBytes { own in
      var place = 0
      while place &+ 8 <= count {
        let here = own.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        let there = head.loadUnaligned(fromByteOffset: offset &+ place, as: UInt64.self)
        guard here == there else { return false }
        place &+= 8
      }
      while place < count {
        guard own[place] == head[offset &+ place] else { return false }
        place &+= 1
      }
      return true
    }
  }
}

/// What the server itself reads of the metadata of a call.
struct StatedKeys {
  /// The call says that it is made by nobody.
  var isAnonymous = false
  /// The address of the caller of a gateway; nil: none, or no text that can be one.
  var address: String?
  var hasAddress = false
  /// It names the user for whom it is made.
  var hasUser = false
  /// It states a position of the store.
  var hasPosition = false

  init() {}

  init(_ metadata: Metadata) {
    for entry in metadata.entries {
      switch entry.key {
      case StatedCaller.anonymousKey: isAnonymous = true
      case StatedCaller.addressKey: hasAddress = true
      case ActingUser.key: hasUser = true
      case StorePosition.key: hasPosition = true
      default: break
      }
    }
    if hasAddress { address = StatedCaller.address(in: metadata) }
  }
}
