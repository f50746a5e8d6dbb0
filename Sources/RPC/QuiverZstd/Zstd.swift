public import QuiverRPC
import Synchronization

/// Compresses messages with zstd: one frame each, no dictionary, a window of at most 1 MiB.
///
/// It may be used from any thread, and by several threads at once.
public final class Zstd: Compressor {
  private let level: Int32
  private let packing = Contexts<PackingContext>()
  private let unpacking = Contexts<UnpackingContext>()

  /// - Parameter level: 1 (fastest) to 19; a level outside this range means the nearest one.
  public init(level: Int = 1) {
    self.level = Int32(min(max(level, 1), 19))
  }

  public var name: String { "zstd" }

  public func compress(
    _ message: UnsafeRawBufferPointer, below byteCount: Int
  ) -> [UInt8]? {
    guard let context = packing.take() ?? PackingContext(level: level) else { return nil }
    defer { packing.give(context) }
    return context.compress(message, below: byteCount)
  }

  public func inflate(
    _ frame: UnsafeRawBufferPointer, limit: Int, _ take: (UnsafeRawBufferPointer) -> Void
  ) throws(InflateFault) {
    guard let header = FrameHeader(frame), header.windowByteCount <= FrameHeader.largestWindow
    else {
      throw .malformed
    }
    guard header.contentByteCount ?? 0 <= UInt64(clamping: limit) else { throw .tooLarge }
    guard let context = unpacking.take() ?? UnpackingContext() else { throw .tooLarge }
    defer { unpacking.give(context) }
    try context.inflate(frame, limit: limit, take)
  }
}

/// Contexts that are not in use: as many as were ever in use at once, up to a bound.
private final class Contexts<Context: Sendable>: Sendable {
  private let idle = Mutex<[Context]>([])

  /// Further ones are released.
  private static var most: Int { 8 }

  func take() -> Context? { idle.withLock { $0.popLast() } }

  func give(_ context: Context) {
    idle.withLock { idle in
      if idle.count < Self.most { idle.append(context) }
    }
  }
}
