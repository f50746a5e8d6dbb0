/// A table of the store, declared once: its columns on both engines, and what becomes of its rows.
///
/// The statements of a feature stand with the feature. What concerns all tables follows from their
/// declarations: the sections of an export, the steps that erase an account, and the copy between
/// engines. Migrations make the schema; a test compares each declaration with a new database of
/// each engine, and fails for a table or a column without one.
///
/// A text says where the export of its owner has it and what the erasure of an account makes of it,
/// or why neither; otherwise it does not compile. For example the pauses of the shooting:
///
///     Table(
///       "event_pause", key: .assigned, export: .sections([.pauses]),
///       erasing: [.owned(19, by: "started_by")],
///       .integers("event_id started_at_ms started_by started_role ended_at_ms ended_by"),
///       .text("reason", export: .included, erasure: .shared("''")))
///
/// A principal gets its pauses in the section `pauses`. Step 19 of its erasure finds the same rows,
/// and makes their reasons empty, since the column says so; the rows stay.
///
/// The name of a column that may be NULL ends in a question mark.
struct Table: Sendable {
  let name: String
  let key: Key
  let export: Export
  let copying: Copying
  let erasures: [ErasedRows]
  let columns: [Column]

  /// The primary key.
  enum Key: Sendable {
    /// A number `id` that the database assigns.
    case assigned
    /// The same, in a column of another name.
    case assignedTo(String)
    /// Columns that commands set, in the order of PostgreSQL.
    case columns(String)
  }

  /// How a principal gets the rows that belong to it.
  enum Export: Sendable {
    /// These sections have them, at least in part: each text says whether it is included.
    case sections([ExportSection])
    case omitted(Reason)
  }

  /// Why something is not exported or not erased.
  enum Reason: Sendable {
    /// The store needs it for itself: positions, counts, secrets, copies.
    case isOfStore
    /// It is the same for all principals, or follows from other columns.
    case isNotPersonal
    /// Scores stay, without the name of who shot them.
    case isScore
    /// It is removed with the work that it is for.
    case isTemporary
  }

  /// Which copies of a store between engines have the rows.
  enum Copying: Sendable {
    case both
    /// The way back creates others.
    case onlyToPostgreSQL
    case none
  }

  init(
    _ name: String, key: Key, export: Export, copying: Copying = .both,
    erasing erasures: [ErasedRows] = [], _ columns: [Column]...
  ) {
    self.name = name
    self.key = key
    self.export = export
    self.copying = copying
    self.erasures = erasures
    self.columns = (key.isNumberOfItsOwn ? [.id] : []) + columns.joined()
  }

  /// The columns of the primary key.
  var keyColumns: [String] {
    switch key {
    case .assigned: ["id"]
    case .assignedTo(let name): [name]
    case .columns(let names): names.split(separator: " ").map(String.init)
    }
  }

  /// The column whose values the database assigns.
  var assignedColumn: String? {
    switch key {
    case .assigned, .assignedTo: keyColumns[0]
    case .columns: nil
    }
  }
}

extension Table.Key {
  fileprivate var isNumberOfItsOwn: Bool { if case .assigned = self { true } else { false } }
}

/// A column of a ``Table``.
struct Column: Sendable {
  let name: String
  let type: ColumnType
  let isOptional: Bool
  let export: Export
  let erasure: Erasure

  enum ColumnType: Sendable { case integer, real, text, blob }

  enum Export: Sendable {
    /// A section of the table has it.
    case included
    case omitted(Table.Reason)
  }

  enum Erasure: Sendable {
    /// It becomes the value of an expression of SQL.
    case value(String)
    /// The same, and replies that others received with it are removed.
    case shared(String)
    /// Its row is deleted.
    case withRow
    case sharedRow
    case none(Table.Reason)
  }

  fileprivate static let id = Column("id", .integer, .included, .withRow)

  fileprivate init(
    _ name: some StringProtocol, _ type: ColumnType, _ export: Export, _ erasure: Erasure
  ) {
    isOptional = name.hasSuffix("?")
    self.name = String(isOptional ? name.dropLast() : name[...])
    self.type = type
    self.export = export
    self.erasure = erasure
  }
}

extension [Column] {
  /// Columns of integers, separated by spaces.
  static func integers(_ names: String) -> [Column] { columns(names, .integer) }

  static func reals(_ names: String) -> [Column] { columns(names, .real) }

  /// Ids that clients made, hashes and secrets: bytes that say nothing by themselves.
  static func opaque(_ names: String) -> [Column] { columns(names, .blob) }

  static func text(
    _ name: String, export: Column.Export, erasure: Column.Erasure
  ) -> [Column] {
    [Column(name, .text, export, erasure)]
  }

  /// Several texts of which the same holds, separated by spaces.
  static func texts(
    _ names: String, export: Column.Export, erasure: Column.Erasure
  ) -> [Column] {
    names.split(separator: " ").map { Column($0, .text, export, erasure) }
  }

  /// Bytes with a content.
  static func bytes(
    _ name: String, export: Column.Export, erasure: Column.Erasure
  ) -> [Column] {
    [Column(name, .blob, export, erasure)]
  }

  private static func columns(_ names: String, _ type: Column.ColumnType) -> [Column] {
    names.split(separator: " ").map {
      Column($0, type, .omitted(.isNotPersonal), .none(.isNotPersonal))
    }
  }
}
