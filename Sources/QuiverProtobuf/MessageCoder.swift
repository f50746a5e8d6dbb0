internal import CProtobufC

/// Decodes and encodes messages by way of libprotobuf-c, with an arena that is used again for each.
///
/// One for each shard or thread: it is neither `Sendable` nor reentrant.
package final class MessageCoder {
  /// What `decode` refuses.
  package let limits: DecodeLimits

  private let arena: UnsafeMutablePointer<Arena>
  private let allocator: UnsafeMutablePointer<ProtobufCAllocator>
  private var fault = Fault()

  private static let initialArenaByteCount = 4096

  package init(limits: DecodeLimits = .default) {
    self.limits = limits
    arena = .allocate(capacity: 1)
    arena.initialize(to: Arena(byteCount: Self.initialArenaByteCount))
    allocator = .allocate(capacity: 1)
    allocator.initialize(to: Arena.allocator(over: arena))
  }

  deinit {
    arena.pointee.destroy()
    arena.deinitialize(count: 1)
    arena.deallocate()
    allocator.deallocate()
  }

  /// Checks the bytes against the schema and the limits, unpacks them with
  /// `protobuf_c_message_unpack` and makes the Swift value. The bytes are not kept.
  @inlinable
  package func decode<M: Message>(
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
  package func decode<M: Message>(_: M.Type, from bytes: [UInt8]) throws(DecodeError) -> M {
    var message = M()
    let isDecoded = withUnsafeMutablePointer(to: &message) { target in
      bytes.withUnsafeBytes { decode(M.schema.plan, $0, into: UnsafeMutableRawPointer(target)) }
    }
    guard isDecoded else { throw takeError() }
    return message
  }

  /// The most bytes that encoding the message takes.
  @inlinable
  package func encodedSizeBound<M: Message>(_ message: borrowing M) -> Int {
    withUnsafePointer(to: message) { bound(M.schema.plan, UnsafeRawPointer($0)) }
  }

  /// Packs the message with `protobuf_c_message_pack` and gives the number of bytes written.
  ///
  /// Traps when the buffer is smaller than `encodedSizeBound`.
  @inlinable
  package func encode<M: Message>(
    _ message: borrowing M, into buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    withUnsafePointer(to: message) { encode(M.schema.plan, UnsafeRawPointer($0), into: buffer) }
  }

  /// The encoded message.
  @inlinable
  package func encode<M: Message>(_ message: borrowing M) -> [UInt8] {
    withUnsafePointer(to: message) { encode(M.schema.plan, UnsafeRawPointer($0)) }
  }

  @usableFromInline
  func decode(
    _ reference: PlanReference, _ bytes: UnsafeRawBufferPointer,
    into target: UnsafeMutableRawPointer
  ) -> Bool {
    let plan = reference.prepared()
    guard let message = unpack(plan, bytes) else { return false }
    var reader = MessageReader()
    let isRead = reader.read(plan, message, into: target)
    if !isRead { fault = reader.fault }
    arena.pointee.reset()
    return isRead
  }

  /// The C structure in the arena, or nil with the fault noted.
  func unpack(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ bytes: UnsafeRawBufferPointer
  ) -> UnsafeRawPointer? {
    var scan = MessageScan(limits)
    if let base = bytes.baseAddress {
      let start = base.assumingMemoryBound(to: UInt8.self)
      guard
        scan.scan(plan, start, start + bytes.count, levelsLeft: limits.maxDepth)
      else {
        fault = scan.fault
        return nil
      }
      guard scan.arenaByteCount <= limits.arenaBudget(for: bytes.count) else {
        fault = Fault(reason: .tooMuchMemory)
        return nil
      }
    }
    arena.pointee.reserve(max(scan.arenaByteCount, plan.pointee.arenaByteCount))
    let message = protobuf_c_message_unpack(
      plan.pointee.descriptor, allocator, bytes.count,
      bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    guard let message else {
      fault = Fault(reason: arena.pointee.isExhausted ? .arenaExhausted : .unpackRefused)
      arena.pointee.reset()
      return nil
    }
    return UnsafeRawPointer(message)
  }

  @usableFromInline
  func takeError() -> DecodeError {
    defer { fault = Fault() }
    return fault.error
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
    return pack(message, bound: writer.bound, into: buffer)
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
