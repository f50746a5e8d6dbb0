import QuiverWire

extension RequestHead {
  /// How many bytes the head takes; at least what ``encode(to:)`` writes.
  var encodedByteCountBound: Int {
    // Tags and numbers of the plain fields, at their longest.
    var bound = 6 + 6 + 18 + 6 + 11 + 9
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
    if let extras { writer.chunk(2, Array(extras.methodName.utf8)) }
    writer.varint(3, UInt64(timeoutMilliseconds))
    if let idempotencyKey { writer.chunk(4, idempotencyKey.bytes) }
    if let extras { writer.chunk(5, extras.traceparent) }
    writer.varint(6, UInt64(attempt))
    writer.varint(7, UInt64(bitPattern: afterSequence))
    for entry in extras?.metadata.entries ?? [] {
      let key = Array(entry.key.utf8)
      let size =
        FieldWriter.byteCount(ofChunk: key.count)
        + FieldWriter.byteCount(ofChunk: entry.value.count)
      writer.open(8, byteCount: size)
      writer.chunk(1, key)
      writer.chunk(2, entry.value)
    }
    writer.fixed64(9, storeEpoch)
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

  mutating func chunk(_ field: UInt64, _ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    open(field, byteCount: bytes.count)
    UnsafeMutableRawBufferPointer(start: base + count, count: bytes.count).copyBytes(from: bytes)
    count += bytes.count
  }
}
