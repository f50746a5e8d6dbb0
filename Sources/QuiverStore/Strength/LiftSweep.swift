/// Takes the sets of series away that are nobody's any more, and gives up imports that a process
/// left behind.
enum LiftSweep {
  private static let series = Query("SELECT series_id FROM lift_garbage LIMIT 1")
  private static let delete = Query(
    """
    DELETE FROM lift_set WHERE id IN (
      SELECT id FROM lift_set WHERE series_id = ?1 LIMIT \(StoreLimits.setsPerImportGroup))
    """)
  private static let forget = Query("DELETE FROM lift_garbage WHERE series_id = ?1")

  private static let hasImport = Query("SELECT id FROM lift_import LIMIT 1")
  private static let abandon = [
    Query(
      """
      INSERT INTO lift_garbage (series_id)
      SELECT s.id FROM lift_import i JOIN lift_series s
        ON s.principal_id = i.principal_id AND s.import_id = i.id
      """),
    Query(
      """
      DELETE FROM lift_series WHERE id IN (
        SELECT s.id FROM lift_import i JOIN lift_series s
          ON s.principal_id = i.principal_id AND s.import_id = i.id)
      """),
    Query("DELETE FROM lift_import"),
  ]

  /// Removes at most a slice of one series; answers how many rows went.
  static func sweep(_ session: Session) throws(StoreError) -> Int64 {
    guard let id = try session.first(series, [], { row in row.int64(0) }) else { return 0 }
    let count = try session.run(delete, [.integer(id)])
    return count > 0 ? count : try session.run(forget, [.integer(id)])
  }

  /// Gives up every import: when a store is opened, those that are there are of a process that has
  /// ended.
  static func abandonAll(_ session: Session) throws(StoreError) {
    guard try session.first(hasImport, [], { _ in true }) != nil else { return }
    for query in abandon { try session.run(query, []) }
  }
}
