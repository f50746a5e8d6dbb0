/// Cuts a stream of bytes, however it is chunked, into frames.
///
/// A frame that is completely in the chunk is returned in place. Of an incomplete frame only the
/// received bytes are kept; no memory is reserved for the length in its header. Ask for the header,
/// validate it, then ask for the payload: a length over its limit ends the connection before any of
/// the payload is kept.
@usableFromInline
package struct Deframer: ~Copyable {
  @usableFromInline
  var partial = ByteQueue()
  /// The kept frame has been returned, and is released by the next call.
  @usableFromInline
  var isFinished = false

  package init() {}

  /// Whether no byte of a frame is kept.
  @inlinable
  package var isEmpty: Bool { partial.isEmpty }
  @inlinable package var hasPartialFrame: Bool { !partial.isEmpty && !isFinished }
  @inlinable package var keptByteCount: Int { partial.count }
  package var allocatedByteCount: Int { partial.allocatedByteCount }

  /// The header of the next frame, or nil while it is not whole; `offset` moves through `chunk`.
  ///
  /// The same header is answered again until its payload has been taken.
  @inlinable
  package mutating func header(
    _ chunk: UnsafeRawBufferPointer, at offset: inout Int
  ) -> FrameHeader? {
    guard partial.isEmpty else { return headerOfPartial(chunk, at: &offset) }
    guard chunk.count &- offset >= FrameHeader.byteCount, let base = chunk.baseAddress else {
      keep(chunk, from: &offset)
      return nil
    }
    return FrameHeader(reading: base + offset)
  }

  /// The payload of the frame whose header was just answered, or nil while it is not whole.
  ///
  /// Valid until the next call, and no longer than `chunk`.
  @inlinable
  package mutating func payload(
    of header: FrameHeader, _ chunk: UnsafeRawBufferPointer, at offset: inout Int
  ) -> UnsafeRawBufferPointer? {
    guard partial.isEmpty else { return payloadOfPartial(header, chunk, at: &offset) }
    let start = offset &+ FrameHeader.byteCount
    guard chunk.count &- start >= header.payloadByteCount, let base = chunk.baseAddress else {
      keep(chunk, from: &offset)
      return nil
    }
    offset = start &+ header.payloadByteCount
    return UnsafeRawBufferPointer(start: base + start, count: header.payloadByteCount)
  }

  @usableFromInline
  mutating func headerOfPartial(
    _ chunk: UnsafeRawBufferPointer, at offset: inout Int
  ) -> FrameHeader? {
    if isFinished {
      partial.release()
      isFinished = false
      return header(chunk, at: &offset)
    }
    take(FrameHeader.byteCount - partial.count, of: chunk, at: &offset)
    guard partial.count >= FrameHeader.byteCount, let base = partial.bytes.baseAddress else {
      return nil
    }
    return FrameHeader(reading: base)
  }

  @usableFromInline
  mutating func payloadOfPartial(
    _ header: FrameHeader, _ chunk: UnsafeRawBufferPointer, at offset: inout Int
  ) -> UnsafeRawBufferPointer? {
    let whole = FrameHeader.byteCount + header.payloadByteCount
    take(whole - partial.count, of: chunk, at: &offset)
    guard partial.count >= whole else { return nil }
    isFinished = true
    return UnsafeRawBufferPointer(rebasing: partial.bytes[FrameHeader.byteCount...])
  }

  private mutating func take(
    _ byteCount: Int, of chunk: UnsafeRawBufferPointer, at offset: inout Int
  ) {
    let taken = min(byteCount, chunk.count - offset)
    guard taken > 0 else { return }
    partial.append(UnsafeRawBufferPointer(rebasing: chunk[offset..<offset + taken]))
    offset += taken
  }

  @usableFromInline
  mutating func keep(_ chunk: UnsafeRawBufferPointer, from offset: inout Int) {
    guard offset < chunk.count else { return }
    partial.append(UnsafeRawBufferPointer(rebasing: chunk[offset...]))
    offset = chunk.count
  }
}

@available(*, unavailable)
extension Deframer: Sendable {}
