import QuiverWire
import Synchronization

/// What a REQUEST states about its call before the message: `quiver.v1.RequestHead`.
///
/// Decoded and encoded by hand, since each call has one; a test compares both with libprotobuf-c.
package struct RequestHead: Sendable {
  /// 256 x service + method; 0: the call names its method by ``Extras/methodName``.
  package var methodID: UInt32 = 0
  /// What is left of the call's time, rounded up; 0: it has no deadline.
  package var timeoutMilliseconds: UInt32 = 0
  package var idempotencyKey: IdempotencyKey?
  /// Of a watch: the client states CREDIT as soon as its application has taken every message that
  /// has come.
  package var returnsCreditAtOnce = false
  /// 0: the first attempt.
  package var attempt: UInt32 = 0
  package var afterSequence: Int64 = 0
  package var storeEpoch: UInt64 = 0
  /// What few calls carry; nil when there is none of it.
  package var extras: Extras?

  /// The rarer parts of a head; an object, so that a head without them is cheap to copy.
  package final class Extras: Sendable {
    package let methodName: String
    /// W3C: trace id 16, parent id 8, flags 1; empty if there was none of that length.
    package let traceparent: [UInt8]
    package let metadata: Metadata
    /// Of a head that was received.
    let stated: StatedKeys
    private let recordedSpan = Mutex<(any CallSpan)?>(nil)

    /// The span of the call; nil: it is not traced.
    package var span: (any CallSpan)? { recordedSpan.withLock { $0 } }

    /// Traces the call from here on.
    package func trace(by span: any CallSpan) { recordedSpan.withLock { $0 = span } }

    package init(
      methodName: String = "", traceparent: [UInt8] = [], metadata: Metadata = Metadata()
    ) {
      self.methodName = methodName
      self.traceparent = traceparent
      self.metadata = metadata
      stated = StatedKeys()
    }

    init(_ methodName: String, _ traceparent: [UInt8], _ known: KnownMetadata) {
      self.methodName = methodName
      self.traceparent = traceparent
      metadata = known.metadata
      stated = known.stated
    }
  }

  /// What is read of ``Extras``.
  private struct ExtraFields {
    var methodName = ""
    var traceparent: [UInt8] = []
    var metadata = Metadata()
    /// Where the metadata begins and ends in the head; nil: there is none, or other fields stand
    /// between its entries.
    var bounds: Range<Int>?

    /// Reads one entry of the metadata, which stands at `place`.
    mutating func readEntry(
      _ chunk: UnsafeRawBufferPointer, _ place: Range<Int>
    ) throws(Fault) {
      guard metadata.entries.count < Limits.maxMetadataEntries else { throw .metadataSize }
      let isFirst = metadata.isEmpty
      try RequestHead.readMetadata(chunk, into: &metadata)
      if isFirst {
        bounds = place
      } else if let start = bounds?.lowerBound, bounds?.upperBound == place.lowerBound {
        bounds = start..<place.upperBound
      } else {
        bounds = nil
      }
    }
  }

  /// Why a head ends its call.
  package enum Fault: Error, Equatable {
    case malformed
    case keyLength
    case metadataKey
    case metadataSize
  }

  package init() {}
}

extension RequestHead {
  /// Numbers of the fields, with their wire types, as they stand on the wire.
  private enum Tag {
    static let methodID: UInt64 = 1 << 3
    static let methodName: UInt64 = 2 << 3 | 2
    static let timeout: UInt64 = 3 << 3
    static let key: UInt64 = 4 << 3 | 2
    static let traceparent: UInt64 = 5 << 3 | 2
    static let attempt: UInt64 = 6 << 3
    static let afterSequence: UInt64 = 7 << 3
    static let metadata: UInt64 = 8 << 3 | 2
    static let storeEpoch: UInt64 = 9 << 3 | 1
    static let creditAtOnce: UInt64 = 10 << 3
  }

  /// Reads a head; unknown fields are skipped, of a repeated singular field the last one stands.
  package init(decoding bytes: UnsafeRawBufferPointer) throws(Fault) {
    var known: KnownMetadata?
    try decode(bytes, known: &known, isGateways: true)
  }

