/// The limits above which a message is refused.
package struct DecodeLimits: Sendable, Hashable {
  /// Levels of nesting, the message itself being the first.
  package var maxDepth = 16

  /// Fields in the message and everything in it, each copy and so each unpacked element counted.
  package var maxFields = 262_144

  /// Packed elements of repeated fields in all.
  package var maxRepeatedElements = 1_048_576

  /// Fields that the schema does not know, in all. libprotobuf-c keeps each of them.
  package var maxUnknownFields = 16_384

  /// The arena that unpacking may take: `arenaBaseByteCount` and this for each byte of the message.
  package var arenaBytesPerByte = 32

  package var arenaBaseByteCount = 65_536

  /// The arena that unpacking may take, however long the message is.
  package var maxArenaByteCount = 67_108_864

  package static let `default` = DecodeLimits()

  package init() {}

  /// No limit but the depth, for what this process wrote itself.
  package static let none = {
    var limits = DecodeLimits()
    limits.maxFields = .max
    limits.maxRepeatedElements = .max
    limits.maxUnknownFields = .max
    limits.arenaBaseByteCount = .max
    limits.maxArenaByteCount = .max
    return limits
  }()

  /// The arena's budget for a message of this number of bytes.
  func arenaBudget(for byteCount: Int) -> Int {
    let (product, overflows) = byteCount.multipliedReportingOverflow(by: arenaBytesPerByte)
    let (sum, sumOverflows) = product.addingReportingOverflow(arenaBaseByteCount)
    return overflows || sumOverflows ? maxArenaByteCount : min(sum, maxArenaByteCount)
  }
}
