import QuiverWire

extension RequestHead {
  /// How many bytes the head takes; at least what ``encode(to:)`` writes.
  var encodedByteCountBound: Int {
    // Tags and numbers of the plain fields, at their longest.
    var bound = 6 + 6 + 18 + 6 + 11 + 9 + 2
    if let extras {
      bound += extras.methodName.utf8.count + extras.traceparent.count + 16
      for entry in extras.metadata.entries {
        bound += entry.key.utf8.count + entry.value.count + 32
      }
    }
    return bound
  }

  /// Writes the head and answers its size.
  ///
  /// - Precondition: room for ``encodedByteCountBound``.
  func encode(to bytes: UnsafeMutableRawPointer) -> Int {
    var writer = FieldWriter(base: bytes)
    writer.varint(1, UInt64(methodID))
    if let extras { writer.text(2, extras.methodName) }
    writer.varint(3, UInt64(timeoutMilliseconds))
    if let idempotencyKey { writer.key(4, idempotencyKey) }
    if let extras { writer.chunk(5, extras.traceparent) }
    writer.varint(6, UInt64(attempt))
    writer.varint(7, UInt64(bitPattern: afterSequence))
    for entry in extras?.metadata.entries ?? [] {
      let size =
        FieldWriter.byteCount(ofChunk: entry.key.utf8.count)
        + FieldWriter.byteCount(ofChunk: entry.value.count)
      writer.open(8, byteCount: size)
      writer.text(1, entry.key)
      writer.chunk(2, entry.value)
    }
    writer.fixed64(9, storeEpoch)
    writer.varint(10, returnsCreditAtOnce ? 1 : 0)
    return writer.count
  }
}

/// Writes protobuf fields behind one another; zero and empty ones are left out.
private struct FieldWriter {
  let base: UnsafeMutableRawPointer
  var count = 0

  init(base: UnsafeMutableRawPointer) { self.base = base }

  static func byteCount(ofChunk length: Int) -> Int {
    length == 0 ? 0 : 1 + Varint.byteCount(of: UInt64(length)) + length
  }

  mutating func varint(_ field: UInt64, _ value: UInt64) {
    guard value != 0 else { return }
    count += Varint.write(field << 3, to: base + count)
    count += Varint.write(value, to: base + count)
  }

  mutating func fixed64(_ field: UInt64, _ value: UInt64) {
    guard value != 0 else { return }
    count += Varint.write(field << 3 | 1, to: base + count)
    base.storeBytes(of: value.littleEndian, toByteOffset: count, as: UInt64.self)
    count += 8
  }

  mutating func open(_ field: UInt64, byteCount: Int) {
    count += Varint.write(field << 3 | 2, to: base + count)
    count += Varint.write(UInt64(byteCount), to: base + count)
  }

  mutating func key(_ field: UInt64, _ key: IdempotencyKey) {
    open(field, byteCount: Limits.idempotencyKeyBytes)
    base.storeBytes(of: key.high.bigEndian, toByteOffset: count, as: UInt64.self)
    base.storeBytes(of: key.low.bigEndian, toByteOffset: count + 8, as: UInt64.self)
    count += Limits.idempotencyKeyBytes
  }

  mutating func text(_ field: UInt64, _ text: String) {
    guard !text.isEmpty else { return }
    let bytes = text.utf8
    open(field, byteCount: bytes.count)
    UnsafeMutableRawBufferPointer(start: base + count, count: bytes.count).copyBytes(from: bytes)
    count += bytes.count
  }

  mutating func chunk(_ field: UInt64, _ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    open(field, byteCount: bytes.count)
    UnsafeMutableRawBufferPointer(start: base + count, count: bytes.count).copyBytes(from: bytes)
    count += bytes.count
  }
}
