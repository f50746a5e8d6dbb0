/// Names that were read lately, by a hash of their bytes: a log has few, on many lines.
struct ExerciseNames: Sendable {
  private struct Known: Sendable {
    var bytes: [UInt8]
    var name: ExerciseName
  }

  private var known: [UInt64: Known] = [:]

  /// Names that are kept.
  private static let capacity = 4_096

  /// The name of these bytes.
  mutating func name(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(BadLine.Reason) -> ExerciseName {
    let hash = Self.hash(bytes)
    if let found = known[hash], found.bytes.elementsEqual(bytes) { return found.name }
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      throw .notText
    }
    guard let name = ExerciseName(text) else { throw .name }
    if known.count >= Self.capacity { known.removeAll(keepingCapacity: true) }
    known[hash] = Known(bytes: Array(bytes), name: name)
    return name
  }

  /// FNV-1a; two names of one hash cost time, no more.
  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }
}
