internal import CProtobufC

/// Decodes and encodes messages.
///
/// Ordered messages, as encoders write them, are decoded and encoded without C structures; others
/// and dynamic ones go through libprotobuf-c and an arena that is used again for each message.
///
/// Use one per thread: it is neither `Sendable` nor reentrant.
public final class MessageCoder {
  /// What `decode` refuses.
  package let limits: DecodeLimits

  let arena: UnsafeMutablePointer<Arena>
  /// Arena that every message may take.
  private let freeArenaByteCount: Int
  private let allocator: UnsafeMutablePointer<ProtobufCAllocator>
  /// Why the latest message was refused.
  let fault: UnsafeMutablePointer<Fault>
  /// Both, for readers of the unpacked message.
  private let unpacked: UnsafeMutablePointer<MessageReader.Unpacked>

  private static let initialArenaByteCount = 4096

  package init(limits: DecodeLimits = .default) {
    self.limits = limits
    freeArenaByteCount = min(limits.arenaBaseByteCount, limits.maxArenaByteCount)
    fault = .allocate(capacity: 1)
    fault.initialize(to: Fault())
    arena = .allocate(capacity: 1)
    arena.initialize(to: Arena(byteCount: Self.initialArenaByteCount))
    unpacked = .allocate(capacity: 1)
    unpacked.initialize(to: MessageReader.Unpacked(arena: arena, fault: fault))
    allocator = .allocate(capacity: 1)
    allocator.initialize(to: Arena.allocator(over: arena))
  }

  deinit {
    arena.pointee.destroy()
    arena.deinitialize(count: 1)
    arena.deallocate()
    allocator.deallocate()
    unpacked.deallocate()
    fault.deinitialize(count: 1)
    fault.deallocate()
  }

  /// Checks the bytes against the schema and the limits, and makes the Swift value. The bytes are
  /// not kept.
  @inlinable
  public func decode<M: Message>(
    _: M.Type, from bytes: UnsafeRawBufferPointer
  ) throws(DecodeError) -> M {
    var message = M()
    let isDecoded = withUnsafeMutablePointer(to: &message) {
      decode(M.schema.plan, bytes, into: UnsafeMutableRawPointer($0))
    }
    guard isDecoded else { throw takeError() }
    return message
  }

  /// The same from an array.
  @inlinable
  public func decode<M: Message>(_: M.Type, from bytes: [UInt8]) throws(DecodeError) -> M {
    var message = M()
    let isDecoded = withUnsafeMutablePointer(to: &message) { target in
      bytes.withUnsafeBytes { decode(M.schema.plan, $0, into: UnsafeMutableRawPointer(target)) }
    }
    guard isDecoded else { throw takeError() }
    return message
  }

  /// The most bytes that encoding the message takes.
  @inlinable
  public func encodedSizeBound<M: Message>(_ message: borrowing M) -> Int {
    withUnsafePointer(to: message) { bound(M.schema.plan, UnsafeRawPointer($0)) }
  }

  /// Writes the encoded message and gives the number of bytes written.
  ///
  /// Traps when the buffer is smaller than `encodedSizeBound`.
  @inlinable
  public func encode<M: Message>(
    _ message: borrowing M, into buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    encode(message, reserving: { _ in buffer })
  }

  /// The encoded message.
  @inlinable
  public func encode<M: Message>(_ message: borrowing M) -> [UInt8] {
    withUnsafePointer(to: message) { encode(M.schema.plan, UnsafeRawPointer($0)) }
  }

  /// Encodes straight into memory that the caller reserves once the bound is known.
  @inlinable
  public func encode<M: Message>(
    _ message: borrowing M, reserving reserve: (Int) -> UnsafeMutableRawBufferPointer
  ) -> Int {
    withUnsafePointer(to: message) { message in
      let plan = M.schema.plan
      let source = UnsafeRawPointer(message)
      let bound = bound(plan, source)
      return write(plan, source, bound: bound, into: reserve(bound))
    }
  }

  @usableFromInline
  func decode(
    _ reference: PlanReference, _ bytes: UnsafeRawBufferPointer,
    into target: UnsafeMutableRawPointer
  ) -> Bool {
    let plan = reference.prepared()
    guard let base = bytes.baseAddress else { return true }
    let start = base.assumingMemoryBound(to: UInt8.self)
    guard let scan = scanned(plan, start, bytes.count) else { return false }
    if scan.isOrdered {
      var reader = OrderedReader(start, start + bytes.count, fault)
      return reader.read(plan, into: target)
    }
    return decodeUnordered(plan, bytes, scan.arenaByteCount, into: target)
  }