  /// Replaces the head by the one that `bytes` contain; after an error it is not valid.
  ///
  /// - Parameters:
  ///   - known: the metadata of an earlier head, which is taken where the bytes are the same;
  ///     replaced by that of this head where they are not.
  ///   - isGateways: the address of a caller may be stated; else it is left out.
  mutating func decode(
    _ bytes: UnsafeRawBufferPointer, known: inout KnownMetadata?, isGateways: Bool
  ) throws(Fault) {
    self = RequestHead()
    var extras: ExtraFields?
    // Instead of the metadata of `extras`.
    var taken: KnownMetadata?
    var offset = 0
    while offset < bytes.count {
      let start = offset
      let tag = try Self.short(bytes, &offset)
      switch tag {
      case Tag.methodID: methodID = try Self.uint32(bytes, &offset)
      case Tag.timeout: timeoutMilliseconds = try Self.uint32(bytes, &offset)
      case Tag.key:
        let key = try Self.chunk(bytes, &offset)
        guard key.count == Limits.idempotencyKeyBytes || key.isEmpty else { throw .keyLength }
        idempotencyKey = key.isEmpty ? nil : IdempotencyKey(reading: key)
      case Tag.attempt: attempt = try Self.uint32(bytes, &offset)
      case Tag.afterSequence:
        guard let value = Varint.read(bytes, at: &offset) else { throw .malformed }
        afterSequence = Int64(truncatingIfNeeded: value)
      case Tag.storeEpoch:
        guard bytes.count &- offset >= 8 else { throw .malformed }
        storeEpoch = UInt64(
          littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset &+= 8
      case Tag.creditAtOnce:
        guard let value = Varint.read(bytes, at: &offset) else { throw .malformed }
        returnsCreditAtOnce = value != 0
      case Tag.metadata:
        if let known, taken == nil, extras == nil, known.stands(in: bytes, at: start) {
          taken = known
          offset = start &+ known.bytes.count
          continue
        }
        var fields = Self.fields(&extras, &taken)
        let chunk = try Self.chunk(bytes, &offset)
        try fields.readEntry(chunk, start..<offset)
        extras = fields
      case Tag.methodName, Tag.traceparent:
        var fields = Self.fields(&extras, &taken)
        try Self.readExtra(tag, try Self.chunk(bytes, &offset), into: &fields)
        extras = fields
      default: try Self.skip(tag, bytes, &offset, knownFields: 10)
      }
    }
    if let taken { return setExtras("", [], taken, isGateways) }
    guard let extras else { return }
    guard extras.metadata.byteCount <= Limits.maxMetadataBytes else { throw .metadataSize }
    guard extras.metadata.hasOnlyValidKeys else { throw .metadataKey }
    let read = KnownMetadata(
      extras.metadata, stated: StatedKeys(extras.metadata), bytes, extras.bounds)
    if !read.bytes.isEmpty { known = read }
    setExtras(extras.methodName, extras.traceparent, read, isGateways)
  }

  @inline(__always)
  private mutating func setExtras(
    _ methodName: String, _ traceparent: [UInt8], _ known: KnownMetadata, _ isGateways: Bool
  ) {
    let known = isGateways ? known : known.withoutAddress ?? known
    guard !known.metadata.isEmpty || !traceparent.isEmpty || !methodName.isEmpty else { return }
    extras = Extras(methodName, traceparent, known)
  }

  /// The extra fields so far; those that `taken` stands for are read.
  private static func fields(
    _ extras: inout ExtraFields?, _ taken: inout KnownMetadata?
  ) -> ExtraFields {
    var fields = extras ?? ExtraFields()
    if let known = taken { fields.metadata = known.metadata }
    (extras, taken) = (nil, nil)
    return fields
  }

  private static func readExtra(
    _ tag: UInt64, _ chunk: UnsafeRawBufferPointer, into fields: inout ExtraFields
  ) throws(Fault) {
    if tag == Tag.methodName {
      guard let name = String(validating: chunk, as: UTF8.self) else { throw .malformed }
      fields.methodName = name
    } else {
      fields.traceparent = chunk.count == Limits.traceparentBytes ? Array(chunk) : []
    }
  }

  fileprivate static func readMetadata(
    _ bytes: UnsafeRawBufferPointer, into metadata: inout Metadata
  ) throws(Fault) {
    var key = ""
    var value: [UInt8] = []
    var offset = 0
    while offset < bytes.count {
      let tag = try short(bytes, &offset)
      switch tag {
      case 1 << 3 | 2:
        let chunk = try chunk(bytes, &offset)
        guard let text = String(validating: chunk, as: UTF8.self) else { throw .malformed }
        key = text
      case 2 << 3 | 2: value = Array(try chunk(bytes, &offset))
      default: try skip(tag, bytes, &offset, knownFields: 2)
      }
    }
    metadata.append(key, value)
  }

  private static func uint32(
    _ bytes: UnsafeRawBufferPointer, _ offset: inout Int
  ) throws(Fault) -> UInt32 {
    guard let value = Varint.read(bytes, at: &offset) else { throw .malformed }
    return UInt32(truncatingIfNeeded: value)
  }

  /// A tag or a length, which protobuf never writes in more than five bytes.
  @inline(__always)
  private static func short(
    _ bytes: UnsafeRawBufferPointer, _ offset: inout Int
  ) throws(Fault) -> UInt64 {
    if offset < bytes.count, bytes[offset] < 0x80 {
      offset &+= 1
      return UInt64(bytes[offset &- 1])
    }
    let start = offset
    guard let value = Varint.read(bytes, at: &offset), offset &- start <= 5 else {
      throw .malformed
    }
    return value
  }

  private static func chunk(
    _ bytes: UnsafeRawBufferPointer, _ offset: inout Int
  ) throws(Fault) -> UnsafeRawBufferPointer {
    let length = try short(bytes, &offset)
    guard length <= UInt64(bytes.count &- offset) else { throw .malformed }
    let end = offset &+ Int(truncatingIfNeeded: length)
    defer { offset = end }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<end])
  }

  /// Passes a field that this version does not know; a known number with another wire type, a
  /// number of 0 or past 2^29 - 1, and groups are malformed.
  private static func skip(
    _ tag: UInt64, _ bytes: UnsafeRawBufferPointer, _ offset: inout Int, knownFields: UInt64
  ) throws(Fault) {
    let number = tag >> 3
    guard number > knownFields, number < 1 << 29 else {
      throw .malformed
    }
    switch tag & 7 {
    case 0: guard Varint.read(bytes, at: &offset) != nil else { throw .malformed }
    case 1:
      guard bytes.count &- offset >= 8 else { throw .malformed }
      offset &+= 8
    case 2: _ = try chunk(bytes, &offset)
    case 5:
      guard bytes.count &- offset >= 4 else { throw .malformed }
      offset &+= 4
    default: throw .malformed
    }
  }
}
