internal import CProtobufC

/// A bump allocator that returns zeroed memory; all of it is released together.
///
/// It is at a fixed address, which libprotobuf-c gets as allocator data.
struct Arena {
  private var cursor: UnsafeMutableRawPointer
  private var end: UnsafeMutableRawPointer
  private var block: UnsafeMutableRawPointer
  private var blockByteCount: Int
  /// Blocks that filled up; freed at the next reset.
  private var full: [UnsafeMutableRawPointer] = []
  /// Values that have memory of their own, as the arrays that they may be taken as.
  private var large: [[UInt8]] = []
  /// What unpacking may still take beyond the block.
  private var allowance = 0
  /// Set when an allocation did not fit.
  private(set) var isExhausted = false
  /// Whether the next reset has more to do than to clear the block.
  private var mustShrink = false

  /// The block that is kept between messages is at most this large.
  private static let keptByteCount = 65_536
  /// Unpacking gives values of this size and more memory of their own, which is not cleared: what
  /// libprotobuf-c asks so much for, it fills.
  static let largeByteCount = 32_768
  /// The size of each block for a message that is larger than the kept block.
  private static let addedByteCount = 262_144

  private static let alignment = 16

  init(byteCount: Int) {
    blockByteCount = Self.rounded(byteCount)
    block = Self.zeroed(blockByteCount)
    cursor = block
    end = block + blockByteCount
  }

  /// Frees the memory; the arena must not be used afterwards.
  mutating func destroy() {
    block.deallocate()
    for block in full { block.deallocate() }
    full = []
    large = []
  }

  /// What an allocation takes.
  @inline(__always)
  static func rounded(_ byteCount: Int) -> Int { (byteCount &+ 15) & ~15 }

  /// Releases all memory and clears the used part.
  @inline(__always)
  mutating func reset() {
    let used = cursor - block
    block.initializeMemory(as: UInt8.self, repeating: 0, count: used)
    cursor = block
    if mustShrink { shrink() }
  }

  @inline(never)
  private mutating func shrink() {
    isExhausted = false
    mustShrink = false
    allowance = 0
    for block in full { block.deallocate() }
    full = []
    large = []
    if blockByteCount > Self.keptByteCount { replaceBlock(Self.keptByteCount) }
  }

  /// Reserves this number of bytes, before anything is allocated.
  @inline(__always)
  mutating func reserve(_ byteCount: Int) {
    if byteCount > end - cursor { reserveMore(byteCount) }
  }

  /// A larger block, or permission to allocate memory as it is needed: large values are not in a
  /// block.
  @inline(never)
  private mutating func reserveMore(_ byteCount: Int) {
    guard byteCount > Self.keptByteCount else { return replaceBlock(byteCount) }
    mustShrink = true
    // What is left over at the end of an added block is an eighth of it at most.
    allowance = byteCount &+ byteCount / 4
  }

  @inline(never)
  private mutating func replaceBlock(_ byteCount: Int) {
    block.deallocate()
    blockByteCount = Self.rounded(byteCount)
    mustShrink = blockByteCount > Self.keptByteCount
    block = Self.zeroed(blockByteCount)
    cursor = block
    end = block + blockByteCount
  }

  /// Zeroed memory from what is reserved; nil: it does not fit.
  @inline(__always)
  mutating func allocateReserved(_ byteCount: Int) -> UnsafeMutableRawPointer? {
    guard byteCount >= 0, byteCount <= end - cursor else { return nil }
    let result = cursor
    cursor += Self.rounded(byteCount)
    return result
  }

  /// Memory beyond the block, as far as the allowance goes, or nil, noting that it ran out.
  fileprivate mutating func allocateBeyond(_ byteCount: Int) -> UnsafeMutableRawPointer? {
    guard byteCount >= 0, byteCount <= allowance else {
      isExhausted = true
      mustShrink = true
      return nil
    }
    guard byteCount < Self.largeByteCount else { return allocateLarge(byteCount) }
    let added = max(min(allowance, Self.addedByteCount), Self.rounded(byteCount))
    allowance = max(allowance - added, 0)
    addBlock(added)
    return allocateReserved(byteCount)
  }

  /// Memory for a large value, zero in its last bytes only.
  private mutating func allocateLarge(_ byteCount: Int) -> UnsafeMutableRawPointer? {
    let room = Self.rounded(byteCount)
    allowance = max(allowance - room, 0)
    large.append(
      [UInt8](unsafeUninitializedCapacity: room) { memory, count in
        memory[(room - Self.alignment)...].update(repeating: 0)
        count = byteCount
      })
    // A native array's storage stays where it is for as long as the array does.
    return large[large.count - 1].withUnsafeBytes {
      UnsafeMutableRawPointer(mutating: $0.baseAddress)
    }
  }

  /// The large value at an address as an array, without a copy; nil: it has no memory of its own,
  /// or of another size.
  mutating func takeLarge(_ address: UnsafeRawPointer?, _ byteCount: Int) -> [UInt8]? {
    let place = large.firstIndex { $0.withUnsafeBytes { $0.baseAddress } == address }
    guard let place, large[place].count == byteCount else { return nil }
    return large.remove(at: place)
  }

  /// Zeroed memory; takes another block from the system if need be.
  @inline(__always)
  mutating func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
    if byteCount > end - cursor { addBlock(byteCount) }
    let result = cursor
    cursor += Self.rounded(byteCount)
    return result
  }

  @inline(never)
  private mutating func addBlock(_ byteCount: Int) {
    full.append(block)
    mustShrink = true
    blockByteCount = Self.rounded(max(byteCount, blockByteCount))
    block = Self.zeroed(blockByteCount)
    cursor = block
    end = block + blockByteCount
  }

  private static func zeroed(_ byteCount: Int) -> UnsafeMutableRawPointer {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: alignment)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    return memory
  }

  /// An allocator for libprotobuf-c over the arena at an address; its `free` does nothing.
  static func allocator(over arena: UnsafeMutablePointer<Arena>) -> ProtobufCAllocator {
    ProtobufCAllocator(alloc: takeFromArena, free: { _, _ in }, allocator_data: arena)
  }
}

/// The allocation function for libprotobuf-c; nil when the arena is exhausted.
@inline(__always)
private func takeFromArena(
  _ context: UnsafeMutableRawPointer?, _ byteCount: Int
) -> UnsafeMutableRawPointer? {
  guard let arena = context?.assumingMemoryBound(to: Arena.self) else { return nil }
  return arena.pointee.allocateReserved(byteCount) ?? takeMore(arena, byteCount)
}

/// The rare path, separate so that the common path needs no stack frame.
@inline(never)
private func takeMore(
  _ arena: UnsafeMutablePointer<Arena>, _ byteCount: Int
) -> UnsafeMutableRawPointer? {
  arena.pointee.allocateBeyond(byteCount)
}
