/// Removes the replies that are kept under idempotency keys and have texts of a deleted principal:
/// all of its own, and those of others in which one of its names is a field.
///
/// The keys stay, because verification depends on their order. Replies that are kept later do not
/// have the names, since this step comes after those that erase them.
enum ErasedReplies {
  /// A slice reads whole replies, so it has fewer rows than other searches.
  private static let rowsPerSlice = StoreLimits.searchedRowsPerCommand / 4

  /// Up to so many words are compared in memory; more are looked up one by one.
  private static let wordsInMemory: Int64 = 1_000

  private static let next = Query(
    "SELECT sequence FROM idempotency_key WHERE sequence > ?1 ORDER BY sequence LIMIT 1")
  private static let replies = Query(
    """
    SELECT sequence, principal_id, reply FROM idempotency_key
    WHERE sequence >= ?1 AND sequence <= ?2 AND reply IS NOT NULL
    """)
  private static let remove = Query("UPDATE idempotency_key SET reply = NULL WHERE sequence = ?1")
  private static let words = Query(
    "SELECT word FROM erased_word WHERE principal_id = ?1 LIMIT ?2")
  private static let word = Query(
    "SELECT 1 FROM erased_word WHERE principal_id = ?1 AND word = ?2")

  @Sendable static func slice(
    _ transaction: borrowing Transaction, _ place: ErasurePlace
  ) throws(StoreError) -> ErasureProgress {
    let first = try transaction.snapshot.first(next, .integer(place.position)) { row in
      row.int64(0)
    }
    guard let first else {
      return ErasureProgress(position: place.position, isDone: true, rowCount: 0)
    }
    let last = first + rowsPerSlice - 1
    let known = Set(
      try transaction.snapshot.all(
        words, .integer(place.principal), .integer(wordsInMemory + 1)
      ) { row in row.bytes(0) })
    let kept = try transaction.snapshot.all(replies, .integer(first), .integer(last)) { row in
      (sequence: row.int64(0), principal: row.int64(1), reply: row.bytes(2))
    }
    for reply in kept {
      var isErased = reply.principal == place.principal
      if !isErased {
        for text in MessageTexts.fields(of: reply.reply) where !isErased {
          isErased =
            known.count <= wordsInMemory
            ? known.contains(text)
            : try transaction.snapshot.first(
              word, .integer(place.principal), .blob(text), map: { _ in true }) != nil
        }
      }
      if isErased { try transaction.run(remove, .integer(reply.sequence)) }
    }
    return ErasureProgress(position: last, isDone: false, rowCount: ErasureStep.searchCost)
  }
}

/// The fields of a stored reply that may be texts, without its schema.
enum MessageTexts {
  /// Messages are nested less deeply than this.
  private static let depth = 16

  /// The content of each field with a length, at every depth: texts, bytes, and messages. Bytes
  /// that are no message have the fields before the first error.
  static func fields(of message: [UInt8]) -> [[UInt8]] {
    var found: [[UInt8]] = []
    add(message[...], depth: depth, to: &found)
    return found
  }

  private static func add(_ bytes: ArraySlice<UInt8>, depth: Int, to found: inout [[UInt8]]) {
    var rest = bytes
    while let tag = varint(&rest) {
      switch tag & 7 {
      case 0: if varint(&rest) == nil { return }
      case 1: rest = rest.dropFirst(8)
      case 5: rest = rest.dropFirst(4)
      case 2:
        guard let count = varint(&rest), count <= UInt64(rest.count) else { return }
        let content = rest.prefix(Int(count))
        found.append(Array(content))
        if depth > 1 { add(content, depth: depth - 1, to: &found) }
        rest = rest.dropFirst(Int(count))
      default: return
      }
    }
  }

  private static func varint(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }
}
