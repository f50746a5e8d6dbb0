import QuiverRules

/// The statements of one type of equipment, generated from its fields.
final class EquipmentQueries: Sendable {
  let kind: EquipmentKind
  let select: Query
  let insertOwn: Query
  let updateOwn: Query
  let deleteOwn: Query

  /// How to read the column of each field, in the order of the type's fields.
  private let shapes: [Shape]

  /// The type of a column that is not NULL.
  private enum Shape {
    case text
    case real
    case integer
  }

  /// The column of the first field in `select`.
  static let firstFieldColumn: Int32 = 7

  private static let all = EquipmentKind.all.map(EquipmentQueries.init)

  static func of(_ type: EquipmentType) -> EquipmentQueries {
    all[Int(type.rawValue) - 1]
  }

  private init(_ kind: EquipmentKind) {
    self.kind = kind
    shapes = kind.fields.map { field in
      switch field.content {
      case .text: .text
      case .real: .real
      case .integer, .enumeration, .day: .integer
      }
    }
    let own = kind.ownFields.map(\.name)
    let selected = own.map { "o.\($0)" }.joined(separator: ", ")
    select = Query(
      """
      SELECT e.id, e.client_id, e.revision, e.archived, e.created_at_ms, e.updated_at_ms,
        e.setup_use_count, e.brand, e.model, e.notes, \(selected)
      FROM equipment e JOIN \(kind.name) o ON o.id = e.id
      WHERE e.id = ?1 AND e.principal_id = ?2 AND e.deleted_at_ms IS NULL
      """)
    let parameters = own.indices.map { "?\($0 + 2)" }.joined(separator: ", ")
    insertOwn = Query(
      """
      INSERT INTO \(kind.name) (id, \(own.joined(separator: ", "))) VALUES (?1, \(parameters))
      """)
    let settings = own.indices.map { "\(own[$0]) = ?\($0 + 2)" }.joined(separator: ", ")
    updateOwn = Query("UPDATE \(kind.name) SET \(settings) WHERE id = ?1")
    deleteOwn = Query("DELETE FROM \(kind.name) WHERE id = ?1")
  }

  /// The record of a row of `select`.
  func record(_ row: Row) -> EquipmentRecord {
    var values: [EquipmentValue] = []
    values.reserveCapacity(shapes.count)
    var column = Self.firstFieldColumn
    for shape in shapes {
      values.append(Self.value(row, column, shape))
      column += 1
    }
    return EquipmentRecord(
      id: row.int64(0), clientID: row.bytes(1), revision: row.uint64(2), isArchived: row.bool(3),
      createdAtMilliseconds: row.int64(4), updatedAtMilliseconds: row.int64(5),
      setupUseCount: UInt32(clamping: row.int64(6)),
      content: EquipmentContent(type: kind.type, values: values))
  }

  private static func value(_ row: Row, _ column: Int32, _ shape: Shape) -> EquipmentValue {
    switch shape {
    case .text: row.optionalText(column).map(EquipmentValue.text) ?? .absent
    case .real: row.isNull(column) ? .absent : .real(row.double(column))
    case .integer: row.isNull(column) ? .absent : .integer(row.int64(column))
    }
  }

  /// The parameters of `insertOwn` and `updateOwn`.
  func ownValues(id: Int64, _ content: EquipmentContent) -> [SQLValue] {
    var values: [SQLValue] = []
    values.reserveCapacity(1 + content.values.count - EquipmentKind.commonFieldCount)
    values.append(.integer(id))
    for value in content.values.dropFirst(EquipmentKind.commonFieldCount) {
      values.append(SQLValue(value))
    }
    return values
  }
}

extension SQLValue {
  init(_ value: EquipmentValue) {
    switch value {
    case .absent: self = .null
    case .text(let text): self = .text(text)
    case .real(let number): self = .real(number)
    case .integer(let number): self = .integer(number)
    }
  }
}