  /// Unpacks a message with libprotobuf-c, which knows what fields in another order mean.
  @inline(never)
  private func decodeUnordered(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ bytes: UnsafeRawBufferPointer,
    _ arenaByteCount: Int, into target: UnsafeMutableRawPointer
  ) -> Bool {
    guard let message = unpack(plan, bytes, arenaByteCount) else { return false }
    let isRead = MessageReader.read(plan, message, into: target, unpacked)
    arena.pointee.reset()
    return isRead
  }

  /// What the pre-scan found, or nil with the fault noted.
  @inline(__always)
  private func scanned(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ start: UnsafePointer<UInt8>, _ byteCount: Int
  ) -> MessageScan? {
    var scan = MessageScan(limits)
    guard scan.scan(plan, start, start + byteCount, levelsLeft: limits.maxDepth, fault) else {
      return nil
    }
    guard
      scan.arenaByteCount <= freeArenaByteCount
        || scan.arenaByteCount <= limits.arenaBudget(for: byteCount)
    else {
      fault.pointee = Fault(reason: .tooMuchMemory)
      return nil
    }
    return scan
  }

  /// The C structure in the arena, or nil with the fault noted.
  func unpack(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ bytes: UnsafeRawBufferPointer
  ) -> UnsafeRawPointer? {
    guard let base = bytes.baseAddress else {
      return unpack(plan, bytes, plan.pointee.arenaByteCount)
    }
    guard let scan = scanned(plan, base.assumingMemoryBound(to: UInt8.self), bytes.count) else {
      return nil
    }
    return unpack(plan, bytes, scan.arenaByteCount)
  }

  /// The same of bytes that the pre-scan has accepted.
  private func unpack(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ bytes: UnsafeRawBufferPointer,
    _ arenaByteCount: Int
  ) -> UnsafeRawPointer? {
    arena.pointee.reserve(arenaByteCount)
    let message = protobuf_c_message_unpack(
      plan.pointee.descriptor, allocator, bytes.count,
      bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    guard let message else {
      fault.pointee = Fault(reason: arena.pointee.isExhausted ? .arenaExhausted : .unpackRefused)
      arena.pointee.reset()
      return nil
    }
    return UnsafeRawPointer(message)
  }

  /// Gives everything in the arena back.
  func reset() {
    arena.pointee.reset()
  }

  @usableFromInline
  func takeError() -> DecodeError {
    defer { fault.pointee = Fault() }
    return fault.pointee.error
  }

  @usableFromInline
  func bound(_ reference: PlanReference, _ source: UnsafeRawPointer) -> Int {
    MessageSizer.bound(reference.prepared(), source)
  }

  @usableFromInline
  func encode(_ reference: PlanReference, _ source: UnsafeRawPointer) -> [UInt8] {
    let bound = bound(reference, source)
    return [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
      count = write(
        reference, source, bound: bound, into: UnsafeMutableRawBufferPointer(buffer))
    }
  }

  /// Writes a message, whose bound is known.
  @usableFromInline
  func write(
    _ reference: PlanReference, _ source: UnsafeRawPointer, bound: Int,
    into buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    precondition(bound <= Int(Int32.max), "a message is larger than protobuf allows")
    precondition(bound <= buffer.count, "the buffer is smaller than the encoded size's bound")
    guard let base = buffer.baseAddress else { return 0 }
    let count = MessageWriter.write(reference.prepared(), source, base) - base
    precondition(count <= bound, "a message takes no more than its bound")
    return count
  }

  /// Packs a C structure and gives the arena back.
  func pack(
    _ message: UnsafeMutableRawPointer, bound: Int, into buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    var written = 0
    if bound > 0 {
      precondition(bound <= Int(Int32.max), "a message is larger than protobuf allows")
      precondition(bound <= buffer.count, "the buffer is smaller than the encoded size's bound")
      written = protobuf_c_message_pack(
        message.assumingMemoryBound(to: ProtobufCMessage.self),
        buffer.baseAddress?.assumingMemoryBound(to: UInt8.self))
    }
    arena.pointee.reset()
    return written
  }
}

@available(*, unavailable)
extension MessageCoder: Sendable {}
