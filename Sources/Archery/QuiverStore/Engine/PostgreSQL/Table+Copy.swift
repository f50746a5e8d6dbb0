/// What a copy between engines needs of a table.
extension Table {
  /// The tables that are copied, at least one way.
  static let copied = all.filter { $0.copying != .none }

  /// The place of a column in the rows of ``selection(inOrderOf:isBehindKey:offset:limit:)``.
  func place(of column: String) -> Int? { columns.firstIndex { $0.name == column } }

  /// A slice of the rows behind a key, in the order of some columns. Both engines take the text,
  /// and compare texts and bytes alike.
  func selection(
    inOrderOf order: [String], isBehindKey: Bool, offset: Int64, limit: Int64
  ) -> String {
    let list = order.joined(separator: ", ")
    let values = order.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    return """
      SELECT \(columnList) FROM \(name)
      \(isBehindKey ? "WHERE (\(list)) > (\(values))" : "")
      ORDER BY \(list) LIMIT \(limit) OFFSET \(offset)
      """
  }

  var insertion: String {
    let values = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    return "INSERT INTO \(name) (\(columnList)) VALUES (\(values))"
  }

  private var columnList: String { columns.map(\.name).joined(separator: ", ") }
}
