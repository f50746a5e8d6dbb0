internal import CProtobufC

/// Decodes and encodes messages with libprotobuf-c and an arena that is used again for each
/// message.
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

  /// Checks the bytes against the schema and the limits, unpacks them with
  /// `protobuf_c_message_unpack` and makes the Swift value. The bytes are not kept.
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

  /// Packs the message with `protobuf_c_message_pack` and gives the number of bytes written.
  ///
  /// Traps when the buffer is smaller than `encodedSizeBound`.
  @inlinable
  public func encode<M: Message>(
    _ message: borrowing M, into buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    withUnsafePointer(to: message) { encode(M.schema.plan, UnsafeRawPointer($0), into: buffer) }
  }

  /// The encoded message.
  @inlinable
  public func encode<M: Message>(_ message: borrowing M) -> [UInt8] {
    withUnsafePointer(to: message) { encode(M.schema.plan, UnsafeRawPointer($0)) }
  }

  /// Encodes straight into memory that the caller reserves once the bound is known: one walk over
  /// the message instead of two.
  @inlinable
  public func encode<M: Message>(
    _ message: borrowing M, reserving reserve: (Int) -> UnsafeMutableRawBufferPointer
  ) -> Int {
    withUnsafePointer(to: message) { source in
      let prepared = prepare(M.schema.plan, UnsafeRawPointer(source))
      return pack(prepared.message, bound: prepared.bound, into: reserve(prepared.bound))
    }
  }

  @usableFromInline
  func prepare(
    _ reference: PlanReference, _ source: UnsafeRawPointer
  ) -> (message: UnsafeMutableRawPointer, bound: Int) {
    var writer = MessageWriter(arena)
    let message = writer.write(reference.prepared(), source)
    return (message, writer.bound)
  }

  @usableFromInline
  func decode(
    _ reference: PlanReference, _ bytes: UnsafeRawBufferPointer,
    into target: UnsafeMutableRawPointer
  ) -> Bool {
    let plan = reference.prepared()
    guard let message = unpack(plan, bytes) else { return false }
    let isRead = MessageReader.read(plan, message, into: target, unpacked)
    arena.pointee.reset()
    return isRead
  }

  /// The C structure in the arena, or nil with the fault noted.
  @inline(__always)
  func unpack(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ bytes: UnsafeRawBufferPointer
  ) -> UnsafeRawPointer? {
    var arenaByteCount = plan.pointee.arenaByteCount
    if let base = bytes.baseAddress {
      let start = base.assumingMemoryBound(to: UInt8.self)
      var scan = MessageScan(limits)
      guard scan.scan(plan, start, start + bytes.count, levelsLeft: limits.maxDepth, fault)
      else { return nil }
      arenaByteCount = scan.arenaByteCount
      guard
        arenaByteCount <= freeArenaByteCount
          || arenaByteCount <= limits.arenaBudget(for: bytes.count)
      else {
        fault.pointee = Fault(reason: .tooMuchMemory)
        return nil
      }
    }
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
  func encode(
    _ reference: PlanReference, _ source: UnsafeRawPointer,
    into buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    var writer = MessageWriter(arena)
    let message = writer.write(reference.prepared(), source)
    // The writer's bound is looser than `encodedSizeBound`: it counts scalars that are zero.
    let bound =
      writer.bound <= buffer.count
      ? writer.bound
      : protobuf_c_message_get_packed_size(
        UnsafePointer(message.assumingMemoryBound(to: ProtobufCMessage.self)))
    return pack(message, bound: bound, into: buffer)
  }

  @usableFromInline
  func encode(_ reference: PlanReference, _ source: UnsafeRawPointer) -> [UInt8] {
    var writer = MessageWriter(arena)
    let message = writer.write(reference.prepared(), source)
    return [UInt8](unsafeUninitializedCapacity: writer.bound) { buffer, count in
      count = pack(message, bound: writer.bound, into: UnsafeMutableRawBufferPointer(buffer))
    }
  }

  /// Packs a C structure and gives the arena back.
  @usableFromInline
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
