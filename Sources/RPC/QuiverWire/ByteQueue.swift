import QuiverPlatform

/// Bytes that are written at the end and taken from the front; one owner, no sharing, no copies.
///
/// Used for bytes that wait to be sent, and for incomplete frames and messages. An empty queue that
/// has released its memory (``release()``) owns nothing.
public struct ByteQueue: ~Copyable {
  @usableFromInline var base: UnsafeMutableRawPointer?
  @usableFromInline var capacity = 0
  @usableFromInline var head = 0
  @usableFromInline var tail = 0

  @inlinable
  public init() {}

  deinit { free(base) }

  /// How many bytes wait.
  @inlinable public var count: Int { tail &- head }
  /// Whether no bytes wait.
  @inlinable public var isEmpty: Bool { tail == head }
  /// How much memory the queue holds, used or not.
  @inlinable public var allocatedByteCount: Int { capacity }

  /// The waiting bytes; valid until the next change.
  @inlinable
  public var bytes: UnsafeRawBufferPointer {
    guard let base else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(start: base + head, count: tail &- head)
  }

  /// Room for `byteCount` more bytes at the end; valid until the next change. What is written there
  /// counts once it is committed.
  @inlinable
  public mutating func reserve(_ byteCount: Int) -> UnsafeMutableRawPointer {
    if capacity &- tail < byteCount || base == nil { grow(by: byteCount) }
    guard let base else { preconditionFailure("a queue that has grown has memory") }
    return base + tail
  }

  /// Counts `byteCount` bytes, written to the last reserved room, as waiting.
  @inlinable
  public mutating func commit(_ byteCount: Int) {
    precondition(byteCount >= 0 && byteCount <= capacity &- tail, "commit within what was reserved")
    tail &+= byteCount
  }

  /// Appends bytes.
  @inlinable
  public mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, bytes.count > 0 else { return }
    let room = reserve(bytes.count)
    room.copyMemory(from: source, byteCount: bytes.count)
    tail &+= bytes.count
  }

  /// Appends bytes.
  public mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { append($0) }
  }

  /// Takes `byteCount` bytes from the front.
  @inlinable
  public mutating func consume(_ byteCount: Int) {
    precondition(byteCount >= 0 && byteCount <= tail &- head, "consume what is there")
    head &+= byteCount
    if head == tail {
      head = 0
      tail = 0
    }
  }

  /// Drops the last bytes so that `byteCount` are left.
  @inlinable
  public mutating func truncate(to byteCount: Int) {
    precondition(byteCount >= 0 && byteCount <= tail &- head, "truncate to what is there")
    tail = head &+ byteCount
  }

  /// Replaces eight waiting bytes, the first of them `offset` bytes behind the front.
  public mutating func replace(at offset: Int, with number: UInt64) {
    precondition(offset >= 0 && offset + 8 <= count, "replace what is there")
    base?.storeBytes(of: number, toByteOffset: head + offset, as: UInt64.self)
  }

  /// Forgets the bytes and keeps the memory.
  @inlinable
  public mutating func removeAll() {
    head = 0
    tail = 0
  }

  /// Forgets the bytes and gives the memory back.
  public mutating func release() {
    free(base)
    base = nil
    capacity = 0
    head = 0
    tail = 0
  }

  @usableFromInline
  mutating func grow(by byteCount: Int) {
    let used = tail - head
    if let base, head >= capacity / 2, capacity - used >= byteCount {
      base.copyMemory(from: base + head, byteCount: used)
    } else {
      let wanted = max(used + byteCount, capacity * 2, 112)
      // Memory that begins with the bytes may grow where it is, or have its pages moved.
      guard let larger = head == 0 ? realloc(base, wanted) : malloc(wanted) else {
        fatalError("no memory left")  // as Swift's own
      }
      if head > 0, let base {
        larger.copyMemory(from: base + head, byteCount: used)
        free(base)
      }
      base = larger
      capacity = wanted
    }
    head = 0
    tail = used
  }
}

@available(*, unavailable)
extension ByteQueue: Sendable {}
