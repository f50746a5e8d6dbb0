/// Takes weight entries away that were deleted too long ago to be restored.
enum WeightSweep {
  private static let old = Query(
    """
    SELECT id, principal_id, client_id FROM weight_entry WHERE deleted_at_ms < ?1
    ORDER BY deleted_at_ms LIMIT \(StoreLimits.sweptRowsPerSlice)
    """)
  private static let delete = Query("DELETE FROM weight_entry WHERE id = ?1")
  private static let count = Query(
    "UPDATE weight_entry_count SET entries = entries - 1 WHERE principal_id = ?1")

  /// Removes at most a slice of them; answers how many went.
  static func sweep(_ session: Session, nowMilliseconds: Int64) throws(StoreError) -> Int64 {
    var found: [(id: Int64, principal: Int64, clientID: [UInt8])] = []
    let oldest = nowMilliseconds - StoreLimits.deletedWeightKeepMilliseconds
    try session.forEach(old, [.integer(oldest)]) { row in
      found.append((row.int64(0), row.int64(1), row.bytes(2)))
    }
    for (id, principal, clientID) in found {
      try session.forgetContent(of: .weightEntry, id: id, clientID: clientID)
      try session.run(delete, [.integer(id)])
      try session.run(count, [.integer(principal)])
    }
    return Int64(found.count)
  }
}
