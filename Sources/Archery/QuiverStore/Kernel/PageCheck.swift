/// SQLite's own look at every page: structure, order and cells, but not what indexes hold.
extension Session {
  private static let whole = Query("SELECT quick_check FROM pragma_quick_check")
  private static let ofTable = Query("SELECT quick_check FROM pragma_quick_check(?1)")
  private static let tables = Query(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name")

  /// What is wrong with the pages of a table and its indexes, or of the whole file.
  ///
  /// The snapshot stays open meanwhile: about a second for a gigabyte that is in memory.
  func pageFindings(table: String?) throws(StoreError) -> [String] {
    var findings: [String] = []
    let query = table == nil ? Self.whole : Self.ofTable
    try forEach(query, table.map { [.text($0)] } ?? []) { row in
      let text = row.text(0)
      if text != "ok", findings.count < StoreLimits.findingsPerCheck { findings.append(text) }
    }
    return findings
  }

  /// Every table that has pages.
  func tableNames() throws(StoreError) -> [String] {
    var names: [String] = []
    try forEach(Self.tables, []) { row in names.append(row.text(0)) }
    return names
  }
}
