import QuiverWire

/// Keys and values that are sent with a call: an ordered list, in which a key may repeat.
///
/// Keys are 1 to 64 characters of `a-z0-9._-`; values are bytes. A call carries at most 64 entries
/// and 8 KiB (keys plus values) each in its request, at its start and at its end.
public struct Metadata: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  /// The entries in the order in which they were added.
  public private(set) var entries: [Entry]
  /// Keys plus values, in bytes.
  package private(set) var byteCount = 0
  private var hasBadKey = false

  /// One key with its value.
  public struct Entry: Sendable, Equatable {
    /// The key, 1 to 64 characters of `a-z0-9._-`.
    public let key: String
    /// The value; text is UTF-8.
    public let value: [UInt8]

    package init(key: String, value: [UInt8]) {
      self.key = key
      self.value = value
    }
  }

  /// Metadata without entries.
  public init() { entries = [] }

  /// Metadata of text values.
  public init(dictionaryLiteral elements: (String, String)...) {
    entries = []
    for (key, value) in elements { append(key, value) }
  }

  /// Whether there are no entries.
  public var isEmpty: Bool { entries.isEmpty }

  /// Adds bytes under `key`, behind what is there.
  public mutating func append(_ key: String, _ value: [UInt8]) {
    entries.append(Entry(key: key, value: value))
    byteCount += key.utf8.count + value.count
    hasBadKey = hasBadKey || !Self.isValid(key: key)
  }

  /// Adds text under `key`, behind what is there.
  public mutating func append(_ key: String, _ value: String) {
    append(key, Array(value.utf8))
  }

  /// The first value of `key` as text; nil if there is none or it is not UTF-8.
  public subscript(_ key: String) -> String? {
    entries.first { $0.key == key }.flatMap { String(validating: $0.value, as: UTF8.self) }
  }

  /// All values of `key`, in order.
  public func values(of key: String) -> [[UInt8]] {
    entries.filter { $0.key == key }.map(\.value)
  }

  /// The same without the entries of `key`.
  func without(_ key: String) -> Metadata {
    var rest = Metadata()
    for entry in entries where entry.key != key { rest.append(entry.key, entry.value) }
    return rest
  }

  /// What is wrong with the metadata, as a call's end; nil if nothing is.
  package func fault() -> RPCError? {
    if entries.count > Limits.maxMetadataEntries || byteCount > Limits.maxMetadataBytes {
      return RPCError(
        .resourceExhausted,
        "metadata is over \(Limits.maxMetadataEntries) entries or \(Limits.maxMetadataBytes) bytes",
        isNotProcessed: true)
    }
    guard hasOnlyValidKeys else {
      return RPCError(
        .invalidArgument, "a metadata key is 1 to 64 characters of a-z 0-9 . _ -",
        isNotProcessed: true)
    }
    return nil
  }

  var hasOnlyValidKeys: Bool { !hasBadKey }

  static func isValid(key: String) -> Bool {
    let bytes = key.utf8
    guard !bytes.isEmpty, bytes.count <= Limits.maxMetadataKeyBytes else { return false }
    return bytes.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
  }
}
