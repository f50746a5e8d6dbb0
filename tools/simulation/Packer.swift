import QuiverRPC
import QuiverZstd
import Synchronization

/// zstd with counts of the compressed and inflated messages.
final class Packer: Compressor {
  private let packed = Atomic<Int>(0)
  private let unpacked = Atomic<Int>(0)

  private static let zstd = Zstd()

  var packedCount: Int { packed.load(ordering: .relaxed) }
  var unpackedCount: Int { unpacked.load(ordering: .relaxed) }

  var name: String { Self.zstd.name }

  func compress(_ message: UnsafeRawBufferPointer, below byteCount: Int) -> [UInt8]? {
    let frame = Self.zstd.compress(message, below: byteCount)
    if frame != nil { packed.add(1, ordering: .relaxed) }
    return frame
  }

  func inflate(
    _ frame: UnsafeRawBufferPointer, limit: Int, _ take: (UnsafeRawBufferPointer) -> Void
  ) throws(InflateFault) {
    unpacked.add(1, ordering: .relaxed)
    try Self.zstd.inflate(frame, limit: limit, take)
  }
}
