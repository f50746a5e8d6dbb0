internal import CProtobufC

/// A bump allocator whose memory is zero when it is handed out; everything is given back at once.
///
/// Lives at a fixed address, which libprotobuf-c gets as allocator data.
struct Arena {
  private var cursor: UnsafeMutableRawPointer
  private var end: UnsafeMutableRawPointer
  private var block: UnsafeMutableRawPointer
  private var blockByteCount: Int
  /// Blocks that filled up; freed at the next reset.
  private var full: [UnsafeMutableRawPointer] = []
  /// Set when an allocation did not fit.
  private(set) var isExhausted = false
  /// Whether the next reset has more to do than to clear the block.
  private var mustShrink = false

  /// The block that is kept between messages is at most this large.
  private static let keptByteCount = 65_536

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
  }

  /// What an allocation takes.
  @inline(__always)
  static func rounded(_ byteCount: Int) -> Int { (byteCount &+ 15) & ~15 }

  /// Takes everything back and clears what was used.
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
    for block in full { block.deallocate() }
    full = []
    if blockByteCount > Self.keptByteCount { replaceBlock(Self.keptByteCount) }
  }

  /// Makes room for so many bytes, before anything is allocated.
  @inline(__always)
  mutating func reserve(_ byteCount: Int) {
    if byteCount > end - cursor { replaceBlock(byteCount) }
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

  /// Zeroed memory from what is reserved, or nil, noting that it ran out.
  @inline(__always)
  mutating func allocateReserved(_ byteCount: Int) -> UnsafeMutableRawPointer? {
    guard byteCount >= 0, byteCount <= end - cursor else {
      isExhausted = true
      mustShrink = true
      return nil
    }
    let result = cursor
    cursor += Self.rounded(byteCount)
    return result
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

/// What libprotobuf-c calls for memory; nil when the arena has no more.
@inline(__always)
private func takeFromArena(
  _ context: UnsafeMutableRawPointer?, _ byteCount: Int
) -> UnsafeMutableRawPointer? {
  context?.assumingMemoryBound(to: Arena.self).pointee.allocateReserved(byteCount)
}
