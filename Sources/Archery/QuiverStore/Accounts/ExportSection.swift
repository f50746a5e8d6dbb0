/// A part of an export: records of one kind in the order of their places.
///
/// A ``Table`` names the sections that have its rows; an export has all sections that are named.
struct ExportSection: Sendable {
  /// The order of sections; stored in page tokens of clients, so that it keeps its meaning.
  let number: Int64

  /// At most so many rows behind a place, fewer if their texts exceed a page.
  let read: Read

  typealias Read =
    @Sendable (
      borrowing Snapshot, _ principal: Int64, _ after: ExportPlace, _ limit: Int64
    ) throws(StoreError) -> ExportRows

  /// Reads a record of a principal; nil if there is none any more.
  typealias Item =
    @Sendable (
      borrowing Snapshot, _ principal: Int64, ExportPlace
    ) throws(StoreError) -> ExportItem?

  /// All sections of all tables, in their order.
  static let all: [ExportSection] = {
    var sections: [Int64: ExportSection] = [:]
    for case .sections(let found) in Table.all.map(\.export) {
      for section in found { sections[section.number] = section }
    }
    return sections.values.sorted { $0.number < $1.number }
  }()

  init(number: Int64, read: @escaping Read) {
    self.number = number
    self.read = read
  }

  /// The records of a query that selects versions and ids in their order. It takes the principal,
  /// the version and the id of the place before, and a number of rows.
  init(_ number: Int64, _ query: Query, _ item: @escaping Item) {
    self.init(number: number) { (snapshot, principal, after, limit) throws(StoreError) in
      let places = try snapshot.all(
        query, .integer(principal), .integer(after.version), .integer(after.id), .integer(limit)
      ) { row in ExportPlace(number, id: row.int64(1), version: row.int64(0)) }
      return try Self.rows(at: places, of: principal, snapshot, item)
    }
  }

  /// The same for a query that selects ids; it takes the principal, an id and a number of rows.
  init(_ number: Int64, ids query: Query, _ item: @escaping Item) {
    self.init(number: number) { (snapshot, principal, after, limit) throws(StoreError) in
      let places = try snapshot.all(
        query, .integer(principal), .integer(after.id), .integer(limit)
      ) { row in ExportPlace(number, id: row.int64(0)) }
      return try Self.rows(at: places, of: principal, snapshot, item)
    }
  }

  /// The rows of a table that belong to a principal, by their ids.
  init(
    _ number: Int64, of table: String, by owner: String = "principal_id",
    where condition: String = "", _ item: @escaping Item
  ) {
    let query = Query(
      """
      SELECT id FROM \(table) WHERE \(owner) = ?1 AND id > ?2 \(condition) ORDER BY id LIMIT ?3
      """)
    self.init(number, ids: query, item)
  }

  private static func rows(
    at places: [ExportPlace], of principal: Int64, _ snapshot: borrowing Snapshot, _ item: Item
  ) throws(StoreError) -> ExportRows {
    var rows = ExportRows()
    for place in places where !rows.exceedPage {
      if let item = try item(snapshot, principal, place) { rows.append(item, at: place) }
    }
    return rows
  }
}

/// The position of an export: after one row of a section.
struct ExportPlace: Sendable {
  /// The number of the section.
  let section: Int64
  let id: Int64

  /// The version of a setup, or what a section has instead; 0 in the others.
  let version: Int64

  /// Before the first section.
  static let start = ExportPlace(0, id: 0)

  init(_ section: Int64, id: Int64, version: Int64 = 0) {
    self.section = section
    self.id = id
    self.version = version
  }

  /// The position in a page token; throws if the token is not valid.
  init(_ place: (text: String, id: Int64)) throws(StoreError) {
    let numbers = place.text.split(separator: ".").map { Int64($0) }
    guard numbers.count == 2, let section = numbers[0], let version = numbers[1] else {
      throw .invalid("page_token", "belongs to another list; begin again without it")
    }
    self.init(section, id: place.id, version: version)
  }

  /// The part of a token beside the id.
  var text: String { "\(section).\(version)" }
}

/// Records with their places in an export.
struct ExportRows {
  private(set) var places: [ExportPlace] = []
  private(set) var items: [ExportItem] = []
  private var byteCount = 0

  /// Where a search has come to that has not looked at all rows.
  var searchedTo: ExportPlace?

  /// Whether the last row is beyond the bytes of a page.
  var exceedPage: Bool { items.count > 1 && byteCount > StoreLimits.exportPageByteCount }

  mutating func append(_ item: ExportItem, at place: ExportPlace) {
    places.append(place)
    items.append(item)
    byteCount += item.byteCount
  }

  mutating func append(_ rows: ExportRows) {
    places += rows.places
    items += rows.items
    byteCount += rows.byteCount
    searchedTo = rows.searchedTo
  }

  /// The number of rows that fit a page: at least one if there is one.
  func shownCount(size: Int) -> Int {
    var byteCount = 0
    for (index, item) in items.enumerated() {
      byteCount += item.byteCount
      if index == size || (index > 0 && byteCount > StoreLimits.exportPageByteCount) {
        return index
      }
    }
    return items.count
  }
}
